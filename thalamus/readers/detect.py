"""Detection of file formats, files in folders, and conversation exports."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePath
from typing import Any, TextIO

from thalamus.errors import DocumentError, UsageError
from thalamus.readers.open_file import open_regular, read, too_large
from thalamus.readers.protocol import Format, ReadDocument

MARKDOWN = frozenset({".md", ".markdown", ".mdown", ".mkd"})
SUFFIXES = MARKDOWN | {".pdf", ".txt", ".text", ".rst", ".org", ".adoc"}
"""Suffixes included in a recursive walk; a file named explicitly may have any suffix."""

MAX_BYTES = {"pdf": 512 << 20, "markdown": 64 << 20, "text": 64 << 20}


def read_document(path: Path) -> ReadDocument:
    """Reads a file in this process without a time limit.

    Raises ``DocumentError`` of kind ``missing``, ``unreadable`` (permissions, a folder, a device),
    ``unsupported``, ``too_large``, ``no_text``, ``encrypted`` or ``broken``.
    """
    found = format_of(path)
    try:
        data = read(path, MAX_BYTES[found], math.inf)
    except OSError as error:
        raise unreadable(path, error) from None
    return _read(data, str(path), found)


def read_bytes(data: bytes, name: str) -> ReadDocument:
    """Reads a document in memory; ``name`` is used in messages and as title."""
    found = format_of_bytes(data[:1024], name)
    _check_size(len(data), name, found)
    return _read(data, name, found)


def format_of(path: Path) -> Format:
    """Format of a file by its first bytes and its suffix. Raises the errors of
    ``read_document``."""
    try:
        if path.is_dir():
            listable = os.access(path, os.R_OK | os.X_OK)
            reason = (
                "it is a directory; read its files with --recursive" if listable else "no access"
            )
            raise DocumentError(path, reason, kind="unreadable")
        with open_regular(path) as file:
            head = file.read(1024)
            size = os.fstat(file.fileno()).st_size
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the path
        raise unreadable(path, error) from None
    found = format_of_bytes(head, path.name)
    _check_size(size, str(path), found)
    return found


def format_of_bytes(head: bytes, name: str) -> Format:
    """Format of a document that begins with ``head`` (1024 bytes suffice).

    A PDF may have up to 1024 other bytes before its mark; if they are text, the suffix decides, so
    that a text about PDF stays a text.
    """
    suffix = PurePath(name).suffix.lower()
    at = head[:1024].find(b"%PDF-")
    if at == 0 or (at > 0 and suffix not in SUFFIXES - {".pdf"}):
        return "pdf"
    return "markdown" if suffix in MARKDOWN else "text"


def walk(paths: Iterable[Path], recursive: bool) -> list[Path]:
    """The files that ``paths`` stand for, without duplicates, in the given order, folders sorted by
    name.

    A file is included whatever its name, and a missing path as well, so that reading it reports the
    problem. In folders only ``SUFFIXES`` are included; hidden files and folders and links to
    folders are skipped. A folder that cannot be listed is treated like a missing file. Raises
    ``UsageError`` for a folder without ``recursive``.
    """
    found: list[Path] = []
    for path in paths:
        if not path.is_dir():
            found.append(path)
        elif recursive:
            found += _files_in(path)
        else:
            raise UsageError(
                f"{path} is a directory.", fix="Read the files in it with --recursive."
            )
    once: dict[str, Path] = {}
    for path in found:
        once.setdefault(os.path.realpath(path), path)
    return list(once.values())


def conversations(
    path: Path, key: str, on_problem: Callable[[str], None]
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Conversations of a service's export as JSON objects, numbered from 1.

    ``path``: ``conversations.json``, the .zip with it, or its unpacked folder; large exports are
    split into ``conversations-000.json`` and so on. ``key``: a field that each conversation must
    have; ``on_problem`` gets a message about others. The files are read as a stream: memory is
    needed for one conversation, not for the export.

    Raises ``DocumentError`` for anything but this service's export, with what was found instead.
    """
    good = number = 0
    for member, stream in _members(path):
        for found in _elements(stream, member):
            number += 1
            if isinstance(found, dict) and isinstance(found.get(key), (dict, list)):
                good += 1
                yield number, found
            elif isinstance(found, dict) and (other := set(found) & set(_SERVICES) - {key}):
                actual = _SERVICES[other.pop()]
                raise _not_an_export(path, key, f"a {actual} export was found; import it as one")
            else:
                on_problem(f"conversation {number} has no {key!r}; skipped")
    if number and not good:
        raise _not_an_export(path, key, f"none of its {number} entries is one")
    if not number:
        on_problem(f"{path} contains no conversations")


