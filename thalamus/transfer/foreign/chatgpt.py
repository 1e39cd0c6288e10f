"""ChatGPT's export: the branch of each conversation that is shown."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from thalamus.readers.protocol import Utterance
from thalamus.records import Turn
from thalamus.transfer.foreign.archive import Item
from thalamus.transfer.foreign.conversation import ForeignConversation
from thalamus.transfer.foreign.report import Report
from thalamus.transfer.foreign.tree import Tree
from thalamus.transfer.foreign.values import clean, identity, listed, mapped, paragraphs, time_of

# messages that are shown; thoughts, code for tools, tool results and custom instructions are not
_CONTENT_TYPES = {"text", "multimodal_text"}
_NOT_REMEMBERED = ("is_do_not_remember", "is_temporary_chat", "is_temporary")
_DATED_ID = re.compile(r"([0-9a-f]{8})-[0-9a-f]{4}-8[0-9a-f]{3}-")  # UUID version 8


def recognize(value: dict[str, Any]) -> bool:
    """True for a conversation: a tree of messages, or a list of them."""
    if "mapping" in value:
        return isinstance(value["mapping"], (dict, list))
    messages = listed(value.get("messages"))
    return any(mapped(mapped(one).get("author")).get("role") for one in messages)


def read(items: Iterable[Item], report: Report) -> Iterator[Turn]:
    """Turns of conversations, as ``chatgpt:<id>`` sessions.

    Abandoned versions of edited and regenerated messages, hidden, system and tool messages are
    skipped; conversations that are not to be remembered are left out and counted.
    """
    for item in items:
        conversation = item.value
        if any(conversation.get(name) for name in _NOT_REMEMBERED):
            report.left_out["conversation not to be remembered"] += 1
            continue
        title = clean(conversation.get("title"))
        id = identity(conversation.get("conversation_id"), conversation.get("id"), item.number)
        yield from ForeignConversation(
            "chatgpt",
            id,
            title,
            time_of(conversation.get("create_time"), _time_of_id(id)),
            time_of(conversation.get("update_time")),
            metadata=_project(conversation, item),
        ).turns(
            _utterances(conversation, title, report),
            report,
            filter(None, itertools.starmap(_utterance, _messages(conversation))),
        )


def _time_of_id(id: str) -> int | None:
    """The second at which an id was made: newer ids begin with it."""
    found = _DATED_ID.match(id)
    return int(found[1], 16) if found else None


def _project(conversation: dict[str, Any], item: Item) -> dict[str, str]:
    """The project, by the name of the folder around the conversation or by its id."""
    name = conversation.get("gizmo_id") if conversation.get("gizmo_type") == "snorlax" else None
    project = item.folder or identity(name)
    return {"project": project} if project else {}


# -- the branch that is shown ----------------------------------------------------------------------


def _utterances(conversation: dict[str, Any], title: str, report: Report) -> Iterator[Utterance]:
    malformed = 0
    for name, message in _branch(conversation, title, report):
        role = mapped(mapped(message).get("author")).get("role")
        if not isinstance(role, str) or not mapped(mapped(message).get("content")):
            malformed += 1
        elif utterance := _utterance(name, message):
            yield utterance
    if malformed:
        report.problem(f"conversation {title!r}: malformed messages skipped: {malformed}")


def _utterance(name: str, message: Any) -> Utterance | None:
    """A message that is shown; None for any other."""
    message = mapped(message)
    role, content = mapped(message.get("author")).get("role"), mapped(message.get("content"))
    if role not in ("user", "assistant") or not content or _hidden(message, content, str(role)):
        return None
    if not (text := _text(content)):
        return None
    at = time_of(message.get("create_time"), message.get("update_time"))
    return Utterance(role == "user", text, at, identity(message.get("id"), name))


def _messages(conversation: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The messages of all branches, with the names of their nodes."""
    for name, node in _nodes(conversation).items():
        yield name, node.get("message")


