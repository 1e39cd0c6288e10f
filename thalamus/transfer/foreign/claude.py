"""Claude's export: conversations, what Claude remembers, and projects with their files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from thalamus.readers.protocol import Utterance
from thalamus.records import Memory, Project, Turn
from thalamus.transfer.foreign.archive import Item
from thalamus.transfer.foreign.conversation import ForeignConversation
from thalamus.transfer.foreign.memories import ExportedDocument, identified
from thalamus.transfer.foreign.report import Report
from thalamus.transfer.foreign.values import clean, identity, listed, mapped, paragraphs, time_of

_SENDERS = {"human": True, "user": True, "assistant": False}
_WORDS = {"text", "voice_note"}  # blocks of what was said; the others are thoughts and tools
_PASTED = re.compile(r"(?:paste(?:d[-_ ]?(?:text|content)?)?(?:[-_ ]?\(?\d+\)?)?(?:\.txt)?)?", re.I)
_HEADING = re.compile(r"(?:#+\s+(?P<a>.+?)\s*#*|(?P<m>\*\*|__)(?P<b>[^*_]+?):?(?P=m):?)")
_BULLET = re.compile(r"\s*(?:[-*•]|\d+[.)])\s+")


def recognize(value: dict[str, Any]) -> bool:
    """True for a conversation, memories, a project or the manifest of an export."""
    return any(known(value) for known in (_is_chat, _is_memory, _is_project, _is_manifest))


def _is_chat(value: dict[str, Any]) -> bool:
    return isinstance(value.get("chat_messages"), list)


def _is_memory(value: dict[str, Any]) -> bool:
    return "conversations_memory" in value or "project_memories" in value


def _is_project(value: dict[str, Any]) -> bool:
    return "prompt_template" in value or ("docs" in value and "uuid" in value)


def _is_manifest(value: dict[str, Any]) -> bool:
    files = listed(value.get("files"))
    return bool(files) and all({"name", "url"} <= set(mapped(file)) for file in files)


def read(
    items: Iterable[Item], report: Report
) -> Iterator[Turn | Memory | Project | ExportedDocument]:
    """Turns as ``claude:<uuid>`` sessions, memories, projects and their files.

    Thoughts and uses of tools are skipped. Attached files are named; text that was pasted is part
    of the message. If the export has parent messages, only the last branch is taken.
    """
    names: dict[str, str] = {}
    memories: list[Item] = []
    for item in items:
        if _is_chat(item.value):
            yield from _turns(item, report)
        elif _is_memory(item.value):
            memories.append(item)  # they name projects that may still come
        elif _is_project(item.value):
            yield from _project(item, names, report)
        else:
            listed_files = ", ".join(identity(file["name"]) for file in item.value["files"])
            report.hints.append(
                "it is the manifest of a Claude export, without content of its own:"
                f" fetch the archives that it lists ({listed_files}) and import these"
            )
    for item in memories:
        yield from _memories(item, names)


# -- conversations ---------------------------------------------------------------------------------


def _turns(item: Item, report: Report) -> list[Turn]:
    raw = item.value
    if raw.get("is_temporary"):
        report.left_out["conversation not to be remembered"] += 1
        return []
    title = clean(raw.get("name"))
    project = clean(mapped(raw.get("project")).get("name")) or item.folder
    return ForeignConversation(
        "claude",
        identity(raw.get("uuid"), item.number),
        title,
        time_of(raw.get("created_at")),
        time_of(raw.get("updated_at")),
        metadata={"project": project} if project else {},
    ).turns(
        _utterances(raw, title, report),
        report,
        filter(None, map(_utterance, map(mapped, raw["chat_messages"]))),
    )


def _utterances(conversation: dict[str, Any], title: str, report: Report) -> Iterator[Utterance]:
    messages = [mapped(message) for message in conversation["chat_messages"]]
    malformed = sum("sender" not in message for message in messages)
    if malformed:
        report.problem(f"conversation {title!r}: malformed messages skipped: {malformed}")
    for message in _branch(messages, conversation.get("current_leaf_message_uuid")):
        if utterance := _utterance(message):
            yield utterance


def _utterance(message: dict[str, Any]) -> Utterance | None:
    """A message with words of one of the two; None for any other."""
    by_user = _SENDERS.get(str(message.get("sender")))
    text = _text(message)
    if by_user is None or not text:
        return None
    at = time_of(message.get("created_at"), message.get("updated_at"))
    return Utterance(by_user, text, at, identity(message.get("uuid")))


def _branch(messages: list[dict[str, Any]], leaf: object) -> list[dict[str, Any]]:
    """Messages in order; if all have parents, those that lead to the last one."""
    by_id = {identity(message.get("uuid")): message for message in messages}
    parents = {id: identity(one.get("parent_message_uuid")) for id, one in by_id.items()}
    if not all(parents.values()) or "" in by_id:
        return messages
    node = identity(leaf) if identity(leaf) in by_id else next(reversed(by_id), "")
    path: list[dict[str, Any]] = []
    while message := by_id.pop(node, None):  # popped, so that a cycle ends
        path.append(message)
        node = parents[node]
    return path[::-1]


def _text(message: dict[str, Any]) -> str:
    """The text blocks, or else the plain ``text``, which also has placeholders for other blocks;
    then what was pasted, and the names of attached files."""
    blocks = [
        clean(block.get("text"))
        for block in map(mapped, listed(message.get("content")))
        if str(block.get("type")) in _WORDS
    ]
    text = paragraphs(blocks) or clean(message.get("text")) or clean(message.get("content"))
    files = map(mapped, [*listed(message.get("attachments")), *listed(message.get("files"))])
    attached = dict.fromkeys(_attached(file) for file in files if file)  # a file may be in both
    return paragraphs([text, *attached])


def _attached(file: dict[str, Any]) -> str:
    name = clean(file.get("file_name"))
    pasted = clean(file.get("extracted_content"))
    return pasted if pasted and _PASTED.fullmatch(name) else f"[file: {name or 'unnamed'}]"


# -- memories and projects -------------------------------------------------------------------------


def _memories(item: Item, names: dict[str, str]) -> Iterator[Memory]:
    """Memories of Claude: each paragraph or bullet is one, its heading the topic."""
    yield from _paragraphs(item, item.value.get("conversations_memory"), None)
    for file in listed(item.value.get("memory_files")):
        yield from _paragraphs(item, mapped(file).get("content"), None)
    for project, text in mapped(item.value.get("project_memories")).items():
        yield from _paragraphs(item, text, names.get(project, project))


def _paragraphs(item: Item, text: Any, project: str | None) -> Iterator[Memory]:
    topic = None
    for line in clean(text).splitlines():
        heading = _HEADING.fullmatch(line.strip())
        if heading:
            topic = heading["a"] or heading["b"]
            continue
        content = _BULLET.sub("", line, count=1).replace("**", "").strip()
        if content:
            marks = {"project": project} if project else {}
            memory = Memory(content=content, topic=topic, metadata=marks)
            yield identified(memory, item, "claude")


def _project(
    item: Item, names: dict[str, str], report: Report
) -> Iterator[Project | ExportedDocument]:
    raw = item.value
    name = clean(raw.get("name")) or "Untitled"
    names[identity(raw.get("uuid"))] = name
    if raw.get("is_starter_project"):
        report.left_out["project that came with Claude"] += 1
        return
    at = time_of(raw.get("created_at"), raw.get("updated_at")) or item.modified
    yield Project(name=name, description=clean(raw.get("description")) or None, created_at=at)
    for doc in map(mapped, listed(raw.get("docs"))):
        text = clean(doc.get("content"))
        if text:
            title = clean(doc.get("filename")) or "unnamed"
            created = time_of(doc.get("created_at")) or at
            yield ExportedDocument(title, f"claude:{name}/{title}", text, created, name)
