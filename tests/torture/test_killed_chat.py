"""A quick chat that is killed at random moments while extractions wait: nothing that was answered
is lost, and nothing is extracted twice."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable

import pytest

from tests.conftest import Result
from tests.models.one_slot import OneSlot
from tests.terminal.test_repl import PROMPT, Terminal
from tests.torture.conftest import Tell
from tests.torture.stores import content

Run = Callable[..., Result]
# what is answered is stored when the prompt is back; the words of the answer come before
ANSWERED = f"Thanks for telling me.*?{PROMPT}"
QUICK = 5  # messages of a chat


def killed(environment: dict[str, str], things: list[str], leaves: bool, after: float) -> int:
    """Tells a chat to like things, one message each, and kills it some seconds after the last was
    typed; with ``leaves`` it is told to end first. Returns how many were answered."""
    chat = Terminal(environment)
    chat.expect(f"/help.*{PROMPT}")
    chat.type("".join(f"I like {thing}.\r" for thing in things) + ("\x04" if leaves else ""))
    answered = 0
    try:
        while True:  # until it has been silent for so long
            chat.expect(ANSWERED, after)
            answered += 1
    except AssertionError:
        chat.process.kill()
    chat.close()
    return answered + len(re.findall(ANSWERED, chat.seen, re.DOTALL))


def kill_chats(times: int, seed: int, environment: dict[str, str], run: Run) -> int:
    """Kills chats, and looks after each at what is stored. Returns the number of messages that were
    answered."""
    draw, expected = random.Random(seed), Counter[str]()
    possible: set[str] = set()
    with OneSlot(extraction=0.1).serving() as server:
        environment["THALAMUS_OPENAI_BASE_URL"] = server.url
        environment["THALAMUS_MODEL"] = "openai:large-70b"
        for number in range(times):
            things = [content(f"t{number}x{each}") for each in range(QUICK)]
            leaves = number % 2 == 1
            after = draw.uniform(0.05, 0.5) if leaves else draw.uniform(0.05, 1.6)
            answered = killed(environment, things, leaves, after)
            expected.update(things[:answered])
            possible |= {*things}
            assert run("reflect", "--pending", "--quiet").code == 0
            found = run("export").records
            memories = Counter(
                one["content"].removeprefix("The user likes ").rstrip(".")
                for one in found
                if one["record"] == "memory" and one["type"] != "session_summary"
            )
            turns = Counter(
                one["message"].removeprefix("I like ").rstrip(".")
                for one in found
                if one["record"] == "turn"
            )
            assert turns == memories, number
            assert max(turns.values(), default=1) == 1, number
            assert {*expected} <= {*turns} <= possible, number
    assert run("doctor", "--signatures", "--no-model").code == 0
    return expected.total()


def test_a_quick_chat_killed_at_random_moments(environment: dict[str, str], run: Run) -> None:
    assert kill_chats(3, 1, environment, run) > 3


@pytest.mark.slow
@pytest.mark.timeout(1500)
def test_a_quick_chat_killed_often(environment: dict[str, str], run: Run, tell: Tell) -> None:
    answered = kill_chats(100, 2, environment, run)
    tell("kill -9 of a quick chat", 100, 2, f"{answered} messages answered, none lost or doubled")
