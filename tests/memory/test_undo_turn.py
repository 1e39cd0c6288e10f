"""A turn is taken back with all that was stored because of it, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from msgspec import structs

from tests.conftest import Result
from thalamus import Thalamus
from thalamus.errors import NothingFound
from thalamus.memory.undo.undo import Undone
from thalamus.records import Memory
from thalamus.store import ledger
from thalamus.transfer.export import export_lines

BEFORE = [
    "I moved to Lisbon in May. I planted a fig there.",
    "I like green tea. My cat Miso has asthma.",
]
UNSEEN = ("beliefs", "notes")  # what is said of a fact when: here all is said at one time


def state(thalamus: Thalamus) -> list[Any]:
    """Everything that the store holds but the ledger."""
    found = []
    for line in export_lines(thalamus.database):
        record = json.loads(line)
        if record["record"] in ("event", "link"):
            continue
        found.append({name: value for name, value in record.items() if name not in UNSEEN})
    return sorted(found, key=lambda record: (record["record"], str(record.get("id"))))


def undo_last(thalamus: Thalamus) -> Undone:
    """Undoes the last turn of the session."""
    turn = thalamus.sessions.last_turn()
    assert turn is not None
    return thalamus.undo(turn)


def links(thalamus: Thalamus) -> set[str]:
    return {line.decode() for line in export_lines(thalamus.database) if b'"record":"link"' in line}


def facts(thalamus: Thalamus) -> set[tuple[str | None, ...]]:
    return {(f.id, f.subject, f.predicate, f.object, f.valid_to) for f in thalamus.facts.find()}


def test_all_is_as_before(thalamus: Thalamus) -> None:
    for said in BEFORE:
        thalamus.turn(said)
    for message in (
        "I moved to Porto yesterday.",  # another place takes its place
        "I no longer live in Lisbon.",
        "I moved to Lisbon in May.",  # it is said again
        "No, I never lived in Lisbon.",
        "Actually, I moved to Porto, not to Lisbon.",
        "I don't like green tea.",
        "What do I like?",
        "My name is Ana. My sister is called Rita.",
    ):
        before, linked, known = state(thalamus), links(thalamus), facts(thalamus)
        turn = thalamus.turn(message)
        undone = undo_last(thalamus)
        assert undone.verdicts[0].id == turn.id and undone.verdicts[0].decision == "drop"
        # the plan that the turn took the place of is gone
        assert [r for r in state(thalamus) if r["record"] != "plan"] == [
            r for r in before if r["record"] != "plan"
        ], message
        assert links(thalamus) == linked, message
        assert facts(thalamus) == known, message
        with pytest.raises(NothingFound):
            thalamus.undo(turn.id)


def test_what_was_believed_is_as_if_it_had_not_been_said(thalamus: Thalamus) -> None:
    thalamus.turn(BEFORE[0])
    before = thalamus.facts.find(history=True)
    for day, said in ((9, "I moved to Porto yesterday."), (11, None)):
        thalamus.clock.fixed = datetime(2026, 5, day, 12, tzinfo=UTC)
        if said is None:
            assert "Lisbon" not in [f.object for f in thalamus.facts.find(predicate="lives_in")]
            undo_last(thalamus)
        else:
            thalamus.turn(said)
    assert [fact.beliefs for fact in thalamus.facts.find(history=True)] == [
        f.beliefs for f in before
    ]
    [home] = thalamus.facts.find(predicate="lives_in", known_at="2026-05-10T00:00:00Z")
    assert home.object == "Lisbon"


def test_what_was_believed_of_a_fact_that_changed_again_is_kept(thalamus: Thalamus) -> None:
    thalamus.turn(BEFORE[0])
    turns = []
    for day, said in ((9, "I moved to Porto yesterday."), (10, "I moved to Faro yesterday.")):
        thalamus.clock.fixed = datetime(2026, 5, day, 12, tzinfo=UTC)
        turns.append(thalamus.turn(said))
    thalamus.clock.fixed = datetime(2026, 5, 11, 12, tzinfo=UTC)
    thalamus.undo(turns[0].id)
    assert [fact.object for fact in thalamus.facts.find(predicate="lives_in")] == ["Faro"]
    [home] = thalamus.facts.find(predicate="lives_in", as_of="2026-05-08T18:00:00Z")
    assert home.object == "Lisbon"


def test_the_plan_before_is_there_again(thalamus: Thalamus) -> None:
    with thalamus.sibling(config=structs.replace(thalamus.config, planner="model")) as planned:
        planned.turn(BEFORE[0])
        before = planned.sessions.plan()
        assert before is not None and before.retrieval_instructions
        planned.turn(BEFORE[1])
        assert planned.sessions.plan() != before
        undo_last(planned)
        assert planned.sessions.plan() == before
        undo_last(planned)
        assert planned.sessions.plan() is None


def test_a_mark_that_the_turn_took_away_is_there_again(thalamus: Thalamus) -> None:
    right = Memory(id="mem_right", content="The user likes black tea.")
    old = Memory(id="mem_old", content="I love green tea.", stale="corrected [mem_right]")
    thalamus.remember([right, old])
    before = thalamus.store.get("mem_old")
    thalamus.turn("I love green tea.")
    again = thalamus.store.get("mem_old")
    assert isinstance(again, Memory) and again.stale is None and again.seen == 2
    undo_last(thalamus)
    assert thalamus.store.get("mem_old") == before


def test_what_was_said_again_since_stays_so(thalamus: Thalamus) -> None:
    turns = []
    for session in ("one", "two", "three"):
        thalamus.new_session(session)
        turns.append(thalamus.turn("I love green tea."))
    [memory] = thalamus.memories.find()
    assert memory.seen == 3
    thalamus.undo(turns[1].id)
    [left] = thalamus.memories.find()
    assert (left.seen, left.seen_at) == (memory.seen - 1, memory.seen_at)


def test_what_held_before_is_said_to_hold_again(thalamus: Thalamus) -> None:
    thalamus.turn(BEFORE[0])
    thalamus.turn("I moved to Porto yesterday.")
    undone = {(v.decision, v.content) for v in undo_last(thalamus).verdicts}
    assert {("drop", "user lives_in Porto"), ("restore", "user lives_in Lisbon")} <= undone
    assert [event.name for event in ledger.entries(thalamus.database)][-1] == "undone"
    answer = thalamus.turn("Where do I live?").answer
    assert answer is not None and "Lisbon" in answer and "Porto" not in answer


def test_the_world_is_as_before(thalamus: Thalamus) -> None:
    thalamus.turn("My project is the herb garden.", flow="routed")
    before = thalamus.projects.world()
    thalamus.turn("My project is the balcony.", flow="routed")
    assert thalamus.projects.world().project == "balcony"
    undo_last(thalamus)
    after = thalamus.projects.world()
    assert (after.project, after.topics) == (before.project, before.topics)
    assert len(thalamus.projects.history()) == 1
    undo_last(thalamus)
    assert thalamus.projects.world().project is None and thalamus.projects.find() == []


def test_a_turn_that_waits_to_be_finished_is_not(thalamus: Thalamus) -> None:
    turn, left = thalamus.answer_turn(BEFORE[0])
    assert left
    undo_last(thalamus)
    assert thalamus.unfinished_turns() == []
    assert list(thalamus.finish_turns()) == [] and thalamus.facts.find() == []
    assert thalamus.store.get(turn.id or "") is None


def test_an_older_turn_and_only_it(thalamus: Thalamus) -> None:
    first = thalamus.turn("I moved to Lisbon in May.")
    thalamus.turn("I moved to Porto yesterday.")
    thalamus.undo(first.id)
    assert [fact.object for fact in thalamus.facts.find("user", predicate="lives_in")] == ["Porto"]
    assert len(thalamus.sessions.turns(thalamus.session)) == 1


def test_the_command(run: Callable[..., Result]) -> None:
    run("turn", "I moved to Lisbon in May.")
    [turn] = run("turn", "--json", "I moved to Porto yesterday.").records
    shown = run("undo", turn["id"][:-2]).stdout.splitlines()
    assert shown[0] == "undone: “I moved to Porto yesterday.”"
    assert shown[1].startswith("deleted with it: 1 fact, ") and "user lives_in Lisbon" in shown[2]
    assert run("undo", "--turn", turn["id"]).code == 4
    assert "Lisbon  (since" in run("facts").stdout and "Porto" not in run("facts").stdout
    assert run("undo", "--turn", turn["id"], "--list").code == 2
    went = run("undo", "--turn", "last", "--json").records
    assert (went[0]["decision"], went[0]["reason"]) == ("drop", "turn")
    assert went[0]["content"] == "I moved to Lisbon in May."
    assert run("facts", "--json").records == []


def test_another_users_turn_is_left_alone(thalamus: Thalamus, home: Any) -> None:
    settings = {"home": str(home), "model": "scripted", "embedder": "scripted"}
    with Thalamus(user="ana", clock=thalamus.clock, **settings) as ana:
        turn = ana.turn(BEFORE[1])
    with Thalamus(user="bob", **settings) as bob, pytest.raises(NothingFound):
        bob.undo(turn.id)
