"""Models that are down, talk nonsense or break JSON: the turn is never lost."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Result
from thalamus import Thalamus, ThalamusEvents
from thalamus.records import Turn

Run = Callable[..., Result]


@pytest.fixture
def play(run: Run, tmp_path: Path) -> Callable[..., Result]:
    """Runs a command with a scripted model that plays ``script`` (YAML)."""

    def played(script: str, *arguments: str, input: str = "") -> Result:
        (tmp_path / "script.yaml").write_text(script)
        return run(*arguments, "--model", f"scripted:{tmp_path}/script.yaml", input=input)

    return played


def test_a_model_that_is_down_loses_nothing(play: Callable[..., Result], run: Run) -> None:
    done = play("[{error: unreachable}]", "turn", "--json", "I moved to Lisbon.")
    assert done.code == 12
    record = done.records[0]
    assert record["answer"] is None
    assert [issue["code"] for issue in record["issues"]] == ["model_unreachable"]  # asked once
    assert done.stderr.count("Cannot reach") == 1
    assert "Lisbon" in run("export").stdout  # the message is kept, verbatim


def test_a_missing_model_says_what_to_type(run: Run) -> None:
    done = run("turn", "hi", "--model", "llamacpp:/nowhere/at/all.gguf")
    assert done.code == 13
    assert "/nowhere/at/all.gguf" in done.stderr


def test_an_unknown_model_is_a_usage_error_and_nothing_is_stored(run: Run) -> None:
    done = run("turn", "hi", "--model", "gpt9")
    assert done.code == 2
    assert "ollama:NAME" in done.stderr
    assert run("turn", "hi").code == 0
    assert len([r for r in run("export").records if r["record"] == "turn"]) == 1


def test_a_message_that_is_not_utf_8_is_refused(environment: dict[str, str]) -> None:
    command = [sys.executable, "-m", "thalamus", "turn"]
    latin = "café is nice\n".encode("latin-1")
    done = subprocess.run(command, input=latin, env=environment, capture_output=True)
    assert done.returncode == 3 and b"Line 1: not UTF-8 (byte 4)" in done.stderr, done.stderr


def test_a_filter_hands_the_record_on_when_its_model_fails(play: Callable[..., Result]) -> None:
    record = json.dumps({"record": "turn", "message": "I love figs."})
    done = play("[{role: reflect, error: failed}]", "reflect", input=record)
    assert done.code == 1
    assert done.records[0]["message"] == "I love figs."
    assert done.records[0]["issues"][0]["stage"] == "reflect"
    kept = done.records[0]["reflection"]["memories_to_store"]  # found without the model
    assert [memory["content"] for memory in kept] == ["I love figs."]


NONSENSE = "[{role: reflect, reply: 'I think it is nice.'}]"


def test_nonsense_is_asked_for_once_more_and_then_left(
    play: Callable[..., Result], run: Run
) -> None:
    done = play(NONSENSE, "turn", "--json", "I planted a fig.")
    record = done.records[0]
    assert done.code == 0  # the answer is there; only reflection had to be left out
    assert record["answer"]
    assert [issue["code"] for issue in record["issues"]] == ["unusable_reply"]
    step = next(step for step in record["trace"] if step["stage"] == "reflect")
    assert step["detail"]["unusable_replies"] == ["I think it is nice."] * 2
    assert "I think it is nice." in run("trace", "--json").stdout  # the raw text is in the ledger


@pytest.mark.parametrize("reply", ["{not JSON", '["nothing"]', '{"memories_to_store": ["fig"]}'])
def test_a_list_without_anything_usable_is_not_nothing(
    play: Callable[..., Result], reply: str
) -> None:
    script = json.dumps([{"role": "reflect", "reply": reply}])
    record = play(script, "turn", "--json", "I live in Cork.").records[0]
    assert [issue["code"] for issue in record["issues"]] == ["unusable_reply"]
    facts = record["reflection"]["facts"]  # found without the model
    assert [(fact["predicate"], fact["object"]) for fact in facts] == [("lives_in", "Cork")]


def test_the_second_try_is_used(play: Callable[..., Result]) -> None:
    script = """
- {role: reflect, reply: '{"nothing": 7}', times: 1}
- role: reflect
  reply:
    memories_to_store:
      - {quote: I moved to Lisbon, content: The user moved to Lisbon., type: event}
"""
    record = play(script, "turn", "--json", "I moved to Lisbon.").records[0]
    assert record["issues"] == []
    kept = record["reflection"]["memories_to_store"]
    assert [memory["content"] for memory in kept] == ["The user moved to Lisbon."]


@pytest.mark.parametrize(
    ("message", "content", "rules", "own"),
    [
        ("I planted figs in Porto.", "The user has three children.", ["doubted"], False),
        ("I planted figs in Porto.", "The user planted figs with Maria.", ["invented"], True),
        ("I planted figs in Porto.", "The user planted figs in 2019.", ["invented"], True),
        ("I never planted figs.", "The user planted figs.", [], True),
        ("My sister planted a lemon.", "The user planted a lemon.", [], True),
    ],
)
def test_what_a_model_makes_up_is_not_kept(
    play: Callable[..., Result], message: str, content: str, rules: list[str], own: bool
) -> None:
    """What it puts wrongly is kept in the user's own words."""
    reply = {"memories_to_store": [{"quote": message, "content": content}], "facts": []}
    script = json.dumps([{"role": "reflect", "reply": reply}])
    reflection = play(script, "turn", "--json", message).records[0]["reflection"]
    kept = [memory["content"].strip(".") for memory in reflection["memories_to_store"]]
    assert kept == ([message.strip(".")] if own else [])
    assert [refused["rule"] for refused in reflection["refused"]] == rules


