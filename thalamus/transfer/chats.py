"""Export of conversations as role and content pairs, one session per line, for programs that train
or test chat models."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from thalamus.models.protocol import Message, alternating
from thalamus.records import Turn
from thalamus.records.json_line import to_line
from thalamus.store import turns as turn_rows
from thalamus.transfer.export import Selection, readable

if TYPE_CHECKING:
    from thalamus.store.base import Store

Conversation = tuple[str, str | None, str | None]  # session, user and agent


def export_chats(store: Store, selection: Selection | None = None) -> Iterator[bytes]:
    """``{"messages": [{"role": "user", "content": …}, {"role": "assistant", …} …]}`` for each
    session of a user with an answer, in order of their beginning. The roles alternate: an
    unanswered message is joined with the next one, and dropped at the end."""
    selection = selection or Selection()
    records, gone = readable(store.each(Turn)), turn_rows.withdrawn(store)
    turns = [turn for turn in records if isinstance(turn, Turn) and selection.takes(turn)]
    turns = [turn for turn in turns if turn.id not in gone]
    turns.sort(key=lambda turn: turn.created_at or "")  # an import may add earlier ones
    sessions: dict[Conversation, list[Message]] = {}
    for turn in turns:
        messages_of = sessions.setdefault(conversation_of(turn), [])
        messages_of.append(Message("user", turn.message))
        if turn.answer and turn.answer.strip():
            messages_of.append(Message("assistant", turn.answer))
    for messages_of in sessions.values():
        messages = alternating(messages_of)
        if messages and messages[-1].role == "user":
            messages.pop()
        if messages:
            shown = [{"role": one.role, "content": one.content} for one in messages]
            yield to_line({"messages": shown})


def conversation_of(turn: Turn) -> Conversation:
    """The session of a turn, and its owner: two users may have sessions of the same name."""
    return turn.session or turn.stored_id, turn.user, turn.agent
