"""A PostgreSQL server that is killed under load: nothing that was acknowledged is lost, and nothing
is there twice."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Result
from tests.postgres import another
from tests.stored import as_role
from tests.torture.conftest import Tell, tell  # noqa: F401
from tests.torture.driver import ROOT, environment
from thalamus.records import Memory
from thalamus.store.options import StoreOptions
from thalamus.store.values import Filter
from thalamus.store_url import parse_store_url

psycopg = pytest.importorskip("psycopg")

from thalamus.store.postgres.store import PostgresStore  # noqa: E402

Run = Callable[..., Result]
WRITERS = 2
LONGEST = 1.5  # seconds from one kill to the next


@pytest.fixture
def durable(request: pytest.FixtureRequest) -> Iterator[Any]:
    """A server that writes to the disk before it acknowledges."""
    if request.config.getoption("--store") == "sqlite":
        pytest.skip("needs --store postgres")
    with another("crash") as made:
        yield made


def kill(server: Any, draw: random.Random) -> None:
    """Kills all processes of a server, or the process of one client, and it restarts by itself."""
    import psutil

    main = server.get_postmaster_info().process
    children = main.children()
    clients = [child for child in children if " [local] " in " ".join(child.cmdline())]
    if clients and draw.random() < 0.3:
        draw.choice(clients).kill()
        return
    for process in (main, *children):
        process.kill()
    psutil.wait_procs([main, *children], timeout=30)
    server.start()


def crash(server: Any, folder: Path, points: int, seed: int) -> tuple[list[str], Counter[str]]:
    """(contents that the writers acknowledged, their counts)."""
    draw = random.Random(seed)
    url = as_role(server.get_uri())
    opened(url).close()  # the store is there
    env = environment() | {"THALAMUS_STORE": url}
    outputs = [folder / f"output{number}" for number in range(WRITERS)]
    writers = []
    for number, path in enumerate(outputs):
        command = [sys.executable, "-m", "tests.torture.interrupted", str(folder / "home")]
        with path.open("wb") as output:
            writers.append(
                subprocess.Popen(
                    [*command, f"w{number}"],
                    stdin=subprocess.PIPE,
                    stdout=output,
                    cwd=ROOT,
                    env=env,
                )
            )
    while not all(path.stat().st_size for path in outputs):
        time.sleep(0.05)
    for _ in range(points):
        time.sleep(draw.random() * LONGEST)
        kill(server, draw)
    for writer in writers:
        writer.communicate(timeout=60)
        assert writer.returncode == 0
    lines = [line for path in outputs for line in path.read_text().splitlines()]
    acknowledged = [line.removeprefix("stored ") for line in lines if line.startswith("stored ")]
    counts: Counter[str] = Counter()
    for line in lines:
        counts += Counter(json.loads(line)) if line.startswith("{") else Counter()
    return acknowledged, counts


def check(url: str, acknowledged: list[str], run: Run) -> None:
    with closing(opened(url)) as store:
        contents = Counter(found.content for found in store.each(Memory))
        assert set(acknowledged) == contents.keys()
        assert set(contents.values()) == {1}
        assert store.check() == []
        for content in acknowledged[:1] + acknowledged[-1:]:
            [hit] = store.search_text(content.split()[-1:], Filter(), 1)
            assert hit.entry.text == content
        assert [state.healthy for state in store.index_states()] == [True, True]
        assert {state.entries for state in store.index_states()} == {len(contents)}
    done = run("doctor", "--signatures", env={"THALAMUS_STORE": url})
    assert done.code == 0, done.stdout + done.stderr


def opened(url: str) -> PostgresStore:
    return PostgresStore(parse_store_url(url), StoreOptions(create=True))


@pytest.mark.slow
def test_killed_while_storing(durable: Any, tmp_path: Path, run: Run) -> None:
    acknowledged, counts = crash(durable, tmp_path, 4, 1)
    assert len(acknowledged) == counts["stored"] > 10
    assert counts["unreachable"]
    check(as_role(durable.get_uri()), acknowledged, run)


@pytest.mark.slow
@pytest.mark.torture
@pytest.mark.timeout(1200)
def test_killed_often(durable: Any, tmp_path: Path, run: Run, tell: Tell) -> None:  # noqa: F811
    points, seed = 50, 2
    acknowledged, counts = crash(durable, tmp_path, points, seed)
    check(as_role(durable.get_uri()), acknowledged, run)
    found = (
        f"{counts['stored']} acknowledged and there once, {counts['unreachable']} errors,"
        f" {counts['unknown']} of which did not say whether it was stored"
    )
    tell("kill -9 of the PostgreSQL server", points, seed, found)
