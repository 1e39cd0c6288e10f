"""Documents in memory, and their chunks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thalamus.errors import NothingFound
from thalamus.records import Document, Memory
from thalamus.storage.protocol.encrypted import is_hidden

if TYPE_CHECKING:
    from thalamus.storage.protocol.store import Store

_CHUNK = "document_chunk"


def documents(store: Store, user: str | None) -> list[Document]:
    """Documents, newest first; with a ``user`` only those whose chunks are that user's or
    shared."""
    found = store.find(Document, None, ("-recorded_at", "id"))
    if user is None:
        return found
    ids = store.memories.documents_of(user)
    return [document for document in found if document.id in ids]


def document(store: Store, id: str, user: str | None) -> tuple[Document, list[Memory]]:
    """A document by id, with its readable chunks in order. Raises ``NothingFound``, also for a
    document of another ``user``."""
    found = store.by_id(Document, id)
    pieces = store.links.sources(id, "part_of")
    where: dict[str, object] = {"type": _CHUNK, "status": "active", "id": pieces}
    if user is not None:
        where["user"] = (user, None)
    chunks = [memory for memory in store.find(Memory, where) if not is_hidden(memory)]
    if found is None or (user is not None and not chunks):
        raise NothingFound(f"the document {id!r}")
    return found, sorted(chunks, key=_number)


def _number(memory: Memory) -> int:
    source = memory.provenance
    return (source.chunk or 0) if source is not None else 0
