"""Events: objects with ids and full content, from which the callbacks and the lines are made."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Result
from thalamus import Thalamus, ThalamusEvents
from thalamus.events import (
    ChatMessage,
    ErrorReported,
    LedgerEntry,
    SessionEnded,
    SessionStarted,
    StageFailed,
    StageFinished,
    StageStarted,
    ThalamusEvent,
    Token,
    TurnFinished,
    TurnStarted,
)
from thalamus.records import Turn

Run = Callable[..., Result]
STAGES = ("retrieve", "answer", "reflect", "store", "plan")


class Listener(ThalamusEvents):
    """Keeps everything that happens."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[ThalamusEvent] = []

    def on_event(self, event: ThalamusEvent) -> None:
        self.heard.append(event)


def listen(home: Path, model: str = "scripted") -> tuple[Thalamus, list[ThalamusEvent]]:
    listener = Listener()
    engine = Thalamus(home=str(home), model=model, embedder="scripted", events=listener)
    return engine, listener.heard


def test_a_turn_is_heard_from_its_beginning_to_its_end(home: Path) -> None:
    thalamus, heard = listen(home)
    with thalamus:
        turn = thalamus.turn("I moved to Lisbon in May.")
    kinds = [type(event) for event in heard]
    assert kinds[:3] == [SessionStarted, TurnStarted, StageStarted]
    assert kinds[-2:] == [TurnFinished, SessionEnded]
    assert kinds.count(StageStarted) == kinds.count(StageFinished) == kinds.count(LedgerEntry) == 5
    assert {event.session for event in heard} == {"main"}
    assert {event.turn for event in heard[1:-1]} == {turn.id}  # the first of its events, too
    begun, done = heard[1], heard[-2]
    assert isinstance(begun, TurnStarted) and isinstance(done, TurnFinished)
    assert begun.record.message == "I moved to Lisbon in May." and begun.record.answer is None
    assert begun.stages == STAGES
    assert done.record == turn and done.left == ()
    stages = [event for event in heard if isinstance(event, StageFinished)]
    assert [event.stage for event in stages] == list(STAGES)
    assert stages[1].record.answer == turn.answer and stages[1].record.reflection is None
    entries = [event.entry for event in heard if isinstance(event, LedgerEntry)]
    assert entries == turn.trace
    said = [event for event in heard if isinstance(event, ChatMessage)]
    assert [(event.role, event.content) for event in said] == [
        ("user", turn.message),
        ("assistant", turn.answer),
    ]
    text = "".join(event.text for event in heard if isinstance(event, Token))
    assert text == turn.answer  # listening to events is listening to tokens


@pytest.mark.parametrize("flow", ["answer", "answer,store", "reflect,store"])
def test_a_turn_that_recalls_nothing_has_an_id_from_the_beginning(home: Path, flow: str) -> None:
    thalamus, heard = listen(home)
    with thalamus:
        turn = thalamus.turn("I moved to Lisbon in May.", flow=flow)
    assert turn.id and {event.turn for event in heard[1:-1]} == {turn.id}


def test_a_stage_that_fails(home: Path, tmp_path: Path) -> None:
    (tmp_path / "script.yaml").write_text("[{role: answer, error: failed}]")
    thalamus, heard = listen(home, f"scripted:{tmp_path}/script.yaml")
    with thalamus:
        turn = thalamus.turn("Hello.")
    [failed] = [event for event in heard if isinstance(event, StageFailed)]
    [error] = [event for event in heard if isinstance(event, ErrorReported)]
    assert failed.stage == "answer" and failed.error is error.error
    assert error.where == "stage answer" and "Traceback" in error.traceback
    assert failed.turn == error.turn == turn.id


