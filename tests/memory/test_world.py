"""The world state in the store: changed with its turn or not at all, undone, encrypted, exported
and forgotten."""

from __future__ import annotations

import json
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import NOW, Result
from tests.forked import python
from tests.stored import clean_environment, holding, store_of
from thalamus.api import Thalamus
from thalamus.clock import Clock, parse_time
from thalamus.errors import InvalidOperation, UsageError
from thalamus.events import ThalamusEvent, WorldCommitted
from thalamus.memory.retention.prune import PruneOptions
from thalamus.memory.user.world import commit_operations, load_world
from thalamus.memory.write import write_records
from thalamus.records import (
    Event,
    Project,
    Reflection,
    Turn,
    World,
    WorldChange,
    WorldOperation,
)
from thalamus.store import ledger
from thalamus.transfer.export import Selection, export_lines
from thalamus.turn_run import TurnRun

Run = Callable[..., Result]


def operation(op: str, path: str, value: Any = None) -> WorldOperation:
    return WorldOperation(op=op, path=path, value=value)  # type: ignore[arg-type]


PROJECT = operation("set", "project", "Herb Garden")
ANA = operation("set", "entities.Ana", "my sister")


def engine(home: Path, now: str = NOW, **settings: object) -> Thalamus:
    given: dict[str, object] = {"home": str(home), "model": "scripted", "embedder": "scripted"}
    return Thalamus(clock=Clock(parse_time(now)), store=store_of(home), **(given | settings))


def turn(id: str, *operations: WorldOperation, message: str = "Hello there.") -> Turn:
    return Turn(id=id, message=message, answer="Yes.", world_operations=list(operations))


# -- with a turn -----------------------------------------------------------------------------------


def test_a_turn_that_is_stored_changes_the_world_once(thalamus: Thalamus) -> None:
    seen: list[ThalamusEvent] = []
    changes: list[WorldChange] = []
    thalamus.events.bind("on_event", seen.append)
    thalamus.events.bind("on_world_committed", changes.append)
    for _ in range(2):
        thalamus.remember([turn("turn_a", PROJECT, ANA)])
    world = thalamus.projects.world()
    assert (world.project, world.entities) == ("Herb Garden", {"Ana": "my sister"})
    assert world.updated_at == NOW
    [change] = thalamus.projects.history()
    assert change.turn == "turn_a" and change.operations == [PROJECT, ANA]
    assert change.before == World() and change.after == world
    assert changes == [change] == [e.change for e in seen if isinstance(e, WorldCommitted)]
    links = [(link.relation, link.target) for link in thalamus.store.links(change.id or "")]
    assert links == [("derived_from", "turn_a")]
    origin = thalamus.why(change.id)
    assert origin.kind == "world_change" and origin.text.startswith("project = Herb Garden")
    assert [one.id for one in origin.origins] == ["turn_a"]
    [event] = [e for e in ledger.entries(thalamus.database) if e.name == "world_changed"]
    assert event.turn == "turn_a" and event.data["fields"] == ["entities", "project"]
    assert "Ana" not in str(event.data) and "Herb" not in str(event.data)


def test_operations_that_cannot_be_applied_are_an_issue_of_the_turn(thalamus: Thalamus) -> None:
    [stored] = thalamus.remember([turn("turn_a", PROJECT, operation("set", "mood", "sunny"))])
    assert isinstance(stored, Turn) and stored.world_operations == []
    [issue] = stored.issues
    assert issue.code == "invalid_world_operations"
    assert issue.message.startswith("Operation 2 (`mood`): unknown path")
    assert thalamus.projects.world() == World() and thalamus.projects.history() == []
    assert thalamus.store.get("turn_a") is not None


def test_a_project_is_named_as_its_record_does(thalamus: Thalamus) -> None:
    thalamus.projects.apply([operation("set", "project", "herb garden")])
    assert thalamus.projects.world().project == "herb garden"
    project = thalamus.projects.add(Project(name="Herb Garden"))
    assert thalamus.projects.world().project == "Herb Garden"
    for name in ("HERB garden", project.id):
        assert thalamus.projects.apply([operation("set", "project", name)]) is None
    thalamus.projects.apply([operation("set", "project", "Tea")])
    change = thalamus.projects.apply([operation("set", "project", project.id)])
    assert change and change.after and change.after.project == "Herb Garden"
    for before in ("Tea", "Herb Garden", None):
        thalamus.undo()
        assert thalamus.projects.world().project == before


