"""Vectors in PostgreSQL: one column of pgvector's type for float16, searched exactly, or in a large
store by an HNSW index over the vectors of a tenant and model.

The type holds the same numbers as the bytes that other databases store: rows are signed alike.
"""

from __future__ import annotations

import hashlib
import struct
import sys
from array import array
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import psycopg
from msgspec import Struct
from psycopg import errors
from psycopg.adapt import Buffer, Dumper, Loader
from psycopg.pq import Format
from psycopg.types import TypeInfo

from thalamus.store.maintenance import HnswResult, IndexState
from thalamus.store.tables import Tables, literal
from thalamus.store.values import Vector
from thalamus.text.half_precision import halved

CHANGES = (
    "ALTER TABLE embedding ALTER COLUMN vector TYPE halfvec USING NULL::halfvec",
    # in the row even where it is long: a scan reads all of them
    "ALTER TABLE embedding ALTER COLUMN vector SET STORAGE MAIN",
)
# of each connection: the list of candidates, and further ones while a search needs more
SETTINGS = "SET hnsw.ef_search TO 200; SET hnsw.iterative_scan TO strict_order"
BUILT_AMONG = 128  # candidates for the neighbours of a new vector in an index
EXACT = 20_000  # vectors of a model up to which all of them are compared
BEYOND = 20  # candidates beyond the limit: they are compared with the query as float16
ASKED, NEAREST = 50, 10  # searches that measure an index, and results of each
_NO_RIGHT = "only the owner of the tables can build it: run this with the owner's address"

Found = list[tuple[int, float]]


# -- the type -------------------------------------------------------------------------------------


class HalfVector(bytes):
    """A vector as a parameter: little-endian float16."""


