"""`thalamus store join`, and what `doctor` says of names in several forms."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Result
from tests.store.test_older_store import COMPOSED, DECOMPOSED, written
from tests.store.test_tampering import ask, engine, named
from thalamus.api import Thalamus
from thalamus.diagnostics import names
from thalamus.records import Memory, Project

Run = Callable[..., Result]


@pytest.mark.sqlite
def test_a_second_folder_of_a_tenant_is_reported(run: Run, home: Path) -> None:
    run("turn", "My cat is called Sol.", "--tenant", COMPOSED)
    (home / "data" / DECOMPOSED).mkdir()
    checks = run("doctor", "--tenant", COMPOSED, "--no-model", "--json").records
    [found] = [check for check in checks if check["name"] == "names"]
    assert found["state"] == "warning"
    assert str(home / "data" / DECOMPOSED) in found["detail"]


def test_two_users_are_joined(run: Run) -> None:
    for user, cat in (("Ida", "Sol"), ("ida", "Mia")):
        run("turn", f"My cat is called {cat}.", "--user", user)
        run("turn", "I'm allergic to nuts.", "--user", user, "--session", user)
        goal = json.dumps({"op": "append", "path": "goals", "value": f"Feed {cat}"})
        run("world", "apply", "-", "--user", user, input=goal)
    dry = run("store", "join", "user", "ida", "Ida", "--dry-run").stdout
    assert dry.startswith("would be joined under Ida: 2 turns")
    assert "Mia" not in run("facts", "--user", "Ida").stdout
    done = run("store", "join", "user", "ida", "Ida")
    assert done.stdout == dry.replace("would be joined", "joined")
    facts = run("facts", "--user", "Ida").stdout
    assert "Sol" in facts and "Mia" in facts and "nuts" in facts
    assert run("facts", "--user", "ida").stdout == ""
    world = run("world", "show", "--user", "Ida").stdout
    assert "Feed Sol" in world and "Feed Mia" in world
    assert "nuts" in run("retrieve", "What am I allergic to?", "--user", "Ida").stdout
    assert run("doctor", "--signatures").code == 0
    run("key", "shred", "Ida", "--yes")
    assert "nuts" not in run("export", "--personal").stdout
    again = run("store", "join", "user", "ida", "Ida")
    assert (again.code, again.stderr) == (4, "thalamus: Cannot find the user 'ida'.\n")


def test_sessions_and_agents_are_joined(run: Run) -> None:
    run("turn", "My cat is called Sol.", "--session", "may", "--agent", "cook")
    run("turn", "My dog is called Rex.", "--session", "june", "--agent", "chef")
    assert run("store", "join", "session", "june", "may", "--json").records[0]["data"] == {
        "kind": "session",
        "name": "may",
        "counts": {"turn": 1, "memory": 1, "fact": 1, "stage_log": 4},
    }
    assert [one["turns"] for one in run("session", "--json").records] == [2]
    run("store", "join", "agent", "chef", "cook")
    assert {one["agent"] for one in run("memory", "--json").records} == {"cook"}
    assert run("store", "join", "agent", "cook").stdout.startswith("There is nothing to join")


def test_two_projects_are_joined(thalamus: Thalamus) -> None:
    for name in ("Raft", "Red raft"):
        thalamus.projects.add(Project(name=name))
    [memory] = thalamus.remember([Memory(content="The mast is oiled.")])
    thalamus.projects.link("Red raft", [memory.id])
    joined = thalamus.store.join("project", "Red raft", "Raft")
    assert joined.counts == {"project": 1, "link": 1}
    [left] = thalamus.projects.find()
    assert left.name == "Raft"
    assert [link.target for link in thalamus.store.links(memory.id)] == [left.id]


@pytest.mark.sqlite
def test_the_forms_of_a_name_are_joined(tmp_path: Path) -> None:
    home = written(tmp_path / "home", 24)
    with engine(home) as thalamus:
        assert [check.detail for check in names(thalamus.database)] == [
            f"user in several Unicode forms: {COMPOSED}"
        ]
        thalamus.store.join("user", DECOMPOSED)
        assert [*names(thalamus.database)] == []
        assert named(thalamus) == []
        assert thalamus.store.join("user", COMPOSED).counts == {}
    assert ask(home, f"SELECT count(*) FROM turn WHERE user = '{DECOMPOSED}'") == [(0,)]
    with Thalamus(home=str(home), model="scripted", user=COMPOSED) as zoe:
        assert any("passport" in memory.content for memory in zoe.memories.find())
        assert {*zoe.keys.of_subject(DECOMPOSED)} == {COMPOSED, DECOMPOSED}
        zoe.keys.shred(zoe.keys.of_subject(COMPOSED))
        assert not any("passport" in memory.content for memory in zoe.memories.find())
