"""Queries for memories beyond whole records."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from msgspec import Struct

from thalamus.storage.protocol.records import MutableRecords, Records

if TYPE_CHECKING:
    from thalamus.records import Memory
    from thalamus.storage.protocol.conditions import Where
    from thalamus.storage.protocol.values import Filter, Vector


class NewMemory(NamedTuple):
    """A memory to be added, with its embedding, and its identity (``Writer.hash``) if the caller
    has computed it."""

    memory: Memory
    vector: Vector | None = None
    identity: bytes | None = None


class StoredMemory(NamedTuple):
    """Columns of a memory for comparing and counting; the content of an encrypted one is empty."""

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


class LastSaid(Struct, frozen=True):
    """Time of the last statement of a type, topic and owner."""

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

    def active(self, ids: Collection[str]) -> list[Memory]:
        """The active ones of these memories."""
        ...

    def as_stored(self, ids: str | Sequence[str]) -> list[StoredMemory]:
        """Memories with these ids, without decryption."""
        ...

    def find_stored(self, where: Where) -> list[StoredMemory]:
        """Memories that match a condition, without decryption."""
        ...

    def same(self, identities: Mapping[bytes, bytes]) -> dict[bytes, str]:
        """Ids of the memories with these identities, of the newest where there are several.
        ``identities``: each with the hash of the content, both as ``Writer.hash`` returns them."""
        ...

    def count_active(self) -> int:
        """The number of active memories."""
        ...

    def last_said(self) -> list[LastSaid]:
        """Time of the last active memory of each type, topic and owner, of those that have a
        topic."""
        ...

    def documents_at(self, path: str) -> list[str]:
        """Ids of all versions of the document with a path, in letters of any case."""
        ...


class MutableMemories(Memories, MutableRecords, Protocol):
    """Memories in a unit of work."""
