"""Text of a piece of evidence: the speaker's own words, and the words that an answer used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Protocol

from thalamus.text.analyzer import words
from thalamus.text.statements import statement_words
from thalamus.text.tokens import Forms

if TYPE_CHECKING:
    from thalamus.records import EvidenceKind, ProfileLine

ANSWERED = "\nAssistant: "  # between the two sides of a turn


class TextItem(Protocol):
    """An index entry or a piece of evidence."""

    @property
    def kind(self) -> EvidenceKind: ...

    @property
    def text(self) -> str: ...


def without_answer(item: TextItem) -> str:
    """Text of an entry or a piece of evidence; for a turn, only the user's message."""
    return user_words(item.text) if item.kind == "turn" else item.text


def user_words(text: str) -> str:
    """The user's message in the text of a turn."""
    return text.split(ANSWERED, 1)[0].removeprefix("User: ")


def used_words(evidence: str, message: str, answer: str) -> list[str]:
    """The content words of an answer that the evidence has, in any form, and the message has not:
    those it may have taken from there. A rule of overlap, no more: a model may know a word from
    elsewhere, or put what it read into others."""
    evidence_forms, message_forms = Forms(words(evidence)), Forms(words(message))
    return [
        word
        for word in statement_words(answer)
        if evidence_forms.has(word) and not message_forms.has(word)
    ]


def used_lines(profile: Iterable[ProfileLine], answer: str) -> Iterator[str]:
    """Ids behind the lines of a profile from which an answer may have words."""
    for line in profile:
        if used_words(line.text, "", answer):
            yield from line.ids
