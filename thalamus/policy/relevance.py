"""Relevance of a result to a question, independent of the other results.

A score finds the best result, and there always is one. Relevance decides if it has anything to do
with the question, so that the answer can be nothing at all. It combines the share of the question's
content words found in the result, weighted by rarity, with the amount by which its cosine exceeds
that of unrelated texts. Words of an answer count less than the user's. docs/retrieval.md has the
figures and the alternatives tried.
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
from thalamus.policy.time_expressions import named_times, without_times
from thalamus.text.tokens import COMMON, has_unspaced, similar
from thalamus.text.word_lists import TALKING

if TYPE_CHECKING:
    from thalamus.policy.rank import Candidate
    from thalamus.records import Evidence

Key = TypeVar("Key")

WORDS_WEIGHT = 0.5  # of the share of words next to the cosine, and without a cosine
ANSWER_WEIGHT = 0.7  # of words found only in the answer
SENTENCE_WEIGHT = 0.6  # of the cosine of the answer's nearest sentence
TIME_WEIGHT = 0.5  # of a word for a time next to other words
SPEAKER_BONUS = 0.1  # for words of someone named in the question
TIME_BONUS = 0.2  # for what was said at the time the question names
SMOOTHING = (
    20  # wordless candidates added to the count: with a single entry every word would seem common
)
SECONDARY_SHARE = 0.15  # share of the required relevance that is enough next to a relevant result

_FORM = re.compile(r"[^\W_]+")
_OWN = re.compile(r"['’]s?$")  # "Ana's" asks for Ana


class QuestionWords:
    """Content words of a question, without words for the conversation itself. Of its time
    expressions the months, weekdays, seasons and years (``times``) are left: what was said at such
    a time has these words too. A question without any words asks for nothing in particular, so
    nothing is irrelevant to it. The same holds for scripts without spaces, whose character pairs
    are not words."""

    def __init__(self, question: str) -> None:
        own = (_OWN.sub("", word) for word in own_words(without_times(question)))
        words = [word for word in dict.fromkeys(own) if word and word not in TALKING]
        times = named_times(question)
        words += [time for time in times if time not in words]
        self.times = frozenset(times)
        self.words = [] if has_unspaced(question) else words
        self._known: dict[tuple[str, str], bool] = {}

    def found_in(self, texts: Mapping[Key, str]) -> dict[Key, set[str]]:
        """For each text, the question's words of which it has a form. The texts are searched
        together for the beginning of each word, since there may be many long ones."""
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
        """True if a form of the word begins at ``start``."""
        if start and text[start - 1].isalnum():
            return False
        end = start + len(word)
        if text.startswith(word, start) and not text[end : end + 1].isalnum():
            return True  # usually the word itself
        form = _FORM.match(text, start)
        return form is not None and self._same(word, form.group())

    def _same(self, word: str, form: str) -> bool:
        """True if two words are forms of each other; for short words only the plural counts."""
        known = self._known.get((word, form))
        if known is None:
            known = similar(word, form) or word == f"{form}s" or form == f"{word}s"
            self._known[word, form] = known
        return known

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


def relevance(
    candidate: Candidate,
    own_words_found: Collection[str],
    answered: Collection[str],
    rarity: Mapping[str, float],
    background: float,
) -> float:
    """Relevance of a candidate, from 0 to 1.

    ``own_words_found``: words of the question in its own text; ``answered``: words found with the
    answer included; ``rarity``: of each word of the question; ``background``: cosine of the
    question with unrelated texts.
    """
    share = max(_share(own_words_found, rarity), ANSWER_WEIGHT * _share(answered, rarity))
    relevant = share
    if candidate.vector is not None:
        above = _above(candidate.vector, background)
        if candidate.sentence is not None:
            above = max(above, SENTENCE_WEIGHT * _above(candidate.sentence, background))
        relevant = WORDS_WEIGHT * share + above
    relevant += SPEAKER_BONUS * candidate.named + TIME_BONUS * candidate.timely
    return round(max(0.0, min(1.0, relevant)), 4)


def _share(found: Collection[str], rarity: Mapping[str, float]) -> float:
    total = sum(rarity.values())
    return sum(rarity[word] for word in found) / total if total else 0.0


def _above(cosine: float, background: float) -> float:
    """Position of a cosine between the background (0) and 1."""
    return (cosine - background) / max(1e-6, 1 - background)


def relevant(evidence: Sequence[Evidence], least: float) -> list[Evidence]:
    """The relevant evidence: at least ``least``, or less next to evidence that reaches it. Evidence
    that was not compared with anything stays."""
    reached = any(item.relevance is not None and item.relevance >= least for item in evidence)
    enough = SECONDARY_SHARE * least if reached else least
    return [item for item in evidence if item.relevance is None or item.relevance >= enough]
