"""From a file to the ``ingest`` stage: reading, hashing, dating."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from pathlib import Path

from thalamus.clock import format_time
from thalamus.errors import DocumentError
from thalamus.records import Document
from thalamus.stages.context import Context
from thalamus.stages.ingest import Source, ingest


def ingest_file(path: Path, context: Context, summarise: bool) -> Document:
    """Reads a file and stores it. A file that cannot be read gives a result that says why."""
    from thalamus.readers.sandbox import read_with_limit

    store = context.open_store(False)
    try:
        digest = _hash_file(path)
        known = store.find_document(digest) if store else None
        if known is not None:  # no need to read it again
            return ingest(_source(path, digest, known.title or path.stem), context, False)
        read = read_with_limit(path, context.config.ingest_timeout)
    except DocumentError as error:
        return _failed(_named(path), error)
    source = Source(
        path=_named(path.resolve()),
        sha256=digest,
        title=_named(read.title),
        format=read.format,
        pages=[(page.number, page.text) for page in read.pages],
        created_at=read.created_at or _changed(path),
        metadata=read.metadata,
    )
    return ingest(source, context, summarise)


def ingest_bytes(data: bytes, name: str, context: Context, summarise: bool) -> Document:
    """The same for a document in memory, such as standard input."""
    from thalamus.readers.sandbox import read_bytes_with_limit

    try:
        read = read_bytes_with_limit(data, name, context.config.ingest_timeout)
    except DocumentError as error:
        return _failed(name, error)
    source = Source(
        path=name,
        sha256=hashlib.sha256(data).hexdigest(),
        title=read.title,
        format=read.format,
        pages=[(page.number, page.text) for page in read.pages],
        created_at=read.created_at or context.clock.stamp(),
        metadata=read.metadata,
    )
    return ingest(source, context, summarise)


def _source(path: Path, digest: str, title: str) -> Source:
    """What ``ingest`` needs to say that a document is there already."""
    return Source(_named(path.resolve()), digest, _named(title), "", [], _changed(path), {})


def _named(path: Path | str) -> str:
    """A name as text: bytes in it that are no UTF-8 are written as ``\\udcff``."""
    return str(path).encode("utf-8", "backslashreplace").decode()


def _failed(path: str, error: DocumentError) -> Document:
    return Document(path=path, status="failed", kind=error.kind, reason=error.reason)


def _hash_file(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        raise DocumentError(path, "there is no such file", "missing") from None
    except OSError as error:
        raise DocumentError(path, error.strerror or str(error), "unreadable") from None


def _changed(path: Path) -> str:
    """When the file was last changed: the best date for a document that names none."""
    return format_time(datetime.fromtimestamp(int(path.stat().st_mtime), UTC))
