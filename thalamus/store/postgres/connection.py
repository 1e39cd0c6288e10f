"""A connection to PostgreSQL that runs the SQL of ``store``."""

from __future__ import annotations

import functools
import hashlib
import re
import time
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from typing import Any, TypeVar

import psycopg
from msgspec import Struct

from thalamus.errors import StoreFull, StoreUnreachable
from thalamus.store.postgres import schema
from thalamus.store.postgres.failures import AGAIN, LOST, READ_ONLY
from thalamus.store.postgres.pool import Pool, PooledConnection, all_rows, last_row, leave

T = TypeVar("T")

PATIENCE = 5.0  # seconds for a server to say whether a transaction was committed
LOOK = "Check whether it was stored before you run it again."
# id of the transaction; null if nothing can be written
_TRANSACTION = (
    "CASE current_setting('transaction_read_only') WHEN 'off' THEN pg_current_xact_id()::text END"
)
_SET = "SELECT set_config('thalamus.tenant', %s, false), set_config('lock_timeout', %s, false)"
_IN_PROGRESS = "in progress"
TENANT = ":tenant"  # in a query: the tenant, as a value
_SAME = re.compile(r"\bIS (NOT )?\?")
_IS = re.compile(r"\bIS \?")
_PLACE = re.compile(rf"{TENANT}\b|\?")
_AMONG = re.compile(r"\b(NOT )?IN \(SELECT value FROM json_each\(\?\)\)")
_EXTRACT = re.compile(r"\bjson_extract\((\w+), \?\)")
_FROM_PATH = r"jsonb_path_query_first(\1::jsonb, CAST(? AS jsonpath)) #>> '{}'"
_LIST = re.compile(r"\b(NOT )?IN \((\?(?:, ?\?)+)\)")


