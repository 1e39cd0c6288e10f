"""Memories, as far as they are asked for otherwise than as whole records."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, NamedTuple, Protocol

from thalamus.storage.protocol.records import MutableRecords, Records

if TYPE_CHECKING:
    from thalamus.records import Memory
    from thalamus.storage.protocol.conditions import Where
    from thalamus.storage.protocol.values import Filter, Vector


class NewMemory(NamedTuple):
    """A memory to be added, with its embedding, and its identity (``Writer.hash``) where the caller
    made it already."""

    memory: Memory
    vector: Vector | None = None
    identity: bytes | None = None


class StoredMemory(NamedTuple):
    """What is compared and counted of a memory, as it is stored: of an encrypted one the content
    is empty."""

    key: int
    id: str
    content: str
    created_at: str
    strength: float
    seen: int
    seen_at: str | None
    stale: str | None
    valid_from: str | None
    valid_to: str | None


class LastSaid(NamedTuple):
    """When anything of a type, topic and owner was said last."""

    type: str
    topic: str
    user: str | None
    agent: str | None
    at: str


class Memories(Records, Protocol):
    """The memories of a store."""

    def read(self, where: Filter, limit: int) -> list[Memory]:
        """Memories by time, newest first."""
        ...

    def as_stored(self, where: Where) -> list[StoredMemory]:
        """Memories without opening what is encrypted of them."""
        ...

    def same(self, identities: Collection[bytes]) -> dict[bytes, str]:
        """The ids of the memories with these identities (``Writer.hash``), of the newest where
        there are several."""
        ...

    def last_said(self) -> list[LastSaid]:
        """When an active memory of each type, topic and owner was said last, of those that have a
        topic."""
        ...

    def documents_of(self, user: str) -> set[str]:
        """The ids of the documents with pieces that belong to a user or to nobody."""
        ...


class MutableMemories(Memories, MutableRecords, Protocol):
    """The same in a unit of work."""
