"""A store in PostgreSQL. Searches scan the tables; signing, encryption and erasure from files are
so far available with SQLite only."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING

from thalamus.clock import Clock
from thalamus.errors import NoStore
from thalamus.storage.options import StoreOptions
from thalamus.storage.postgres.connection import (
    LOCK,
    PostgresConnection,
    is_ready,
    make_ready,
    translated,
)
from thalamus.storage.protocol.rows import ColumnInfo
from thalamus.storage.protocol.values import Filter, Hit, Similarities, Vector
from thalamus.storage.relational.half_precision import widened
from thalamus.storage.relational.store import RelationalStore
from thalamus.storage.relational.tables import Tables, first_values, in_parts, placeholders
from thalamus.storage.relational.unit_of_work import UnitOfWork
from thalamus.text.sentence_vectors import cosines, nearest

if TYPE_CHECKING:
    from thalamus.records import Record
    from thalamus.storage.protocol.rows import ColumnType

_TYPES: dict[str, ColumnType] = {
    "bigint": "int",
    "double precision": "float",
    "text": "text",
    "bytea": "bytes",
}


class PostgresTables(Tables):
    """The tables in a tenant's schema."""

    def describe(self, table: str) -> list[ColumnInfo]:
        found = self.connection.execute(
            "SELECT a.attname, format_type(a.atttypid, NULL),"
            " coalesce(array_position(i.indkey::int2[], a.attnum) + 1, 0)"
            " FROM pg_attribute AS a LEFT JOIN pg_index AS i"
            " ON i.indrelid = a.attrelid AND i.indisprimary"
            " WHERE a.attrelid = to_regclass(?) AND a.attnum > 0"
            " AND NOT a.attisdropped ORDER BY a.attnum",
            (table,),
        )
        return [ColumnInfo(row[0], _TYPES[row[1]], row[2]) for row in found if row[1] in _TYPES]


