"""What a turn asks of the database does not grow with what it finds, nor with the facts of others.
Counted in statements and in SQLite's steps: they are the same on every machine."""

from __future__ import annotations

import sqlite3

import pytest
from msgspec.structs import replace

from thalamus import Thalamus
from thalamus.records import Fact, Memory, Turn
from thalamus.storage.protocol import Filter
from thalamus.storage.sqlite.store import SqliteStore

pytestmark = pytest.mark.sqlite


def connection_of(thalamus: Thalamus) -> sqlite3.Connection:
    store = thalamus.store
    assert isinstance(store, SqliteStore)
    return store._db


def selects(thalamus: Thalamus, message: str) -> tuple[int, Turn]:
    """How many selects a turn takes, and the turn."""
    seen: list[str] = []
    connection = connection_of(thalamus)
    connection.set_trace_callback(seen.append)
    turn = thalamus.run_turn(message)
    connection.set_trace_callback(None)
    return sum(statement.startswith("SELECT") for statement in seen), turn


def test_more_evidence_takes_no_more_selects(thalamus: Thalamus) -> None:
    thalamus.remember([Memory(content=f"The {n}th walk led through Bergen") for n in range(12)])
    thalamus.run_turn("Hello.")  # opens everything
    taken = {}
    for most in (2, 12):
        thalamus.context.config = replace(thalamus.context.config, max_memory_results=most)
        taken[most], turn = selects(thalamus, f"What about walk {most} through Bergen?")
        assert len(turn.evidence) == most
    assert taken[12] <= taken[2] + 4


def steps(thalamus: Thalamus) -> int:
    """How many steps SQLite takes to list the facts about one person."""
    counted = 0

    def step() -> int:
        nonlocal counted
        counted += 1
        return 0

    connection = connection_of(thalamus)
    connection.set_progress_handler(step, 1)
    found = thalamus.store.facts(Filter(), "ines")
    connection.set_progress_handler(None, 1)
    assert [fact.object for fact in found] == ["tea"]
    return counted


def test_the_facts_of_one_are_listed_without_those_of_others(thalamus: Thalamus) -> None:
    thalamus.remember([Fact(subject="Ines", predicate="likes", object="tea")])
    few = steps(thalamus)
    thalamus.remember(
        [Fact(subject=f"Person {n}", predicate="likes", object="tea") for n in range(200)]
    )
    assert steps(thalamus) < few + 50
