"""Export of conversations as pairs of role and content, one session a line: what programs that
train or test chat models read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from thalamus.models.protocol import Message, alternating
from thalamus.records import Turn
from thalamus.records.json_line import to_line
from thalamus.transfer.export import Selection, readable

if TYPE_CHECKING:
    from thalamus.storage.protocol import Store


def export_chats(opened: Store, selection: Selection | None = None) -> Iterator[bytes]:
    """``{"messages": [{"role": "user", "content": …}, {"role": "assistant", …} …]}`` for each
    session with an answer, in the order in which they began. The roles alternate: a message that
    was not answered stands before the next one, and is left out at the end."""
    selection = selection or Selection()
    sessions: dict[str, list[Message]] = {}
    for record in readable(opened.each(Turn)):
        if isinstance(record, Turn) and selection.takes(record):
            said = sessions.setdefault(record.session or "", [])
            said.append(Message("user", record.message))
            if record.answer:
                said.append(Message("assistant", record.answer))
    for said in sessions.values():
        messages = alternating(said)
        if messages and messages[-1].role == "user":
            messages.pop()
        if messages:
            yield to_line({"messages": messages})
