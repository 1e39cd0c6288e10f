"""The ledger's chain."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tests.store.making import AT, open_store
from tests.stored import edit
from thalamus.records import Event
from thalamus.store import ledger
from thalamus.store.sqlite.store import SqliteStore


@pytest.fixture
def store(tmp_path: Path) -> SqliteStore:
    store = open_store(tmp_path)
    with store.writing() as writer:
        for number in range(5):
            data = {"n": number, "text": "ünï\ncode", "list": [1, 2.5, None]}
            writer.add_event(Event(name="stage", at=AT, turn=f"turn_{number % 2}", data=data))
    return store


def tamper(store: SqliteStore, statement: str) -> list[str]:
    if isinstance(store, SqliteStore):
        with sqlite3.connect(store.path) as connection:
            connection.execute(statement)
    else:
        edit(Path(), statement)
    return store.check()


def test_each_entry_follows_from_the_one_before(store: SqliteStore) -> None:
    events = list(ledger.entries(store))
    assert [event.seq for event in events] == [1, 2, 3, 4, 5]
    assert [event.prev for event in events[1:]] == [event.hash for event in events[:-1]]
    assert len({event.hash for event in events}) == 5
    assert store.check() == []


def test_of_a_turn_of_a_time_and_the_last(store: SqliteStore) -> None:
    events = list(ledger.entries(store))
    later = [event for event in events if event.at >= events[2].at]
    assert list(ledger.entries(store, events[2].at)) == later
    assert list(ledger.entries(store, "9999")) == []
    assert [event.seq for event in ledger.of_turn(store, "turn_1")] == [2, 4]
    assert [event.seq for event in ledger.last(store, 2)] == [4, 5]


@pytest.mark.parametrize(
    ("statement", "entry"),
    [
        ("UPDATE event SET data = '{}' WHERE seq = 2", 2),
        ("UPDATE event SET at = '2020-01-01T00:00:00Z' WHERE seq = 3", 3),
        ("UPDATE event SET turn = NULL WHERE seq = 1", 1),
        ("UPDATE event SET session = '' WHERE seq = 4", 4),
        ("DELETE FROM event WHERE seq = 2", 3),
    ],
)
def test_a_changed_entry_is_found(store: SqliteStore, statement: str, entry: int) -> None:
    assert f"ledger entry {entry} does not follow" in tamper(store, statement)[0]


def test_a_ledger_cut_short_is_found(store: SqliteStore) -> None:
    problems = tamper(store, "DELETE FROM event WHERE seq > 3")
    assert problems == ["the ledger ends at entry 3, but 5 were written"]


def test_an_aborted_unit_of_work_leaves_no_gap(store: SqliteStore) -> None:
    with pytest.raises(RuntimeError), store.writing() as writer:
        writer.add_event(Event(name="stage", at=AT))
        raise RuntimeError
    with store.writing() as writer:
        assert writer.add_event(Event(name="stage", at=AT)).seq == 6
    assert store.check() == []