class PostgresStore(RelationalStore):
    """One tenant's store. ``url``: of the database, in libpq's format."""

    def __init__(self, url: str, options: StoreOptions = StoreOptions()) -> None:
        self._follow = options.follow
        self._busy_timeout = options.busy_timeout
        self._clock = options.clock or Clock()
        self._url, self._tenant = url, options.tenant
        self._db = self._connect(options.create)
        self._tables = PostgresTables(self._db)
        super().__init__(self._tables)

    def _connect(self, create: bool = False) -> PostgresConnection:
        with translated(self._busy_timeout):
            connection = PostgresConnection(self._url, self._tenant, self._busy_timeout)
            if is_ready(connection):
                return connection
            if not create:
                connection.close()
                raise NoStore(self._tenant)
            make_ready(connection, first_values(self._tenant))
            return connection

    def guard(self) -> AbstractContextManager[None]:
        return translated(self._busy_timeout)

    def _state(self) -> object:
        query = "SELECT value, (SELECT max(seq) FROM event) FROM meta WHERE name = 'next_key'"
        return tuple(self.query(query)[0])

    @contextmanager
    def writing(self, more: bool = False, *, wait: bool = True) -> Iterator[UnitOfWork]:
        """One transaction; one writer at a time, as in SQLite."""
        with self.guard():
            self._db.execute("BEGIN")
            try:
                if not wait:
                    self._db.execute("SET LOCAL lock_timeout TO 1")
                self._db.execute("SELECT pg_advisory_xact_lock(?)", (LOCK,))
                self._tables.begin()
                writer = UnitOfWork(self._tables, self._tables, self._clock, follow=self._follow)
                yield writer
                writer.finish()
                self._db.execute("COMMIT")
            except BaseException:
                self._db.execute("ROLLBACK")
                raise

    @contextmanager
    def exclusive(self, task: str, wait: bool = False) -> Iterator[None]:
        """Holds a session lock on a connection of its own."""
        number = zlib.crc32(f"{self._tenant} {task}".encode())
        with self.guard():
            connection = self._connect()
            try:
                if wait:
                    connection.execute("SET lock_timeout TO 0")
                connection.execute("SELECT pg_advisory_lock(?)", (number,))
                yield
            finally:
                connection.close()  # releases the lock too

    def everything(self) -> Iterator[Record]:
        """All records from one snapshot, whatever is written meanwhile."""
        with self.guard():
            connection = self._connect()
            try:
                connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
                yield from self._everything(PostgresTables(connection))
            finally:
                connection.close()

    # -- searching: by scanning the tables --------------------------------------------------------

    def search_text(
        self, tokens: Sequence[str], where: Filter, limit: int, *, informative: bool = False
    ) -> list[Hit]:
        return self._hits(self._ranks(tokens), where, limit)

    def text_scores(self, tokens: Sequence[str], keys: Sequence[int]) -> dict[int, float]:
        wanted = set(keys)
        return {key: rank for key, rank in self._ranks(tokens) if key in wanted}

    def _ranks(self, tokens: Sequence[str]) -> list[tuple[int, float]]:
        """(key, rank) of the entries with any of these words, best first."""
        words = " or ".join(token for token in tokens if token.strip())
        document = "to_tsvector('english', search_text)"
        query = "websearch_to_tsquery('english', ?)"
        found = self.query(
            f"SELECT key, ts_rank_cd({document}, {query}) AS rank FROM entry"
            f" WHERE {document} @@ {query} ORDER BY rank DESC, key",
            (words, words),
        )
        return [(row[0], row[1]) for row in found]

    def search_vector(self, vector: Vector, where: Filter, limit: int) -> list[Hit]:
        found = sorted(self._cosines(vector).items(), key=lambda hit: (-hit[1], hit[0]))
        return self._hits(found, where, limit)

    def similarities(
        self, vector: Vector, keys: Sequence[int], sentences: Sequence[int] = ()
    ) -> Similarities:
        known = self._cosines(vector)
        mean = sum(known.values()) / max(1, len(known))
        cosines = {key: known[key] for key in keys if key in known}
        return Similarities(cosines, mean, len(known), self._sentences(vector, sentences))

    def _sentences(self, vector: Vector, keys: Sequence[int]) -> dict[int, float]:
        """Cosine of the nearest sentence of each entry with sentence vectors."""
        packed: dict[int, bytes] = {}
        for part in in_parts(keys):
            found = self.query(
                "SELECT key, sentences FROM embedding WHERE sentences IS NOT NULL"
                " AND space = (SELECT id FROM space WHERE model = ?)"
                f" AND key IN ({placeholders(part)})",
                (vector.model, *part),
            )
            packed |= {row[0]: bytes(row[1]) for row in found}
        return nearest(vector.data, packed)

    def _hits(self, found: Sequence[tuple[int, float]], where: Filter, limit: int) -> list[Hit]:
        entries = self._entries_by_key([key for key, _ in found], where)
        return [Hit(entries[key], score) for key, score in found if key in entries][:limit]

    def _cosines(self, vector: Vector) -> dict[int, float]:
        """Cosine of every embedding of the vector's model, by key."""
        found = self.query(
            "SELECT key, vector, dimension FROM embedding JOIN space ON space.id = space"
            " WHERE model = ?",
            (vector.model,),
        )
        if not found or found[0][2] != vector.dimension:
            return {}
        vectors = widened([row[1] for row in found], vector.dimension)
        return cosines(vector.data, dict(zip((row[0] for row in found), vectors, strict=True)))

    def sizes(self) -> dict[str, int]:
        """See ``storage.protocol.Counting``."""
        found = self.query(
            "SELECT coalesce(sum(pg_table_size(oid)), 0), coalesce(sum(pg_indexes_size(oid)), 0)"
            " FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace"
        )
        return {"tables": int(found[0][0]), "indexes": int(found[0][1])}

    def close(self) -> None:
        self._db.close()
