"""Export of conversations as role and content pairs, one session per line, for programs that train
or test chat models."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from thalamus.models.protocol import Message, alternating
from thalamus.records import Turn
from thalamus.records.json_line import to_line
from thalamus.transfer.export import Selection, readable

if TYPE_CHECKING:
    from thalamus.storage.protocol.store import Store


def export_chats(store: Store, selection: Selection | None = None) -> Iterator[bytes]:
    """``{"messages": [{"role": "user", "content": …}, {"role": "assistant", …} …]}`` for each
    session with an answer, in order of their beginning. The roles alternate: an unanswered message
    is joined with the next one, and dropped at the end."""
    selection = selection or Selection()
    sessions: dict[str, list[Message]] = {}
    for record in readable(store.each(Turn)):
        if isinstance(record, Turn) and selection.takes(record):
            messages_of = sessions.setdefault(record.session or "", [])
            messages_of.append(Message("user", record.message))
            if record.answer:
                messages_of.append(Message("assistant", record.answer))
    for messages_of in sessions.values():
        messages = alternating(messages_of)
        if messages and messages[-1].role == "user":
            messages.pop()
        if messages:
            shown = [{"role": one.role, "content": one.content} for one in messages]
            yield to_line({"messages": shown})
