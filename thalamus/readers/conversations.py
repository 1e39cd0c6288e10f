"""What the chat services' exports have in common: one conversation after the other, told safely."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from thalamus.readers.detect import conversations
from thalamus.readers.protocol import Utterance
from thalamus.readers.text import storable


@dataclass(frozen=True)
class ExportedConversation:
    """A conversation: ``number`` in the export (from 1), ``title``, as it came, and what was
    said."""

    number: int
    title: str
    raw: dict[str, Any]
    said: list[Utterance]


def conversations_told(
    path: Path,
    key: str,
    title_key: str,
    utterances: Callable[[dict[str, Any]], Iterable[Utterance]],
    on_problem: Callable[[str], None] | None,
) -> Iterator[ExportedConversation]:
    """The conversations of an export whose objects have the field ``key``.

    ``on_problem`` is told of each that is malformed, which is skipped, and of each that begins
    with answers. Raises ``DocumentError`` for another kind of file.
    """
    tell = on_problem or (lambda problem: None)
    for number, conversation in conversations(path, key, tell):
        title = str(conversation.get(title_key) or "")
        try:
            said = list(utterances(conversation))
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            tell(f"conversation {number} ({title!r}) is malformed, skipped: {error!r}")
            continue
        if said and not said[0].by_user:
            tell(f"conversation {number} ({title!r}): answers before the first message skipped")
        yield ExportedConversation(number, storable(title), conversation, said)
