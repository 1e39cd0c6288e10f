"""What goes on behind the prompt of a chat, and what becomes of it when the chat ends."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Result
from tests.terminal.test_repl import PROMPT, Terminal

Run = Callable[..., Result]
Slow = Callable[..., Terminal]
MOVED = "I moved to Lisbon in May. I planted a fig there."
LIVES = "user lives_in Lisbon"
LIKED = [f"I like {thing}" for thing in ("green tea", "figs", "plums")]
# of all messages the same is proposed, of which what was not said is refused
KEPT = json.dumps(
    {
        "memories_to_store": [
            {"quote": said, "content": f"The user likes{said[6:]}.", "type": "preference"}
            for said in LIKED
        ],
        "facts": [
            {"quote": said, "subject": "user", "predicate": predicate, "object": thing}
            for said, predicate, thing in (
                ("I moved to Lisbon in May", "lives_in", "Lisbon"),
                (LIKED[0], "likes", "green tea"),
            )
        ],
    }
)


@pytest.fixture
def slow(environment: dict[str, str], tmp_path: Path) -> Slow:
    """A chat with a model that follows a script, ready for its first message."""

    def start(script: str, *arguments: str) -> Terminal:
        file = tmp_path / "script.yaml"
        file.write_text(script)
        environment["THALAMUS_PLANNER"] = "model"
        chat = Terminal(environment, "--model", f"scripted:{file}", *arguments)
        chat.expect(f"/help.*{PROMPT}")
        return chat

    return start


@pytest.fixture
def gate(tmp_path: Path) -> Path:
    """A file that scripts wait for."""
    return tmp_path / "gate"


def waiting(run: Run) -> int:
    """How many turns are still to be reflected upon, as doctor tells it."""
    for line in run("doctor", "--no-model").stdout.splitlines():
        if "reflection:" in line:
            return int(line.partition("reflection: ")[2].split()[0])
    return 0


def records(run: Run, kind: str) -> list[dict[str, Any]]:
    return [record for record in run("export").records if record["record"] == kind]


def test_the_prompt_is_back_before_the_reflection_is_done(slow: Slow, run: Run, gate: Path) -> None:
    chat = slow(f"- {{role: reflect, until: {gate}, reply: {KEPT}}}")
    chat.say(MOVED, "Noted: You moved to Lisbon")
    chat.expect("reflect")  # beside the line that is typed
    [turn] = records(run, "turn")
    assert turn["message"] == MOVED and turn["answer"].startswith("Noted")
    chat.say("/help", "/facts")  # what need not wait does not
    assert waiting(run) == 1
    chat.type("/facts\r")
    chat.expect("remembering ")
    gate.touch()
    chat.expect(f"{LIVES}.*{PROMPT}")
    chat.say("/plan", "memory: moved Lisbon")
    assert waiting(run) == 0
    chat.say("I like green tea.", "Noted")
    chat.expect("remembered 1")
    chat.type("\x04")
    assert chat.close() == 0


def test_two_messages_in_quick_succession(slow: Slow, run: Run, gate: Path) -> None:
    """The second is answered at once, and both are remembered afterwards."""
    chat = slow(f"- {{role: reflect, until: {gate}, reply: {KEPT}}}\n- {{role: plan, delay: 30}}")
    chat.type(f"{MOVED}\rI like green tea.\r")
    chat.expect(f"Noted: You moved.*Noted: You like green tea.*{PROMPT}")
    assert waiting(run) == 2
    gate.touch()
    chat.type("\x04")
    assert chat.close() == 0
    assert len(records(run, "turn")) == 2 and waiting(run) == 0
    assert {r["object"] for r in records(run, "fact")} >= {"Lisbon", "green tea"}


def test_leaving_waits_until_all_is_remembered(slow: Slow, run: Run, gate: Path) -> None:
    chat = slow(f"- {{role: reflect, until: {gate}, reply: {KEPT}}}\n- {{role: plan, delay: 30}}")
    chat.say(MOVED, "Noted")
    chat.type("\x04")
    chat.expect("storing the last turn … press Ctrl-C to leave it to the next command")
    gate.touch()
    assert chat.close() == 0
    assert LIVES in run("facts").stdout and waiting(run) == 0


def test_leaving_at_once_leaves_a_job_that_the_next_turn_finishes(slow: Slow, run: Run) -> None:
    chat = slow("- {role: reflect, delay: 60}")
    chat.say(MOVED, "Noted")
    chat.type("/quit\r")
    chat.expect("Ctrl-C to leave it")
    began = time.monotonic()
    os.kill(chat.process.pid, signal.SIGINT)
    chat.expect("to the next command")
    assert chat.close() == 0 and time.monotonic() - began < 10
    assert waiting(run) == 1
    assert LIVES not in run("facts").stdout
    done = run("turn", "--session", "another", "Hello there!")
    assert done.stdout.count("\n") == 1 and done.stderr == ""
    assert LIVES in run("facts").stdout and waiting(run) == 0


def test_a_turn_finishes_what_a_killed_chat_left_and_no_reader_does(slow: Slow, run: Run) -> None:
    chat = slow("- {role: reflect, delay: 60}")
    chat.say(MOVED, "Noted")
    chat.process.kill()
    chat.close()
    for reader in (("facts",), ("memory",), ("retrieve", "Lisbon"), ("why",)):
        run(*reader)
    assert waiting(run) == 1 and run("doctor", "--signatures").code == 0
    assert run("turn", "Hi!").code == 0
    assert LIVES in run("facts").stdout and waiting(run) == 0
    assert run("doctor", "--signatures").code == 0


@pytest.mark.parametrize("command", ["prune", "reflect", "chat"])
def test_a_chat_that_is_killed_loses_nothing(slow: Slow, run: Run, command: str) -> None:
    chat = slow("- {role: reflect, delay: 60}")
    chat.say(MOVED, "Noted")
    chat.process.kill()
    chat.close()
    assert waiting(run) == 1
    if command == "reflect":
        done = run("reflect", "--pending")
        assert done.stdout == "reflect: 1 turn finished, 0 pending\n"
    elif command == "chat":
        assert run("chat", input="Hello!\n").code == 0
    else:
        assert run("prune").code == 0
    assert LIVES in run("facts").stdout and waiting(run) == 0
    assert run("doctor", "--signatures").code == 0


def test_a_chat_does_at_its_beginning_what_was_left(slow: Slow, run: Run, gate: Path) -> None:
    """And stops at once when somebody speaks."""
    chat = slow("- {role: reflect, delay: 60}")
    chat.say(MOVED, "Noted")
    chat.process.kill()
    chat.close()
    chat = slow(f"- {{role: reflect, until: {gate}, reply: {KEPT}}}", "--debug")
    chat.expect("remembering |an earlier turn: ")
    chat.say("Hello there!", r"answer +[\d,]+ ms")
    gate.touch()
    chat.expect(r"add: user lives_in Lisbon")
    chat.say("/facts", LIVES)
    chat.type("\x04")
    assert chat.close() == 0 and waiting(run) == 0


def test_a_failure_is_told_above_the_prompt(slow: Slow, run: Run, gate: Path) -> None:
    failing = f"- {{role: reflect, error: failed, until: {gate}, times: 1}}"
    chat = slow(f"{failing}\n- {{role: reflect, reply: {KEPT}}}")
    chat.say(MOVED, "Noted")
    chat.type("I like")
    gate.touch()
    chat.expect(r"thalamus: The model\s.*failed:\s+its\s+script\s+says\s+so.*finished later")
    chat.say(" green tea.", "Noted: You like green tea")
    chat.say("/facts", "likes green tea")
    chat.type("\x04")
    assert chat.close() == 0
    assert {r["object"] for r in records(run, "fact")} >= {"green tea"}


def test_no_model_is_asked_twice_for_what_it_cannot_do(slow: Slow, run: Run) -> None:
    chat = slow("- {error: unreachable, times: 1}")
    chat.say(MOVED, "Cannot reach")
    chat.type("\x04")
    assert chat.close() == 0
    assert "remembering" not in chat.seen and waiting(run) == 1
    assert run("turn", "Hi!").code == 0 and LIVES in run("facts").stdout


def test_an_interrupted_answer_leaves_nothing_to_do(slow: Slow, run: Run) -> None:
    chat = slow("- {role: answer, delay: 30}")
    chat.type(f"{MOVED}\r")
    chat.expect("thinking")
    time.sleep(0.3)
    os.kill(chat.process.pid, signal.SIGINT)
    chat.expect(f"stopped; the partial answer is kept.*{PROMPT}")
    chat.type("\x04")
    assert chat.close() == 0
    [turn] = records(run, "turn")
    assert turn["interrupted"] == "answer" and waiting(run) == 0


def test_another_model_takes_over(slow: Slow, run: Run) -> None:
    chat = slow(f"- {{role: reflect, delay: 0.3, reply: {KEPT}}}")
    chat.say(MOVED, "Noted")
    chat.say("/model scripted", "model scripted")
    chat.say("I love green tea.", "Noted")
    chat.say("/facts", "likes green tea")
    chat.type("\x04")
    assert chat.close() == 0 and waiting(run) == 0
    assert LIVES in run("facts").stdout


def test_a_chat_without_memory_has_nothing_behind_it(slow: Slow, home: Path) -> None:
    chat = slow("- {role: reflect, delay: 30}", "--no-memory")
    chat.say(MOVED, "Noted")
    chat.say("forget that I moved to Lisbon", "(Noted|forget)")
    chat.type("\x04")
    assert chat.close() == 0 and not (home / "data").exists()


def test_a_request_to_forget_does_not_wait(slow: Slow, run: Run, home: Path) -> None:
    """Its answer names the command, so that it is known before the extraction."""
    wanted = "can you forget the tea?"
    reply = json.dumps({"memories_to_store": [], "facts": [], "no_longer": [], "forget": ["f1"]})
    tea = {"quote": LIKED[0], "subject": "user", "predicate": "likes", "object": "green tea"}
    kept = json.dumps({"memories_to_store": [], "facts": [tea]})  # f1, whatever the order
    script = f"""
