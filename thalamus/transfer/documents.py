"""Ingestion of documents: a file or bytes are read, hashed, dated, and passed to
``memory.documents.ingest``."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from pathlib import Path

from thalamus.clock import format_time
from thalamus.errors import DocumentError
from thalamus.memory.documents.ingest import IngestSource, credible, ingest, known_document
from thalamus.records import Document
from thalamus.turn_run import TurnRun


def ingest_file(
    path: Path, run: TurnRun, summarise: bool, include_forgotten: bool = False
) -> Document:
    """Reads and stores a file, see ``ingest``. For an unreadable one, the result has the
    reason."""
    from thalamus.readers.detect import MAX_BYTES, format_of, unreadable
    from thalamus.readers.open_file import digest as digest_of
    from thalamus.readers.open_file import read as read_file
    from thalamus.readers.sandbox import read_bytes_with_limit, read_with_limit

    store = run.engine.open_store(False)
    seconds = run.engine.config.ingest_timeout
    try:
        found = format_of(path)  # checks the type before anything blocks on it
        # the same bytes are hashed and read, since the file may be changing
        data = None if found == "pdf" else read_file(path, MAX_BYTES[found], seconds)
        if data is None:
            digest = digest_of(path, MAX_BYTES["pdf"], seconds)
        else:
            digest = hashlib.sha256(data).hexdigest()
        known = known_document(store, digest) if store is not None else None
        if known is not None and not include_forgotten:  # no need to read it again
            return ingest(_source(path, digest, known.title or path.stem), run, False)
        if data is None:
            read = read_with_limit(path, seconds)
        else:
            read = read_bytes_with_limit(data, str(path), seconds)
        read.check_text(str(path))
    except OSError as error:
        return _failed(_as_text(path), unreadable(path, error))
    except DocumentError as error:
        return _failed(_as_text(path), error)
    source = IngestSource(
        path=_as_text(path.resolve()),
        sha256=digest,
        title=_as_text(read.title),
        format=read.format,
        pages=[(page.number, page.text) for page in read.pages],
        created_at=credible(read.created_at, run.engine.clock.stamp()) or _modified_at(path),
        metadata=read.metadata,
        notes=read.notes,
    )
    return ingest(source, run, summarise, include_forgotten)


def ingest_bytes(
    data: bytes, name: str, run: TurnRun, summarise: bool, include_forgotten: bool = False
) -> Document:
    """Reads and stores a document in memory, such as standard input, see ``ingest``."""
    from thalamus.readers.sandbox import read_bytes_with_limit

    try:
        read = read_bytes_with_limit(data, name, run.engine.config.ingest_timeout)
        read.check_text(name)
    except DocumentError as error:
        return _failed(name, error)
    source = IngestSource(
        path=name,
        sha256=hashlib.sha256(data).hexdigest(),
        title=read.title,
        format=read.format,
        pages=[(page.number, page.text) for page in read.pages],
        created_at=read.created_at or run.engine.clock.stamp(),
        metadata=read.metadata,
        notes=read.notes,
    )
    return ingest(source, run, summarise, include_forgotten)


def _source(path: Path, digest: str, title: str) -> IngestSource:
    """The source of a document that is already stored."""
    return IngestSource(
        _as_text(path.resolve()), digest, _as_text(title), "", [], _modified_at(path), {}
    )


def _as_text(path: Path | str) -> str:
    r"""A name as text: bytes that are not UTF-8 become ``\\udcff``."""
    return str(path).encode("utf-8", "backslashreplace").decode()


def _failed(path: str, error: DocumentError) -> Document:
    return Document(path=path, status="failed", kind=error.kind, reason=error.reason)


def _modified_at(path: Path) -> str:
    """Time of the file's last change, the best date for a document without one."""
    return format_time(datetime.fromtimestamp(int(path.stat().st_mtime), UTC))
