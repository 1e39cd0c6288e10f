"""What a user interface can listen to."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable
from typing import Any, TextIO

from thalamus.clock import Clock
from thalamus.errors import ThalamusError
from thalamus.records import Event
from thalamus.records.encoding import to_line

log = logging.getLogger(__name__)

CALLBACKS = (
    "on_chat_message",
    "on_token",
    "on_status_update",
    "on_thalamus_control_entry",
    "on_session_started",
    "on_session_ended",
    "on_error",
)


class ThalamusEvents:
    """Callbacks that a user interface binds: subclass this, or ``bind`` functions.

    A callback that raises never stops a turn: it is logged with its traceback and reported
    through ``on_error`` once.
    """

    def __init__(self, clock: Clock | None = None) -> None:
        self._clock = clock or Clock()
        self._bound: dict[str, list[Callable[..., None]]] = {}
        self._log: TextIO | None = None
        self._reporting = False

    # Each method does nothing here; a subclass overrides what it wants to hear.

    def on_chat_message(self, role: str, content: str) -> None:
        """A message of the conversation: ``role`` is user or assistant."""

    def on_token(self, text: str) -> None:
        """A piece of the answer, as the model makes it."""

    def on_status_update(self, stage: str, status: str) -> None:
        """A stage begins (``started``), ends (``finished``) or fails (``failed``)."""

    def on_thalamus_control_entry(self, stage: str, data: dict[str, Any]) -> None:
        """What a stage decided: planned, fetched, reflected, stored."""

    def on_session_started(self, session: str) -> None:
        """The first turn of a session in this process."""

    def on_session_ended(self, session: str) -> None:
        """The session was reset or the engine closed."""

    def on_error(self, where: str, error: BaseException, trace: str) -> None:
        """A stage or a callback raised; the turn goes on."""

    def bind(self, name: str, callback: Callable[..., None]) -> None:
        """Adds a function to be called beside the method ``name``."""
        if name not in CALLBACKS:
            raise ValueError(f"unknown callback {name!r} (choose {', '.join(CALLBACKS)})")
        self._bound.setdefault(name, []).append(callback)

    def write_to(self, file: TextIO) -> None:
        """Writes every event (but single tokens) to ``file`` as JSON lines."""
        self._log = file

    @property
    def wants_tokens(self) -> bool:
        """Whether anyone listens to tokens, so that a reply is worth streaming."""
        return bool(self._bound.get("on_token")) or (
            type(self).on_token is not ThalamusEvents.on_token
        )

    def emit(self, name: str, *values: Any, **about: Any) -> None:
        """Calls everyone who listens to ``name``; ``about`` (turn, session) goes to the log."""
        for callback in (getattr(self, name), *self._bound.get(name, ())):
            try:
                callback(*values)
            except Exception as error:
                self._report(f"callback {name}", error)
        if self._log is not None and name != "on_token":
            self._write(name, values, about)

    def failed(self, where: str, error: BaseException) -> None:
        """Logs an exception with its traceback and reports it."""
        self._report(where, error)

    def _report(self, where: str, error: BaseException) -> None:
        trace = "".join(traceback.format_exception(error))
        if isinstance(error, ThalamusError):  # foreseen, and told to the user by its message
            log.info("%s failed: %s", where, error)
        else:
            log.error("%s failed\n%s", where, trace)
        if self._reporting:  # the callback that reports errors is itself broken
            return
        self._reporting = True
        try:
            self.emit("on_error", where, error, trace)
        finally:
            self._reporting = False

    def _write(self, name: str, values: tuple[Any, ...], about: dict[str, Any]) -> None:
        event = Event(
            name=name.removeprefix("on_"),
            at=self._clock.stamp(),
            turn=about.get("turn"),
            session=about.get("session"),
            data=_data(name, values),
        )
        assert self._log is not None
        try:
            self._log.write(to_line(event).decode())
            self._log.flush()
        except (OSError, ValueError) as error:
            self._log = None
            log.error("cannot write events: %s", error)


_FIELDS = {
    "on_chat_message": ("role", "content"),
    "on_status_update": ("stage", "status"),
    "on_thalamus_control_entry": ("stage", "decision"),
    "on_session_started": ("session",),
    "on_session_ended": ("session",),
    "on_error": ("where", "error", "traceback"),
}


def _data(name: str, values: tuple[Any, ...]) -> dict[str, Any]:
    data = dict(zip(_FIELDS[name], values, strict=True))
    if isinstance(data.get("error"), BaseException):
        data["error"] = f"{type(data['error']).__name__}: {data['error']}"
    return data