def test_what_is_left_for_later_starts_and_finishes_once_more(home: Path) -> None:
    thalamus, heard = listen(home)
    with thalamus:
        turn, _ = thalamus.answer_turn("I moved to Lisbon in May. The rain never ends.")
        [done] = [event for event in heard if isinstance(event, TurnFinished)]
        assert done.left == ("reflect", "store", "plan")
        heard.clear()
        [finished] = thalamus.finish_turns()
        assert isinstance(heard[0], TurnStarted) and heard[0].stages == done.left
        last = heard[-1]
    assert isinstance(last, TurnFinished) and last.record == finished.result
    assert {event.turn for event in heard[:-1]} == {turn.id}


def test_a_stage_without_a_ledger_entry_repeats_none(home: Path) -> None:
    thalamus, heard = listen(home)
    with thalamus:
        turn = thalamus.turn("Hello.")
        heard.clear()
        thalamus.run_stage("store", turn)  # it is stored already
    assert not any(isinstance(event, LedgerEntry) for event in heard)


def test_an_event_cannot_be_changed(home: Path) -> None:
    event = TurnStarted(turn="t", session="s", record=Turn(message="Hello."), stages=("answer",))
    with pytest.raises(AttributeError, match="immutable"):
        event.turn = "another"  # type: ignore[misc]


def test_binding_and_a_listener_that_raises(home: Path) -> None:
    events = ThalamusEvents()
    told: list[str] = []

    def fail(event: ThalamusEvent) -> None:
        if isinstance(event, TurnStarted):
            raise RuntimeError("the window is gone")

    events.bind("on_event", fail)
    events.bind("on_error", lambda where, error, trace: told.append(f"{where}: {error}"))
    settings = {"home": str(home), "model": "scripted", "embedder": "scripted"}
    with Thalamus(events=events, **settings) as thalamus:
        assert thalamus.turn("I moved to Lisbon.").issues == []
    assert told == ["callback on_event: the window is gone"]
    with pytest.raises(ValueError, match="choose on_event, on_turn_started, on_turn_finished"):
        events.bind("on_anything", fail)


def test_the_lines_keep_their_form(run: Run, tmp_path: Path) -> None:
    (tmp_path / "script.yaml").write_text("[{role: answer, error: failed}]")
    model = ("--model", f"scripted:{tmp_path}/script.yaml")
    run("turn", *model, "--events", "e.jsonl", "I am Bo.")
    run("turn", "--events", "e.jsonl", "I am Bo.")
    lines = [json.loads(line) for line in (tmp_path / "e.jsonl").read_text().splitlines()]
    fields = {line["name"]: set(line["data"]) for line in lines}
    assert fields == {
        "session_started": {"session"},
        "session_ended": {"session"},
        "turn_started": {"record", "stages"},
        "turn_finished": {"record", "left"},
        "status_update": {"stage", "status", "detail"},
        "thalamus_control_entry": {"stage", "decision"},
        "chat_message": {"role", "content"},
        "error": {"where", "error", "traceback"},
    }
    assert all(line["session"] == "main" for line in lines)
    assert all(line["turn"] for line in lines if not line["name"].startswith("session"))
    [error] = [line["data"] for line in lines if line["name"] == "error"]
    assert error["error"].startswith("ModelFailed: ")
    updates = [line["data"] for line in lines if line["name"] == "status_update"]
    [failed] = [update for update in updates if update["status"] == "failed"]
    assert failed == {"stage": "answer", "status": "failed", "detail": {"error": error["error"]}}
    details = {one["stage"]: one["detail"] for one in updates if one["status"] == "finished"}
    decisions = {
        line["data"]["stage"]: line["data"]["decision"]["detail"]
        for line in lines
        if line["name"] == "thalamus_control_entry"
    }
    assert details == decisions and details["retrieve"] == {"instructions": 1}