class _HalfVectorDumper(Dumper):
    format = Format.BINARY

    def dump(self, obj: bytes) -> Buffer:
        return struct.pack(">HH", len(obj) // 2, 0) + _swapped(obj)


class _HalfVectorLoader(Loader):
    format = Format.BINARY

    def load(self, data: Buffer) -> bytes:
        return _swapped(bytes(data)[4:])


def _swapped(data: bytes) -> bytes:
    """Numbers of two bytes, from one byte order to the other."""
    numbers = array("H", data)
    numbers.byteswap()
    return numbers.tobytes()


def register(connection: psycopg.Connection[Any], oid: int, array_oid: int) -> None:
    """Lets a connection take and return vectors. ``oid``, ``array_oid``: numbers of the type and of
    its arrays in the database."""
    TypeInfo("halfvec", oid, array_oid).register(connection)
    dumper = type("HalfVectorDumper", (_HalfVectorDumper,), {"oid": oid})
    connection.adapters.register_dumper(HalfVector, dumper)
    connection.adapters.register_loader(oid, _HalfVectorLoader)


# -- searching ------------------------------------------------------------------------------------


class _Space(Struct, frozen=True):
    """The vectors of one model."""

    id: int
    model: str
    dimension: int
    size: int


class Vectors:
    """The vectors of a tenant. ``approximate``: use HNSW indexes."""

    def __init__(self, tables: Tables, tenant: str, approximate: bool = True) -> None:
        self._tables = tables
        self._tenant = tenant
        self._approximate = approximate
        self._large: dict[tuple[str, int], _Space] = {}  # by model and dimension, as far as known

    def find(self, vector: Vector, limit: int, keys: Sequence[int] | None = None) -> Found:
        """(key, cosine) of the nearest vectors of the model; ``keys`` restricts them."""
        if limit < 1 or (keys is not None and not keys):
            return []
        large = self._large.get((vector.model, vector.dimension)) if keys is None else None
        found = self._nearest(large, vector, limit) if large is not None else []
        return found or self._scan(vector, limit, keys)

    def _scan(self, vector: Vector, limit: int, keys: Sequence[int] | None = None) -> Found:
        """Compares all vectors, or those with these ``keys``; notes whether they are many."""
        spaces, vectors = self._tables.source("space", "s"), self._tables.source("embedding", "e")
        among = "" if keys is None else " AND e.key = ANY(?)"
        candidates = (
            "SELECT e.key, e.vector, s.id, s.model, s.dimension, s.count"
            f" FROM {spaces} JOIN {vectors} ON e.space = s.id"
            f" WHERE s.model = ? AND s.dimension = ?{among}"
            f" ORDER BY e.vector <#> ? LIMIT {limit + BEYOND}"
        )
        values = [vector.model, vector.dimension, *([] if keys is None else [list(keys)])]
        found = self._compared(candidates, "id, model, dimension, count", values, vector, limit)
        if found and self._approximate:
            space = _Space(*found[0][2:])
            if space.size > EXACT:
                self._large[space.model, space.dimension] = space
        return [(row[0], row[1]) for row in found]

    def _nearest(self, space: _Space, vector: Vector, limit: int) -> Found:
        """Searches by the index of a space, which is used for this wording of the order. The limit
        is part of it, because a plan that is made for any limit may read all vectors."""
        candidates = (
            f"SELECT key, vector FROM embedding WHERE {self._of(space)}"
            f" ORDER BY {_indexed(space)} <#> ? LIMIT {limit + BEYOND}"
        )
        found = self._compared(candidates, "key", [], vector, limit)
        return [(row[0], row[1]) for row in found]

    def _compared(
        self, candidates: str, columns: str, values: list[Any], vector: Vector, limit: int
    ) -> list[Any]:
        """Candidates by the query as float16, compared again with the exact query. ``values``:
        those before the query among the values of ``candidates``."""
        [half] = halved([vector.data])
        query = (
            f"SELECT key, -(vector::vector <#> ?::vector) AS cosine, {columns}"
            f" FROM ({candidates}) AS candidates ORDER BY cosine DESC, key DESC LIMIT ?"
        )
        values = [_text(vector.data), *values, HalfVector(half), limit]
        return self._all(query, *values)

    def _of(self, space: _Space) -> str:
        """Condition for the vectors of a space, as in the declaration of an index."""
        return f"tenant = {literal(self._tenant)} AND space = {space.id}"

    def _spaces(self) -> list[_Space]:
        found = self._tables.fetch("SELECT id, model, dimension, count FROM space")
        return [_Space(*row) for row in found]

    # -- upkeep -----------------------------------------------------------------------------------

    def states(self) -> list[IndexState]:
        """The vectors of each model."""
        found = []
        for space in self._spaces():
            extra: dict[str, Any] = {"model": space.model, "dimension": space.dimension}
            valid = self._is_valid(space)
            note = "" if valid is not False else "the HNSW index was not completed"
            if valid:
                extra["hnsw"] = space.size
            found.append(IndexState("vectors", space.size, 0, True, note, extra))
        return found

    def build(self, progress: Callable[[int], None], *, again: bool) -> Iterator[HnswResult]:
        """Builds the HNSW index of each model that has many vectors; ``again``: also where there is
        one, and where there are few vectors."""
        for space in self._spaces():
            valid = self._is_valid(space)
            if again or (space.size > EXACT and not valid):
                yield self._build(space, valid is not None)
                progress(space.size)

    def _build(self, space: _Space, replaces: bool) -> HnswResult:
        """Builds an index while others read and write."""
        name = _name(self._tenant, space)
        try:
            if replaces:
                self._execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
            self._execute(
                f"CREATE INDEX CONCURRENTLY {name} ON embedding USING hnsw"
                f" ({_indexed(space)} halfvec_ip_ops) WITH (ef_construction = {BUILT_AMONG})"
                f" WHERE {self._of(space)}"
            )
            self._execute("ANALYZE embedding")  # or the rows seem few, and are sorted instead
        except errors.InsufficientPrivilege:
            return HnswResult(space.model, space.size, note=_NO_RIGHT)
        recall = self._recall(space)
        return HnswResult(space.model, space.size, kept=True, recall=recall)

    def _recall(self, space: _Space) -> float | None:
        """Share of the nearest vectors that the index finds, of some evenly spaced ones."""
        query = (
            f"SELECT vector::vector::real[] FROM embedding WHERE {self._of(space)}"
            " AND n % (SELECT greatest(1, max(n) / ?) FROM embedding"
            f" WHERE {self._of(space)}) = 0 ORDER BY n LIMIT ?"
        )
        found = wanted = 0
        for [numbers] in self._all(query, ASKED, ASKED):
            vector = Vector(space.model, struct.pack(f"<{len(numbers)}f", *numbers))
            exact = self._scan(vector, NEAREST)
            nearest = self._nearest(space, vector, NEAREST)
            wanted += len(exact)
            found += len({key for key, _ in exact} & {key for key, _ in nearest})
        return found / wanted if wanted else None

    def _is_valid(self, space: _Space) -> bool | None:
        """True when the index of a space is complete; None when there is none."""
        query = "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(?)"
        found = self._all(query, _name(self._tenant, space))
        return bool(found[0][0]) if found else None

    def _execute(self, statement: str) -> None:
        self._tables.connection.execute(statement)

    def _all(self, query: str, *values: Any) -> list[Any]:
        return self._tables.connection.execute(query, values).fetchall()


def _indexed(space: _Space) -> str:
    return f"(vector::halfvec({space.dimension}))"


def _name(tenant: str, space: _Space) -> str:
    """Name of an index: names are short, and tenants may be long."""
    return f"hnsw_{hashlib.blake2b(tenant.encode(), digest_size=16).hexdigest()}_{space.id}"


def _text(vector: bytes) -> str:
    """A vector of float32 as pgvector reads it."""
    numbers = array("f", vector)
    if sys.byteorder == "big":
        numbers.byteswap()
    return f"[{','.join([f'{number:.9g}' for number in numbers])}]"
