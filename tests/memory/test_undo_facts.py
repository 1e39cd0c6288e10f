"""Ending, retracting and correcting a fact, taken back."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.conftest import Result
from thalamus.api import Thalamus
from thalamus.errors import UsageError
from thalamus.records import Fact

Run = Callable[..., Result]
MAY, JUNE = "2026-05-02T00:00:00Z", "2026-05-04T00:00:00Z"


def said(thalamus: Thalamus) -> list[tuple[str, str | None, str | None]]:
    """What holds now and held before: objects, with since when and until when."""
    return [(f.object, f.valid_from, f.valid_to) for f in thalamus.facts.timeline("user")]


@pytest.fixture
def moved(thalamus: Thalamus) -> Thalamus:
    """Somebody who lived in Porto and moved to Lisbon, and drinks tea."""
    for predicate, object, since in (
        ("lives_in", "Porto", "2020-01-01T00:00:00Z"),
        ("lives_in", "Lisbon", MAY),
        ("drinks", "tea", "2026-04-01T00:00:00Z"),
    ):
        thalamus.facts.add(
            Fact(subject="user", predicate=predicate, object=object, valid_from=since)
        )
    return thalamus


def fact(thalamus: Thalamus, object: str) -> str:
    [found] = [f for f in thalamus.facts.timeline("user") if f.object == object]
    return found.id or ""


def test_an_end_that_was_known_stays_when_it_is_said_again_and_undone(moved: Thalamus) -> None:
    id = fact(moved, "tea")
    moved.facts.end(id, JUNE)
    moved.facts.end(id, JUNE)
    moved.undo()
    assert moved.facts.get(id).valid_to == JUNE
    moved.undo()
    assert moved.facts.get(id).valid_to is None


def test_what_rests_on_a_fact_is_marked_and_unmarked(thalamus: Thalamus) -> None:
    thalamus.turn("I live in Porto.")
    id = fact(thalamus, "Porto")
    assert not any(memory.stale for memory in thalamus.memories.find())
    thalamus.facts.retract(id)
    marked = [memory.content for memory in thalamus.memories.find() if memory.stale]
    thalamus.undo()
    assert marked and not any(memory.stale for memory in thalamus.memories.find())


def test_a_later_change_is_undone_first(moved: Thalamus) -> None:
    id = fact(moved, "tea")
    right = moved.facts.correct(id, "coffee")
    moved.facts.end(right.id or "", JUNE)
    later, first = moved.store.batches(undoable=True)
    assert (later.action, first.action) == ("end", "correct")
    assert first.counts == {"changed": 1, "made": 1}
    with pytest.raises(UsageError, match=later.id):
        moved.undo(first.id)
    moved.undo(later.id)
    moved.undo(first.id)
    assert [f.object for f in moved.facts.find("user", predicate="drinks")] == ["tea"]


def test_of_a_fact_that_was_forgotten_nothing_is_undone(moved: Thalamus, run: Run) -> None:
    id = fact(moved, "tea")
    moved.facts.correct(id, "coffee")
    assert run("forget", "--yes", id).code == 0
    assert moved.store.batches(undoable=True) == []
    moved.facts.retract(fact(moved, "Lisbon"))
    done = run("undo")
    assert done.stdout == "undone: retract of 2026-05-08: 1 changed: “user lives_in Lisbon”\n"
    assert ("Lisbon", MAY, None) in said(moved)


@pytest.mark.parametrize(("object", "right"), [("Fado the elder", True), ("Tango", False)])
def test_what_was_said_is_right_where_a_correction_only_adds_to_it(
    thalamus: Thalamus, object: str, right: bool
) -> None:
    thalamus.turn("I have a cat named Fado.")
    [cat] = thalamus.facts.find(predicate="cat")
    thalamus.facts.correct(cat.id or "", object)
    [memory] = thalamus.memories.find()
    assert (memory.stale is None) == right
    found = thalamus.recall("Which cat do I have?")
    told = [item for item in found if "named Fado" in item.text]
    assert told and all((item.stale is None) == right for item in told)
