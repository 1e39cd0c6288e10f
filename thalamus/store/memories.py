"""The table ``memory``."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec import Struct

from thalamus.records import Memory
from thalamus.records.kinds import kind_of
from thalamus.store.conditions import PRESENT
from thalamus.store.filters import newest
from thalamus.store.records import MutableRecords, Records, with_ids
from thalamus.store.tables import in_parts, literal

if TYPE_CHECKING:
    from thalamus.store.collection import RowReader, RowWriter
    from thalamus.store.conditions import Where
    from thalamus.store.values import Filter, Vector


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


_SUBJECT = ("type", "topic", "user", "agent")
_CHUNK = "document_chunk"


class Memories(Records):
    """The memories of a store."""

    def __init__(self, rows: RowReader) -> None:
        super().__init__(rows, kind_of(Memory))

    def read(self, where: Filter, limit: int) -> list[Memory]:
        """Memories by time, newest first."""
        # worded like the declaration of a partial index: databases compare the text
        memory = self._rows.source("memory")
        of_status = f"key IN (SELECT key FROM {memory} WHERE status <> 'active' AND status = "
        of_status += f"{literal(where.status or '')})"
        stale = f"live AND key IN (SELECT key FROM {memory} WHERE stale IS NOT NULL)"
        known = {None: "live", "active": "live", "all": "true", "stale": stale}
        core = "scope = 'core' AND " if where.scope == "core" else ""  # which has an index
        live = core + known.get(where.status, of_status)
        columns = "id, created_at, key"
        query, values = newest(self._rows, columns, ["memory_entry"], where, live)
        found = self._rows.query(f"{query} LIMIT ?", (*values, limit))
        ids = [row[0] for row in found]
        by_id = {memory.id: memory for memory in self._rows.find(Memory, {"id": ids})}
        return [by_id[id] for id in ids if id in by_id]

    def active(self, ids: Collection[str]) -> list[Memory]:
        """The active ones of these memories."""
        return self._rows.find(Memory, {"id": tuple(ids), "status": "active"})

    def as_stored(self, ids: str | Sequence[str]) -> list[StoredMemory]:
        """Memories with these ids, without decryption."""
        return self.find_stored(with_ids(ids))

    def find_stored(self, where: Where) -> list[StoredMemory]:
        """Memories that match a condition, without decryption."""
        found = self._rows.select("memory", StoredMemory._fields, where)
        return [StoredMemory(*row) for row in found]

    def same(self, identities: Mapping[bytes, bytes]) -> dict[bytes, str]:
        """Ids of the memories with these identities, of the newest where there are several.
        ``identities``: each with the hash of the content, both as ``Writer.hash`` returns them."""
        found: list[Any] = []
        for part in in_parts(list(identities.items())):
            query = (
                f"WITH wanted (one, said) AS (VALUES {','.join(['(?,?)'] * len(part))})"
                f" SELECT identity_hash, id, key FROM wanted JOIN {self._rows.source('memory')}"
                " ON content_hash = said AND identity_hash = one"
            )
            found += self._rows.query(query, list(chain.from_iterable(part)))
        return {row[0]: row[1] for row in sorted(found, key=lambda row: int(row[2]))}

    def count_active(self) -> int:
        """Inactive ones are few and have an index."""
        memory = self._rows.source("memory")
        [(inactive,)] = self._rows.query(f"SELECT count(*) FROM {memory} WHERE status <> 'active'")
        return self.count() - int(inactive)

    def last_said(self) -> list[LastSaid]:
        """Time of the last active memory of each type, topic and owner, of those that have a
        topic."""
        where = {"status": "active", "topic": PRESENT}
        columns = (*_SUBJECT, "max(created_at)")
        return [
            LastSaid(*row) for row in self._rows.select("memory", columns, where, group=_SUBJECT)
        ]

    def documents_at(self, path: str) -> list[str]:
        """The path is a part of the body, as JSON."""
        written = f'"path":{msgspec.json.encode(path).decode()}'
        pattern = re.sub(r"([!%_])", r"!\1", written)
        query = f"SELECT id FROM {self._rows.source('document')} WHERE body LIKE ? ESCAPE '!'"
        return [row[0] for row in self._rows.query(query, (f"%{pattern}%",))]


class MutableMemories(Memories, MutableRecords):
    """Memories in a unit of work."""

    def __init__(self, rows: RowWriter) -> None:
        MutableRecords.__init__(self, rows, kind_of(Memory))
