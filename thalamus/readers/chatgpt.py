"""ChatGPT's conversation export: the last active branch of each conversation."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from thalamus.clock import format_time
from thalamus.readers.conversations import parsed_conversations
from thalamus.readers.protocol import Utterance, pair
from thalamus.readers.text import storable
from thalamus.records import Turn

# visible messages; thoughts, code for tools and tool results are skipped
_CONTENT_TYPES = {"text", "multimodal_text"}
_CITATION = re.compile("\ue200[^\ue200\ue201]*\ue201")  # shown as links on the web page


def read_export(path: Path, on_problem: Callable[[str], None] | None = None) -> Iterator[Turn]:
    """Turns of a ChatGPT export, conversation by conversation, as ``chatgpt:<id>`` sessions.

    ``path``: ``conversations.json``, the .zip with it, or its folder. Abandoned versions of edited
    and regenerated messages, hidden, system and tool messages are skipped. ``on_problem`` gets a
    message for each malformed part that is skipped. Raises ``DocumentError`` for another kind of
    file. Needs memory for one conversation at a time.
    """
    for item in parsed_conversations(path, "mapping", "title", _utterances, on_problem):
        identity = item.raw.get("conversation_id") or item.raw.get("id") or item.number
        metadata = {"title": item.title, "source": "chatgpt"}
        yield from pair(item.messages, f"chatgpt:{identity}", metadata)


def _utterances(conversation: dict[str, Any]) -> Iterator[Utterance]:
    started = _time(conversation.get("create_time"))
    for node, message in _branch(conversation):
        role = message["author"]["role"]
        if role not in ("user", "assistant") or _hidden(message, role):
            continue
        text = _text(message["content"])
        if text:
            at = _time(message.get("create_time")) or started
            yield Utterance(role == "user", text, at, str(message.get("id") or node))


def _branch(conversation: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Messages from the root to the current node, with the ids of their nodes."""
    mapping: dict[Any, dict[str, Any]] = conversation["mapping"]
    node: Any = conversation.get("current_node")
    if node not in mapping:
        node = _latest_leaf(mapping)
    path: list[tuple[str, dict[str, Any]]] = []
    seen: set[Any] = set()
    while node in mapping:
        if node in seen:
            raise ValueError("its messages form a cycle")
        seen.add(node)
        if message := mapping[node].get("message"):
            path.append((node, message))
        node = mapping[node].get("parent")
    return path[::-1]


def _latest_leaf(mapping: dict[str, Any]) -> str | None:
    leaves = [name for name, node in mapping.items() if not node.get("children")]
    return max(leaves, key=lambda name: _seconds(mapping[name]), default=None)


def _seconds(node: dict[str, Any]) -> float:
    return float((node.get("message") or {}).get("create_time") or 0)


def _hidden(message: dict[str, Any], role: str) -> bool:
    metadata = message.get("metadata") or {}
    if metadata.get("is_visually_hidden_from_conversation") or message.get("channel") == "analysis":
        return True
    to_a_tool = role == "assistant" and message.get("recipient") not in (None, "all")
    return to_a_tool or message["content"].get("content_type", "text") not in _CONTENT_TYPES


def _text(content: dict[str, Any]) -> str:
    parts = (_part(part) for part in content.get("parts") or [])
    text = "\n\n".join(part for part in parts if part.strip())
    return storable(_CITATION.sub("", text)).strip()


def _part(part: Any) -> str:
    """Text of a part; pictures are named in brackets."""
    if isinstance(part, str):
        return part
    if not isinstance(part, dict):
        return ""
    if isinstance(part.get("text"), str):  # text, or the transcript of speech
        return str(part["text"])
    kind = str(part.get("content_type") or "")
    return "[image]" if "image" in kind else ""


def _time(value: Any) -> str | None:
    """RFC 3339 for seconds since 1970; None if it is not a time."""
    try:
        return format_time(datetime.fromtimestamp(float(value), UTC)) if value else None
    except (TypeError, ValueError, OverflowError, OSError):
        return None