def test_operations_that_change_nothing_leave_nothing(thalamus: Thalamus) -> None:
    thalamus.projects.apply([PROJECT])
    assert thalamus.projects.apply([PROJECT, operation("remove", "goals", "x")]) is None
    thalamus.remember([turn("turn_a", PROJECT)])
    assert len(thalamus.projects.history()) == len(thalamus.store.batches()) == 1


def test_what_a_turn_brought_with_its_answer_is_not_brought_again(thalamus: Thalamus) -> None:
    answered = Turn(id="turn_a", message="I live in Lisbon.", answer="Yes.")
    answered.world_operations = [PROJECT]
    left = ("reflect", "store")
    write_records([answered], TurnRun(thalamus.engine, left=left))
    thalamus.projects.apply([operation("set", "project", "Balcony")])
    answered.world_operations = [PROJECT, operation("merge", "topics", ["lisbon"])]
    answered.reflection = Reflection()
    write_records([answered], TurnRun(thalamus.engine, finishing=True))
    assert (thalamus.projects.world().project, thalamus.projects.world().topics) == (
        "Balcony",
        ["lisbon"],
    )


def test_a_turn_whose_answer_was_stored_first_brings_only_the_rest(thalamus: Thalamus) -> None:
    """`store` runs twice then: after the answer, and after the reflection."""
    answered, left = thalamus.answer_turn("I live in Lisbon. The rain never ends.")
    assert left and answered.id
    topics = operation("merge", "topics", ["lisbon"])
    done = Turn(
        id=answered.id,
        message=answered.message,
        session=answered.session,
        created_at=answered.created_at,
        reflection=Reflection(),
        world_operations=[topics],
    )
    for _ in range(2):
        write_records([done], TurnRun(thalamus.engine, finishing=True))
    assert thalamus.projects.world().topic_weights == {"lisbon": 1.0}
    assert len(thalamus.projects.history()) == 1


def test_a_turn_that_fails_changes_nothing(
    thalamus: Thalamus, monkeypatch: pytest.MonkeyPatch
) -> None:
    thalamus.projects.apply([PROJECT])

    def fail(*_: object) -> None:
        raise RuntimeError("the ledger is gone")

    monkeypatch.setattr("thalamus.memory.write._log", fail)
    with pytest.raises(RuntimeError):
        thalamus.remember([turn("turn_a", ANA)])
    assert thalamus.projects.world().entities == {} and thalamus.store.get("turn_a") is None
    assert len(thalamus.projects.history()) == 1


KILLED = """
import os, signal, sys
from thalamus.api import Thalamus
from thalamus.memory import write
from thalamus.records import Turn, WorldOperation
original = write.world.commit_of_turn
def commit(*values, **more):
    original(*values, **more)
    os.kill(os.getpid(), signal.SIGKILL)  # after the operations, before the transaction ends
write.world.commit_of_turn = commit
operation = WorldOperation(op="set", path="project", value="Balcony")
with Thalamus(home=sys.argv[1], model="scripted", embedder="scripted") as thalamus:
    thalamus.remember([Turn(id="turn_k", message="Hello.", world_operations=[operation])])
"""


def test_a_kill_between_operation_and_commit_leaves_the_world_as_it_was(home: Path) -> None:
    with engine(home) as thalamus:
        thalamus.projects.apply([PROJECT])
    command = [*python(), "-c", KILLED, str(home)]
    assert subprocess.run(command, env=clean_environment(), check=False).returncode == -9
    with engine(home) as thalamus:
        assert (
            thalamus.projects.world().project == "Herb Garden"
            and thalamus.store.get("turn_k") is None
        )
        assert len(thalamus.projects.history()) == 1 and thalamus.database.check() == []


WRITER = """
import sys
from thalamus.api import Thalamus
from thalamus.records import WorldOperation
print("ready", flush=True)
sys.stdin.readline()
with Thalamus(home=sys.argv[1], embedder="none", model="scripted", busy_timeout=60) as thalamus:
    for n in range(10):
        operation = WorldOperation(op="set", path=f"entities.{sys.argv[2]}{n}", value="x")
        assert thalamus.projects.apply([operation]) is not None
"""


