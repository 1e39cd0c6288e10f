"""The formats of other systems' exports, and reading one of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from thalamus.errors import DocumentError
from thalamus.records import Memory, Project, Turn
from thalamus.transfer.foreign import chatgpt, claude, gemini, mcp_memory, mem0, open_webui
from thalamus.transfer.foreign.archive import Item, NotJson, items
from thalamus.transfer.foreign.memories import ExportedDocument
from thalamus.transfer.foreign.report import Report
from thalamus.transfer.foreign.values import identity, mapped

Foreign = Turn | Memory | Project | ExportedDocument


class Format(Struct, frozen=True):
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
        r"MyActivity\.json|[^/]*Gemini[^/]*/[^/]+\.json",  # the names are translated
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
    one that is wanted, or ``auto``.

    Raises ``DocumentError`` for another file.
    """
    reading = _Reading(path, source, report)
    read = 0
    for known, group in groupby(reading.recognized(), key=lambda pair: pair[0]):
        for record in known.read((item for _, item in group), report):
            read += 1
            yield known.name, record
    reading.finish(read)


class _Reading:
    """Recognition of the values in an export. ``found``: formats that were read; ``others``: those
    that are not wanted; ``unknown``: a message for each value of no known format."""

    def __init__(self, path: Path, source: str, report: Report) -> None:
        self._path = path
        self._source = source
        self._report = report
        self.found: set[str] = set()
        self.others: set[str] = set()
        self.unknown: list[str] = []

    def recognized(self) -> Iterator[tuple[Format, Item]]:
        """The values with their formats."""
        try:
            found = _expanded(items(self._path, _FILES, self._report.problem))
            for number, item in enumerate(found, 1):
                known = recognize(item.value)
                if known is None:
                    self.unknown.append(f"entry {number} of {item.file} is not known; skipped")
                elif self._source not in ("auto", known.name):
                    self.others.add(known.name)
                else:
                    self.found.add(known.name)
                    yield known, replace(item, number=number)
        except NotJson as error:
            raise self._refused(f"{error.reason}. {known_formats()}") from None

    def finish(self, read: int) -> None:
        """Reports what is not known. Raises ``DocumentError`` if that, or another format, is all
        that there was."""
        if not self.found and self.others:
            names = ", ".join(f"--from {name}" for name in sorted(self.others))
            raise self._refused(f"it is not an export of {self._source}; import it with {names}")
        if not self.found and self.unknown:
            raise self._refused(f"it is not a known export. {known_formats()}")
        if not read and self._report.hints:
            raise self._refused(self._report.hints[0])
        for problem in self.unknown:
            self._report.problem(problem)
        if not self.found:
            self._report.problem(f"{self._path} contains no conversations and no memories")

    def _refused(self, reason: str) -> DocumentError:
        return DocumentError(self._path, reason, kind="unsupported")


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
        folder = identity(item.value.get("name"), item.value.get("title"), item.folder)
        inside = (replace(item, value=value, folder=folder) for value in inner)
        yield from _expanded(inside)


def _inner(value: Any) -> list[Any] | None:
    lists = [mapped(value).get(name) for name in _LISTS]
    return next((inner for inner in lists if isinstance(inner, list)), None)
