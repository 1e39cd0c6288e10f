"""What `thalamus trace --follow` prints of the events of a chat."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from thalamus.api import Thalamus
from thalamus.clock import Clock, parse_time
from thalamus.events import ThalamusEvents
from thalamus.records import Event, Instruction, Turn
from thalamus.records.json_line import to_line
from thalamus.terminal.live_view import LiveView
from thalamus.terminal.printer import Printer

NOW = "2026-05-08T13:56:00Z"


def heard(home: Path, run: Callable[[Thalamus], object], **settings: object) -> list[Event]:
    """The events of an engine as they come over a socket."""
    found: list[bytes] = []
    events = ThalamusEvents(Clock(parse_time(NOW)))
    events.send_to(lambda event: found.append(to_line(event)))
    given = {"model": "scripted", "embedder": "scripted", "home": str(home)} | settings
    with Thalamus(events=events, clock=Clock(parse_time(NOW)), **given) as thalamus:
        run(thalamus)
    return [msgspec.json.decode(line, type=Event) for line in found]


def shown(events: list[Event], capsys: pytest.CaptureFixture[str]) -> str:
    view = LiveView()
    for event in events:
        view.show(event)
    return capsys.readouterr().out


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("FORCE_COLOR", raising=False)


def test_a_turn_from_its_message_to_its_plan(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def talk(thalamus: Thalamus) -> None:
        thalamus.turn("I moved to Lisbon in May.")
        thalamus.new_session("later")
        turn, _ = thalamus.answer_turn("Where do I live?")
        list(thalamus.finish_turns(turn.id))

    text = shown(heard(home, talk, log_prompts=True, planner="model"), capsys)
    assert text.count("session main") == 1 and text.count("session later") == 1
    for part in (
        "you       I moved to Lisbon in May.\n",
        "answer    Noted: You moved to Lisbon in May.\n",
        "memory: I moved to Lisbon in May.\n",
        "fact: user lives_in Lisbon\n",
        "add: user lives_in Lisbon  (new: new)  [fact_",
        "reflect   done in 0 ms",
        "this turn: all: Where do I live?, at most 10\n",
        "left out mem_",
        "another line says it",
        "prompt    answer, scripted\n",
        "system    You are",
        "reply     ",
        "tokens in, ",
        "later     reflect, store, plan\n",
    ):
        assert part in text, f"{part!r} is not in\n{text}"
    assert text.count("left out") == 1


def test_the_tokens_of_a_stage_come_before_its_model(capsys: pytest.CaptureFixture[str]) -> None:
    step = {
        "ms": 1240,
        "tokens_in": 812,
        "tokens_out": 34,
        "model": "llamacpp:/models/of/a/tiny.gguf",
    }
    text = shown([event("thalamus_control_entry", stage="answer", decision=step)], capsys)
    assert "answer    done in 1,240 ms, 812 tokens in, 34 out, tiny.gguf\n" in text


def test_evidence_has_its_score_and_its_reason(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def recall(thalamus: Thalamus) -> None:
        thalamus.turn("I love green olives.")
        thalamus.new_session("later")
        plan = [Instruction(mode="all", query="green olives")]
        thalamus.run_stage("retrieve", Turn(message="Olives?", retrieval_instructions=plan))

    text = shown(heard(home, recall, min_relevance=0.0), capsys)
    assert "2026-05-08  memory" in text or "2026-05-08  fact" in text, text
    assert "this turn: all: green olives, at most 5" in text


def test_an_error_with_its_traceback(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "script.yaml").write_text("[{role: answer, error: failed}]")
    events = heard(home, lambda t: t.turn("Hi."), model=f"scripted:{tmp_path}/script.yaml")
    text = shown(events, capsys)
    assert "error     stage answer: " in text and "Traceback (most recent call last)" in text
    assert "answer    failed\n" in text and "issue     " in text


@pytest.mark.parametrize(("message", "times"), [("How are you?", 1), ("I live in Rome.", 0)])
def test_a_message_that_says_nothing_is_kept_word_for_word(
    home: Path, capsys: pytest.CaptureFixture[str], message: str, times: int
) -> None:
    text = shown(heard(home, lambda t: t.turn(message)), capsys)
    assert text.count("kept word for word") == times


def event(kind: str, /, **data: object) -> Event:
    return Event(name=kind, at=NOW, turn="turn_1", session="main", data=data)


@pytest.mark.parametrize(
    ("found", "line"),
    [
        (event("route", route="world", reason="asks for a date"), "world: asks for a date"),
        (event("tool_call", name="calculate", args={"x": "1+1"}), 'calculate(x="1+1")'),
        (event("tool_result", call={"result": 2, "ms": 3}), "→ 2  (3 ms)"),
        (event("tool_result", call={"error": "no such tool"}), "→ failed: no such tool"),
        (event("thinking", text="Hm."), "thinking  Hm."),
        (event("forgotten", counts={"turn": 2}), 'forgotten {"turn": 2}'),
        (event("events_lost", count=1234), "1,234 events"),
        (event("status_update", stage="plan", status="failed"), "plan      failed"),
        (event("something_new", n=1), 'something {"n": 1}'),
        (event("turn_finished", record={"interrupted": "answer"}), "interrupted in answer"),
    ],
)
def test_other_events(found: Event, line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert line in shown([found], capsys)


@pytest.mark.parametrize("columns", [40, 80])
def test_no_line_is_wider_than_the_terminal_and_none_steers_it(
    columns: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    odd = "日本語の長い文章です。" * 12 + " \x1b[31mred\x07 " + "word " * 40 + "x" * 200
    started = event("turn_started", record={"message": odd})
    text = shown([started, event("error", where="w", error=odd, traceback=odd)], capsys)
    assert "\x1b" not in text and "\x07" not in text and "\\u001b" in text
    for line in text.splitlines()[2:]:
        wide = sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)
        assert wide <= columns, line


def test_two_turns_at_once_are_told_apart(capsys: pytest.CaptureFixture[str]) -> None:
    one, other = event("thinking", text="a"), event("thinking", text="b")
    other.turn = "turn_2"
    text = shown([one, other, one, one], capsys)
    assert text.count("session main  turn_1") == 2 and text.count("session main  turn_2") == 1


def test_what_is_done_behind_the_prompt_is_handed_on_too(home: Path) -> None:
    found: list[str] = []
    with Printer(stream=False, log=None) as printer:
        printer.send_to(lambda event: found.append(event.name))
        settings = {"model": "scripted", "embedder": "scripted", "home": str(home)}
        with Thalamus(events=printer.events, **settings) as thalamus:
            thalamus.answer_turn("I saw a heron by the canal.")
            found.clear()
            with thalamus.sibling(printer.quiet_events()) as behind:
                list(behind.finish_turns())
    assert found.count("thalamus_control_entry") == 3 and "turn_finished" in found
