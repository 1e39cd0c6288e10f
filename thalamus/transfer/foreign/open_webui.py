"""Open WebUI: exported chats, and memories."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from typing import Any

from thalamus.readers.protocol import Utterance
from thalamus.records import Memory, Turn
from thalamus.transfer.foreign.archive import Item
from thalamus.transfer.foreign.conversation import ForeignConversation
from thalamus.transfer.foreign.memories import identified, owners
from thalamus.transfer.foreign.report import Report
from thalamus.transfer.foreign.tree import Tree
from thalamus.transfer.foreign.values import clean, identity, listed, mapped, paragraphs, time_of

_ROLES = {"user": True, "assistant": False}
_DETAILS = re.compile(r"<details type=.*?</details>\s*", re.DOTALL)  # thoughts and uses of tools


def recognize(value: dict[str, Any]) -> bool:
    """True for a chat, with or without what surrounds it in an export, and for a memory."""
    return _messages(_chat(value)) is not None or _is_memory(value)


def _is_memory(value: dict[str, Any]) -> bool:
    return {"user_id", "content", "created_at"} <= set(value) and "state" not in value


def _chat(value: dict[str, Any]) -> dict[str, Any]:
    return mapped(value.get("chat")) or (value if "history" in value else {})


def _messages(chat: dict[str, Any]) -> dict[str, Any] | list[Any] | None:
    """The messages of a chat: by id as a tree, or in the order of the branch that is shown."""
    tree = mapped(chat.get("history")).get("messages")
    if isinstance(tree, dict) and tree:
        return tree
    messages = chat.get("messages")
    return messages if isinstance(messages, list) else tree if isinstance(tree, dict) else None


def read(items: Iterable[Item], report: Report) -> Iterator[Turn | Memory]:
    """Turns as ``open-webui:<id>`` sessions, and memories. In an export of several users they keep
    their user."""
    found = list(items)
    users = owners([item.value.get("user_id") for item in found])
    for item in found:
        raw = item.value
        user = users.get(identity(raw.get("user_id")))
        if _messages(_chat(raw)) is not None:
            yield from _turns(item, user, report)
        elif content := clean(raw["content"]):
            at = time_of(raw["created_at"], raw.get("updated_at"))
            memory = Memory(content=content, created_at=at, user=user)
            yield identified(memory, item, "open-webui", identity(raw.get("id")))


def _turns(item: Item, user: str | None, report: Report) -> list[Turn]:
    raw, chat = item.value, _chat(item.value)
    title = clean(raw.get("title")) or clean(chat.get("title"))
    if mapped(raw.get("meta")).get("temporary") or str(raw.get("id")).startswith("local:"):
        report.left_out["conversation not to be remembered"] += 1
        return []
    return ForeignConversation(
        "open-webui",
        identity(raw.get("id"), chat.get("id"), item.number),
        title,
        time_of(raw.get("created_at"), chat.get("timestamp")),
        time_of(raw.get("updated_at")),
        user=user,
    ).turns(
        _utterances(chat, title, report),
        report,
        filter(None, itertools.starmap(_utterance, _all_messages(chat))),
    )


def _utterances(chat: dict[str, Any], title: str, report: Report) -> Iterator[Utterance]:
    malformed = 0
    for name, message in _branch(chat):
        if not isinstance(message.get("role"), str):
            malformed += 1
        elif utterance := _utterance(name, message):
            yield utterance
    if malformed:
        report.problem(f"conversation {title!r}: malformed messages skipped: {malformed}")


def _utterance(name: str, message: dict[str, Any]) -> Utterance | None:
    """A message with words of one of the two; None for any other."""
    role, text = str(message.get("role")), _text(message)
    if role not in _ROLES or not text:
        return None
    return Utterance(_ROLES[role], text, _said_at(message), identity(message.get("id"), name))


def _all_messages(chat: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """The messages of all branches, with their ids."""
    messages = _messages(chat)
    if isinstance(messages, dict):
        return [(name, mapped(message)) for name, message in messages.items()]
    return [("", mapped(message)) for message in messages or []]


def _branch(chat: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Messages from the first to the one that is shown last, with their ids."""
    messages = _messages(chat)
    if not isinstance(messages, dict):
        return [("", mapped(message)) for message in messages or []]
    nodes = {name: mapped(node) for name, node in messages.items()}
    current = mapped(chat.get("history")).get("currentId")
    names, _ = Tree(nodes, "parentId", "childrenIds", _said_at).branch(current)
    return [(name, nodes[name]) for name in names]


def _said_at(message: dict[str, Any]) -> str | None:
    return time_of(message.get("timestamp"), message.get("created_at"))


def _text(message: dict[str, Any]) -> str:
    """The words of a message, and the names of the files that were added."""
    content = message.get("content")
    parts = [content] if isinstance(content, str) else map(_part, listed(content))
    files = map(mapped, listed(message.get("files")))
    names = dict.fromkeys(
        "[image]" if file.get("type") == "image" else f"[file: {file.get('name') or 'unnamed'}]"
        for file in files
    )
    texts = [clean(_DETAILS.sub("", part)) for part in parts]
    return clean(paragraphs([*texts, *(names if message.get("role") == "user" else ())]))


def _part(part: Any) -> str:
    text = mapped(part).get("text")
    if isinstance(text, str):
        return text
    return "[image]" if "image" in str(mapped(part).get("type") or "") else ""
