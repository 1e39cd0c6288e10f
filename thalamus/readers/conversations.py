"""Shared parsing of chat exports, one conversation after the other."""

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
    """A conversation: its ``number`` in the export (from 1), its ``title``, its ``raw`` data, and
    its messages (``messages``)."""

    number: int
    title: str
    raw: dict[str, Any]
    messages: list[Utterance]


def parsed_conversations(
    path: Path,
    key: str,
    title_key: str,
    utterances: Callable[[dict[str, Any]], Iterable[Utterance]],
    on_problem: Callable[[str], None] | None,
) -> Iterator[ExportedConversation]:
    """Conversations of an export whose objects have the field ``key``.

    ``on_problem`` gets a message for each malformed conversation, which is skipped, and for each
    that begins with answers. Raises ``DocumentError`` for another kind of file.
    """
    report = on_problem or (lambda problem: None)
    for number, conversation in conversations(path, key, report):
        title = str(conversation.get(title_key) or "")
        try:
            messages = list(utterances(conversation))
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            report(f"conversation {number} ({title!r}) is malformed, skipped: {error!r}")
            continue
        if messages and not messages[0].by_user:
            report(f"conversation {number} ({title!r}): answers before the first message skipped")
        yield ExportedConversation(number, storable(title), conversation, messages)
