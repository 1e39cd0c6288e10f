"""Insights: their sources, their trust, and comparison of two conclusions."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from thalamus.policy.entities import USER, key_of
from thalamus.text.days import day_in_words
from thalamus.text.names import numbers
from thalamus.text.statements import negated, share_said

MOST = 2  # insights of one call
MOST_TRUST = 0.6  # maximum trust of a model's conclusion
MOSTLY = 0.8  # share of common words, above which two insights may be the same
RESTATED = 0.5  # share of the words of a memory or fact that an insight repeats


class SourceText(Struct, frozen=True):
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
        name = "The user" if self.speaker == USER else self.speaker.title()
        statement = f"{name}: {self.text}" if name else self.text
        return f"({day_in_words(self.day)}) {statement}" if self.day else statement


def same_conclusion(one: str, other: str, *, same_sources: bool = False) -> bool:
    """True if two insights are the same: each has most words of the other, and one all of them,
    unless they rest on the same sources; their numbers agree, and both are negated or neither."""
    if negated(one) != negated(other) or set(numbers(one)) != set(numbers(other)):
        return False
    shares = share_said(one, other), share_said(other, one)
    return min(shares) >= MOSTLY and (same_sources or max(shares) == 1)


def restates(content: str, statement: str) -> bool:
    """True if an insight repeats a memory or fact made from one of its sources: it has most of its
    words."""
    return share_said(statement, content) >= RESTATED


def concept_keys(concepts: Sequence[str]) -> frozenset[str]:
    """Keys of concepts, without the user."""
    return frozenset(key for name in concepts if (key := key_of(name)) != USER)
