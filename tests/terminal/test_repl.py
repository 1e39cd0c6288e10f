"""The chat: in a pipe, on a terminal, and its slash commands."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Result
from tests.extras import python
from tests.forked import Process
from tests.models.one_slot import OneSlot
from thalamus import Memory, Thalamus
from thalamus.terminal.conversation import is_command
from thalamus.terminal.repl import complete, unfence

Run = Callable[..., Result]


@pytest.mark.parametrize(
    ("text", "done"),
    [("hello", True), ('"""one', False), ('"""one\ntwo"""', True), ('"""', False), ("", True)],
)
def test_enter_ends_a_message_unless_quotes_are_open(text: str, done: bool) -> None:
    assert complete(text) == done


def test_quotes_are_taken_off() -> None:
    assert unfence('"""\none\ntwo\n"""') == "one\ntwo"
    assert unfence("plain\n") == "plain"


@pytest.mark.parametrize(
    ("text", "command"),
    [("/help", True), ("/memory cats", True), ("/etc/hosts is odd", False), ("//x", False)],
)
def test_what_a_command_is(text: str, command: bool) -> None:
    assert is_command(text) == command


def test_lines_in_a_pipe_are_messages(run: Run) -> None:
    done = run("chat", input="I moved to Lisbon in May.\nWhere do I live?\n")
    assert done.code == 0
    answers = done.stdout.splitlines()
    assert len(answers) == 2
    assert "Lisbon" in answers[1]
    sessions = {r["session"] for r in run("export").records if r["record"] == "turn"}
    assert len(sessions) == 1
    assert sessions.pop().startswith("chat_")


PROMPT = r"\[\?2004h"  # the prompt is ready: it has switched bracketed paste on


class Terminal:
    """`thalamus chat`, or another command, on a pseudo-terminal."""

    def __init__(self, environment: dict[str, str], *arguments: str, command: str = "chat") -> None:
        self.master, slave = pty.openpty()
        self.process = Process(
            [*python(), "-m", "thalamus", command, *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment | {"TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1"},
        )
        os.close(slave)
        self.seen = ""

    def type(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def expect(self, pattern: str, seconds: float = 40) -> None:
        """Waits until what was printed since the last time matches."""
        end = time.monotonic() + seconds
        while not (found := re.search(pattern, self.seen, re.DOTALL)):
            left = end - time.monotonic()
            if left <= 0 or not self._read(left):
                raise AssertionError(f"{pattern!r} did not come:\n{self.seen}")
        self.seen = self.seen[found.end() :]

    def say(self, text: str, answer: str) -> None:
        """Types a line, waits for the answer and for the prompt that follows."""
        self.type(f"{text}\r")
        self.expect(f"{answer}.*{PROMPT}")

    def close(self) -> int:
        """Waits for the end, reading what is still printed."""
        while self._read(30):
            pass
        code = self.process.wait(30)
        os.close(self.master)
        return code

    def _read(self, seconds: float) -> bool:
        """Reads what is there within ``seconds``; False at the end, or when nothing comes."""
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        try:
            self.seen += os.read(self.master, 65536).decode("utf-8", "replace")
        except OSError:  # the other side has closed
            return False
        return True


@pytest.fixture
def terminal(environment: dict[str, str]) -> Callable[..., Terminal]:
    return lambda *arguments: Terminal(environment, *arguments)


def test_the_flow_is_chosen_by_an_option(
    terminal: Callable[..., Terminal], run: Run, environment: dict[str, str]
) -> None:
    wrong = terminal("--flow", "nonsense")
    wrong.expect("Unknown flow 'nonsense'.*Choose classic, routed")
    assert wrong.close() == 2
    chat = terminal("--flow", "routed")
    chat.expect(f"/help.*{PROMPT}")
    chat.say("My project is the herb garden.", "herb garden")
    chat.type("\x04")
    assert chat.close() == 0
    assert run("world", "--json").records[0]["project"] == "herb garden"


def test_a_conversation(
    terminal: Callable[..., Terminal], environment: dict[str, str], home: Path
) -> None:
    environment["THALAMUS_PLANNER"] = "model"
    chat = terminal()
    chat.expect(f"model scripted.*/help.*{PROMPT}")
    chat.say("/facts", "There are no memories yet")
    chat.say("I moved to Lisbon in May.", "Noted: You moved to Lisbon in May")
    chat.say("/facts", "user lives_in Lisbon")
    chat.say("/plan", "memory: moved Lisbon")
    chat.say("/why", "answered by scripted")
    chat.say("/fact", "Did you mean /facts")
    chat.say("/new", "session session_")
    chat.say("Where do I live?", "You told me: The user lives in Lisbon")
    chat.say("/profile", "The user lives in Lisbon.*fact_")
    chat.say("/model llamacpp:/nowhere.gguf", "nowhere.gguf")
    chat.type("\x03")  # at the prompt it only clears the line
    chat.say("/debug", "debug is on")
    chat.type("\x04")
    assert chat.close() == 0
    assert "I moved to Lisbon" in (home / "state" / "history").read_text()


def test_the_last_turn_is_forgotten(terminal: Callable[..., Terminal], home: Path) -> None:
    chat = terminal()
    chat.expect(f"/help.*{PROMPT}")
    chat.say("I moved to Lisbon in May.", "Noted")
    for command, reply, after in (
        ("/forget", "n", "user lives_in Lisbon"),
        ("/forget last", "y", "There are no facts yet"),
    ):
        chat.type(f"{command}\r")
        chat.expect("1 memory.*I moved to Lisbon.*Delete all of this permanently.*N]")
        chat.say(reply, "deleted: 1 turn" if reply == "y" else "")
        chat.say("/facts", after)
    chat.type("\x04")
    assert chat.close() == 0
    history = (home / "state" / "history").read_text()
    assert "Lisbon" not in history and "/facts" in history


def test_ctrl_c_stops_a_command_and_not_the_chat(terminal: Callable[..., Terminal]) -> None:
    chat = terminal()
    chat.expect(f"/help.*{PROMPT}")
    chat.say("I moved to Lisbon in May.", "Noted")
    chat.type("/forget\r")
    chat.expect("Delete all of this permanently.*N]")
    time.sleep(0.3)  # a signal that comes as the reading begins waits for the next key
    chat.type("\x03")
    chat.expect(rf"\(stopped\).*{PROMPT}")
    chat.say("/facts", "user lives_in Lisbon")
    chat.type("\x04")
    assert chat.close() == 0


def test_another_users_plan_is_not_shown(terminal: Callable[..., Terminal], run: Run) -> None:
    run("turn", "--user", "ana", "--session", "s", "My cat Miso has asthma.")
    chat = terminal("--user", "bob", "--session", "s")
    chat.expect(f"/help.*{PROMPT}")
    chat.say("/plan", "No plan")
    chat.say("/forget", "There are no turns in this session yet")
    chat.type("\x04")
    assert chat.close() == 0


def test_pasted_lines_are_one_message(terminal: Callable[..., Terminal], run: Run) -> None:
    chat = terminal("--session", "pasted")
    chat.expect(f"/help.*{PROMPT}")
    chat.type("\x1b[200~I have two cats.\nThey are called Fado and Saudade.\x1b[201~")
    chat.say("", "Noted")
    chat.type("\x04")
    assert chat.close() == 0
    turns = [r for r in run("export").records if r["record"] == "turn"]
    assert [turn["message"].splitlines() for turn in turns] == [
        ["I have two cats.", "They are called Fado and Saudade."]
    ]


def test_without_a_model_it_says_what_to_type(run: Run, environment: dict[str, str]) -> None:
    chat = Terminal(environment | {"THALAMUS_MODEL": "llamacpp:/nowhere.gguf"})
    chat.expect("nowhere.gguf")
    assert chat.close() == 13


SLOW = """
import time
from thalamus import Thalamus, ThalamusEvents

