"""How relevant a find is to a question, whatever else was found.

A score says which find is the best one, and there always is a best one; relevance says whether it
has anything to do with the question, so that nothing at all can be the answer. It is made of the
share of the question's content words that the find has, the rare ones counting more, and of how far
its cosine is above what any text has in common with the question. What was answered counts less
than what the user said. The figures, and what else was
tried, stand in docs/retrieval.md.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import accumulate, chain
from typing import TYPE_CHECKING, TypeVar

from thalamus.policy.follow_up import own_words
from thalamus.policy.time_expressions import without_times
from thalamus.text.tokens import COMMON, has_unspaced, similar
from thalamus.text.word_lists import TALKING

if TYPE_CHECKING:
    from thalamus.policy.rank import Candidate
    from thalamus.records import Evidence

Key = TypeVar("Key")

WORDS_WEIGHT = 0.5  # of the share of the words, beside the cosine; all there is without a cosine
ANSWERED = 0.7  # of words that only the answer has
SENTENCE = 0.6  # of the cosine of the nearest sentence of the answer
NAMED = 0.1  # for words of someone whom the question names
TIMELY = 0.2  # for what was said when the question says
FEW = 20  # candidates without any word that are added: of one entry every word would be common
BESIDE = 0.15  # share of the least relevance that is enough next to something that has it

_FORM = re.compile(r"[^\W_]+")
_OWN = re.compile(r"['’]s?$")  # "Ana's" asks for Ana


class Asked:
    """The content words of a question: those of its language without the words of time and of
    talking. Without any left it asks for nothing in particular, and nothing is irrelevant. Nor is
    anything to a question in a script without spaces, whose pairs of characters are no words."""

    def __init__(self, question: str) -> None:
        own = (_OWN.sub("", word) for word in own_words(without_times(question)))
        words = [word for word in dict.fromkeys(own) if word and word not in TALKING]
        self.words = [] if has_unspaced(question) else words
        self._known: dict[tuple[str, str], bool] = {}

    def found_in(self, texts: Mapping[Key, str]) -> dict[Key, set[str]]:
        """Of each text the words of which it has a form. Texts are many and may be long: they are
        looked through together, for the beginning of each word."""
        lowered = [text.casefold() for text in texts.values()]
        whole = "\n".join(lowered)
        ends = list(accumulate(len(text) + 1 for text in lowered))
        found: list[set[str]] = [set() for _ in lowered]
        for word in self.words:
            beginning = word[:COMMON] if len(word) > COMMON else word[: COMMON - 1]
            start = whole.find(beginning)
            while start >= 0:
                following = start + 1
                if self._is_form(whole, start, word):
                    place = bisect_right(ends, start)
                    found[place].add(word)
                    following = ends[place]
                start = whole.find(beginning, following)
        return dict(zip(texts, found, strict=True))

    def _is_form(self, text: str, start: int, word: str) -> bool:
        """Whether a form of a word begins there."""
        if start and text[start - 1].isalnum():
            return False
        end = start + len(word)
        if text.startswith(word, start) and not text[end : end + 1].isalnum():
            return True  # most often it is the word itself
        form = _FORM.match(text, start)
        return form is not None and self._same(word, form.group())

    def _same(self, word: str, form: str) -> bool:
        """Whether two words are forms of one; of short ones only the plural is."""
        known = self._known.get((word, form))
        if known is None:
            known = similar(word, form) or word == f"{form}s" or form == f"{word}s"
            self._known[word, form] = known
        return known

    def rarity(self, found: Iterable[Collection[str]], count: int) -> dict[str, float]:
        """The inverse document frequency of each word among ``count`` candidates; ``found``: the
        words of those that may have any. Few candidates cannot tell how rare a word is."""
        count += FEW
        often = Counter(chain.from_iterable(found))
        return {
            word: math.log(1 + (count - often[word] + 0.5) / (often[word] + 0.5))
            for word in self.words
        }


def relevance(
    candidate: Candidate,
    said: Collection[str],
    answered: Collection[str],
    rarity: Mapping[str, float],
    background: float,
) -> float:
    """The relevance of a candidate, from 0 to 1.

    ``said``: the words of the question that it has itself, ``answered``: those that it has with the
    answer to it; ``rarity``: of each word of the question; ``background``: the cosine that the
    question has with any text.
    """
    share = max(_share(said, rarity), ANSWERED * _share(answered, rarity))
    relevant = share
    if candidate.vector is not None:
        above = _above(candidate.vector, background)
        if candidate.sentence is not None:
            above = max(above, SENTENCE * _above(candidate.sentence, background))
        relevant = WORDS_WEIGHT * share + above
    relevant += NAMED * candidate.named + TIMELY * candidate.timely
    return round(max(0.0, min(1.0, relevant)), 4)


def _share(found: Collection[str], rarity: Mapping[str, float]) -> float:
    total = sum(rarity.values())
    return sum(rarity[word] for word in found) / total if total else 0.0


def _above(cosine: float, background: float) -> float:
    """How far a cosine is from the background on the way to 1."""
    return (cosine - background) / max(1e-6, 1 - background)


def relevant(evidence: Sequence[Evidence], least: float) -> list[Evidence]:
    """The evidence without what is not relevant: all of it where nothing has the ``least``
    relevance. Next to something that has, less will do. What nothing was compared with stays."""
    reached = any(item.relevance is not None and item.relevance >= least for item in evidence)
    enough = BESIDE * least if reached else least
    return [item for item in evidence if item.relevance is None or item.relevance >= enough]
