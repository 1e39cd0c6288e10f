"""The formats of other systems' exports, and reading one of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any

from thalamus.errors import DocumentError
from thalamus.records import Memory, Project, Turn
from thalamus.transfer.foreign import chatgpt, claude, gemini, mcp_memory, mem0, open_webui
from thalamus.transfer.foreign.archive import Item, NotJson, items
from thalamus.transfer.foreign.memories import ExportedDocument
from thalamus.transfer.foreign.report import Report
from thalamus.transfer.foreign.values import mapped

Foreign = Turn | Memory | Project | ExportedDocument


@dataclass(frozen=True)
class Format:
    """A format by its ``name``; ``title`` describes it. ``files``: the files of it in an archive or
    a folder; ``recognize``: True for a value of it; ``read``: the records of such values."""

    name: str
    title: str
    files: str
    recognize: Callable[[dict[str, Any]], bool]
    read: Callable[[Iterable[Item], Report], Iterator[Foreign]]


_CONVERSATIONS = r"conversations(?:-\d+)?\.(?:json|zip)"
# in the order in which they are tried: the more particular first
FORMATS = (
    Format(
        "chatgpt", "ChatGPT (conversations.json)", _CONVERSATIONS, chatgpt.recognize, chatgpt.read
    ),
    Format(
        "claude",
        "Claude (conversations.json, memories.json, projects.json)",
        _CONVERSATIONS
        + r"|(?:memories|projects)(?:-\d+)?\.(?:json|zip)|(?:memories|projects)/[^/]+\.json"
        + r"|manifest\.json",
        claude.recognize,
        claude.read,
    ),
    Format(
        "gemini",
        "Gemini, from Google Takeout (MyActivity.json)",
        r"MyActivity\.json",
        gemini.recognize,
        gemini.read,
    ),
    Format(
        "mcp-memory",
        "the MCP memory server (memory.jsonl)",
        r"memory\.jsonl?",
        mcp_memory.recognize,
        mcp_memory.read,
    ),
    Format(
        "mem0",
        "mem0 and OpenMemory (the JSON of get_all or of an export)",
        r"mem0[^/]*\.jsonl?|memories\.(?:json|jsonl\.gz)",
        mem0.recognize,
        mem0.read,
    ),
    Format(
        "open-webui",
        "Open WebUI (chat-export-….json, memories)",
        r"(?:all-)?chats?-export[^/]*\.json|memories\.json",
        open_webui.recognize,
        open_webui.read,
    ),
)
NAMES = tuple(one.name for one in FORMATS)
_FILES = re.compile("|".join(rf"(?:.*/)?(?:{one.files})" for one in FORMATS))
# lists of values in an object around them
_LISTS = ("conversations", "results", "memories", "chats", "data", "items")


def recognize(value: Any) -> Format | None:
    """The format of a value; None if it is not known."""
    if not isinstance(value, dict):
        return None
    return next((one for one in FORMATS if one.recognize(value)), None)


def read_export(path: Path, source: str, report: Report) -> Iterator[tuple[str, Foreign]]:
    """The records of an export, each with the name of its format. ``source``: the name of the only
    one that is expected, or ``auto``.

    Raises ``DocumentError`` for another file.
    """
    found: set[str] = set()
    unknown: list[str] = []
    read = 0
    recognized = _recognized(path, source, report, found, unknown)
    for known, group in groupby(recognized, key=lambda pair: pair[0]):
        for record in known.read((item for _, item in group), report):
            read += 1
            yield known.name, record
    if not found and unknown:
        raise DocumentError(path, f"it is no known export. {known_formats()}", kind="unsupported")
    if not read and report.hints:
        raise DocumentError(path, report.hints[0], kind="unsupported")
    for problem in unknown:
        report.problem(problem)
    if not found:
        report.problem(f"{path} contains no conversations and no memories")


def _recognized(
    path: Path, source: str, report: Report, found: set[str], unknown: list[str]
) -> Iterator[tuple[Format, Item]]:
    """The values with their formats, whose names go to ``found``; about others a message goes to
    ``unknown``."""
    try:
        for number, item in enumerate(_expanded(items(path, _FILES, report.problem)), 1):
            known = recognize(item.value)
            if known is None:
                unknown.append(f"entry {number} of {item.file} is not known; skipped")
            elif source not in ("auto", known.name):
                reason = f"it is an export of {known.title}; import it with --from {known.name}"
                raise DocumentError(path, reason, kind="unsupported")
            else:
                found.add(known.name)
                yield known, replace(item, number=number)
    except NotJson as error:
        raise DocumentError(path, f"{error.reason}. {known_formats()}", error.kind) from None


def known_formats() -> str:
    """Names of the known formats, for a message."""
    titles = "; ".join(f"{one.title}: --from {one.name}" for one in FORMATS)
    return f"Known are exports of Thalamus (JSON lines) and of {titles}"


def _expanded(found: Iterable[Item]) -> Iterator[Item]:
    """The values, with those in a list of an object around them in place of the object."""
    for item in found:
        inner = None if recognize(item.value) else _inner(item.value)
        if inner is None:
            yield item
            continue
        folder = str(item.value.get("name") or item.value.get("title") or item.folder)
        inside = (replace(item, value=value, folder=folder) for value in inner)
        yield from _expanded(inside)


def _inner(value: Any) -> list[Any] | None:
    lists = [mapped(value).get(name) for name in _LISTS]
    return next((inner for inner in lists if isinstance(inner, list)), None)
