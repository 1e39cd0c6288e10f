"""What readers make of files: a document's text by page, a conversation's turns."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from msgspec import Struct, field

from thalamus.records import Turn

Format = Literal["pdf", "markdown", "text"]


class Page(Struct, frozen=True):
    """One page: ``number`` counts from 1; ``text`` is cleaned and may be empty.

    Formats without pages have one.
    """

    number: int
    text: str


class ReadDocument(Struct, kw_only=True):
    """A document that was read. It crosses a process boundary as JSON.

    ``created_at`` is the date that the document itself names (RFC 3339, UTC), never the file's.
    ``metadata`` holds what it says about itself (author, keywords, front matter …), and what the
    reader noticed: ``encoding`` when it had to be guessed, ``unreadable_pages`` (numbers).
    """

    title: str
    format: Format
    pages: list[Page]
    created_at: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict)

    @property
    def characters(self) -> int:
        """How many characters of text there are on all pages."""
        return sum(len(page.text) for page in self.pages)


class Utterance(Struct, frozen=True):
    """One message of an exported conversation: ``at`` is RFC 3339 or None, ``ref`` its id."""

    by_user: bool
    text: str
    at: str | None
    ref: str


def pair(utterances: Iterable[Utterance], session: str, metadata: dict[str, Any]) -> list[Turn]:
    """Turns of the messages and the answers to them, in order.

    Answers in a row are joined by a blank line; an answer before the first message is left out;
    each has ``metadata``, and the message's id as ``ref``.
    """
    turns: list[Turn] = []
    for said in utterances:
        if said.by_user:
            turn = Turn(message=said.text, session=session, created_at=said.at, ref=said.ref)
            turn.metadata = dict(metadata)
            turns.append(turn)
        elif turns:
            before = turns[-1].answer
            turns[-1].answer = f"{before}\n\n{said.text}" if before else said.text
    return turns