def test_the_file_has_turns_and_what_stages_decided(run: Run, tmp_path: Path) -> None:
    log = tmp_path / "events.jsonl"
    run("turn", "My cat Miso has asthma.")
    done = run("turn", "--json", "--events", str(log), "How is my cat Miso?")
    [turn] = done.records
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    begun = [line for line in lines if line["name"] == "turn_started"]
    ended = [line for line in lines if line["name"] == "turn_finished"]
    assert begun[0]["data"]["record"]["message"] == turn["message"]
    assert ended[0]["data"]["record"] == turn and ended[0]["turn"] == turn["id"]
    entries = {
        line["data"]["stage"]: line["data"]["decision"]["content"]
        for line in lines
        if line["name"] == "thalamus_control_entry"
    }
    assert entries["retrieve"]["evidence"] == turn["evidence"]
    assert entries["retrieve"]["evidence"][0]["score"] > 0
    assert entries["retrieve"]["retrieval_instructions"] == turn["retrieval_instructions"]
    assert entries["answer"]["answer"] == turn["answer"]
    assert entries["plan"]["plan"]["record"] == "plan"
    assert "reflection" in entries["reflect"]
    assert not any(line["name"] == "model_call" for line in lines)


def test_callbacks_of_a_turn(home: Path) -> None:
    heard: list[object] = []
    events = ThalamusEvents()
    events.bind("on_turn_started", lambda record, stages: heard.append((record.message, stages)))
    events.bind("on_turn_finished", lambda record, left: heard.append((record.answer, left)))
    events.bind("on_thalamus_control_entry", lambda stage, data: heard.append(data["content"]))
    with Thalamus(home=str(home), model="scripted", embedder="scripted", events=events) as engine:
        turn = engine.turn("I live in Rome.", flow="answer,reflect,store")
    assert heard[0] == (turn.message, ("answer", "reflect", "store"))
    assert heard[-1] == (turn.answer, ())
    stored = heard[-2]
    assert isinstance(stored, dict) and stored["stored"][0]["content"] == turn.stored[0].content


def test_prompts_are_logged_when_asked_for(run: Run, tmp_path: Path) -> None:
    log, events = tmp_path / "log", tmp_path / "events"
    env = {"THALAMUS_LOG_LEVEL": "debug", "THALAMUS_LOG_FILE": str(log)}
    arguments = ("turn", "--events", str(events), "Write a poem about beetles.")
    run(*arguments, env=env)
    assert "beetles" not in log.read_text()
    run(*arguments, env=env | {"THALAMUS_LOG_PROMPTS": "true"})
    assert "scripted was asked (answer)" in log.read_text() and "beetles" in log.read_text()
    calls = [json.loads(line) for line in events.read_text().splitlines()]
    [call] = [line["data"] for line in calls if line["name"] == "model_call"]
    assert call["role"] == "answer" and call["messages"][-1][0] == "user"
    assert "beetles" in call["messages"][-1][1] and call["reply"]


def test_what_is_personal_is_not_logged(run: Run, tmp_path: Path) -> None:
    log = tmp_path / "log"
    env = {"THALAMUS_LOG_LEVEL": "debug", "THALAMUS_LOG_FILE": str(log)}
    env["THALAMUS_LOG_PROMPTS"] = "true"
    run("turn", "My card number is 4111 1111 1111 1111.", env=env)
    run("turn", "What is my card number?", env=env)
    assert "(personal: not logged)" in log.read_text() and "4111 1111" not in log.read_text()


def test_foreseen_errors_have_a_traceback_at_level_debug(run: Run, tmp_path: Path) -> None:
    down = {"THALAMUS_MODEL": "ollama:tea", "THALAMUS_OLLAMA_HOST": "http://127.0.0.1:9"}
    for env, expected in ((down, 12), ({"THALAMUS_HOME": str(tmp_path / "none")}, 10)):
        arguments = ("turn", "Hi.") if env is down else ("why",)
        plain = run(*arguments, env=env)
        assert plain.code == expected and "Traceback" not in plain.stderr
        shown = run(*arguments, env=env | {"THALAMUS_LOG_LEVEL": "debug"})
        assert shown.code == expected and "Traceback (most recent call last)" in shown.stderr