- {{role: answer, match: "forget the tea", reply: "`/forget` does that."}}
- {{role: reflect, match: "forget the tea", reply: {reply}}}
- {{role: reflect, reply: {kept}}}
"""
    chat = slow(script)
    chat.say(MOVED, "Noted")
    chat.say(LIKED[0], "Noted")
    chat.say("/facts", "green tea")
    for reply, after in (("n", ""), ("y", "deleted: ")):
        chat.type(f"{wanted}\r")
        chat.expect("does that.*green tea.*Delete all of this permanently.*N]")
        chat.say(reply, after)
    chat.type("\x04")
    assert chat.close() == 0
    assert "tea" not in run("facts").stdout
    assert [turn["message"] for turn in records(run, "turn")] == [MOVED]
    assert "forget the tea" not in (home / "state" / "history").read_text()


def test_a_request_that_only_the_extraction_hears_is_told(slow: Slow) -> None:
    reply = json.dumps({"memories_to_store": [], "facts": [], "no_longer": [], "forget": ["f1"]})
    chat = slow(f"""
- {{role: reflect, match: "drop the tea", reply: {reply}}}
- {{role: reflect, reply: {KEPT}}}
""")
    chat.say(LIKED[0], "Noted")
    chat.say("/facts", "green tea")
    chat.type("drop the tea\r")
    chat.expect("`/forget fact_[^ ]+ turn_[^ ]+` deletes what you")
    chat.say("/help", "/facts")
    chat.type("\x04")
    assert chat.close() == 0


def test_a_private_stretch_leaves_nothing(slow: Slow, run: Run, home: Path) -> None:
    chat = slow(f"- {{role: reflect, delay: 0.2, reply: {KEPT}}}")
    chat.say(MOVED, "Noted")
    chat.say("/memory off", "memory is off")
    chat.expect("private>")
    chat.say("I hate olives.", "Noted")
    chat.say("/memory on", "memory is on")
    chat.say("I like green tea.", "Noted")
    chat.type("\x04")
    assert chat.close() == 0 and waiting(run) == 0
    assert [turn["message"] for turn in records(run, "turn")] == [MOVED, "I like green tea."]
    assert LIVES in run("facts").stdout
    typed = (home / "state" / "history").read_text()
    assert MOVED in typed and "green tea" in typed and "olives" not in typed


def test_consent_is_asked_for_above_the_prompt(slow: Slow, run: Run, home: Path) -> None:
    (home / "config").mkdir(parents=True)
    (home / "config" / "config.yaml").write_text("remember: {preference: ask}")
    chat = slow(f"- {{role: reflect, reply: {KEPT}}}")
    chat.say("I like green tea.", "Noted")
    chat.expect("Keep .*green tea.*y/n")
    chat.say("y", "kept")
    chat.say("I like figs.", "Noted")
    chat.expect("Keep .*figs.*y/n")
    chat.say("n", "deleted")
    chat.say("I like plums.", "Noted")
    chat.expect("Keep .*plums.*y/n")
    chat.say("I have a boat.", "Noted")
    chat.say("y", "Noted: y")  # a message like any other
    chat.type("\x04")
    assert chat.close() == 0
    waiting = run("memory", "--status", "quarantined").stdout
    assert "plums" in waiting and "figs" not in waiting
    assert "green tea" in run("memory").stdout