_SERVICES = {"mapping": "ChatGPT", "chat_messages": "Claude"}
_EXPORT = re.compile(r"conversations(?:-\d+)?\.json")
_PART = 1 << 20
_MAX_CONVERSATION = 256 << 20
_BETWEEN = re.compile(r"[\s,]*")


def _not_an_export(path: Path | str, key: str, found: str) -> DocumentError:
    wanted = f"a {_SERVICES[key]} export was expected (conversations.json, each with {key!r})"
    return DocumentError(path, f"{wanted}, but {found}", kind="unsupported")


def _members(path: Path) -> Iterator[tuple[str, TextIO]]:
    """The conversation files of an export, opened one by one."""
    import zipfile

    if path.is_dir():
        files = sorted(file for file in path.iterdir() if _EXPORT.fullmatch(file.name))
        if not files:
            raise DocumentError(path, "it contains no conversations.json", kind="unsupported")
        for file in files:
            yield from _members(file)
        return
    with _readable(path):
        if not zipfile.is_zipfile(path):
            with path.open(encoding="utf-8-sig", errors="replace") as stream:
                yield str(path), stream
        else:
            yield from _zipped(path)


def _zipped(path: Path) -> Iterator[tuple[str, TextIO]]:
    import io
    import zipfile

    with zipfile.ZipFile(path) as archive:
        names = sorted(
            name
            for name in archive.namelist()
            if _EXPORT.fullmatch(PurePath(name).name) and not name.startswith("__MACOSX/")
        )
        if not names:
            raise DocumentError(path, "it contains no conversations.json", kind="unsupported")
        for name in names:
            with archive.open(name) as raw:
                yield f"{path}:{name}", io.TextIOWrapper(raw, "utf-8-sig", errors="replace")


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    import zipfile
    import zlib

    try:
        yield
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
        raise DocumentError(path, f"the archive is damaged ({error})") from None
    except RuntimeError as error:  # zipfile's way to ask for a password
        raise DocumentError(path, str(error), kind="encrypted") from None
    except OSError as error:
        raise unreadable(path, error) from None


def _elements(stream: TextIO, name: str) -> Iterator[Any]:
    """Elements of a JSON array one by one (or a single object, or its ``conversations``).

    Text is read until an element is complete, doubling the buffer each time.
    """
    import json

    buffer = stream.read(_PART).lstrip()
    if not buffer.startswith("["):
        yield from _single(buffer + stream.read(_MAX_CONVERSATION), name)
        return
    decoder, position, number = json.JSONDecoder(), 1, 1
    while True:
        match = _BETWEEN.match(buffer, position)
        position = match.end() if match else position
        if buffer[position : position + 1] == "]":
            return
        try:
            element, position = decoder.raw_decode(buffer, position)
        except (ValueError, RecursionError) as error:
            buffer, position = buffer[position:], 0
            more = stream.read(max(_PART, len(buffer)))
            if not more or len(buffer) > _MAX_CONVERSATION or isinstance(error, RecursionError):
                reason = f"damaged or truncated in conversation {number} ({error})"
                raise DocumentError(name, reason) from None
            buffer += more
        else:
            yield element
            number += 1


def _single(text: str, name: str) -> Iterator[Any]:
    import json

    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DocumentError(name, f"it is not JSON ({error})", kind="unsupported") from None
    inner = value.get("conversations") if isinstance(value, dict) else None
    yield from inner if isinstance(inner, list) else [value]


def _files_in(folder: Path) -> list[Path]:
    denied: list[Path] = []
    found: list[Path] = []
    listing = os.walk(folder, onerror=lambda error: denied.append(Path(error.filename)))
    for parent, folders, files in listing:
        folders[:] = [name for name in folders if not name.startswith(".")]
        found += [
            Path(parent, name)
            for name in files
            if not name.startswith(".") and PurePath(name).suffix.lower() in SUFFIXES
        ]
    return sorted(found + denied, key=lambda path: path.parts)


def _read(data: bytes, name: str, found: Format) -> ReadDocument:
    if found == "pdf":
        from thalamus.readers.pdf import read_pdf

        return read_pdf(data, name)
    if found == "markdown":
        from thalamus.readers.markdown import read_markdown

        return read_markdown(data, name)
    from thalamus.readers.text import read_text

    if PurePath(name).suffix.lower() == ".pdf" and data:
        raise DocumentError(name, "it is not a PDF, despite its name", kind="broken")
    return read_text(data, name)


def _check_size(size: int, name: str, found: Format) -> None:
    if size > MAX_BYTES[found]:
        raise too_large(name, size, MAX_BYTES[found])


def unreadable(path: Path, error: Exception) -> DocumentError:
    """An operating system error as ``DocumentError``."""
    if isinstance(error, FileNotFoundError):
        return DocumentError(path, "no such file", kind="missing")
    reason = (getattr(error, "strerror", None) or str(error)).lower()
    return DocumentError(path, reason, kind="unreadable")