def test_two_processes_at_once_lose_nothing(home: Path) -> None:
    command = [*python(), "-c", WRITER, str(home)]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    both = [
        subprocess.Popen([*command, name], env=clean_environment(), **pipes) for name in ("a", "b")
    ]
    for process in both:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
    for process in both:
        process.communicate("\n", timeout=120)
        assert process.returncode == 0
    with engine(home) as thalamus:
        wanted = {f"{name}{n}" for name in "ab" for n in range(10)}
        assert set(thalamus.projects.world().entities) == wanted
        assert len(thalamus.projects.history()) == 20
        with thalamus.store.verify() as verified:
            assert list(verified.findings()) == []


# -- undo and prune --------------------------------------------------------------------------------


def test_undo_restores_the_state_before(thalamus: Thalamus) -> None:
    first = thalamus.projects.apply([PROJECT, operation("merge", "topics", ["herbs"])])
    second = thalamus.projects.apply([ANA])
    third = thalamus.projects.apply([operation("set", "project", "Balcony")])
    assert first and second and third
    with pytest.raises(UsageError, match=f"{third.batch} changed the result of {first.batch}"):
        thalamus.undo(first.batch)
    undone = thalamus.undo(second.batch)
    assert (undone.change.action, undone.counts) == ("world", {"operations": 1})
    assert (
        thalamus.projects.world().entities == {} and thalamus.projects.world().project == "Balcony"
    )
    thalamus.undo()
    assert thalamus.projects.world().project == "Herb Garden"
    thalamus.undo()
    assert thalamus.projects.world() == World(updated_at=NOW)
    assert [change.undone_at for change in thalamus.projects.history()] == [NOW] * 3
    assert [b.operations for b in thalamus.store.batches()] == [
        change.operations for change in (third, second, first)
    ]


def test_topics_that_went_on_do_not_keep_a_change_from_being_undone(thalamus: Thalamus) -> None:
    first = thalamus.projects.apply([PROJECT, operation("merge", "topics", ["herbs"])])
    thalamus.projects.apply([operation("merge", "topics", ["tea"])])
    assert first is not None
    thalamus.undo(first.batch)
    assert thalamus.projects.world().project is None and thalamus.projects.world().topics == [
        "tea",
        "herbs",
    ]


def test_what_can_no_longer_be_undone_loses_its_states(home: Path) -> None:
    with engine(home) as thalamus:
        thalamus.projects.apply([PROJECT])
        thalamus.projects.apply([ANA])
    with engine(home, "2026-08-08T00:00:00Z") as thalamus:
        thalamus.memories.prune(PruneOptions())
        assert thalamus.store.batches(undoable=True) == []
        found = thalamus.projects.history()
        assert [(c.operations, c.before, c.after) for c in found] == [
            ([PROJECT], None, None),
            ([ANA], None, None),
        ]
        assert thalamus.projects.world().project == "Herb Garden"
        events = [e.data for e in ledger.entries(thalamus.database) if e.name == "purged"]
        assert events == [{"action": "world", "batches": 2, "changes": 2}]


# -- damage, keys, owners --------------------------------------------------------------------------


@pytest.mark.sqlite
def test_a_damaged_row_is_an_issue_and_the_default(home: Path) -> None:
    with engine(home, key_store="none") as thalamus:
        thalamus.projects.apply([PROJECT, operation("append", "goals", "g")])
    database = home / "data" / "default" / "thalamus.db"
    for column, value, messages, goals in (
        ("timezone", "Nowhere", ["the world state was repaired: `timezone`: unknown time"], ["g"]),
        ("goals", '{"a": 1}', ["repaired: `goals`: must be a list", "repaired: `timezone`"], []),
        ("goals", "not json", ["the world state cannot be read"], []),
    ):
        with closing(sqlite3.connect(database)) as db, db:
            db.execute(f"UPDATE world SET {column} = ?", (value,))
        with engine(home, key_store="none") as thalamus:
            world, issues = load_world(thalamus.database, None)
            assert world.goals == goals and world.timezone is None
            assert len(issues) == len(messages)
            assert all(m in i.message for m, i in zip(messages, issues, strict=True))
            assert {issue.code for issue in issues} == {"damaged_world"}
    with engine(home, key_store="none") as thalamus:
        thalamus.projects.apply([ANA])
        assert load_world(thalamus.database, None)[1] == []


