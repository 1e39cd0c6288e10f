"""Insights: their sources, their trust, and when two say the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from thalamus.policy.entities import USER, key_of
from thalamus.policy.negation import negated
from thalamus.text.days import day_in_words
from thalamus.text.names import numbers
from thalamus.text.tokens import content_words, sentences, share_found, words

MOST = 2  # insights of one island
MOST_TRUST = 0.6  # maximum trust of a model's conclusion
MOSTLY = 0.8  # share of words in common from which two insights may say the same
COVERED = 0.5  # share of the words of a memory or fact that an insight says with the rest
QUESTION_MARKS = ("?", "？", "؟")


@dataclass(frozen=True)
class SourceText:
    """A possible source of an insight.

    ``number``: its number in the prompt; ``text``: its words without the speaker; ``speaker``: in
    lower case, empty for text in the third person; ``origin``: sources with the same one count as
    one; ``day``: ISO 8601.
    """

    number: int
    id: str
    text: str
    speaker: str = USER
    origin: str = ""
    day: str = ""

    @property
    def line(self) -> str:
        """The text as shown to the model, with its day and speaker."""
        who = "The user" if self.speaker == USER else self.speaker.title()
        said = f"{who}: {self.text}" if who else self.text
        return f"({day_in_words(self.day)}) {said}" if self.day else said


def stated(text: str) -> str:
    """A text without its questions."""
    if not any(mark in text for mark in QUESTION_MARKS):
        return text
    return " ".join(part for part in sentences(text) if not part.endswith(QUESTION_MARKS))


def says_same(one: str, other: str, *, same_sources: bool = False) -> bool:
    """Whether two insights say the same: each has most words of the other, and one all of them,
    unless they rest on the same sources; the numbers agree, and both deny something or neither."""
    mine, theirs = content_words(one), content_words(other)
    if not mine or not theirs or negated(one) != negated(other):
        return False
    if set(numbers(one)) != set(numbers(other)):
        return False
    shares = share_found(mine, theirs), share_found(theirs, mine)
    return min(shares) >= MOSTLY and (same_sources or max(shares) == 1)


def speaks_of(content: str, made: str) -> bool:
    """Whether an insight says what was made of one of its sources: most words of that stand in
    it."""
    mine = [word for word in content_words(made) if word != USER]
    return bool(mine) and share_found(mine, words(content)) >= COVERED


def concept_keys(concepts: Sequence[str]) -> frozenset[str]:
    """Keys of concepts, without the user."""
    return frozenset(key for name in concepts if (key := key_of(name)) != USER)
