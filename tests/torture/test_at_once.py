"""Eight processes store and recall on one store, while commands come and go."""

from __future__ import annotations

import json
import random
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Result
from tests.forked import python
from tests.store.making import open_store
from tests.torture.conftest import Tell
from tests.torture.driver import ROOT, environment
from tests.torture.stores import litter, settle, unhealthy, wrong_text
from thalamus.records import Memory
from thalamus.store.sqlite.store import SqliteStore

Run = Callable[..., Result]
PROCESSES = 8


def begin(home: Path, seconds: float) -> list[subprocess.Popen[str]]:
    """They also make the store at once: it does not exist before."""
    processes = []
    for number in range(PROCESSES):
        arguments = [str(home), f"p{number}", str(seconds)]
        process = subprocess.Popen(
            [*python(), "-m", "tests.torture.at_once", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=environment(),
        )
        processes.append(process)
    for process in processes:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
    return processes


def run_all(home: Path, seconds: float, run: Run) -> tuple[set[str], Counter[str], list[str]]:
    """(acknowledged ids, counts, what went wrong)."""
    processes = begin(home, seconds)
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    problems = []
    while processes[-1].poll() is None and processes[0].poll() is None:  # short commands meanwhile
        asked = run("retrieve", "--json", "lisbon piano")
        if asked.code not in (0, 10):  # 10: in the first moment there is no store yet
            problems.append(f"retrieve: exit {asked.code}: {asked.stderr[-300:]}")
    acknowledged: set[str] = set()
    counts: Counter[str] = Counter()
    for process in processes:
        out, err = process.communicate(timeout=100)
        lines = out.splitlines()
        acknowledged |= {line[7:] for line in lines if line.startswith("stored ")}
        if process.returncode:
            problems.append(f"exit {process.returncode}: {err[-1500:]}")
        else:
            counts += Counter(json.loads(lines[-1]))
    return acknowledged, counts, problems


def judge(home: Path, acknowledged: set[str], run: Run) -> list[str]:
    """What is wrong with the store that they left."""
    folder = home / "data" / "default"
    store = open_store(folder, create=False)
    lost = acknowledged - {r.id for r in store.everything() if isinstance(r, Memory)}
    problems = [f"lost: {sorted(lost)[:5]}"] if lost else []
    problems += store.check()
    if isinstance(store, SqliteStore):
        for id in random.Random(1).sample(sorted(acknowledged), min(20, len(acknowledged))):
            problem = wrong_text(store, [id.removeprefix("mem_")])
            problems += [problem] if problem else []
        settle(store)
        problems += unhealthy(store) + litter(folder)
    store.close()
    doctor = run("doctor")
    return problems + ([doctor.stdout + doctor.stderr] if doctor.code else [])


def test_eight_processes(home: Path, run: Run) -> None:
    acknowledged, counts, problems = run_all(home, 0.8, run)
    assert problems == []
    assert len(acknowledged) == counts["stored"] >= PROCESSES
    assert judge(home, acknowledged, run) == []


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_eight_processes_for_a_minute(home: Path, run: Run, tell: Tell) -> None:
    acknowledged, counts, problems = run_all(home, 60, run)
    problems += judge(home, acknowledged, run)
    found = (
        f"{len(acknowledged)} stored, {counts['searched']} searches, {counts['rebuilt']} rebuilds,"
        f" busy {counts['busy']} times, {len(problems)} problems"
    )
    tell("8 processes at once", "60 s", "p0-p7", found)
    assert problems == []
