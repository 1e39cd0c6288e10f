"""Claude's conversation export."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from thalamus.clock import format_time, parse_time
from thalamus.readers.conversations import parsed_conversations
from thalamus.readers.protocol import Utterance, pair
from thalamus.readers.text import storable
from thalamus.records import Turn

_SENDERS = {"human": True, "user": True, "assistant": False}


def read_export(path: Path, on_problem: Callable[[str], None] | None = None) -> Iterator[Turn]:
    """Turns of a Claude export, conversation by conversation, as ``claude:<uuid>`` sessions.

    ``path``: ``conversations.json``, the .zip with it, or its folder. Attached files are only
    named; thoughts and uses of tools are skipped. If the export has parent messages, only the last
    branch is taken. ``on_problem`` gets a message for each malformed part that is skipped. Raises
    ``DocumentError`` for another kind of file. Needs memory for one conversation at a time.
    """
    for item in parsed_conversations(path, "chat_messages", "name", _utterances, on_problem):
        metadata = {"title": item.title, "source": "claude"}
        yield from pair(item.messages, f"claude:{item.raw.get('uuid') or item.number}", metadata)


def _utterances(conversation: dict[str, Any]) -> Iterator[Utterance]:
    started = _time(conversation.get("created_at"))
    for message in _branch(conversation):
        by_user = _SENDERS.get(message["sender"])
        text = _text(message)
        if by_user is not None and text:
            at = _time(message.get("created_at")) or started
            yield Utterance(by_user, text, at, str(message.get("uuid") or ""))


def _branch(conversation: dict[str, Any]) -> list[dict[str, Any]]:
    """Messages in order; if all have parents, those that lead to the last one."""
    messages: list[dict[str, Any]] = conversation["chat_messages"]
    by_id = {message.get("uuid"): message for message in messages}
    if not all(message.get("parent_message_uuid") for message in messages) or None in by_id:
        return messages
    leaf = conversation.get("current_leaf_message_uuid")
    node = leaf if leaf in by_id else next(reversed(by_id), None)
    path: list[dict[str, Any]] = []
    while message := by_id.pop(node, None):  # popped, so that a cycle ends
        path.append(message)
        node = message["parent_message_uuid"]
    return path[::-1]


def _text(message: dict[str, Any]) -> str:
    """The text blocks, or else the plain ``text``, which also has placeholders for other blocks."""
    blocks = [
        str(block.get("text") or "")
        for block in message.get("content") or []
        if isinstance(block, dict) and block.get("type") == "text"
    ]
    text = "\n\n".join(block for block in blocks if block.strip()) or message.get("text") or ""
    attached = dict.fromkeys(  # a file may be in both lists
        f"[file: {item.get('file_name') or 'unnamed'}]"
        for item in [*(message.get("attachments") or []), *(message.get("files") or [])]
        if isinstance(item, dict)
    )
    return storable("\n\n".join([*([text.strip()] if text.strip() else []), *attached])).strip()


def _time(value: Any) -> str | None:
    try:
        return format_time(parse_time(value)) if isinstance(value, str) and value else None
    except (ValueError, OverflowError):
        return None