class PostgresConnection:
    """One tenant's connection, see ``store.tables.Connection``: each statement runs on one of
    the pool, but those of a unit of work or a snapshot on a reserved one."""

    def __init__(self, pool: Pool, tenant: str, busy_timeout: float) -> None:
        self.pool = pool
        self.place = pool.url.place(tenant)
        self.tenant, self._busy_timeout = tenant, busy_timeout
        self._held: PooledConnection | None = None

    @property
    def _settings(self) -> tuple[str, str]:
        """The tenant, and how many milliseconds a statement waits for a lock."""
        return self.tenant, str(max(1, int(self._busy_timeout * 1000)))

    def find_form(self) -> None:
        """Uses the form of the tenant's name under which its rows are stored: earlier versions took
        a name as it was typed."""
        if self.tenant.isascii():
            return
        composed, begun = self.tenant, f"SELECT 1 FROM meta WHERE tenant = {TENANT} LIMIT 1"
        with suppress(psycopg.errors.UndefinedTable, psycopg.errors.InvalidSchemaName):
            for self.tenant in (composed, unicodedata.normalize("NFD", composed)):
                if self.execute(begun).fetchall():
                    return
        self.tenant = composed

    @property
    def holds(self) -> bool:
        """True in a unit of work or a snapshot."""
        return self._held is not None

    def execute(self, query: str, values: Sequence[Any] = (), /) -> psycopg.Cursor[Any]:
        query, values = translated(query, values, self.tenant)
        reads = query.lstrip().startswith("SELECT")
        return self._run(lambda raw: raw.execute(query, values, binary=True), together=reads)

    @contextmanager
    def unit(
        self,
        statements: Sequence[str],
        wait: bool = True,
        written: Callable[[], bool] = lambda: True,
    ) -> Iterator[list[Any]]:
        """One transaction. It begins with these statements, which have no values, and yields the
        rows of each: all of it is one round trip. It waits for a lock as long as configured, or not
        at all. ``written``: looks for rows that only this transaction can have added. Raises
        ``StoreUnreachable`` when the connection is lost, ``StoreFull`` when the server can only be
        read, ``StoreMigrated`` when the tables were migrated since it was opened."""
        patience = max(1, int(self._busy_timeout * 1000)) if wait else 1
        setting = f"SET LOCAL lock_timeout = {patience}"
        # the version last: a migration holds the locks that were waited for
        first, last = f"SELECT {_TRANSACTION}", f"SELECT {schema.VERSION}"
        begin = "; ".join(("BEGIN", setting, first, *statements, last))
        with self._holding(lambda raw: all_rows(raw.execute(begin))) as (raw, results):
            _, _, [[transaction]], *found, [[version]] = results
            schema.check_not_migrated(version, self.place)
            if transaction is None:
                raise StoreFull(self.place, "it is read-only", fix=READ_ONLY)
            ends = False
            try:
                # statements are sent together until the rows of one are read
                with raw.pipelined():
                    yield found
                    ends = True
                    raw.execute("COMMIT")
                return
            except psycopg.OperationalError as error:
                if not raw.closed:
                    raise
                if not ends:
                    raise StoreUnreachable(self.place, LOST, fix=AGAIN) from error
                lost = error
        self._decide(transaction, lost, written)

    @contextmanager
    def together(self) -> Iterator[None]:
        """Sends the statements of the block together; their rows are read after it."""
        if self._held is not None:
            yield
            return
        with self._holding(lambda raw: raw.check_alive()) as (raw, _), raw.pipelined():
            yield

    @contextmanager
    def snapshot(self) -> Iterator[PostgresConnection]:
        """Another connection, which sees the database as it is now until the block ends."""
        other = PostgresConnection(self.pool, self.tenant, self._busy_timeout)
        begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        with other._holding(lambda raw: raw.execute(begin)):
            yield other

    def copy_out(self, query: str, values: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
        """The rows of a query as the server sends them; until all are read, nothing else can be
        done on this connection."""
        if self._held is None:
            with self.snapshot() as other:
                yield from other.copy_out(query, values)
            return
        described = self.execute(f"{query} LIMIT 0", values).description or ()
        query, values = translated(query, values, self.tenant)
        copying = f"COPY ({query}) TO STDOUT (FORMAT BINARY)"
        with self._held.cursor() as cursor, cursor.copy(copying, values) as copy:
            copy.set_types([column.type_code for column in described])
            yield from copy.rows()

    @contextmanager
    def exclusive(self, task: str, wait: bool) -> Iterator[None]:
        """Holds the lock of one of the tenant's tasks on a connection of its own until the block
        ends."""
        name = f"{self.tenant}\0{task}".encode()
        digest = hashlib.blake2b(name, digest_size=8).digest()
        number = int.from_bytes(digest, "big", signed=True)
        other = PostgresConnection(self.pool, self.tenant, self._busy_timeout)
        patience = 0 if wait else max(1, int(self._busy_timeout * 1000))
        begin = (
            f"BEGIN; SET LOCAL lock_timeout = {patience};"
            "SET LOCAL idle_in_transaction_session_timeout = 0;"  # the lock would be lost unseen
            f"SELECT 1 FROM pg_advisory_xact_lock({number})"
        )
        with other._holding(lambda raw: last_row(raw.execute(begin))):
            yield

    @contextmanager
    def waiting(self, timeout: float | None) -> Iterator[None]:
        """Outside a transaction: statements of the block wait for a lock up to ``timeout``, or
        indefinitely."""
        patience = 0 if timeout is None else max(1, int(timeout * 1000))
        with self._holding(lambda raw: raw.execute(f"SET lock_timeout TO {patience}")) as (raw, _):
            raw.settings = None  # so it must be set again
            yield

    def close(self) -> None:
        leave(self.pool)

    def _run(self, work: Callable[[PooledConnection], T], *, together: bool = False) -> T:
        """Result of ``work`` on the reserved connection, or on one of the pool. ``together``: it
        can be sent in a pipeline."""
        if self._held is not None:
            try:
                return work(self._held)
            except psycopg.OperationalError as error:
                if not self._held.closed:
                    raise
                raise StoreUnreachable(self.place, LOST, fix=AGAIN) from error
        raw, result = self._begun(work, together=together)
        self.pool.give_back(raw)
        return result

    @contextmanager
    def _holding(
        self, begin: Callable[[PooledConnection], T]
    ) -> Iterator[tuple[PooledConnection, T]]:
        """Reserves a connection, with the result of ``begin`` on it, until the block ends. Anything
        not committed by then is rolled back."""
        raw, result = self._begun(begin)
        self._held = raw
        try:
            yield raw, result
        finally:
            self._held = None
            with suppress(psycopg.Error):
                if not raw.closed:
                    raw.rollback()
            self.pool.give_back(raw)

    def _begun(
        self, work: Callable[[PooledConnection], T], *, together: bool = False
    ) -> tuple[PooledConnection, T]:
        """A connection of the pool with the result of ``work``, the first thing done on it; another
        one is used if it was lost while idle."""
        idle = self.pool.size  # at most this many were lost
        while True:
            raw = self.pool.take(self._busy_timeout)
            try:
                if raw.settings == self._settings:
                    return raw, work(raw)
                raw.settings = None
                with raw.pipelined() if together else nullcontext():
                    raw.execute(_SET, self._settings)
                    result = work(raw)
                raw.settings = self._settings
                return raw, result
            except BaseException as error:
                self.pool.give_back(raw)
                if not (idle and raw.closed and isinstance(error, psycopg.OperationalError)):
                    raise
                idle -= 1

    def _decide(self, transaction: str, lost: Exception, written: Callable[[], bool]) -> None:
        """Finds out whether a transaction was committed whose connection was lost meanwhile. Raises
        ``StoreUnreachable`` unless it was. A server that has crashed may give its id to another
        one, so that the status alone is no proof."""
        give_up = time.monotonic() + min(self._busy_timeout, PATIENCE)
        status: str | None = None
        while time.monotonic() < give_up:
            with suppress(psycopg.Error, StoreUnreachable):  # it may be about to come back
                found = self.execute("SELECT pg_xact_status(?::xid8)", (transaction,)).fetchone()
                status = found[0] if found else None
                if status == "committed" and not written():
                    status = "aborted"
                if status != _IN_PROGRESS:  # else the server has not noticed yet
                    break
            time.sleep(0.1)
        if status == "aborted":
            raise StoreUnreachable(self.place, LOST, fix=AGAIN) from lost
        if status != "committed":
            problem = "the connection was lost at the end; it may have been stored"
            raise StoreUnreachable(self.place, problem, fix=LOOK) from lost


class _Translation(Struct, frozen=True):
    """``tenants``: places of the tenant among the values; ``lists``: before it is there, the place
    of each list of values, and how many these are."""

    text: str
    tenants: list[int]
    lists: list[tuple[int, int]]


def translated(query: str, values: Sequence[Any], tenant: str) -> tuple[str, list[Any]]:
    """A query of the store with its values, as psycopg takes them. It is the same text
    for all tenants, and however many values a list has: PostgreSQL parses it once."""
    query, values = _compared(query, values)
    translation = _translation(query)
    # the columns have integers for booleans
    plain = [int(value) if isinstance(value, bool) else value for value in values]
    for first, count in reversed(translation.lists):
        plain[first : first + count] = [plain[first : first + count]]
    for place in translation.tenants:
        plain.insert(place, tenant)
    return translation.text, [_array(v) if type(v) is list else v for v in plain]


def _compared(query: str, values: Sequence[Any]) -> tuple[str, Sequence[Any]]:
    """A query with ``=`` or ``IS NULL`` for ``IS ?``, which PostgreSQL compares without an
    index."""
    if " IS ?" not in query:
        return query, values
    left = list(values)

    def compared(found: re.Match[str]) -> str:
        place = query.count("?", 0, found.start()) - (len(values) - len(left))
        if left[place] is not None:
            return "= ?"
        del left[place]
        return "IS NULL"

    return _IS.sub(compared, query), left


def _array(values: list[Any]) -> Any:
    """A list of numbers or texts as PostgreSQL reads an array of the required type: psycopg would
    choose a type for each list by the size of its numbers, and thus another plan."""
    if all(type(value) is int for value in values):
        return f"{{{','.join(map(str, values))}}}"
    if all(type(value) is str for value in values):
        quoted = [value.replace("\\", r"\\").replace('"', r"\"") for value in values]
        return '{"' + '","'.join(quoted) + '"}'
    return values


@functools.lru_cache(maxsize=512)
def _translation(query: str) -> _Translation:
    """A query with PostgreSQL's placeholders, and its operator for "equal, or both null"."""
    lists: list[tuple[int, int]] = []

    def joined(found: re.Match[str]) -> str:
        lists.append((query.count("?", 0, found.start()), found[2].count("?")))
        return "<> ALL (?)" if found[1] else "= ANY (?)"

    query = query.replace("%", "%%")
    query = _SAME.sub(lambda found: f"IS {'' if found[1] else 'NOT '}DISTINCT FROM ?", query)
    query = _AMONG.sub(lambda found: "<> ALL (?)" if found[1] else "= ANY (?)", query)
    query = _EXTRACT.sub(_FROM_PATH, query)
    text = _LIST.sub(joined, query)
    places = enumerate(_PLACE.findall(text))
    tenants = [n for n, place in places if place == TENANT]
    return _Translation(_PLACE.sub("%s", text), tenants, lists)
