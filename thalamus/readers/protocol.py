"""Results of readers: the text of a document by page, and the turns of a conversation."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from msgspec import Struct, field

from thalamus.errors import DocumentError
from thalamus.records import Turn

Format = Literal["pdf", "markdown", "text", "html", "email", "notebook"]


class DocumentPage(Struct, frozen=True):
    """One page: ``number`` counts from 1; ``text`` is cleaned and may be empty.

    Formats without pages have a single one.
    """

    number: int
    text: str


class ReadDocument(Struct, kw_only=True):
    """A document that was read. It crosses a process boundary as JSON.

    ``created_at``: the date in the document itself (RFC 3339, UTC), never the file's. ``metadata``:
    its own metadata (author, keywords, front matter …) and observations of the reader: ``encoding``
    if it was guessed, ``unreadable_pages`` (numbers). ``notes``: what could not be read of it.
    """

    title: str
    format: Format
    pages: list[DocumentPage]
    created_at: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    @property
    def characters(self) -> int:
        """Number of characters on all pages."""
        return sum(len(page.text) for page in self.pages)

    def check_text(self, name: str) -> None:
        """Raises ``DocumentError`` of kind ``no_text`` for a document without any."""
        if not self.characters:
            raise DocumentError(name, "it contains no text of its own", kind="no_text")


class Utterance(Struct, frozen=True):
    """One message of an exported conversation: ``at`` is RFC 3339 or None, ``ref`` its id."""

    by_user: bool
    text: str
    at: str | None
    ref: str


def pair(utterances: Iterable[Utterance], session: str, metadata: dict[str, Any]) -> list[Turn]:
    """Turns from messages and their answers, in order.

    Consecutive answers are joined by a blank line; answers before the first message are dropped.
    Each turn has ``metadata``, and the message's id as ``ref``.
    """
    turns: list[Turn] = []
    for item in utterances:
        if item.by_user:
            turn = Turn(message=item.text, session=session, created_at=item.at, ref=item.ref)
            turn.metadata = dict(metadata)
            turns.append(turn)
        elif turns:
            before = turns[-1].answer
            turns[-1].answer = f"{before}\n\n{item.text}" if before else item.text
    return turns
