"""The SQLite store: tables, indexes and ledger behind ``storage.protocol.Store``."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thalamus.clock import Clock
from thalamus.records import Document, Event, Fact, Link, Memory, Plan, Turn
from thalamus.storage.protocol import Entry, Filter, Graph, Hit, IndexState, Likeness, Space, Vector
from thalamus.storage.sqlite import rows
from thalamus.storage.sqlite.database import FILE, connect, open_file, translated
from thalamus.storage.sqlite.entries import condition, views

if TYPE_CHECKING:
    from thalamus.storage.sqlite.aside import Follower
    from thalamus.storage.sqlite.indexes import Indexes
    from thalamus.storage.sqlite.writer import SqliteWriter

# (how many, the keys allowed or None for all) -> (key, score), best first
Find = Callable[[int, "list[int] | None"], list[tuple[int, float]]]
_TABLES: tuple[tuple[str, Callable[[sqlite3.Row], Any]], ...] = (
    ("turn", rows.turn),
    ("memory", rows.memory),
    ("fact", rows.fact),
    ("document", rows.document),
    ("plan", rows.plan),
)

FURTHER = 6  # times as many of the best are looked at before a filter is applied inside

_UNEMBEDDED = (
    "FROM entry WHERE live AND NOT EXISTS (SELECT 1 FROM embedding WHERE key = entry.key"
    " AND space = (SELECT id FROM space WHERE model = ?))"
)


class SqliteStore:
    """One tenant's store.

    ``folder``: where its files are; ``create``: make it when it is missing (else ``NoStore``);
    ``busy_timeout``: seconds to wait for another process's write.
    """

    def __init__(
        self,
        folder: Path,
        *,
        tenant: str = "default",
        create: bool = False,
        busy_timeout: float = 30.0,
        clock: Clock | None = None,
    ) -> None:
        self.folder = folder
        self.path = folder / FILE
        self._busy_timeout = busy_timeout
        self._clock = clock or Clock()
        self._db = connect(folder, tenant, busy_timeout, create)
        self._aside: Follower | None = None

    @cached_property
    def _indexes(self) -> Indexes:
        from thalamus.storage.sqlite.indexes import Indexes

        return Indexes(self.folder / "index", self._db)

    # -- writing -------------------------------------------------------------------------------

    @contextmanager
    def writing(self, more: bool = False) -> Iterator[SqliteWriter]:
        """One transaction, durable at the end of the block; then the indexes follow, with
        ``more`` only when they are far behind."""
        from thalamus.storage.sqlite.writer import SqliteWriter

        with translated(self.path, self._busy_timeout):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                writer = SqliteWriter(self._db, self._clock.stamp())
                yield writer
                writer.finish()
                self._db.execute("COMMIT")
            except BaseException:
                # a full disk may have ended the transaction already
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
        if more or self._aside is not None:
            self._follow_aside(more)
        if not more:
            self._indexes.follow()

    def _follow_aside(self, more: bool) -> None:
        """While many are stored another process keeps the indexes level."""
        if self._aside is None:
            from thalamus.storage.sqlite.aside import Follower

            self._aside = Follower(self._db, self.folder, self._indexes)
        if more:
            self._aside.go_on()
        else:
            self._aside.finish()
            self._aside = None

    # -- searching -----------------------------------------------------------------------------

    def search_text(self, tokens: Sequence[str], where: Filter, limit: int) -> list[Hit]:
        return self._search(
            lambda count, keys: self._indexes.search_text(tokens, count, keys), where, limit
        )

    def search_vector(self, vector: Vector, where: Filter, limit: int) -> list[Hit]:
        return self._search(
            lambda count, keys: self._indexes.search_vector(vector, count, keys), where, limit
        )

    def likeness(self, vector: Vector, keys: Sequence[int]) -> Likeness:
        from thalamus.storage.sqlite.likeness import likeness

        with translated(self.path, self._busy_timeout):
            return likeness(self._db, vector, keys)

    def _search(self, find: Find, where: Filter, limit: int) -> list[Hit]:
        """Where a filter lets too few of the best through more are looked at, and then it is
        applied inside the search: listing what it lets through may take longer than both."""
        count = limit + len(where.exclude)
        for wider in (count, count * FURTHER):
            hits, found = self._passing(find, wider, None, where)
            if len(hits) >= limit or found < wider:
                return hits[:limit]
        hits, _ = self._passing(find, limit, self._keys(where), where)
        return hits[:limit]

    def _passing(
        self, find: Find, count: int, keys: list[int] | None, where: Filter
    ) -> tuple[list[Hit], int]:
        """Of the ``count`` best the hits that pass the filter; how many were found at all."""
        with translated(self.path, self._busy_timeout):
            found = find(count, keys)
        entries = self._entries_by_key([key for key, _ in found], where)
        hits = [Hit(entries[key], score) for key, score in found if key in entries]
        return hits, len(found)

    def _entries_by_key(self, keys: Sequence[int], where: Filter) -> dict[int, Entry]:
        sql, values = condition(where)
        found = {}
        for start in range(0, len(keys), 500):
            part = keys[start : start + 500]
            marks = ",".join("?" * len(part))
            query = f"SELECT {rows.ENTRY} FROM entry WHERE key IN ({marks}) AND {sql}"
            for row in self._rows(query, (*part, *values)):
                found[row["key"]] = rows.entry(row)
        return found

    def _keys(self, where: Filter) -> list[int]:
        sql, values = condition(where)
        queries = (f"SELECT key FROM {view} WHERE {sql}" for view in views(where))
        return [row[0] for query in queries for row in self._rows(query, values)]

    def entries(self, where: Filter, limit: int, newest: bool = True) -> list[Entry]:
        sql, values = condition(where)
        order = "DESC" if newest else "ASC"
        found = self._rows(
            f"SELECT {rows.ENTRY} FROM entry WHERE {sql}"
            f" ORDER BY created_at {order}, key {order} LIMIT ?",
            (*values, limit),
        )
        return [rows.entry(row) for row in found]

    def spaces(self) -> list[Space]:
        return [Space(*row) for row in self._rows("SELECT model, dimension, count FROM space")]

    def unembedded(self, model: str, limit: int, after: int = 0) -> list[tuple[int, str]]:
        query = f"SELECT key, embed_text {_UNEMBEDDED} AND key > ? ORDER BY key LIMIT ?"
        return [(row[0], row[1]) for row in self._rows(query, (model, after, limit))]

    def count_unembedded(self, model: str) -> int:
        return int(self._rows(f"SELECT count(*) {_UNEMBEDDED}", (model,))[0][0])

    # -- reading -------------------------------------------------------------------------------

    def recent_turns(self, session: str, user: str | None, limit: int) -> list[Turn]:
        found = self._rows(
            "SELECT * FROM turn WHERE session = ? AND (? IS NULL OR user IS ?)"
            " ORDER BY key DESC LIMIT ?",
            (session, user, user, limit),
        )
        return [rows.turn(row) for row in found][::-1]

    def last_turn_id(self, session: str) -> str | None:
        found = self._rows(
            "SELECT id FROM turn WHERE session = ? ORDER BY key DESC LIMIT 1", (session,)
        )
        return found[0][0] if found else None

    def saved_plan(self, session: str) -> Plan | None:
        found = self._rows(
            "SELECT body FROM plan WHERE session = ? ORDER BY key DESC LIMIT 1", (session,)
        )
        return rows.plan(found[0]) if found else None

    def core_memories(self, user: str | None, agent: str | None, now: str) -> list[Memory]:
        where = Filter(scope="core", user=user, agent=agent, now=now)
        return self.memories(where, limit=100)[::-1]

    def get(self, id: str) -> Turn | Memory | Fact | Document | Plan | None:
        for table, make in _TABLES:
            for row in self._rows(f"SELECT * FROM {table} WHERE id = ?", (id,)):
                record: Turn | Memory | Fact | Document | Plan = make(row)
                return record
        return None

    def complete_id(self, prefix: str) -> list[str]:
        found: list[str] = []
        upper = prefix + "\U0010ffff"
        for table, _ in _TABLES:
            query = f"SELECT id FROM {table} WHERE id >= ? AND id < ? LIMIT 10"
            found += [row[0] for row in self._rows(query, (prefix, upper))]
        return sorted(found)[:10]

    def memories(self, where: Filter, limit: int) -> list[Memory]:
        sql, values = condition(where)
        order = "ORDER BY created_at DESC, key DESC"
        core = "scope = 'core' AND" if where.scope == "core" else ""  # of which there is an index
        found = self._rows(
            "SELECT * FROM memory WHERE key IN"
            f" (SELECT key FROM memory_entry WHERE {core} {sql} {order} LIMIT ?) {order}",
            (*values, limit),
        )
        return [rows.memory(row) for row in found]

    def facts(self, where: Filter, subject: str | None = None, history: bool = False) -> list[Fact]:
        sql, values = condition(where)
        if history:
            sql = sql.replace("live", "1", 1)
        query = f"SELECT * FROM fact WHERE key IN (SELECT key FROM fact_entry WHERE {sql})"
        if subject is not None:
            query += " AND subject = ? COLLATE NOCASE"
            values = (*values, subject)
        order = " ORDER BY subject COLLATE NOCASE, predicate, coalesce(valid_from, created_at), key"
        return [rows.fact(row) for row in self._rows(query + order, values)]

    def find_document(self, sha256: str) -> Document | None:
        found = self._rows("SELECT * FROM document WHERE sha256 = ?", (sha256,))
        return rows.document(found[0]) if found else None

    def links(self, id: str) -> list[Link]:
        query = "SELECT * FROM link WHERE source = ?1 OR target = ?1 ORDER BY relation, source"
        return [Link(**dict(row)) for row in self._rows(query, (id,))]

    def events(self, turn: str | None = None, limit: int | None = None) -> Iterator[Event]:
        from thalamus.storage.sqlite import ledger

        with translated(self.path, self._busy_timeout):
            yield from ledger.read(self._db, turn, limit)

    def everything(self) -> Iterator[Any]:
        """On a connection of its own: one state of the store, whatever is written meanwhile."""
        from thalamus.storage.sqlite import ledger

        with translated(self.path, self._busy_timeout):
            connection = open_file(self.path, self._busy_timeout)
            try:
                connection.execute("BEGIN")
                for table, make in _TABLES:
                    order = "rowid" if table == "document" else "key"
                    for row in connection.execute(f"SELECT * FROM {table} ORDER BY {order}"):
                        yield make(row)
                query = "SELECT * FROM link ORDER BY source, relation, target"
                for row in connection.execute(query):
                    yield Link(**dict(row))
                yield from ledger.read(connection, None, None)
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
        return found

    def _rows(self, query: str, values: Sequence[Any] = ()) -> list[sqlite3.Row]:
        with translated(self.path, self._busy_timeout):
            return self._db.execute(query, values).fetchall()

    # -- care ----------------------------------------------------------------------------------

    def counts(self) -> dict[str, int]:
        from thalamus.storage.sqlite.copying import COUNTED

        return {table: self._rows(f"SELECT count(*) FROM {table}")[0][0] for table in COUNTED}

    def check(self) -> list[str]:
        from thalamus.storage.sqlite import ledger
        from thalamus.storage.sqlite.copying import quick_check

        with translated(self.path, self._busy_timeout):
            return quick_check(self._db) or ledger.problems(self._db)

    def schema_version(self) -> int:
        """The number of migrations that were applied."""
        return int(self._rows("PRAGMA user_version")[0][0])

    def index_states(self) -> list[IndexState]:
        with translated(self.path, self._busy_timeout):
            return self._indexes.states()

    def rebuild_indexes(self) -> list[IndexState]:
        with translated(self.path, self._busy_timeout):
            return self._indexes.rebuild()

    def build_graphs(self, progress: Callable[[int], None]) -> list[Graph]:
        with translated(self.path, self._busy_timeout):
            return self._indexes.build_graphs(progress)

    def backup(self, target: Path) -> None:
        from thalamus.storage.sqlite.copying import copy_verified

        with translated(target, self._busy_timeout):
            copy_verified(self._db, target)

    def close(self) -> None:
        if self._aside is not None:
            self._follow_aside(more=False)
            self._indexes.follow()
        self._db.close()
