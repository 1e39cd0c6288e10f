"""Output of a turn: streamed tokens, and the decisions with --debug."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import ExitStack
from functools import cached_property
from typing import TYPE_CHECKING, Any

from thalamus.terminal.streams import complain, draw, say_text, width

if TYPE_CHECKING:
    from thalamus.events import ThalamusEvents
    from thalamus.records import Event, Turn
    from thalamus.terminal.plain_answer import PlainAnswer
    from thalamus.terminal.streamed_answer import StreamedAnswer


class Printer:
    """Prints an answer while it is generated (``stream``), as Markdown if requested and possible,
    and writes events to the file ``log``."""

    def __init__(self, *, stream: bool, log: str | None, markdown: bool = False) -> None:
        from thalamus.events import ThalamusEvents

        self.events = ThalamusEvents()
        self._stack = ExitStack()
        self._streamed = False
        self._markdown = markdown
        self._log = self._open(log) if log else None
        self._listeners: list[Callable[[Event], None]] = []
        self.before_text: Callable[[], None] = _nothing  # e.g. to take a status line away
        if stream:
            self.events.bind("on_token", self._token)
            self.events.bind("on_status_update", self._stage)
        if self._log is not None:
            self.events.write_to(self._log)

    def __enter__(self) -> Printer:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def send_to(self, listener: Callable[[Event], None]) -> None:
        """Sends events, including ``quiet_events``, to another receiver as well."""
        self._listeners.append(listener)
        self.events.send_to(listener)

    def quiet_events(self) -> ThalamusEvents:
        """Events that are written to the same file and sent to the same receivers, but not
        shown."""
        from thalamus.events import ThalamusEvents

        events = ThalamusEvents()
        for listener in self._listeners:
            events.send_to(listener)
        if self._log is not None:
            events.write_to(self._log)
        return events

    def finish(self, answer: str) -> None:
        """Prints the answer, unless it was streamed already."""
        if not self._streamed:
            self.show(answer)
        self._streamed = False

    def show(self, text: str) -> None:
        """Prints a complete text of a model."""
        self._screen.add(text)
        self._screen.end()

    def warm_up(self) -> None:
        """Imports the libraries for Markdown, so that the first word is not delayed."""
        from thalamus.terminal.markdown import preload
        from thalamus.terminal.streamed_answer import StreamedAnswer

        if isinstance(self._screen, StreamedAnswer):
            preload()

    def forget(self) -> None:
        """Ends the line of an answer that will not be finished."""
        if self._streamed:
            self._screen.stop()
        self._streamed = False

    def explain(self, turn: Turn) -> None:
        """Prints the plan, evidence, reflection and decisions on standard error."""
        from thalamus.terminal.turn_lines import turn_lines

        for line in turn_lines(turn):
            complain(line)

    def _stage(self, stage: str, status: str, _detail: object) -> None:
        """Ends the line of a streamed answer before further output."""
        if stage == "answer" and status != "started" and self._streamed:
            self._screen.end()

    def _token(self, text: str) -> None:
        self.before_text()
        self._streamed = True
        self._screen.add(text)

    @cached_property
    def _screen(self) -> StreamedAnswer | PlainAnswer:
        """Output of an answer: Markdown, or plain text if that is not requested or not possible."""
        from thalamus.terminal.markdown import MarkdownRenderer, color_system
        from thalamus.terminal.plain_answer import PlainAnswer
        from thalamus.terminal.streamed_answer import StreamedAnswer

        colors = color_system() if self._markdown else None
        if colors is None:
            return PlainAnswer(lambda text: say_text(text, end=""), width)
        return StreamedAnswer(MarkdownRenderer(colors), draw, os.get_terminal_size)

    def _open(self, log: str) -> Any:
        if log == "-":
            return sys.stderr
        from pathlib import Path

        from thalamus.errors import CannotWrite

        try:
            return self._stack.enter_context(Path(log).open("a", encoding="utf-8"))
        except OSError as error:
            raise CannotWrite(log, error) from None


def _nothing() -> None:
    pass
