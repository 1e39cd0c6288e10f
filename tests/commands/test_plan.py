"""A saved plan belongs to a session and its user: nobody is shown what was planned for another."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from tests.conftest import NOW, Result
from thalamus.api import Thalamus
from thalamus.records import Memory, Plan, Turn
from thalamus.store import plans as plan_rows

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
def told(run: Run, thalamus: Thalamus) -> Run:
    thalamus.engine = structs.replace(
        thalamus.engine, config=structs.replace(thalamus.config, planner="model")
    )
    thalamus.turn(Turn(message=SAID, user="ana", session="s"))
    thalamus.close()
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
        planned = instructions(done)
        assert planned and all(word.lower() in query.lower() for query in planned)


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
    other = {"THALAMUS_HOME": str(tmp_path / "other"), "THALAMUS_TENANT": "other"}
    text = told("export").stdout
    assert told("import", input=text, env=other).code == 0
    assert told("export", env=other).stdout == text
    # an export from before plans had a user: the turn says whose it is
    older = {"THALAMUS_HOME": str(tmp_path / "older"), "THALAMUS_TENANT": "older"}
    lines = [json.loads(line) for line in text.splitlines()]
    bare = [
        {k: v for k, v in line.items() if line["record"] != "plan" or k != "user"} for line in lines
    ]
    given = "".join(json.dumps(line) + "\n" for line in bare if line["record"] != "event")
    assert told("import", input=given, env=older).code == 0
    assert [plan["user"] for plan in plans(told, env=older)] == ["ana", "bob"]


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


def verdicts(done: dict[str, Any], stage: str) -> list[str]:
    [detail] = [step["detail"] for step in done["trace"] if step["stage"] == stage]
    return [verdict["rule"] for verdict in detail.get("refused", [])]


def scripted(run: Run, tmp_path: Path, *items: dict[str, Any]) -> dict[str, str]:
    """The environment in which the model plans these instructions."""
    script = tmp_path / "planner.yaml"
    reply = {"retrieval_instructions": list(items)}
    script.write_text(json.dumps([{"role": "plan", "reply": reply}]))
    return {"THALAMUS_MODEL": f"scripted:{script}"}


GOALS = [
    {"record": "memory", "type": "goal", "topic": "Boats", "content": f"Finish the {thing}."}
    for thing in ("hull", "mast", "rudder")
]


@pytest.fixture
def goals(run: Run) -> Run:
    assert run("store", input="".join(json.dumps(goal) + "\n" for goal in GOALS)).code == 0
    return run


def test_a_plan_may_name_what_exists_and_says_what_was_refused(goals: Run, tmp_path: Path) -> None:
    env = scripted(
        goals,
        tmp_path,
        {"mode": "memory", "query": "", "types": ["goal", "holiday"], "limit": 10},
        {"mode": "memory", "query": "tea", "topic": "boats", "limit": 60},
        {"mode": "memory", "query": "tea", "topic": "japan", "scope": "core"},
        {"mode": "facts", "query": "trip Japan spring"},
        {"mode": "facts", "query": " "},
    )
    [done] = goals("turn", "--json", "I like tea.", env=env).records
    plan = done["plan"]["retrieval_instructions"]
    assert plan[0]["query"] == "tea" and plan[0]["mode"] == "all"  # the open subject
    shown = [(i["query"], i["types"], i["topic"], i["scope"], i["limit"]) for i in plan[1:]]
    assert shown == [
        ("", ["goal"], None, None, 10),
        ("tea", [], "Boats", None, 10),
        ("tea japan", [], None, None, 5),
    ]
    assert verdicts(done, "plan") == [
        "unknown_type",
        "limit",
        "unknown_topic",
        "unknown_scope",
        "not_said",
        "empty",
    ]
    told = goals("trace").stdout
    assert "refuse (instruction 1: no memory has the type 'holiday')" in told
    assert "memory: everything, type goal, at most 10" in told


def test_a_filter_without_a_query_lists_what_it_lets_through(goals: Run, tmp_path: Path) -> None:
    env = scripted(goals, tmp_path, {"mode": "memory", "query": "", "types": ["goal"]})
    goals("turn", "I like tea.", env=env)
    [done] = goals("retrieve", input='{"record":"turn","message":"Hello."}').records
    listed = [e["text"] for e in done["evidence"] if e["type"] == "goal"]
    assert sorted(listed) == [goal["content"] for goal in GOALS]


def test_the_model_is_told_what_exists(goals: Run, tmp_path: Path) -> None:
    script = tmp_path / "planner.yaml"
    reply = {"retrieval_instructions": [{"mode": "memory", "query": "tea"}]}
    told = "types: goal, preference\ntopics: Boats.*\nscopes: archival\n"
    script.write_text(json.dumps([{"role": "plan", "match": told, "reply": reply}]))
    [done] = goals(
        "turn", "--json", "I like tea.", env={"THALAMUS_MODEL": f"scripted:{script}"}
    ).records
    assert [i["mode"] for i in done["plan"]["retrieval_instructions"]] == ["all", "memory"]


def test_the_open_subject_outlives_a_message_that_says_nothing(run: Run, tmp_path: Path) -> None:
    env = scripted(run, tmp_path)
    run("turn", "My cat Miso has asthma.", env=env)
    [done] = run("turn", "--json", "And why?", env=env).records
    assert [i["query"] for i in done["plan"]["retrieval_instructions"]] == ["cat miso asthma"]


@pytest.fixture
def cat(run: Run, thalamus: Thalamus, environment: dict[str, str]) -> Run:
    environment["THALAMUS_PLANNER"] = "none"
    environment["THALAMUS_PROFILE_TOKENS"] = "0"  # what stands in the profile is not evidence
    thalamus.turn(Turn(message=SAID, session="s"))
    thalamus.close()
    return run


def turn_with(*items: dict[str, Any]) -> str:
    return json.dumps({"record": "turn", "message": "Hm.", "retrieval_instructions": list(items)})


def test_instructions_on_the_record_are_executed_next_to_the_messages_own(cat: Run) -> None:
    given = {"mode": "facts", "query": "Miso", "limit": 2, "since": "2020"}
    [done] = cat(
        "retrieve", "--session", "t", input=turn_with(given | {"since": "2020-01-01"})
    ).records
    first, own = done["retrieval_instructions"]
    assert first["query"] == "Miso" and first["since"] == "2020-01-01T00:00:00Z"
    assert own == {**own, "mode": "all", "query": "Hm."}
    assert any("the plan's “Miso”" in item["why"] for item in done["evidence"])
    again = cat("retrieve", "--session", "t", input=json.dumps(done)).records[0]
    assert again["retrieval_instructions"] == done["retrieval_instructions"]
    assert again["evidence"] == done["evidence"]


def test_more_instructions_than_are_executed_are_refused_by_name(cat: Run) -> None:
    many = [{"query": f"Miso {n}"} for n in range(7)]
    [done] = cat("retrieve", "--session", "t", input=turn_with(*many)).records
    assert len(done["retrieval_instructions"]) == 6
    assert verdicts(done, "retrieve") == ["too_many", "too_many"]


BAD: list[tuple[dict[str, Any], str]] = [
    ({"query": "Miso", "until": "soon"}, "`retrieval_instructions[0].until`: 'soon' is not a"),
    ({"query": ""}, "`retrieval_instructions[0].query`: is empty, and no types"),
    ({"query": "Miso", "mode": "mind"}, "`retrieval_instructions[0].mode`: must be all"),
    ({"query": "Miso", "limit": 0}, "`retrieval_instructions[0].limit`"),
]


def test_a_bad_instruction_is_named(cat: Run) -> None:
    for item, problem in BAD:
        plan = {"record": "plan", "retrieval_instructions": [item]}
        turn = {"record": "turn", "message": "Hm.", "plan": plan}
        for command, given, named in (
            ("retrieve", turn_with(item), problem),
            ("store", json.dumps(plan), problem),
            ("store", json.dumps(turn), f"`plan.{problem[1:]}"),
        ):
            done = cat(command, input=given)
            assert (done.code, named in done.stderr) == (3, True), (command, done.stderr)


def test_store_takes_plans(cat: Run) -> None:
    plan = {"record": "plan", "session": "s", "retrieval_instructions": [{"query": "Miso"}]}
    [stored] = cat("store", input=json.dumps(plan)).records
    assert stored["id"].startswith("plan_") and stored["created_at"] == NOW
    assert instructions(cat("retrieve", "--session", "s", input=SO)) == ["Miso"]
    other = json.dumps({**stored, "session": "t"})
    done = cat("store", input=other)
    assert done.code == 3 and "a plan with another `session`" in done.stderr
    too_many = {**plan, "retrieval_instructions": [{"query": "Miso"}] * 6}
    done = cat("store", input=json.dumps(too_many))
    assert done.code == 3 and "holds 6 instructions, and at most 5" in done.stderr


def test_plans_compose_in_a_pipe(cat: Run, environment: dict[str, str]) -> None:
    environment["THALAMUS_PLANNER"] = "model"
    piped = cat("turn", "--json", "--session", "s", "I play the cello in Porto.").stdout
    for stage in ("plan", "store", "retrieve"):
        done = cat(stage, input=piped)
        assert done.code == 0, done.stderr
        piped = done.stdout
    turn = done.records[0]
    planned = turn["plan"]["retrieval_instructions"]
    assert planned and all(item in turn["retrieval_instructions"] for item in planned)
    assert len(plans(cat)) == 1


def test_a_plan_of_another_store_is_saved_with_its_turn(
    cat: Run, tmp_path: Path, environment: dict[str, str]
) -> None:
    environment["THALAMUS_PLANNER"] = "model"
    there = {"THALAMUS_HOME": str(tmp_path / "there"), "THALAMUS_TENANT": "there"}
    done = cat("turn", "--json", "--session", "s", "I play the cello in Porto.", env=there)
    assert cat("store", input=done.stdout).code == 0
    [saved] = plans(cat)
    assert saved["turn"] == done.records[0]["id"]
    names = [e["name"] for e in cat("trace", "--json").records if e["data"].get("stage") == "plan"]
    assert names == ["stage"]


def test_the_entry_of_a_plan_is_in_the_ledger_once(cat: Run, environment: dict[str, str]) -> None:
    environment["THALAMUS_PLANNER"] = "model"
    piped = '{"record":"turn","message":"I play the cello."}'
    for stage in ("answer", "plan", "store"):
        piped = cat(stage, input=piped).stdout
    stages = [event["data"].get("stage") for event in cat("trace", "--json").records]
    assert stages.count("plan") == 1


def test_through_python(thalamus: Thalamus) -> None:
    thalamus.remember([Memory(content="There is a store.")])
    with thalamus.database.writing() as writer:
        for user in ("ana", None):
            writer.put(Plan(id=f"plan_{user}", session="s", user=user, created_at=NOW))
    for user in ("ana", None):
        found = plan_rows.last(thalamus.database, "s", user)
        assert found is not None and (found.id, found.user) == (f"plan_{user}", user)
    assert plan_rows.last(thalamus.database, "s", "bob") is None
