"""Commands killed at random moments: nothing acknowledged is missing, no answer is wrong."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Result
from tests.store.making import open_store
from tests.torture.conftest import Tell
from tests.torture.driver import ROOT
from tests.torture.killing import Ending, Job, jobs, moment, run
from tests.torture.stores import (
    WORDS,
    litter,
    settle,
    unhealthy,
    wrong_text,
    wrong_vector,
)
from thalamus.models.scripted import ScriptedEmbedder
from thalamus.store.sqlite.store import SqliteStore
from thalamus.store.values import Filter, Vector

pytestmark = pytest.mark.sqlite  # of its files

Run = Callable[..., Result]


class Killings:
    """A home, the commands that were killed in it, and what they had acknowledged by then."""

    def __init__(
        self, home: Path, environment: dict[str, str], folder: Path, seed: int, count: int
    ) -> None:
        self.folder, self.count = folder, count
        self.store = home / "data" / "default"
        self.environment = environment | {"PYTHONPATH": str(ROOT)}
        self.draw = random.Random(seed)
        self.acknowledged: list[str] = []
        self.problems: list[str] = []
        self.killed: Counter[str] = Counter()
        self.seconds: dict[str, float] = {}
        self.embedder = ScriptedEmbedder()

    def begin(self) -> None:
        """Each command once to its end, which also tells how long it takes."""
        for job in self._jobs("first"):
            ending = self._run(job, None)
            assert not ending.error, (job.name, ending.error)
            self.seconds[job.name] = ending.seconds
            self.acknowledged += ending.acknowledged

    def kill(self, number: int) -> None:
        job = self._jobs(f"r{number}")[number % len(self.seconds)]
        ending = self._run(job, moment(self.draw, self.seconds[job.name]))
        self.killed[job.name] += ending.killed
        self.acknowledged += ending.acknowledged
        for problem in [ending.error, *self.wrong(ending.acknowledged)]:
            if problem:
                self.problems.append(f"run {number} ({job.name}): {problem}")

    def wrong(self, last: list[str]) -> list[str]:
        """What is wrong with the store now, as another process finds it."""
        store = open_store(self.store, create=False)
        try:
            texts = self._texts(store)
            lost = [text for text in self.acknowledged if text not in texts]
            found = [f"{len(lost)} lost, e.g. {lost[0]!r}"] if lost else []
            found += store.check()
            found += self._wrong_answers(store, last)
            settle(store)
            return found + unhealthy(store)
        finally:
            store.close()

    def _jobs(self, tag: str) -> list[Job]:
        return jobs(self.folder, tag, self.count)

    def _run(self, job: Job, after: float | None) -> Ending:
        if job.name == "restore":  # of the present state: nothing acknowledged goes by it
            store = open_store(self.store, create=False)
            store.backup(self.folder / "restored.db")
            store.close()
        return run(job, self.environment, self.folder, after)

    @staticmethod
    def _texts(store: SqliteStore) -> set[str]:
        """Every text that is kept, and the pieces of documents."""
        found = set()
        for entry in store.entries(Filter(), 1_000_000):
            found.add(entry.text.split("\nAssistant: ")[0].removeprefix("User: "))
            if entry.kind == "document":
                found |= {line.removesuffix(".") for line in entry.text.splitlines()}
        return found

    def _wrong_answers(self, store: SqliteStore, last: list[str]) -> list[str]:
        asked = self.draw.sample(self.acknowledged, 2) + last[-1:]
        found = [wrong_text(store, text.split()[-1:]) for text in asked]
        found.append(wrong_text(store, [self.draw.choice(WORDS)]))
        for text in asked:
            query = Vector(self.embedder.name, self.embedder.embed([text], "query")[0])
            found.append(wrong_vector(store, query))
        return [problem for problem in found if problem]


def test_killed_at_random_moments(
    home: Path, environment: dict[str, str], tmp_path: Path, run: Run
) -> None:
    killings = Killings(home, environment, tmp_path, 1, 100)
    killings.begin()
    for number in range(len(killings.seconds)):  # each command once
        killings.kill(number)
    assert killings.problems == []
    assert killings.killed.total() > 1
    assert run("doctor").code == 0


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_killed_often(
    home: Path, environment: dict[str, str], tmp_path: Path, run: Run, tell: Tell
) -> None:
    killings = Killings(home, environment, tmp_path, 2, 300)
    killings.begin()
    for number in range(200):
        killings.kill(number)
        if number % 20 == 19 and (doctor := run("doctor")).code:
            killings.problems.append(f"run {number}: doctor: {doctor.stdout}{doctor.stderr}")
    left = litter(home)
    found = (
        f"{killings.killed.total()} killed before their end, {len(killings.acknowledged)}"
        f" acknowledged, {len(killings.problems)} problems, {len(left)} files left over"
    )
    tell("kill -9", 200, 2, found)
    assert killings.problems == [], left