@pytest.mark.parametrize("message", ["Hello there!", "Ok, thanks!"])
def test_a_model_is_not_asked_about_a_message_that_says_nothing(
    play: Callable[..., Result], message: str
) -> None:
    record = play("[{role: reflect, error: failed}]", "turn", "--json", message).records[0]
    assert record["issues"] == []
    assert record["reflection"]["memories_to_store"] == []


def test_what_only_the_assistant_said_is_no_news(play: Callable[..., Result], run: Run) -> None:
    run("store", input='{"record":"memory","content":"The user keeps bees in Porto."}')
    answer = "You keep bees in Porto and goats in Faro!"
    made = {"quote": "You keep bees in Porto", "content": "The user has bees in Porto."}
    fact = {"quote": answer, "subject": "user", "predicate": "owns", "object": "goats"}
    reply = {"memories_to_store": [made], "facts": [fact]}
    script = [{"role": "reflect", "reply": reply}, {"role": "answer", "reply": answer}]
    said = "I looked after the bees again."
    record = play(json.dumps(script), "turn", "--json", said).records[0]
    assert record["answer"] == answer
    assert record["reflection"]["memories_to_store"] == record["reflection"]["facts"] == []
    assert [refused["rule"] for refused in record["reflection"]["refused"]] == ["no_quote"] * 2
    assert len(run("memory", "--status", "all", "--json").records) == 1


def test_a_failing_embedder_leaves_full_text(run: Run) -> None:
    memory = '{"record":"memory","content":"The heron nests by the mill."}'
    stored = run("store", input=memory)
    assert stored.code == 0
    down = {"THALAMUS_EMBEDDER": "ollama:nomic-embed-text", "OLLAMA_HOST": "127.0.0.1:9"}
    without = run("store", input='{"record":"memory","content":"Herons fish."}', env=down)
    assert without.code == 0
    assert "stored without embeddings" in without.stderr
    found = run("retrieve", "--json", "Where does the heron nest?", env=down)
    assert found.code == 0
    assert "mill" in found.records[0]["text"]


def test_a_turn_with_a_failing_embedder_carries_the_issue(run: Run) -> None:
    run("turn", "I moved to Lisbon.")
    down = {"THALAMUS_EMBEDDER": "llamacpp:/nowhere.gguf"}
    record = run("turn", "--json", "Where do I live?", env=down).records[0]
    assert "Lisbon" in record["answer"]
    assert {issue["code"] for issue in record["issues"]} == {"not_embedded", "model_missing"}


def test_after_a_change_of_embedder_words_serve_and_it_is_said(run: Run) -> None:
    run("turn", "I moved to Lisbon in May.")
    other = {"THALAMUS_EMBEDDER": "wordllama"}
    asked = run("retrieve", "--json", "Lisbon", env=other)
    assert "vector" not in asked.records[0]["scores"]
    assert "reindex --embed" in asked.stderr
    assert run("store", "reindex", "--embed", env=other).code == 0
    again = run("retrieve", "--json", "Lisbon", env=other)
    assert again.records[0]["scores"].keys() >= {"fulltext", "vector"}
    assert again.stderr == ""


class Clumsy(ThalamusEvents):
    """A user interface with a mistake in it."""

    def on_chat_message(self, role: str, content: str) -> None:
        raise RuntimeError("the window is gone")


def test_a_callback_that_raises_never_stops_a_turn(home: Path) -> None:
    events = Clumsy()
    told: list[str] = []
    events.bind("on_error", lambda where, error, trace: told.append(f"{where}: {error}"))
    settings = {"home": str(home), "model": "scripted", "embedder": "scripted"}
    with Thalamus(events=events, **settings) as thalamus:
        turn = thalamus.turn("I moved to Lisbon.")
    assert turn.answer
    assert turn.issues == []
    assert told == ["callback on_chat_message: the window is gone"] * 2


def test_the_session_and_its_events(home: Path) -> None:
    events = ThalamusEvents()
    told: list[tuple[str, str]] = []
    events.bind("on_session_started", lambda name: told.append(("started", name)))
    events.bind("on_session_ended", lambda name: told.append(("ended", name)))
    settings = {"home": str(home), "model": "scripted", "embedder": "scripted"}
    with Thalamus(events=events, session="one", **settings) as thalamus:
        thalamus.turn("I moved to Lisbon.")
        second = thalamus.new_session()
        assert second != "one"
        turn = thalamus.turn(Turn(message="Where do I live?"))
        assert turn.session == second
        assert "Lisbon" in (turn.answer or "")
    assert told == [("started", "one"), ("ended", "one"), ("started", second), ("ended", second)]


def test_a_store_on_postgresql_without_its_driver(environment: dict[str, str]) -> None:
    code = (
        "import sys; sys.modules['psycopg'] = None; from thalamus.cli import main; main(['memory'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env=environment | {"THALAMUS_STORE": "postgresql:///memory"},
    )
    assert (done.returncode, "[postgres]" in done.stderr) == (2, True)
