"""The table ``memory``."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import msgspec

from thalamus.records import Memory
from thalamus.records.kinds import kind_of
from thalamus.storage.protocol.conditions import PRESENT
from thalamus.storage.protocol.memories import LastSaid, StoredMemory
from thalamus.storage.relational.filters import newest
from thalamus.storage.relational.records import MutableRecords, Records, with_ids
from thalamus.storage.relational.tables import in_parts, literal

if TYPE_CHECKING:
    from thalamus.storage.protocol.conditions import Where
    from thalamus.storage.protocol.values import Filter
    from thalamus.storage.relational.collection import RowReader, RowWriter

_SUBJECT = ("type", "topic", "user", "agent")
_CHUNK = "document_chunk"


class Memories(Records):
    """See ``storage.protocol.memories.Memories``."""

    def __init__(self, rows: RowReader) -> None:
        super().__init__(rows, kind_of(Memory))

    def read(self, where: Filter, limit: int) -> list[Memory]:
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
        return self._rows.find(Memory, {"id": tuple(ids), "status": "active"})

    def as_stored(self, ids: str | Sequence[str]) -> list[StoredMemory]:
        return self.find_stored(with_ids(ids))

    def find_stored(self, where: Where) -> list[StoredMemory]:
        found = self._rows.select("memory", StoredMemory._fields, where)
        return [StoredMemory(*row) for row in found]

    def same(self, identities: Mapping[bytes, bytes]) -> dict[bytes, str]:
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
    """See ``storage.protocol.memories.MutableMemories``."""

    def __init__(self, rows: RowWriter) -> None:
        MutableRecords.__init__(self, rows, kind_of(Memory))
