"""The keys of the chat at its prompt, typed through a pipe."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput

from thalamus import Thalamus
from thalamus.errors import NoStore, NothingFound
from thalamus.terminal.printer import Printer
from thalamus.terminal.repl import Repl

ALT_ENTER, ENTER, ESCAPE, TAB, UP = "\x1b\r", "\r", "\x1b", "\t", "\x1b[A"
CTRL_C, CTRL_D, CTRL_R = "\x03", "\x04", "\x12"


class Typed:
    """A chat in a thread, and the keys that are pressed in it."""

    def __init__(self, home: Path, keys: PipeInput) -> None:
        self._home, self._keys = home, keys
        self.chat: Repl | None = None
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()
        self.wait(lambda: self._asking())

    def _run(self) -> None:
        settings = {"home": str(self._home), "model": "scripted", "embedder": "scripted"}
        with Thalamus(**settings, session="keys") as thalamus:
            config = thalamus.config
        with (
            create_app_session(input=self._keys, output=DummyOutput()),
            Printer(stream=False, log=None) as printer,
        ):
            self.chat = Repl(config, printer)
            self.chat.run()

    def _asking(self) -> bool:
        prompt = self.chat._prompt if self.chat is not None else None
        return prompt is not None and prompt.app.is_running

    @property
    def line(self) -> str:
        """What is typed at this moment."""
        assert self.chat is not None
        return str(self.chat._prompt.default_buffer.text)

    def offered(self) -> list[str]:
        """What is offered for the line, as the menu shows it."""
        assert self.chat is not None
        state = self.chat._prompt.default_buffer.complete_state
        return [one.text for one in state.completions] if state is not None else []

    def press(self, *keys: str) -> None:
        for key in keys:
            self._keys.send_text(key)

    def wait(self, done: Callable[[], bool]) -> None:
        end = time.monotonic() + 40
        while not done():
            assert time.monotonic() < end and self.thread.is_alive()
            time.sleep(0.01)

    def leave(self) -> None:
        self.press(CTRL_D)
        self.thread.join(40)
        assert not self.thread.is_alive()


@pytest.fixture
def typed(thalamus: Thalamus, home: Path) -> Iterator[Typed]:
    with create_pipe_input() as keys:
        yield Typed(home, keys)


def messages(thalamus: Thalamus) -> list[str]:
    try:
        return [turn.message for turn in thalamus.sessions.turns("keys")]
    except (NothingFound, NoStore):
        return []


def test_several_lines(typed: Typed, thalamus: Thalamus) -> None:
    typed.press("I like tea.", ALT_ENTER, "I have a cat.", ENTER)
    typed.wait(lambda: typed._asking() and not typed.line)
    typed.press('"""I like', ENTER, 'figs."""', ENTER)
    typed.leave()
    assert messages(thalamus) == ["I like tea.\nI have a cat.", "I like\nfigs."]


def test_keys_that_leave_and_do_not(typed: Typed, thalamus: Thalamus) -> None:
    typed.press("never sent", CTRL_C)
    typed.press("ab\x02", CTRL_D)  # in a line it deletes what is under the cursor
    typed.wait(lambda: typed.line == "a")
    typed.press(ESCAPE)
    typed.press("x")
    typed.wait(lambda: "a" in typed.line)
    typed.press(CTRL_C)
    typed.wait(lambda: typed._asking() and not typed.line)
    typed.leave()
    assert messages(thalamus) == []


def test_earlier_lines_are_found(typed: Typed, thalamus: Thalamus) -> None:
    typed.press("I like green tea.", ENTER, "What do I like?", ENTER)
    typed.wait(lambda: len(messages(thalamus)) == 2)
    typed.wait(lambda: typed._asking() and not typed.line)
    typed.press(UP, UP)
    typed.wait(lambda: typed.line == "I like green tea.")
    typed.press(CTRL_C)
    typed.wait(lambda: typed._asking() and not typed.line)
    typed.press(CTRL_R, "What", ENTER)
    typed.wait(lambda: typed.line == "What do I like?")
    typed.press(ENTER)
    typed.wait(lambda: len(messages(thalamus)) == 3)
    typed.leave()
    assert messages(thalamus)[-1] == "What do I like?"


def test_ids_and_commands_are_completed(thalamus: Thalamus, home: Path) -> None:
    thalamus.turn("I moved to Lisbon in May. I like green tea.")
    [memory] = [m for m in thalamus.memories.find() if "Lisbon" in m.content]
    with create_pipe_input() as keys:
        typed = Typed(home, keys)
        typed.press("/pin lisb")
        typed.wait(lambda: typed.offered() == [memory.id])
        typed.press(TAB)
        typed.wait(lambda: typed.line == f"/pin {memory.id}")
        typed.press(CTRL_C, "/cop")
        typed.wait(lambda: typed.offered() == ["copy"])
        typed.press(TAB)
        typed.wait(lambda: typed.line == "/copy")
        typed.press(CTRL_C)
        typed.leave()