class Slow(ThalamusEvents):
    def on_token(self, text):
        print(text, end="", flush=True)
        time.sleep(0.1)

with Thalamus(events=Slow()) as thalamus:
    thalamus.turn("I moved to Lisbon in May and I have a dog called Rex and two old cats.")
"""


def test_an_interrupted_answer_is_kept_as_far_as_it_came(
    environment: dict[str, str], run: Run
) -> None:
    process = Process([*python(), "-c", SLOW], env=environment, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    heard = os.read(process.stdout.fileno(), 200).decode()
    process.send_signal(signal.SIGINT)
    process.wait(30)
    turn = next(r for r in run("export").records if r["record"] == "turn")
    assert turn["message"].startswith("I moved to Lisbon")
    assert turn["answer"].startswith(heard.split()[0])
    assert len(turn["answer"]) < len(turn["message"])
    assert turn["interrupted"] == "answer" and turn["metadata"] == {}


def test_the_first_line_counts_what_holds(terminal: Callable[..., Terminal], run: Run) -> None:
    """What `init` remembers is counted, and what was superseded is not."""
    assert run("init", "--name", "Ana", "--no-input", "--no-chat").code == 0
    chat = terminal()
    chat.expect(rf"\(1 fact\), session.*{PROMPT}")
    chat.type("\x04")
    assert chat.close() == 0
    made = json.dumps({"record": "memory", "id": "mem_tea", "content": "The user likes tea."})
    run("store", input=made)
    run("memory", "edit", "mem_tea", "--content", "The user likes green tea.")
    chat = terminal()
    chat.expect(rf"\(1 memory, 1 fact\), session.*you: name Ana  .*{PROMPT}")
    chat.type("\x04")
    assert chat.close() == 0


def test_a_chat_begins_with_what_other_programs_propose(
    terminal: Callable[..., Terminal], home: Path
) -> None:
    with Thalamus(home=str(home), model="scripted", embedder="scripted") as thalamus:
        thalamus.remember([Memory(content="Rita lives in Porto.", id="mem_rita")])
        thalamus.memories.propose([Memory(content="Rita lives in Faro.", replaces="mem_rita")])
    chat = terminal()
    chat.expect(f"another program proposes 1 change: `thalamus memory proposals`.*{PROMPT}")
    chat.type("\x04")
    chat.close()


def test_the_first_chat_says_that_a_model_is_too_small(
    terminal: Callable[..., Terminal], run: Run
) -> None:
    assert run("config", "set", "openai_base_url", "http://127.0.0.1:9/v1").code == 0
    assert run("config", "set", "models.reflect", "openai:qwen2.5-1.5b").code == 0
    chat = terminal()
    chat.expect(rf"This model is too small to note what changes.*{PROMPT}")
    chat.say("I grow figs.", "Cannot reach the model openai")
    chat.type("\x04")
    chat.close()
    again = terminal()
    again.expect(rf"session (?:(?!too small).)*{PROMPT}")
    again.type("\x04")
    again.close()


def test_errors_are_broken_between_words(terminal: Callable[..., Terminal]) -> None:
    chat = terminal()
    chat.expect(f"/help.*{PROMPT}")
    chat.say("/ingest " + "far/away/" * 6 + "file.md", r"\r\n +[^\r\n]*")
    for line in chat.seen.splitlines():
        assert len(line) <= 80
    chat.type("\x04")
    assert chat.close() == 0


def test_nobody_waits_for_an_extraction(
    terminal: Callable[..., Terminal], environment: dict[str, str], run: Run
) -> None:
    """The server does one thing at a time, and its first extraction would never end."""
    with OneSlot().serving() as server:
        server.hold.clear()
        environment["THALAMUS_OPENAI_BASE_URL"] = server.url
        environment["THALAMUS_MODEL"] = "openai:large-70b"
        chat = terminal()
        chat.expect(f"/help.*{PROMPT}")
        chat.say("I like figs.", "Thanks for telling me")
        server.wait("extraction")
        chat.say("I like plums.", "Thanks for telling me")
        server.wait("extraction", "cancelled")
        server.hold.set()
        chat.type("\x04")
        assert chat.close() == 0
    found = run("memory", "--json").records
    assert sorted(one["content"] for one in found) == [
        "The user likes figs.",
        "The user likes plums.",
    ]
