"""Prunes and undos that are killed, and a prune of a large store within bounded memory."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Result
from tests.forked import Process, python
from tests.store.making import open_store
from tests.torture import pruning
from tests.torture.conftest import Tell
from tests.torture.driver import ROOT
from tests.torture.killing import KILLED
from tests.torture.stores import WORDS, settle, unhealthy, wrong_text
from thalamus.memory.retention.usage import ageing

pytestmark = pytest.mark.sqlite  # of its files

Run = Callable[..., Result]
PRUNE = ["prune", "--no-model"]
PEAK = 500  # megabytes
TRIES = 5  # runs for each that is to be killed


class Prunes:
    """A store on which prunes and undos are killed."""

    def __init__(self, home: Path, environment: dict[str, str], seed: int, count: int) -> None:
        self.folder, self.count = home / "data" / "default", count
        clock = {"THALAMUS_NOW": pruning.NOW, "THALAMUS_EMBEDDER": "none"}
        self.environment = environment | {"PYTHONPATH": str(ROOT)} | clock
        self.draw = random.Random(seed)
        self.staying = pruning.fill(self.folder, count)
        self.killed = 0
        self.problems: list[str] = []

    def run(self, arguments: list[str], after: float | None, now: str = pruning.NOW) -> float:
        """Runs a command and kills it after so many seconds; how long it ran."""
        begun = time.monotonic()
        process = Process(
            [*python(), "-m", "thalamus", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self.environment | {"THALAMUS_NOW": now},
        )
        try:
            _, errors = process.communicate(timeout=after)
        except subprocess.TimeoutExpired:
            process.kill()
            _, errors = process.communicate()
        seconds = time.monotonic() - begun
        self.killed += process.returncode in KILLED
        if process.returncode not in (0, 4, *KILLED):  # 4: there was nothing to undo
            self.problems.append(f"{arguments}: exit {process.returncode}: {errors.decode()}")
        return seconds

    def look(self, what: str, purging: bool = False) -> None:
        store = open_store(self.folder, create=False)
        try:
            found = pruning.problems(store, self.count, self.staying, purging)
            found.append(wrong_text(store, [self.draw.choice(WORDS)]))
            settle(store)
            found += unhealthy(store)
            self.problems += [f"{what}: {problem}" for problem in found if problem]
        finally:
            store.close()

    def kill_often(self, times: int) -> None:
        """Prunes and undos, until so many of them were killed; then the deletion of what was
        retired. On a machine that has become faster since the whole run was measured, they are
        killed earlier."""
        whole = [self.run(PRUNE, None), self.run(["undo"], None)]
        self.look("whole")
        latest = 1.0
        for number in range(times * TRIES):
            before, which = self.killed, self.draw.random() < 0.4
            command = ["undo"] if which else PRUNE
            self.run(command, whole[which] * self.draw.uniform(0.1, latest))
            self.look(f"run {number} ({command[0]})")
            latest = 1.0 if self.killed > before else max(0.2, latest * 0.8)
            if self.killed == times:
                break
        self.run(PRUNE, None)
        self.look("at the end")
        for number in range(max(2, times // 10)):
            self.run(PRUNE, whole[0] * self.draw.uniform(0.1, 0.9), pruning.LATER)
            self.look(f"purge {number}", purging=True)
        self.run(PRUNE, None, pruning.LATER)
        self.look("purged", purging=True)


def test_killed_while_pruning(home: Path, environment: dict[str, str], run: Run) -> None:
    prunes = Prunes(home, environment, 1, 600)
    prunes.kill_often(6)
    assert prunes.problems == []
    assert prunes.killed >= 6
    assert run("doctor", "--no-model").code == 0


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_killed_often_while_pruning(home: Path, environment: dict[str, str], tell: Tell) -> None:
    prunes = Prunes(home, environment, 7, 100_000)
    prunes.kill_often(50)
    tell("prune, undo killed", 50, 7, f"{prunes.killed} killed, {len(prunes.problems)} problems")
    assert prunes.problems == []


MEASURED = """
import resource, sys
from thalamus.cli import main
try: main(sys.argv[1:])
except SystemExit as end: assert not end.code, end.code
finally: print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, file=sys.stderr)
"""


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_a_large_store_is_pruned_within_bounded_memory(
    home: Path, environment: dict[str, str], tell: Tell
) -> None:
    count = 100_000
    staying = pruning.fill(home / "data" / "default", count)
    environment = environment | {"PYTHONPATH": str(ROOT), "THALAMUS_NOW": pruning.NOW}

    def measured(*arguments: str) -> tuple[list[str], int]:
        command = [sys.executable, "-c", MEASURED, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines(), int(done.stderr.split()[-1])

    limit = ("--max-memories", "40000")
    dry, first = measured(*PRUNE, *limit, "--dry-run", "--json")
    told, second = measured(*PRUNE, *limit, "--json")
    decided = {v["id"]: v["decision"] for v in map(json.loads, dry)}
    assert len(decided) == count
    going = {id for id, decision in decided.items() if decision != "keep"}
    assert {v["id"] for v in map(json.loads, told[:-1])} == going
    store = open_store(home / "data" / "default", create=False)
    active = {memory.id for memory, _ in ageing(store)}
    assert len(active) <= 40_000
    assert active & set(decided) == set(decided) - going
    protected = {id for id in staying if pruning.kinds_of(int(id[5:])) == "user_identity"}
    assert protected <= active
    store.close()
    tell("prune 100,000", 1, 0, f"peak {first} MB for the dry run, {second} MB for the run")
    assert max(first, second) < PEAK
