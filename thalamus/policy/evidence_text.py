"""Text of an index entry or a piece of evidence, and the part in the speaker's own words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from thalamus.records import EvidenceKind

ANSWERED = "\nAssistant: "  # between the two sides of a turn


class TextItem(Protocol):
    """An index entry or a piece of evidence."""

    @property
    def kind(self) -> EvidenceKind: ...

    @property
    def text(self) -> str: ...


def own_words(item: TextItem) -> str:
    """Text of an entry or a piece of evidence in its own words: for a turn, the user's message."""
    return user_words(item.text) if item.kind == "turn" else item.text


def user_words(text: str) -> str:
    """The user's message in the text of a turn."""
    return text.split(ANSWERED, 1)[0].removeprefix("User: ")