def test_it_is_encrypted_whatever_it_says(home: Path) -> None:
    with engine(home, user="ana") as thalamus:
        thalamus.projects.apply([PROJECT, operation("set", "timezone", "Europe/Lisbon")])
        assert thalamus.projects.world().project == "Herb Garden"
        exported = b"".join(export_lines(thalamus.database)).decode()
        assert exported.count("Herb Garden") == 3  # the state, the operation, and after it
    for text in ("Herb Garden", "Lisbon"):
        assert holding(home / "data", text) == []
    with engine(home, user="ana") as thalamus:
        thalamus.keys.shred(["ana"])
    with engine(home, user="ana") as thalamus:
        world, issues = load_world(thalamus.database, "ana")
        assert world == World(user="ana") and [i.code for i in issues] == ["hidden_world"]
        assert thalamus.projects.history() == []
        exported = [json.loads(line)["record"] for line in export_lines(thalamus.database)]
        assert set(exported) == {"event"}
        thalamus.projects.apply([ANA])
        assert thalamus.projects.world().entities == {"Ana": "my sister"}


def test_each_user_has_one(home: Path) -> None:
    for user in ("", "ana", "bo"):
        with engine(home, user=user) as thalamus:
            thalamus.projects.apply([operation("set", "project", f"of {user}")])
    for user in ("", "ana", "bo"):
        with engine(home, user=user) as thalamus:
            assert thalamus.projects.world().project == f"of {user}".strip()
            assert thalamus.projects.world().user == (user or None)
            assert len(thalamus.projects.history()) == 1


def test_an_import_keeps_the_newer_world(home: Path, tmp_path: Path) -> None:
    with engine(home) as thalamus:
        thalamus.projects.apply([PROJECT])
        records = list(thalamus.store.export())
    states = [r for r in records if isinstance(r, (World, WorldChange))]
    assert [type(r) for r in states] == [World, WorldChange]
    with engine(tmp_path / "other") as other:
        added = other.store.import_memory(records)
        assert (added["world"], added["world_change"]) == (1, 1)
        assert [r for r in other.store.export() if isinstance(r, (World, WorldChange))] == states
        assert "world" not in other.store.import_memory(records)
    for now, project in (("2026-01-01T00:00:00Z", "Herb Garden"), ("2027-01-01T00:00:00Z", "Tea")):
        with engine(tmp_path / now, now) as other:
            other.projects.apply([operation("set", "project", "Tea")])
            other.store.import_memory(states)
            assert other.projects.world().project == project


def test_an_export_of_one_user_has_the_world_of_that_user(home: Path) -> None:
    for user in ("ana", "bo"):
        with engine(home, user=user) as thalamus:
            thalamus.projects.apply([PROJECT])
    with engine(home) as thalamus:
        for selection, found in ((Selection(user="bo"), 2), (Selection(session="main"), 0)):
            records = list(thalamus.store.export(selection))
            worlds = [r for r in records if isinstance(r, (World, WorldChange))]
            assert [r.user for r in worlds] == ["bo"] * found


def test_operations_are_all_or_nothing_in_a_unit_of_work(thalamus: Thalamus) -> None:
    thalamus.projects.apply([PROJECT])
    with thalamus.database.writing() as writer:
        with pytest.raises(InvalidOperation):
            operations = [ANA, operation("append", "project", "x")]
            commit_operations(writer, operations, None, None, NOW, thalamus.clock)
        writer.add_event(Event(name="after", at=NOW))
    assert thalamus.projects.world().entities == {}
    assert json.loads(b"".join(export_lines(thalamus.database)).splitlines()[-1])["name"] == "after"


def test_a_reset_empties_it(thalamus: Thalamus) -> None:
    thalamus.projects.apply([PROJECT])
    counts = thalamus.store.inspect_erasure().counts
    assert counts["world"] == counts["world_change"] == 1
    thalamus.store.erase()
    assert thalamus.projects.world() == World() and thalamus.projects.history() == []
