"""Detection of file formats, and the files in folders."""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path, PurePath

from thalamus.errors import DocumentError, UnreadablePath, UsageError
from thalamus.readers.open_file import open_regular, read, too_large
from thalamus.readers.protocol import DocumentPage, Format, ReadDocument
from thalamus.readers.text import read_text, without_encoded

MARKDOWN = frozenset({".md", ".markdown", ".mdown", ".mkd"})
HTML = frozenset({".html", ".htm", ".xhtml"})
_TEXT = frozenset(
    {".txt", ".text", ".rst", ".org", ".adoc", ".asciidoc", ".textile", ".wiki", ".tex", ".log"}
    | {".csv", ".tsv", ".srt", ".vtt"}
)
SUFFIXES = MARKDOWN | HTML | _TEXT | {".pdf", ".eml", ".ipynb"}
"""Suffixes included in a recursive walk; a file named explicitly may have any suffix."""

_MEGABYTES: dict[Format, int] = {"pdf": 512, "markdown": 64, "text": 64, "html": 64}
_MEGABYTES |= {"email": 64, "notebook": 64}
MAX_BYTES = {found: most << 20 for found, most in _MEGABYTES.items()}


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


def read_bytes(
    data: bytes, name: str, format: Format | None = None, charset: str | None = None
) -> ReadDocument:
    """Reads a document in memory; ``name`` is used in messages and as title. ``format`` and
    ``charset`` are those that its server named."""
    found = format or format_of_bytes(data[:1024], name)
    _check_size(len(data), name, found)
    return _read(data, name, found, charset)


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
    if suffix == ".eml":
        return "email"
    if suffix == ".ipynb":
        return "notebook"
    if suffix in HTML:
        return "html"
    return "markdown" if suffix in MARKDOWN else "text"


def walk(
    paths: Sequence[Path], recursive: bool, passed_over: Counter[str] | None = None
) -> list[Path]:
    """The files that ``paths`` stand for, without duplicates, in the given order, folders sorted by
    name.

    A file is included whatever its name, and a missing path as well, so that reading it reports the
    problem. In folders only ``SUFFIXES`` are included, and others counted in ``passed_over`` by
    suffix; hidden files and folders and links to folders are skipped. A folder that cannot be
    listed is treated like a missing file, and so is one among files without ``recursive``. Raises
    ``UsageError`` for nothing but folders without ``recursive``.
    """
    found: list[Path] = []
    folders = [path for path in paths if path.is_dir()]
    if folders and len(folders) == len(paths) and not recursive:
        raise UsageError(
            f"{folders[0]} is a directory.", fix="Read the files in it with --recursive."
        )
    for path in paths:
        if recursive and path in folders:
            found += _files_in(path, passed_over if passed_over is not None else Counter())
        else:
            found.append(path)
    once: dict[str, Path] = {}
    for path in found:
        once.setdefault(os.path.realpath(path), path)
    return list(once.values())


def _files_in(folder: Path, passed_over: Counter[str]) -> list[Path]:
    denied: list[Path] = []
    found: list[Path] = []
    listing = os.walk(folder, onerror=lambda error: denied.append(Path(error.filename)))
    for parent, folders, files in listing:
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in files:
            suffix = PurePath(name).suffix.lower()
            if suffix in SUFFIXES and not name.startswith("."):
                found.append(Path(parent, name))
            elif not name.startswith("."):
                passed_over[suffix] += 1
    return sorted(found + denied, key=lambda path: path.parts)


def _read(data: bytes, name: str, found: Format, charset: str | None = None) -> ReadDocument:
    """A document as text, without the data that is encoded in it."""
    document = _read_as(found, data, name, charset)
    document.pages = [
        DocumentPage(page.number, without_encoded(page.text)) for page in document.pages
    ]
    return document


def _read_as(found: Format, data: bytes, name: str, charset: str | None) -> ReadDocument:
    if found == "email":
        from thalamus.readers.email import read_email

        return read_email(data, name)
    if found == "notebook":
        from thalamus.readers.notebook import read_notebook

        return read_notebook(data, name)
    if found == "pdf":
        from thalamus.readers.pdf import read_pdf

        return read_pdf(data, name)
    if found == "html":
        from thalamus.readers.html import read_html

        return read_html(data, name, charset)
    if found == "markdown":
        from thalamus.readers.markdown import read_markdown

        return read_markdown(data, name)
    if PurePath(name).suffix.lower() == ".pdf" and data:
        raise DocumentError(name, "it is not a PDF, despite its name", kind="broken")
    return read_text(data, name)


def _check_size(size: int, name: str, found: Format) -> None:
    if size > MAX_BYTES[found]:
        raise too_large(name, size, MAX_BYTES[found])


def unreadable(path: Path, error: Exception) -> UnreadablePath:
    """An operating system error as ``UnreadablePath``."""
    if isinstance(error, FileNotFoundError):
        return UnreadablePath(path, "no such file", kind="missing")
    reason = (getattr(error, "strerror", None) or str(error)).lower()
    return UnreadablePath(path, reason)
