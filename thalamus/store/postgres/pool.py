"""Connections of this process to a PostgreSQL database, which its stores share."""

from __future__ import annotations

import logging
import select
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from typing import Any

import psycopg
from psycopg_pool import ConnectionPool, PoolTimeout

from thalamus.errors import ConnectionsBusy, ServerBusy, StoreUnreachable
from thalamus.store.postgres import rows, vectors
from thalamus.store.postgres.failures import (
    NO_SLOTS,
    POOLER,
    POOLER_ADVICE,
    check_versions,
    first_line,
    unreachable,
)
from thalamus.store.postgres.rows import PostgresRow
from thalamus.store_url import StoreUrl

STEP = 0.1  # seconds after which a waiting thread looks whether connecting has failed
PROBES = 3  # times that a pooler is tried
PROBE = 1.0  # seconds for an answer through a pooler, whose connections may all be in use
# parameters of libpq, unless the address has them: seconds for a server to answer, and for a
# connection to be found lost where the network says nothing (libpq's own: two hours)
PATIENCE = {
    "connect_timeout": 10,
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 60_000,  # milliseconds
}
# what may be set for a role or a database: whether plans are kept, how times are written, quoted
# texts are read, and transactions see each other
_BEGIN = (
    "SET plan_cache_mode TO auto;"
    """SELECT set_config('search_path', concat_ws(', ', '"{}", public', (SELECT quote_ident(nspname)
    FROM pg_extension JOIN pg_namespace AS n ON n.oid = extnamespace WHERE extname = 'vector')),
    false);"""
    "SET datestyle TO ISO; SET standard_conforming_strings TO on; SET row_security TO on;"
    "SET default_transaction_isolation TO 'read committed';"
    f"{vectors.SETTINGS};"
    "SELECT (SELECT extversion FROM pg_extension WHERE extname = 'vector'),"
    " to_regtype('halfvec')::oid, to_regtype('halfvec[]')::oid, pg_backend_pid()"
)
_PROCESS = "SELECT pg_backend_pid()"
# what psycopg and its pool log is raised here
logging.getLogger("psycopg").setLevel(logging.CRITICAL)


def connect(url: StoreUrl) -> psycopg.Connection[tuple[Any, ...]]:
    """A connection outside a pool, for the owner of the database. Raises ``StoreUnreachable``, and
    ``ConfigError`` for a parameter that libpq does not know."""
    try:
        return psycopg.connect(url.libpq, client_encoding="utf8", **_patience(url))
    except psycopg.Error as error:
        raise unreachable(url.shown, error) from error


def _patience(url: StoreUrl) -> dict[str, Any]:
    return {name: value for name, value in PATIENCE.items() if name not in url.libpq}


class PooledCursor(psycopg.Cursor[PostgresRow]):
    """A cursor whose statement may still wait to be sent."""

    @property
    def rowcount(self) -> int:
        if self.pgresult is None and (pipeline := self.connection.pending) is not None:  # type: ignore[attr-defined]
            pipeline.sync()
        return super().rowcount


class PooledConnection(psycopg.Connection[PostgresRow]):
    """A connection of a pool. ``settings``: those that it was last used with; ``pending``:
    statements to be sent."""

    settings: tuple[str, str] | None = None
    pending: psycopg.Pipeline | None = None

    @contextmanager
    def pipelined(self) -> Iterator[None]:
        """Statements that are sent together: at the end, or when rows are read."""
        with self.pipeline() as self.pending:
            try:
                yield
            finally:
                self.pending = None

    def check_alive(self) -> None:
        """Raises ``OperationalError`` if an idle connection was lost, as far as that is known
        without asking the server: it has sent an error or closed the connection."""
        if select.select([self.fileno()], [], [], 0)[0]:
            self.close()
            raise psycopg.OperationalError("the connection was lost while it was idle")

    @classmethod
    def connect(cls, conninfo: str = "", **settings: Any) -> PooledConnection:
        """A connection; ``failures`` among the settings collects the reasons when there is none."""
        failures: list[Exception] = settings.pop("failures")
        try:
            return super().connect(conninfo, **settings)
        except psycopg.Error as error:
            failures.append(error)
            raise


