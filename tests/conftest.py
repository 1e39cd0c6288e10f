"""Fixtures: a home of one's own, and the command line as a process."""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests import extras, forked, postgres
from tests.stored import as_role, clean_environment, homes, store_of
from thalamus.api import Thalamus
from thalamus.clock import Clock, parse_time

NOW = "2026-05-08T13:56:00Z"
NOWHERE = "postgresql://nobody@127.0.0.1:1/nowhere"
# a shell makes what it starts in the background ignore Ctrl-C, and every process below inherits it
signal.signal(signal.SIGINT, signal.default_int_handler)
settings.register_profile("untimed", deadline=None)  # a busy machine fails no test
settings.load_profile("untimed")
# modules are compiled once, not by each worker and each of the thousands of processes
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# wherever the tests are run, the system's time zone is UTC
os.environ["TZ"] = "UTC"
time.tzset()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--store",
        choices=("sqlite", "postgres"),
        default="sqlite",
        help="where stores are kept; with postgres all tests that use one but those marked sqlite",
    )


@pytest.hookimpl(wrapper=True)
def pytest_xdist_auto_num_workers() -> Generator[None, int, int]:
    """One process more than there are cores: tests wait for the disk and for other processes."""
    return (yield) + 1


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--store") == "postgres":  # the tests of some snapshots are left out
        config.option.warn_unused_snapshots = True


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The slow ones first: no processor is idle in the end. With PostgreSQL all but those marked
    ``sqlite`` or ``storeless``."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
    if config.getoption("--store") == "sqlite":
        return
    kept, left_out = [], []
    for item in items:
        marked = item.get_closest_marker("sqlite") or item.get_closest_marker("storeless")
        (left_out if marked else kept).append(item)
    config.hook.pytest_deselected(items=left_out)
    items[:] = kept


def pytest_collection_finish() -> None:
    """Keeps modules and tests out of every garbage collection."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.fixture(scope="session")
def server(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a PostgreSQL database of one's own for a superuser; empty where none is
    asked for."""
    if request.config.getoption("--store") == "sqlite":
        yield ""
        return
    with postgres.database() as address:
        yield address


@pytest.fixture(scope="session")
def superuser(server: str) -> Iterator[Any]:
    """A connection to that database, which lasts; null where there is none."""
    if not server:
        yield None
        return
    import psycopg

    with psycopg.connect(server, autocommit=True) as connection:
        yield connection


@pytest.fixture(autouse=True)
def empty_database(
    request: pytest.FixtureRequest, server: str, superuser: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With PostgreSQL, no store in it, and every store in it, used as a role without privileges.
    A test that is marked ``storeless`` finds no store anywhere."""
    homes.clear()
    if request.node.get_closest_marker("storeless"):
        monkeypatch.setenv("THALAMUS_STORE", NOWHERE)
    elif server:
        postgres.empty(superuser)
        monkeypatch.setenv("THALAMUS_STORE", as_role(server))


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
    place = tmp_path / "home"
    homes.append(place)  # the first of the test
    return place


@pytest.fixture
def environment(home: Path) -> dict[str, str]:
    """The environment of a command: its own home, the scripted models, a fixed clock."""
    return clean_environment() | {
        "THALAMUS_HOME": str(home),
        "THALAMUS_MODEL": "scripted",
        "THALAMUS_EMBEDDER": "scripted",
        "THALAMUS_NOW": NOW,
        "THALAMUS_TIMEZONE": "UTC",
        "NO_COLOR": "1",
        "THALAMUS_STRICT_STAGES": "1",
    }


@pytest.fixture
def run(environment: dict[str, str], home: Path, tmp_path: Path) -> Callable[..., Result]:
    """Runs ``thalamus ARGUMENTS…`` as a process of its own."""
    return _runner(forked.server, environment, home, tmp_path)


@pytest.fixture
def run_warm(environment: dict[str, str], home: Path, tmp_path: Path) -> Callable[..., Result]:
    """``run`` for what would import an extra, as the SDK of MCP."""
    return _runner(extras.server, environment, home, tmp_path)


def _runner(
    server: Callable[[], forked.Server], environment: dict[str, str], home: Path, tmp_path: Path
) -> Callable[..., Result]:
    def run_command(
        *arguments: str, input: str | bytes = "", env: dict[str, str] | None = None
    ) -> Result:
        data = input.encode() if isinstance(input, str) else input
        chosen = env or {}
        given = environment | chosen
        given_store = given.get("THALAMUS_STORE")
        if "THALAMUS_STORE" not in chosen and given_store == os.environ.get("THALAMUS_STORE"):
            given["THALAMUS_STORE"] = store_of(tmp_path / given.get("THALAMUS_HOME", home))
        out, err, code = server().run(list(arguments), data, given, tmp_path, timeout=100)
        return Result(out.decode(), err.decode(), code)

    return run_command


@pytest.fixture
def thalamus(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Thalamus]:
    """The engine in this process, with the scripted models and a fixed clock."""
    for name in os.environ.keys() - clean_environment().keys():
        monkeypatch.delenv(name)
    monkeypatch.setenv("THALAMUS_STRICT_STAGES", "1")
    monkeypatch.setenv("THALAMUS_TIMEZONE", "UTC")
    clock = Clock(parse_time(NOW))
    settings = {"home": str(home), "model": "scripted", "embedder": "scripted"}
    store_of(home)
    with Thalamus(clock=clock, **settings) as engine:
        yield engine
