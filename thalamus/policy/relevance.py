"""Relevance of a result to a question, independent of the other results.

A score finds the best result, and there always is one. Relevance decides if it has anything to do
with the question, so that the answer can be nothing at all. It combines the share of the content
words of one sentence of the question that are found in the result, weighted by rarity, with the
amount by which its cosine exceeds that of unrelated texts. Words of an answer count less than the
user's. bench/retrieval.md has the figures and the alternatives tried.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, chain
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from thalamus.policy.time_expressions import named_times, without_times
from thalamus.text.analyzer import (
    GRAM,
    LETTERS,
    alike,
    emoji,
    fold,
    has_unspaced,
    is_form,
    only_letters,
    part_set,
    parts_of,
)
from thalamus.text.calendar import calendar
from thalamus.text.sentences import sentences
from thalamus.text.tokens import own_words
from thalamus.text.word_lists import SPEAKERS, TALKING

if TYPE_CHECKING:
    from thalamus.policy.rank import Candidate
    from thalamus.records import Evidence

Key = TypeVar("Key")

ANSWER_WEIGHT = 0.7  # of words found only in the answer
TIME_WEIGHT = 0.5  # of a word for a time next to other words
FOREIGN = 2.5  # weight of a cosine for the weight of the words, where no word can be shared
FEWEST_WORDS = 3  # rarest words that a sentence of several counts as, at least: "I am so tired."
MOST_WORDS = 6  # at most: nothing that answers a long sentence has half of its words
PAIRS = 2  # pairs of characters that count as a word, in a script without spaces
SPEAKER_BONUS = 0.1  # for words of someone named in the question
TIME_BONUS = 0.2  # for what was said at the time the question names
LONG = 1000  # characters of a text, above which its words are not cached
SHORT = 5  # letters of a short word
UNKNOWN = 0.4  # usual cosine of two unrelated texts, for other models than in ``MODELS``
PRIOR = 6  # texts that the usual cosine counts as
# wordless candidates added to the count: with a single entry every word would seem common
SMOOTHING = 20
ALIKE = 0.8  # share of the best relevance from which another is about as relevant
_EMPTY = TALKING | SPEAKERS  # words of a question that is about the conversation


class Unrelated(Struct, frozen=True):
    """Cosine of a question with texts that have nothing to do with it; ``weight``: of how far
    another exceeds it; ``words``: of the share of words next to that. Both depend on the model."""

    cosine: float = 0.0
    weight: float = 1.0
    words: float = 0.5

    @classmethod
    def of(cls, mean: float, count: int, model: str) -> Unrelated:
        """The ``mean`` cosine with ``count`` texts of a store; a few, which may be related, are
        outweighed by what is usual for the model."""
        known = (usual for name, usual in MODELS.items() if model.startswith(name))
        usual = next(known, cls(UNKNOWN))
        cosine = (mean * count + usual.cosine * PRIOR) / (count + PRIOR)
        return replace(usual, cosine=cosine)

    def above(self, cosine: float) -> float:
        """Position of a cosine between that of unrelated texts (0) and 1."""
        return max(0.0, (cosine - self.cosine) / max(1e-6, 1 - self.cosine))


# Usual cosine of two unrelated texts, and the weights of a greater one and of words, by the
# beginning of a model's name; fitted to the questions of bench/languages/dev and of LoCoMo. Words
# say little to a model that understands sentences.
MODELS = {
    "static:": Unrelated(0.2, 1.0, 0.4),
    "multilingual:": Unrelated(0.15, 1.15, 0.2),
    "wordllama:": Unrelated(0.05),
    "scripted": Unrelated(),
}


class Share(Struct, frozen=True):
    """A sentence of a question: the ``weights`` of its words, and the ``whole`` that all of them
    count as."""

    weights: Mapping[str, float]
    whole: float

    def of(self, found: Collection[str]) -> float:
        """Share of the sentence that has been found, from 0 to 1."""
        sum_found = sum([weight for word, weight in self.weights.items() if word in found])
        return min(1.0, sum_found / self.whole)


class QuestionWords:
    """Content words and emoji of a question, without words for the conversation itself. Of its time
    expressions the months, weekdays, seasons and years (``times``) are left: what was said at such
    a time has these words too. A question without any words asks for nothing in particular, so
    nothing is irrelevant to it."""

    def __init__(self, question: str) -> None:
        own = [word for word in own_words(without_times(question)) if word not in _EMPTY]
        self.times = frozenset(map(fold, named_times(question)))
        self.words = list(dict.fromkeys([*own, *sorted(self.times), *emoji(fold(question))]))
        self._text = question
        self._finder: Any = None
        self._parts: frozenset[str] = frozenset()  # of all words
        self._fewest = 0  # parts of a word
        self._by_form: dict[str, list[str]] = {}  # words by what may be a form of one
        self._other: dict[str, list[str]] = {}  # words by patterns that are not part of one word

    def found_in(self, texts: Mapping[Key, str]) -> dict[Key, set[str]]:
        """For each text, the question's words of which it has a form. All texts are searched
        together."""
        found: dict[Key, set[str]] = {key: set() for key in texts}
        if not self.words or not texts:
            return found
        self._prepare()
        if self._finder is not None:
            self._find_forms([_spaced(text) for text in texts.values()], [*found.values()])
        for key, text in texts.items() if self._other else ():
            folded = fold(text)
            for pattern, words in self._other.items():
                found[key].update(_forms_at(pattern, words, folded))
        return found

    def shares(self, rarity: Mapping[str, float]) -> list[Share]:
        """The sentences of the question, with the ``rarity`` of their words; times and emoji are
        part of each. A long message asks in one sentence, and tells a story in the others."""
        parts = [set(own_words(sentence)) & rarity.keys() for sentence in sentences(self._text)]
        anywhere = rarity.keys() - set().union(*parts)
        total, rarest = sum(rarity.values()), max(rarity.values(), default=0.0)
        rarest *= PAIRS if any(map(has_unspaced, rarity)) else 1
        found = []
        for words in parts if len(parts) > 1 else [set(rarity)]:
            weights = {word: rarity[word] for word in rarity if word in words or word in anywhere}
            whole = min(sum(weights.values()), MOST_WORDS * rarest)
            whole = min(total, max(whole, FEWEST_WORDS * rarest))
            if whole:
                found.append(Share(weights, whole))
        return found

    def _find_forms(self, spaced: Sequence[str], found: Sequence[set[str]]) -> None:
        """Adds to ``found`` the words that each text has a form of."""
        whole, ends = "".join(spaced), [*accumulate([len(text) for text in spaced])]
        form_end = 0
        for _, start, end in self._finder.find_matches_as_indexes(whole):
            if start < form_end:  # another part of the same form
                continue
            form_end = whole.find(" ", end)
            form = whole[whole.rfind(" ", 0, start) + 1 : form_end]
            words = self._by_form.get(form)
            if words is None:
                words = self._by_form[form] = self._words_of(form)
            if words:
                found[bisect_right(ends, start)].update(words)

    def _words_of(self, form: str) -> list[str]:
        """The words of the question that this is a form of."""
        parts = part_set(form)
        # most have fewer parts in common with all words than a form has with the shortest one
        if not alike(len(self._parts & parts), self._fewest, len(parts)):
            return []
        found = [word for word in self.words if is_form(word, form)]
        differ = calendar().differ if self.times.intersection(found) else None  # not November
        return [one for one in found if not (differ and one in self.times and differ(one, form))]

    def _prepare(self) -> None:
        if self._finder is not None or self._other:
            return
        parts = [part_set(word) for word in self.words]
        self._parts, self._fewest = frozenset().union(*parts), min(map(len, parts))
        within = set()
        for word in self.words:
            for pattern in _patterns(word):
                if _is_one(pattern):
                    within.add(pattern)
                else:
                    self._other.setdefault(pattern, []).append(word)
        if within:
            import ahocorasick_rs

            self._finder = ahocorasick_rs.AhoCorasick([*within])

    def rarity(self, found: Iterable[Collection[str]], count: int) -> dict[str, float]:
        """Inverse document frequency of each word among ``count`` candidates; ``found``: the words
        found in those that have any. A few candidates say little about rarity."""
        count += SMOOTHING
        often = Counter(chain.from_iterable(found))
        return {
            word: (TIME_WEIGHT if word in self.times else 1.0)
            * math.log(1 + (count - often[word] + 0.5) / (often[word] + 0.5))
            for word in self.words
        }


def _spaced(text: str) -> str:
    """The words of a text, with a space before and after each."""
    return _spaced_short(text) if len(text) < LONG else _between_spaces(text)


def _between_spaces(text: str) -> str:
    return f" {only_letters(text)} "


_spaced_short = lru_cache(maxsize=2048)(_between_spaces)  # most candidates recur


def _patterns(word: str) -> set[str]:
    """A word and the parts of it by which its forms are found. Only forms of a short word may have
    no more in common than their beginning or end."""
    parts = [part for part in parts_of(word) if len(part) == GRAM]
    inner = [part for part in parts if "^" not in part and "$" not in part]
    return {word, *(part.strip("^$") for part in (inner if len(word) > SHORT else parts))}


def _is_one(text: str) -> bool:
    """True for a word, or a part of one, in a script with spaces."""
    return LETTERS.fullmatch(text) is not None and not has_unspaced(text)


def _forms_at(pattern: str, words: Iterable[str], text: str) -> Iterator[str]:
    """The words of which a form is found at a pattern in a folded text: the pattern itself in a
    script without spaces, or an emoji."""
    start = text.find(pattern)
    while start >= 0:
        begin, end = _word_at(text, start, start + len(pattern))
        yield from (word for word in words if is_form(word, text[begin:end]))
        start = text.find(pattern, start + 1)


def _word_at(text: str, start: int, end: int) -> tuple[int, int]:
    """The word around a match; the match itself in a script without spaces, or of an emoji."""
    match = text[start:end]
    if not match.isascii() and (has_unspaced(match) or emoji(match)):
        return start, end
    while start and ((before := text[start - 1]).isalnum() or LETTERS.match(before)):
        start -= 1
    found = LETTERS.match(text, end)
    return start, found.end() if found else end


def relevance(
    candidate: Candidate,
    own_words_found: Collection[str],
    answered: Collection[str],
    shares: Sequence[Share],
    unrelated: Unrelated,
    foreign: bool = False,
) -> float:
    """Relevance of a candidate, from 0 to 1.

    ``own_words_found``: words of the question in its own text; ``answered``: words found with the
    answer included; ``shares``: of each sentence of the question; ``unrelated``: cosine of the
    question with texts that have nothing to do with it; ``foreign``: the candidate is in another
    language than the question, so that its cosine stands for the words too.
    """
    found = [max(one.of(own_words_found), ANSWER_WEIGHT * one.of(answered)) for one in shares]
    relevant = share = max(found, default=0.0)
    if candidate.vector is not None:
        above = unrelated.above(candidate.vector)
        weight = unrelated.weight * (1 + FOREIGN * unrelated.words if foreign else 1)
        relevant = unrelated.words * share + weight * above
    relevant += SPEAKER_BONUS * candidate.named + TIME_BONUS * candidate.timely
    return round(max(0.0, min(1.0, relevant)), 4)


def relevant(evidence: Sequence[Evidence], least: float, share: float = 0.0) -> list[Evidence]:
    """The evidence worth showing: nothing if the relevance of none reaches ``least``, everything if
    that is 0.

    ``share``: of the best score that the others must have, unless they are about as relevant as the
    best. It is no more than the best relevance: the less certain that is, the more of the others
    may be what is wanted. Evidence that was not compared with anything stays.
    """
    judged = [item.relevance for item in evidence if item.relevance is not None]
    if not judged or not least:
        return list(evidence)
    best = max(judged)
    if best < least:
        return [item for item in evidence if item.relevance is None]
    enough = min(share, best) * max(item.score for item in evidence)
    return [
        item
        for item in evidence
        if item.relevance is None or item.score >= enough or item.relevance >= ALIKE * best
    ]