class Pool:
    """At most ``size`` connections to a database. ``stores``: number of stores that use it."""

    def __init__(self, url: StoreUrl, size: int) -> None:
        self.url, self.size = url, size
        self.stores = 0
        self._taken: set[PooledConnection] = set()
        self._failures: list[Exception] = []
        self._pooler_checked = False
        settings: dict[str, Any] = {"autocommit": True, "failures": self._failures}
        settings["client_encoding"] = "utf8"
        settings |= {"row_factory": rows.rows, "cursor_factory": PooledCursor}
        self._pool = ConnectionPool(
            url.libpq,
            connection_class=PooledConnection,
            kwargs=settings | _patience(url),
            configure=self._configure,
            min_size=0,
            max_size=size,
            reconnect_timeout=0,  # only a thread that needs a connection tries again
            num_workers=1,
            open=True,
        )

    def take(self, timeout: float) -> PooledConnection:
        """A connection, to be given back. Raises ``StoreUnreachable`` when none can be opened,
        ``ConnectionsBusy`` when all of them are in use for ``timeout`` seconds, and ``ServerBusy``
        when the server has none left for as long."""
        give_up = time.monotonic() + timeout
        self._failures.clear()
        while True:
            try:
                taken = self._pool.getconn(min(STEP, max(0.001, give_up - time.monotonic())))
            except PoolTimeout:
                full = len(self._taken) >= self.size
                if self._failures and not full:
                    failure = self._failures[-1]
                    if not any(words in str(failure) for words in NO_SLOTS):
                        raise unreachable(self.url.shown, failure) from None
                    if time.monotonic() >= give_up:
                        reason = first_line(failure)
                        raise ServerBusy(self.url.shown, f"{timeout:g}", reason) from None
                if full and time.monotonic() >= give_up:
                    raise ConnectionsBusy(self.url.shown, f"{timeout:g}", self.size) from None
                continue
            self._taken.add(taken)
            return taken

    def give_back(self, connection: PooledConnection) -> None:
        """Makes a connection available to others; one that was lost is dropped."""
        self._taken.discard(connection)
        self._pool.putconn(connection)

    def close(self) -> None:
        self._pool.close()

    def _configure(self, connection: PooledConnection) -> None:
        try:
            begin = _BEGIN.format(self.url.schema)
            extension, *types, process = last_row(connection.execute(begin))
            if process != connection.info.backend_pid and not self._pooler_checked:
                self._check_pooler(connection)  # there is one: it has numbers of its own
                self._pooler_checked = True
            check_versions(connection.info.server_version, extension, self.url.shown)
            vectors.register(connection, *types)
            rows.register(connection)
        except Exception as error:  # of any kind: raised in the thread that waits for it
            self._failures.append(error)
            raise

    def _check_pooler(self, connection: PooledConnection) -> None:
        """Raises ``StoreUnreachable`` if a pooler gives the server's connection to others after
        each transaction, as settings and prepared statements would get lost then."""
        with (
            suppress(psycopg.Error),  # when it gives no second connection, nothing is known
            closing(psycopg.connect(self.url.libpq, **_patience(self.url))) as other,
        ):
            for _ in range(PROBES):
                [own] = last_row(connection.execute(_PROCESS))
                found = _process_of(other)
                if found is None:
                    return
                if found == own:
                    raise StoreUnreachable(self.url.shown, POOLER, fix=POOLER_ADVICE)


def _process_of(connection: psycopg.Connection[Any]) -> int | None:
    """The server's process behind a connection; None without an answer in ``PROBE`` seconds."""
    give_up, raw = time.monotonic() + PROBE, connection.pgconn
    raw.send_query(_PROCESS.encode())
    while raw.is_busy():
        if not select.select([raw.socket], [], [], max(0.0, give_up - time.monotonic()))[0]:
            return None
        raw.consume_input()
    result = raw.get_result()
    value = result.get_value(0, 0) if result is not None else None
    while raw.get_result() is not None:
        pass
    return int(value) if value else None


def all_rows(cursor: psycopg.Cursor[PostgresRow]) -> list[list[PostgresRow]]:
    """The rows of each of several statements that were sent together."""
    found = [cursor.fetchall() if cursor.description else []]
    while cursor.nextset():
        found.append(cursor.fetchall() if cursor.description else [])
    return found


def last_row(cursor: psycopg.Cursor[PostgresRow]) -> PostgresRow:
    """The first row of the last of several statements that were sent together."""
    while cursor.nextset():
        pass
    row = cursor.fetchone()
    assert row is not None
    return row


_pools: dict[tuple[StoreUrl, int], Pool] = {}
_lock = threading.Lock()


def shared_pool(url: StoreUrl, size: int) -> Pool:
    """The pool of this process for a database, for one more store."""
    with _lock:
        pool = _pools.get((url, size))
        if pool is None:
            pool = _pools[url, size] = Pool(url, size)
        pool.stores += 1
        return pool


def leave(pool: Pool) -> None:
    """Ends the use of a pool by a store; it is closed after the last one."""
    with _lock:
        pool.stores -= 1
        if not pool.stores:
            del _pools[pool.url, pool.size]
            pool.close()
