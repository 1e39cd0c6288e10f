"""The list in which a past session is chosen with the keys of a terminal."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.formatted_text import fragment_list_to_text
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput

from tests.conftest import Result
from tests.terminal.test_repl import PROMPT, Terminal
from thalamus import Thalamus
from thalamus.records import Session, SessionMatch, Turn
from thalamus.terminal.session_picker import SessionPicker
from thalamus.text.width import columns

Run = Callable[..., Result]
TURNS = (
    ("may", "2026-05-01T10:00:00Z", "My sister Ana keeps bees in Porto."),
    ("june", "2026-06-01T10:00:00Z", "I have a cat called Fado."),
    ("may", "2026-06-02T09:30:00Z", "The honey was late this year."),
    ("july", "2026-07-02T09:30:00Z", "What does a fig tree need?"),
)
UP, DOWN, ENTER, ESCAPE, HOME, END, PAGE_DOWN = (
    "\x1b[A",
    "\x1b[B",
    "\r",
    "\x1b",
    "\x1b[H",
    "\x1b[F",
    "\x1b[6~",
)


class Sized(DummyOutput):
    """A terminal of this size."""

    def __init__(self, width: int, height: int) -> None:
        self._size = Size(rows=height, columns=width)

    def get_size(self) -> Size:
        return self._size


class Shown:
    """A picker that runs in a thread, and the keys that are pressed in it."""

    def __init__(self, picker: SessionPicker, keys: PipeInput, size: tuple[int, int]) -> None:
        self._picker, self._keys = picker, keys
        self.chosen: list[Session | None] = []
        self._thread = threading.Thread(target=self._run, args=(size,), daemon=True)
        self._thread.start()
        end = time.monotonic() + 30
        while not hasattr(picker, "_app") or not picker._app.is_running:
            assert time.monotonic() < end
            time.sleep(0.01)

    def _run(self, size: tuple[int, int]) -> None:
        self.chosen.append(self._picker.run(self._keys, Sized(*size)))

    def press(self, *keys: str) -> None:
        for key in keys:
            self._keys.send_text(key)

    def text(self) -> str:
        return fragment_list_to_text(self._picker._text())

    def wait(self, pattern: str) -> str:
        end = time.monotonic() + 30
        while not re.search(pattern, shown := self.text(), re.DOTALL):
            assert time.monotonic() < end, f"{pattern!r} did not come:\n{shown}"
            time.sleep(0.01)
        return shown

    def end(self) -> Session | None:
        self._thread.join(30)
        return self.chosen[0]


Shows = Callable[..., Any]


@pytest.fixture
def show(thalamus: Thalamus) -> Shows:
    """A picker over some sessions, in a terminal of a width and a height."""
    for session, at, message in TURNS:
        answer = "Pollen and patience." if session == "june" else "Yes."
        turn = Turn(message=message, session=session, created_at=at, answer=answer)
        thalamus.remember([turn])
    thalamus.sessions.rename("may", "Bees of Ana")

    def search(words: str) -> list[SessionMatch]:
        with thalamus.sibling() as other:
            return other.sessions.search(words, 20)

    @contextmanager
    def shown(width: int = 80, height: int = 24, **options: Any) -> Iterator[Shown]:
        with create_pipe_input() as keys:
            picker = SessionPicker(
                thalamus.sessions.find(), options.pop("search", search), **options
            )
            yield Shown(picker, keys, (width, height))

    return shown


def test_sessions_are_listed_the_newest_first(show: Shows) -> None:
    with show(here="june") as picker:
        assert picker.text() == (
            "> “What does a fig tree need?”\n"
            "    2026-07-02 09:30, 1 turn\n"
            "  Bees of Ana\n"
            "    2026-06-02 09:30, 2 turns  “My sister Ana keeps bees in Porto.”\n"
            "  “I have a cat called Fado.”\n"
            "    2026-06-01 10:00, 1 turn, this one\n"
            "3 of 3  Enter continues it, Escape leaves"
        )
        picker.press(ENTER)
        assert picker.end().id == "july"


def test_keys(show: Shows) -> None:
    for keys, chosen in (
        ((DOWN, ENTER), "may"),
        ((DOWN, DOWN, DOWN, DOWN, UP, ENTER), "may"),
        (("\x0e", "\x10", ENTER), "july"),
        ((END, ENTER), "june"),
        ((END, HOME, ENTER), "july"),
        ((PAGE_DOWN, ENTER), "june"),
        ((ESCAPE,), None),
        (("bees", "\x03"), None),
        (("\x04",), None),
    ):
        with show() as picker:
            picker.press(*keys)
            found = picker.end()
            assert (found.id if found else None) == chosen, keys


def test_typing_filters_and_enter_waits_for_what_is_searched(show: Shows) -> None:
    for typed, chosen in (
        ("bees", "may"),  # the title
        ("JUN", "june"),  # the id
        ("fig tree", "july"),  # the first message
        ("honey", "may"),  # a later message
        ("pollen", "june"),  # an answer
    ):
        with show() as picker:
            picker.press(typed, ENTER)
            assert picker.end().id == chosen, typed


def test_what_was_said_is_shown_where_it_was_found(show: Shows) -> None:
    with show() as picker:
        picker.press("honey")
        shown = picker.wait("The honey was late")
        assert "Bees of Ana" in shown and "1 of 3" in shown and "fig" not in shown
        picker.press("\x15", "zebra")
        picker.wait("No session matches.")
        picker.press(ENTER, "\x15")  # nothing to go on in; the line is cleared
        picker.wait("3 of 3")
        picker.press(ENTER)
        assert picker.end().id == "july"


@pytest.mark.parametrize(("width", "height"), [(40, 20), (20, 8), (80, 24)])
def test_it_fits_the_terminal(show: Shows, width: int, height: int) -> None:
    with show(width, height) as picker:
        lines = picker.text().splitlines()
        assert max(map(columns, lines)) < width and len(lines) < height - 1
        picker.press(END)
        picker.wait("> “I have a cat")
        picker.press("\x03")
        assert picker.end() is None


def test_a_list_that_is_long_scrolls(thalamus: Thalamus) -> None:
    sessions = [
        Session(id=f"s{n}", turns=1, started_at="", last_at="", first=f"Message {n}.")
        for n in range(40)
    ]
    with create_pipe_input() as keys:
        picker = Shown(SessionPicker(sessions, lambda words: []), keys, (60, 16))
        picker.press(*[DOWN] * 20)
        shown = picker.wait("> “Message 20")
        assert "Message 16" in shown and "Message 21" not in shown and "40 of 40" in shown
        picker.press(*[UP] * 3)
        assert "Message 20" in picker.wait("> “Message 17")
        picker.press(ENTER)
        found = picker.end()
        assert found is not None and found.id == "s17"


# -- on the command line ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command", [("chat", "--resume"), ("chat", "-r", "--no-memory"), ("session", "resume")]
)
def test_without_a_terminal_a_session_is_named(run: Run, command: tuple[str, ...]) -> None:
    run("turn", "Hello!")
    done = run(*command)
    assert done.code == 2 and done.stdout == ""
    assert "without a terminal, none can be chosen" in done.stderr
    assert "Give its id or title; `thalamus session` lists them." in done.stderr


def test_a_chat_goes_on_in_the_session_that_is_chosen(
    run: Run, environment: dict[str, str]
) -> None:
    run("turn", "--session", "garden", "I planted a fig tree.")
    run("turn", "--session", "pets", "I have a cat called Fado.")
    chat = Terminal(environment, "--resume")
    chat.expect("Find:.*cat called Fado")
    chat.type("fig\r")
    chat.expect(f"session about “I planted a fig tree.”: 1 turn.*/help.*{PROMPT}")
    chat.type("/resume\r")
    chat.expect("this one")
    chat.type("fado\r")
    chat.expect(f"session about “I have a cat called Fado.”.*{PROMPT}")
    chat.say("Where do I live?", "know")
    chat.type("\x04")
    assert chat.close() == 0
    sessions = [r["session"] for r in run("export").records if r["record"] == "turn"]
    assert sessions == ["garden", "pets", "pets"]
    left = Terminal(environment, "--resume")
    left.expect("Find:")
    left.type("\x04")
    assert left.close() == 0
