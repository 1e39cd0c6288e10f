"""The text of an index entry or a piece of evidence, and whose words it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from thalamus.records import EvidenceKind

ANSWERED = "\nAssistant: "  # between the two sides of a turn


class TextItem(Protocol):
    """An index entry, or a piece of evidence."""

    @property
    def kind(self) -> EvidenceKind: ...

    @property
    def text(self) -> str: ...


def own_words(item: TextItem) -> str:
    """What an entry or a piece of evidence says by itself: of a turn the user's words."""
    return user_words(item.text) if item.kind == "turn" else item.text


def user_words(text: str) -> str:
    """What the user said, of the text of a turn in evidence."""
    return text.split(ANSWERED, 1)[0].removeprefix("User: ")