def _branch(
    conversation: dict[str, Any], title: str, report: Report
) -> list[tuple[str, dict[str, Any]]]:
    """Messages from the root to the current node, with the names of their nodes."""
    nodes = _nodes(conversation)
    names, cycle = Tree(nodes, "parent", "children", _written).branch(
        conversation.get("current_node")
    )
    if cycle:
        report.problem(f"conversation {title!r}: its messages form a cycle")
    messages = ((name, nodes[name].get("message")) for name in names)
    return [(name, message) for name, message in messages if message]


def _written(node: dict[str, Any]) -> str | None:
    return time_of(mapped(node.get("message")).get("create_time"))


def _nodes(conversation: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Nodes by name; a malformed one is empty, so that those after it keep those before it."""
    mapping = conversation.get("mapping")
    if isinstance(mapping, dict):
        return {name: mapped(node) for name, node in mapping.items()}
    if isinstance(mapping, list):
        return {identity(mapped(node).get("id")): mapped(node) for node in mapping}
    found: dict[str, dict[str, Any]] = {}
    before = None
    for number, message in enumerate(listed(conversation.get("messages"))):
        name = identity(mapped(message).get("id"), number)
        found[name], before = {"message": message, "parent": before}, name
    return found


def _hidden(message: dict[str, Any], content: dict[str, Any], role: str) -> bool:
    metadata = mapped(message.get("metadata"))
    if metadata.get("is_visually_hidden_from_conversation") or message.get("channel") == "analysis":
        return True
    to_a_tool = role == "assistant" and message.get("recipient") not in (None, "all")
    return to_a_tool or str(content.get("content_type", "text")) not in _CONTENT_TYPES


# -- text ------------------------------------------------------------------------------------------


def _text(content: dict[str, Any]) -> str:
    parts = content.get("parts")
    shown = [parts] if isinstance(parts, str) else listed(parts) or [content.get("text")]
    return without_marks(clean(paragraphs(_part(part) for part in shown))).strip()


def _part(part: Any) -> str:
    """Text of a part; pictures are named in brackets."""
    if isinstance(part, str):
        return part
    text = mapped(part).get("text")
    if isinstance(text, str):  # text, or the transcript of speech
        return text
    return "[image]" if "image" in str(mapped(part).get("content_type") or "") else ""


# a mark is START kind SEPARATOR argument … END; at the end of a text that was cut off, without END
_START, _END, _SEPARATOR = "\ue200", "\ue201", "\ue202"
_MARK = re.compile(f"([ \t]*){_START}([^{_START}{_END}]*)(?:{_END}|$)")
_OLD_CITATION = re.compile(r"[ \t]*【\d+(?::\d+)?†[^】]*】")
_REFERENCE = re.compile(r"(?:turn\d+[a-z_]+\d+|L\d+(?:-L?\d+)?|\d+)*")
_WITHOUT_TEXT = {"cite", "filecite", "i", "image", "image_group", "video", "genui"}


def without_marks(text: str) -> str:
    """The text as it is shown: names and links in place of their marks, without citations."""
    before = None
    while before != text:  # marks may stand in marks
        before, text = text, _MARK.sub(_shown, text)
    return re.sub("[\ue200-\ue20f]", "", _OLD_CITATION.sub("", text))


def _shown(mark: re.Match[str]) -> str:
    space, inner = mark.groups()
    kind, *arguments = inner.split(_SEPARATOR)
    shown = [text for text in map(_argument, arguments) if text]
    if kind in _WITHOUT_TEXT or not shown:
        return space if mark.string[mark.end() : mark.end() + 1].isalnum() else ""
    if kind == "url" and len(shown) > 1 and "://" in shown[-1]:
        return f"{space}[{shown[0]}]({shown[-1]})"
    return space + shown[0]


def _argument(text: str) -> str:
    """The words of an argument: the name in a list (kind, name, …), or the text itself."""
    text = text.strip()
    if text[:1] not in ("[", "{"):
        return "" if _REFERENCE.fullmatch(text) else text
    try:
        value = json.loads(text)
    except ValueError:
        return ""  # cut off
    if isinstance(value, dict):
        return str(value.get("name") or value.get("title") or "")
    name = value[1:2] or value[:1] if isinstance(value, list) else []
    return name[0] if name and isinstance(name[0], str) else ""
