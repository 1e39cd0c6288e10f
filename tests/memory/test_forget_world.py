"""Forgetting takes words out of the world state, out of every change, and out of the states that
are kept for undo."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.memory.test_world import ANA, PROJECT, engine, operation, turn
from tests.stored import holding
from thalamus.api import Thalamus
from thalamus.errors import NothingFound
from thalamus.memory.forget.erase import ForgetOptions
from thalamus.memory.retention.prune import PruneOptions
from thalamus.records import Memory, Project, Provenance, WorldChange
from thalamus.store import ledger


@pytest.fixture(params=["file", "none"])
def said(home: Path, request: pytest.FixtureRequest) -> Thalamus:
    """Two turns that changed the world state, and a change by hand."""
    thalamus = engine(home, key_store=request.param)
    garden = [PROJECT, operation("append", "goals", "plant basil"), ANA]
    topics = operation("merge", "topics", ["herbs", "zanzibar trip"])
    message = "We plan a garden with my sister."
    thalamus.remember([turn("turn_a", *garden, topics, message=message)])
    more = [operation("append", "goals", "ask Ana about zinnias")]
    thalamus.remember([turn("turn_b", *more, message="And flowers.")])
    thalamus.projects.apply([operation("set", "timezone", "Europe/Lisbon")])
    return thalamus


def everything(thalamus: Thalamus) -> str:
    return "".join(str(record) for record in thalamus.store.export())


def test_forgetting_words_takes_them_out_of_all_states(said: Thalamus, home: Path) -> None:
    report = said.forget(ForgetOptions(query="Ana"))
    assert report.complete and report.done
    assert report.counts["world"] == 2
    world = said.projects.world()
    assert world.project == "Herb Garden" and world.goals == ["plant basil"]
    assert world.entities == {} and world.topics == ["herbs", "zanzibar trip"]
    assert "Ana" not in everything(said) and "zinnias" not in everything(said)
    # the change of which nothing is left went, the other lost a part
    assert [change.turn for change in said.projects.history()] == [
        "turn_a",
        "turn_b",
        None,
    ]  # whose topics faded
    said.undo()
    assert said.projects.world().timezone is None
    said.undo()
    assert said.projects.world().project is None and said.projects.world().goals == []
    said.close()
    assert holding(home / "data", "zinnias") == []


def test_forgetting_an_entity(said: Thalamus) -> None:
    report = said.forget(ForgetOptions(subject="Ana"))
    assert report.complete and "Ana" not in everything(said)
    assert said.projects.world().project == "Herb Garden"


def test_forgetting_a_turn_takes_what_it_brought(said: Thalamus, home: Path) -> None:
    shown = said.forget(ForgetOptions(ids=("turn_a",), dry_run=True))
    report = said.forget(ForgetOptions(ids=("turn_a",)))
    assert [v.id for _, v in shown.items] == [v.id for _, v in report.items]
    assert report.complete and report.counts["world"] == 5
    assert report.counts["world_change"] == 1
    world = said.projects.world()
    assert world.goals == ["ask Ana about zinnias"] and world.timezone == "Europe/Lisbon"
    assert (world.project, world.topics, world.entities) == (None, [], {})
    for text in ("basil", "zanzibar", "Herb Garden", "herbs"):
        assert text not in everything(said)
    for event in ledger.entries(said.database):
        assert event.turn != "turn_a"
    said.close()
    assert holding(home / "data", "basil") == [] and holding(home / "data", "zanzibar") == []


def test_forgetting_a_change(said: Thalamus) -> None:
    changes = said.projects.history()
    said.forget(ForgetOptions(ids=(changes[1].id or "",)))
    assert said.projects.world().goals == ["plant basil"] and "zinnias" not in everything(said)
    with pytest.raises(NothingFound, match="that can be undone"):
        said.undo(changes[1].batch)


def test_forgetting_a_memory_that_says_the_same(said: Thalamus) -> None:
    memory = Memory(
        content="The user has a project, the herb garden.",
        provenance=Provenance(turn="turn_a"),
    )
    [kept] = said.remember([memory])
    said.forget(ForgetOptions(ids=(kept.id or "",)))  # type: ignore[union-attr]
    assert said.projects.world().project is None and said.projects.world().goals[0] == "plant basil"
    assert "Herb Garden" not in everything(said)


def test_forgetting_a_project_takes_its_name(said: Thalamus, home: Path) -> None:
    project = said.projects.add(Project(name="Herb Garden"))
    report = said.forget(ForgetOptions(ids=(project.id or "",)))
    assert report.complete and report.counts["world"] == 1
    assert said.projects.world().project is None and said.projects.world().goals
    assert "Herb Garden" not in everything(said)
    said.close()
    assert holding(home / "data", "Herb Garden") == []


def test_forgetting_a_shared_project_takes_its_name_from_every_user(home: Path) -> None:
    with engine(home) as thalamus:
        project = thalamus.projects.add(Project(name="Herb Garden"))
    with engine(home, user="ana") as thalamus:
        thalamus.projects.apply([PROJECT, ANA])
    with engine(home) as thalamus:
        thalamus.forget(ForgetOptions(ids=(project.id or "",)))
    with engine(home, user="ana") as thalamus:
        world = thalamus.projects.world()
        assert (world.project, world.entities) == (None, {"Ana": "my sister"})


def test_forgetting_leaves_the_world_of_others(home: Path) -> None:
    for user in ("ana", "bo"):
        with engine(home, user=user) as thalamus:
            thalamus.projects.apply([PROJECT])
    with engine(home, user="ana") as thalamus:
        thalamus.forget(ForgetOptions(query="Herb Garden"))
        assert thalamus.projects.world().project is None
    with engine(home, user="bo") as thalamus:
        assert thalamus.projects.world().project == "Herb Garden"


def test_after_prune_a_forgotten_turn_still_takes_what_it_brought(home: Path) -> None:
    with engine(home) as thalamus:
        thalamus.remember([turn("turn_a", PROJECT), turn("turn_b", ANA)])
    with engine(home, "2026-08-08T00:00:00Z") as thalamus:
        thalamus.memories.prune(PruneOptions())
        thalamus.forget(ForgetOptions(ids=("turn_a",)))
        assert thalamus.projects.world().project is None and "Herb" not in everything(thalamus)
        assert thalamus.projects.world().entities == {"Ana": "my sister"}


@pytest.mark.parametrize("second", ("classic", "routed", "deliberate"))
@pytest.mark.parametrize("first", ("classic", "routed", "deliberate"))
def test_words_are_forgotten_after_turns_of_any_flows(home: Path, first: str, second: str) -> None:
    with engine(home) as thalamus:
        thalamus.turn("Remember that Quixolthrob is my boss", flow=first)
        thalamus.turn("Meeting Quixolthrob at noon", flow=second)
        shown = thalamus.forget(ForgetOptions(query="Quixolthrob", dry_run=True))
        report = thalamus.forget(ForgetOptions(query="Quixolthrob"))
        assert report.complete and [v.id for _, v in shown.items] == [v.id for _, v in report.items]
        assert "Quixolthrob" not in everything(thalamus)
        left = {record.id for record in thalamus.store.export() if isinstance(record, WorldChange)}
        assert left.isdisjoint(verdict.id for _, verdict in report.items)
        assert left.issuperset(v.id for v in report.kept if (v.id or "").startswith("world"))


def test_a_change_with_something_left_stays_without_its_turn(home: Path) -> None:
    with engine(home) as thalamus:
        clearing = operation("remove", "timezone")
        one = [operation("append", "goals", "ask Quixolthrob"), clearing]
        thalamus.projects.apply([operation("set", "timezone", "Europe/Lisbon")])
        thalamus.remember([turn("turn_a", *one, message="My boss is Quixolthrob.")])
        report = thalamus.forget(ForgetOptions(query="Quixolthrob"))
        [_, change] = thalamus.projects.history()
        assert (change.turn, change.operations) == (None, [clearing])
        assert [verdict.id for verdict in report.kept] == [change.id]
