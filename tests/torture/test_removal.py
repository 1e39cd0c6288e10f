"""What is taken out, ended or replaced is so in both arms, whatever state the indexes are in."""

from __future__ import annotations

import fcntl
import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.store.making import open_store
from tests.torture.conftest import Tell
from tests.torture.stores import (
    AT,
    fill,
    remove,
    unhealthy,
    vector,
    wrong,
    wrong_text,
    wrong_vector,
)
from thalamus.memory.facts import assertion as facts
from thalamus.records import Fact
from thalamus.store.sqlite.store import SqliteStore
from thalamus.store.values import Filter

pytestmark = pytest.mark.sqlite  # of its files

NAMES = [f"n{number}" for number in range(400)]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    store = open_store(tmp_path / "store")
    fill(store, NAMES)
    yield store
    store.close()


def test_most_of_a_store_may_go(store: SqliteStore) -> None:
    """The few that stay are found, though nearer ones were there."""
    assert wrong(store, ["n1", "n2"]) == []
    remove(store, NAMES[:385])
    assert wrong(store, ["n1", "n384", "n385", "n399"]) == []
    assert unhealthy(store) == []
    assert len(store.search([], vector("n1"), Filter(), 10).vector) == 10
    store.rebuild_indexes()
    assert wrong(store, ["n1", "n399"]) == []
    assert [state.entries for state in store.index_states()] == [15, 15]


def test_while_the_index_lock_is_held(store: SqliteStore) -> None:
    """The indexes cannot follow, and still nobody finds what is gone."""
    assert wrong(store, ["n1"]) == []
    with (store.folder / "index" / "index.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        remove(store, ["n1", "n2", "n3"])
        assert wrong(store, ["n1", "n3", "n4"]) == []
    assert wrong(store, ["n1", "n3", "n4"]) == []
    assert unhealthy(store) == []


def test_an_index_from_before_is_put_back(store: SqliteStore, tmp_path: Path) -> None:
    shutil.copytree(store.folder / "index", tmp_path / "before")
    remove(store, ["n1", "n2", "n3"])
    assert wrong(store, ["n1", "n4"]) == []
    store.close()
    shutil.rmtree(store.folder / "index")
    shutil.copytree(tmp_path / "before", store.folder / "index")
    again = open_store(store.folder, create=False)
    assert wrong(again, ["n1", "n4"]) == [] and unhealthy(again) == []


def fact(object: str, **more: str) -> Fact:
    values = {"id": f"fact_{object}", "subject": "user", "predicate": "lives_in", "object": object}
    return Fact(**(values | {"created_at": AT, "recorded_at": AT} | more))


def test_an_ended_fact_no_longer_holds_in_either_arm(store: SqliteStore) -> None:
    with store.writing() as writer:
        facts.add(fact("bergen"), writer, vector("bergen"))
    now = Filter(now="2026-01-01T00:00:00Z")
    then = Filter(as_of="2024-06-01T00:00:00Z")

    def arms(where: Filter) -> list[bool]:
        text = store.search_text(["bergen"], where, 3)
        near = store.search([], vector("bergen"), where, 3).vector
        return [any(h.entry.id == "fact_bergen" for h in hits) for hits in (text, near)]

    assert arms(now) == [True, True]
    with store.writing() as writer:
        facts.add_note("fact_bergen", "end", "2025-01-01T00:00:00Z", writer)
        facts.add(fact("oslo"), writer, vector("oslo"))
    assert arms(now) == [False, False] and arms(then) == [True, True]
    again = open_store(store.folder, create=False)
    assert again.search_text(["oslo"], now, 1)[0].entry.id == "fact_oslo"


def replay(folder: Path, seed: int, steps: int) -> list[str]:
    """Adds and removes at random, with the index now and then lost, old or locked."""
    draw = random.Random(seed)
    store = open_store(folder / "store")
    index, older = folder / "store" / "index", folder / "older"
    live: list[str] = []
    problems = []
    for step in range(steps):
        if len(live) > 30 and draw.random() < 0.4:
            gone = draw.sample(live, draw.randint(1, 20))
            remove(store, gone)
            live = [name for name in live if name not in gone]
        else:
            names = [f"s{step}n{number}" for number in range(draw.randint(1, 30))]
            fill(store, names)
            live += names
        fate = draw.random()
        if fate < 0.05:
            shutil.rmtree(index)
        elif fate < 0.10:
            shutil.rmtree(older, ignore_errors=True)
            shutil.copytree(index, older)
        elif fate < 0.15 and older.exists():
            shutil.rmtree(index)
            shutil.copytree(older, index)
        elif fate < 0.30:
            store.close()
            store = open_store(folder / "store", create=False)
        found = [wrong_text(store, [draw.choice(live)]), wrong_text(store, ["lisbon", "wolf"])]
        found.append(wrong_vector(store, vector(draw.choice(live))))
        problems += [f"step {step}: {problem}" for problem in found if problem]
    store.close()
    return problems


def test_adding_and_removing_at_random(tmp_path: Path) -> None:
    assert replay(tmp_path, 1, 40) == []


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_adding_and_removing_at_length(tmp_path: Path, tell: Tell) -> None:
    problems = replay(tmp_path, 2, 600)
    tell("adding and removing", 600, 2, f"{len(problems)} wrong")
    assert problems == []
