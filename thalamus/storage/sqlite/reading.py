"""Reading records from the store."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from thalamus.records import Alias, Document, Event, Fact, Link, Memory, Plan, Turn
from thalamus.storage.sealing import is_hidden
from thalamus.storage.shapes import Filter, Space, Vector
from thalamus.storage.sqlite import rows
from thalamus.storage.sqlite.database import open_file, translated
from thalamus.storage.sqlite.entries import condition
from thalamus.storage.sqlite.opened import Opened

if TYPE_CHECKING:
    from thalamus.clock import Clock
    from thalamus.policy.predicates import Registry
    from thalamus.storage.jobs import Job

TABLES: tuple[tuple[str, Callable[[sqlite3.Row], Any]], ...] = (
    ("turn", rows.turn),
    ("memory", rows.memory),
    ("fact", rows.fact),
    ("document", rows.document),
    ("plan", rows.plan),
)
_UNEMBEDDED = (
    "FROM entry WHERE live AND NOT EXISTS (SELECT 1 FROM embedding WHERE key = entry.key"
    " AND space = (SELECT id FROM space WHERE model = ?))"
    " AND NOT EXISTS (SELECT 1 FROM sealed WHERE sealed.kind = entry.kind"
    " AND sealed.id = entry.id)"
)
_STATUS = "key IN (SELECT key FROM memory WHERE status = ?)"


class Reading(Opened):
    """Records by id, by time and by what they are about."""

    _clock: Clock

    def spaces(self) -> list[Space]:
        return [Space(*row) for row in self._rows("SELECT model, dimension, count FROM space")]

    def unembedded(self, model: str, limit: int, after: int = 0) -> list[tuple[int, str]]:
        query = f"SELECT key, embed_text {_UNEMBEDDED} AND key > ? ORDER BY key LIMIT ?"
        return [(row[0], row[1]) for row in self._rows(query, (model, after, limit))]

    def count_unembedded(self, model: str) -> int:
        return int(self._rows(f"SELECT count(*) {_UNEMBEDDED}", (model,))[0][0])

    def recent_turns(self, session: str, user: str | None, limit: int) -> list[Turn]:
        found = self._rows(
            "SELECT * FROM turn WHERE session = ? AND (? IS NULL OR user IS ?)"
            " ORDER BY key DESC LIMIT ?",
            (session, user, user, limit),
        )
        turns = [self._open(rows.turn(row)) for row in found][::-1]
        return [turn for turn in turns if not is_hidden(turn)]

    def last_turn_id(self, session: str, user: str | None = None) -> str | None:
        found = self._rows(
            "SELECT id FROM turn WHERE session = ? AND (? IS NULL OR user IS ?)"
            " ORDER BY key DESC LIMIT 1",
            (session, user, user),
        )
        return found[0][0] if found else None

    def saved_plan(self, session: str, user: str | None) -> Plan | None:
        found = self._rows(
            "SELECT body, user FROM plan WHERE session = ? AND user IS ? ORDER BY key DESC LIMIT 1",
            (session, user),
        )
        return self._open(rows.plan(found[0])) if found else None

    def stale(self, keys: Sequence[int], now: str) -> dict[int, str]:
        from thalamus.storage.sqlite.outdated import stale

        with translated(self.path, self._busy_timeout):
            return stale(self._db, keys, now)

    def core_memories(self, user: str | None, agent: str | None, now: str) -> list[Memory]:
        where = Filter(scope="core", user=user, agent=agent, now=now)
        return [m for m in self.memories(where, limit=100) if not is_hidden(m)][::-1]

    def get(self, id: str) -> Turn | Memory | Fact | Document | Plan | None:
        for table, make in TABLES:
            for row in self._rows(f"SELECT * FROM {table} WHERE id = ?", (id,)):
                record: Turn | Memory | Fact | Document | Plan = self._open(make(row))
                return record
        return None

    def complete_id(self, prefix: str) -> list[str]:
        found: list[str] = []
        upper = prefix + "\U0010ffff"
        for table, _ in TABLES:
            query = f"SELECT id FROM {table} WHERE id >= ? AND id < ? LIMIT 10"
            found += [row[0] for row in self._rows(query, (prefix, upper))]
        return sorted(found)[:10]

    def memories(self, where: Filter, limit: int) -> list[Memory]:
        sql, values = condition(where)
        order = "ORDER BY created_at DESC, key DESC"
        if where.status is not None:
            sql = sql.replace("live", "1" if where.status == "all" else _STATUS, 1)
            values = values if where.status == "all" else (where.status, *values)
        core = "scope = 'core' AND" if where.scope == "core" else ""  # of which there is an index
        found = self._rows(
            "SELECT * FROM memory WHERE key IN"
            f" (SELECT key FROM memory_entry WHERE {core} {sql} {order} LIMIT ?) {order}",
            (*values, limit),
        )
        return [self._open(rows.memory(row)) for row in found]

    def facts(self, where: Filter, subject: str | None = None, history: bool = False) -> list[Fact]:
        from thalamus.storage.sqlite.facts import facts

        with translated(self.path, self._busy_timeout):
            return [self._open(fact) for fact in facts(self._db, where, subject, history)]

    def with_history(self, facts: Sequence[Fact]) -> list[Fact]:
        from thalamus.storage.sqlite.facts import with_history

        with translated(self.path, self._busy_timeout):
            return [with_history(self._db, fact) for fact in facts]

    def predicates(self) -> Registry:
        from thalamus.storage.sqlite.own_predicates import registry

        with translated(self.path, self._busy_timeout):
            return registry(self._db)

    def entities(self, owner: str | None) -> list[tuple[str, str | None, int]]:
        from thalamus.storage.sqlite.entities import listed

        with translated(self.path, self._busy_timeout):
            return listed(self._db, owner)

    def aliases(self) -> list[Alias]:
        from thalamus.storage.sqlite.entities import alias_records

        with translated(self.path, self._busy_timeout):
            return alias_records(self._db)

    def find_document(self, sha256: str) -> Document | None:
        found = self._rows("SELECT * FROM document WHERE sha256 = ?", (sha256,))
        return rows.document(found[0]) if found else None

    def jobs(self) -> list[Job]:
        from thalamus.storage.sqlite.jobs import jobs

        with translated(self.path, self._busy_timeout):
            return jobs(self._db, self._clock.stamp())

    def links(self, id: str) -> list[Link]:
        query = "SELECT * FROM link WHERE source = ?1 OR target = ?1 ORDER BY relation, source"
        return [Link(**dict(row)) for row in self._rows(query, (id,))]

    def events(self, turn: str | None = None, limit: int | None = None) -> Iterator[Event]:
        from thalamus.storage.sqlite import ledger

        with translated(self.path, self._busy_timeout):
            for event in ledger.read(self._db, turn, limit):
                yield self._open(event)

    def everything(self) -> Iterator[Any]:
        """On a connection of its own: one state of the store, whatever is written meanwhile."""
        from thalamus.policy import predicates
        from thalamus.storage.sqlite import ledger
        from thalamus.storage.sqlite.entities import alias_records
        from thalamus.storage.sqlite.facts import with_history
        from thalamus.storage.sqlite.own_predicates import own_entries

        with translated(self.path, self._busy_timeout):
            connection = open_file(self.path, self._busy_timeout)
            try:
                connection.execute("BEGIN")
                # first what tells how facts are to be taken
                yield from map(predicates.record, own_entries(connection))
                yield from alias_records(connection)
                for table, make in TABLES:
                    order = "rowid" if table == "document" else "key"
                    for row in connection.execute(f"SELECT * FROM {table} ORDER BY {order}"):
                        record = self._open(make(row))
                        yield with_history(connection, record) if table == "fact" else record
                query = "SELECT * FROM link ORDER BY source, relation, target"
                for row in connection.execute(query):
                    yield Link(**dict(row))
                for event in ledger.read(connection, None, None):
                    yield self._open(event)
            finally:
                connection.close()

    def vectors_of(self, ids: Iterable[str]) -> Mapping[str, Vector]:
        """Of several models the one whose embedding was made last."""
        query = (
            "SELECT model, vector FROM embedding JOIN space ON space.id = space"
            " WHERE embedding.key = (SELECT key FROM entry WHERE id = ?) ORDER BY n DESC LIMIT 1"
        )
        found = {}
        for id in ids:
            for row in self._rows(query, (id,)):
                found[id] = Vector(row[0], row[1])
            if id not in found and self._boxes is not None:
                vector = self._boxes.vector(id)
                if vector is not None:
                    found[id] = vector
        return found
