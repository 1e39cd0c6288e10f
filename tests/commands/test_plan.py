"""A saved plan belongs to a session and its user: nobody is shown what was planned for another."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import NOW, Result
from thalamus.api import Thalamus
from thalamus.memory.sessions import saved_plan
from thalamus.records import Memory, Plan

Run = Callable[..., Result]
SO = '{"record":"turn","message":"So?"}'
SAID = "My cat Miso has asthma."


def instructions(done: Result) -> list[str]:
    """What a turn looked up besides its own message."""
    turn = done.records[0]
    return [item["query"] for item in turn["retrieval_instructions"][:-1]]


def plans(run: Run, *options: str, env: dict[str, str] | None = None) -> list[dict[str, Any]]:
    return [r for r in run("export", *options, env=env).records if r["record"] == "plan"]


@pytest.fixture(autouse=True)
def planner(environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody plans: by default nobody does."""
    environment["THALAMUS_PLANNER"] = "model"
    monkeypatch.setenv("THALAMUS_PLANNER", "model")


@pytest.fixture
def told(run: Run) -> Run:
    assert run("turn", "--user", "ana", "--session", "s", SAID).code == 0
    return run


def test_another_user_of_the_session_is_not_shown_it(told: Run) -> None:
    for other in (["--user", "bob"], []):
        done = told("turn", "--json", *other, "--session", "s", "What is new?")
        assert instructions(done) == []
        assert not (other and "Miso" in done.stdout)  # nobody in particular is told of everyone
    hers = told("turn", "--json", "--user", "ana", "--session", "s", "What is new?")
    assert any("Miso" in query for query in instructions(hers))


def test_two_users_of_a_session_keep_a_plan_each(told: Run) -> None:
    told("turn", "--user", "bob", "--session", "s", "I play the cello in Porto.")
    for user, word in (("ana", "Miso"), ("bob", "Porto")):
        done = told("retrieve", "--user", user, "--session", "s", input=SO)
        assert all(word in query for query in instructions(done)) and instructions(done)


def test_filters_give_a_plan_its_user(run: Run) -> None:
    turn = json.dumps({"record": "turn", "message": SAID, "user": "ana", "session": "s"})
    piped = run("plan", input=turn)
    assert piped.records[0]["plan"]["user"] == "ana"
    bare = turn.replace('"ana"', "null")
    assert run("plan", "--user", "eva", "--session", "s", input=bare).code == 0
    assert [plan["user"] for plan in plans(run)] == ["ana", "eva"]


def test_exports_keep_whose_it_is(told: Run, tmp_path: Path) -> None:
    told("turn", "--user", "bob", "--session", "s", "I play the cello in Porto.")
    assert [plan["user"] for plan in plans(told)] == ["ana", "bob"]
    assert [plan["user"] for plan in plans(told, "--user", "bob")] == ["bob"]
    other = {"THALAMUS_HOME": str(tmp_path / "other")}
    text = told("export").stdout
    assert told("import", input=text, env=other).code == 0
    assert told("export", env=other).stdout == text
    # an export from before plans had a user: the turn says whose it is
    older = {"THALAMUS_HOME": str(tmp_path / "older")}
    lines = [json.loads(line) for line in text.splitlines()]
    bare = [
        {k: v for k, v in line.items() if line["record"] != "plan" or k != "user"} for line in lines
    ]
    given = "".join(json.dumps(line) + "\n" for line in bare if line["record"] != "event")
    assert told("import", input=given, env=older).code == 0
    assert [plan["user"] for plan in plans(told, env=older)] == ["ana", "bob"]


@pytest.mark.sqlite
def test_forgetting_leaves_the_plans_of_others(told: Run) -> None:
    told("turn", "--user", "bob", "--session", "s", "My cat Miso sings.")
    assert told("forget", "--yes", "--user", "ana", "--query", "Miso").code == 0
    assert [plan["user"] for plan in plans(told)] == ["bob"]


def test_the_last_answer_is_the_users_own(told: Run) -> None:
    other = ["--user", "bob", "--session", "s"]
    done = told("why", "--session", "s", env={"THALAMUS_USER": "bob"})
    assert done.code == 4 and "Miso" not in done.stdout
    told("turn", *other, "I play the cello in Porto.")
    shown = told("why", "--session", "s", env={"THALAMUS_USER": "ana"})
    assert "Miso" in shown.stdout and "cello" not in shown.stdout


def test_through_python(thalamus: Thalamus) -> None:
    thalamus.remember([Memory(content="There is a store.")])
    with thalamus.store.writing() as writer:
        for user in ("ana", None):
            writer.put(Plan(id=f"plan_{user}", session="s", user=user, created_at=NOW))
    for user in ("ana", None):
        found = saved_plan(thalamus.store, "s", user)
        assert found is not None and (found.id, found.user) == (f"plan_{user}", user)
    assert saved_plan(thalamus.store, "s", "bob") is None
