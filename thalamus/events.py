"""Events of a turn for user interfaces.

Every event is an object with the ids of its turn and session and its full content, passed to
``ThalamusEvents.on_event``. Most also have a callback of their own, which takes only the fields
listed there.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any, Protocol, TextIO

from msgspec import Struct, to_builtins

from thalamus.clock import Clock
from thalamus.errors import ThalamusError
from thalamus.logs import logger
from thalamus.records import Event, Step, ToolCall, Turn, WorldChange
from thalamus.records.json_line import to_line

log = logger(__name__)


class ThalamusEvent(Struct, frozen=True, kw_only=True):
    """Base class of events. ``turn`` and ``session`` are ids, None if there is none."""

    turn: str | None = None
    session: str | None = None


class SessionStarted(ThalamusEvent, frozen=True):
    """The first turn of a session in this process is about to start."""


class SessionEnded(ThalamusEvent, frozen=True):
    """The session was reset, or the engine closed."""


class TurnStarted(ThalamusEvent, frozen=True):
    """A turn starts: ``record`` is its input, ``stages`` those that may run."""

    record: Turn
    stages: tuple[str, ...]


class TurnFinished(ThalamusEvent, frozen=True):
    """A turn ended, or was interrupted (``record.interrupted``). ``left``: stages postponed to a
    job, for which the turn starts and finishes once more."""

    record: Turn
    left: tuple[str, ...] = ()


class ChatMessage(ThalamusEvent, frozen=True):
    """A message of the conversation: ``role`` is user or assistant."""

    role: str
    content: str


class Token(ThalamusEvent, frozen=True):
    """A piece of the answer as it is generated."""

    text: str


class StageStarted(ThalamusEvent, frozen=True):
    """A stage starts."""

    stage: str


class StageFinished(ThalamusEvent, frozen=True):
    """A stage ended; ``record`` is its resulting turn."""

    stage: str
    record: Turn


class StageFailed(ThalamusEvent, frozen=True):
    """A stage raised ``error``; the turn continues unchanged."""

    stage: str
    error: Exception


class StageWaiting(ThalamusEvent, frozen=True):
    """A stage waits some ``seconds`` for a model that is busy; ``reason`` is the server's."""

    stage: str
    seconds: float
    reason: str


class LedgerEntry(ThalamusEvent, frozen=True):
    """A decision of a stage: ``entry`` is its ledger entry without personal content, ``content``
    the fields of the turn that the stage wrote."""

    stage: str
    entry: Step
    content: dict[str, Any] = {}


class WorldCommitted(ThalamusEvent, frozen=True):
    """A ``change`` of the world state was stored."""

    change: WorldChange


class ModelCalled(ThalamusEvent, frozen=True):
    """A model was called: ``messages`` as (role, content), and the raw ``reply``. Only with the
    setting ``log_prompts``; content that a rule finds personal is left out."""

    role: str
    model: str
    messages: list[tuple[str, str]]
    reply: str


class Routed(ThalamusEvent, frozen=True):
    """A routed turn got its ``route``: context, world or answer."""

    route: str
    reason: str


class ToolCalled(ThalamusEvent, frozen=True):
    """A stage or its model calls a tool."""

    stage: str
    id: str
    name: str
    args: dict[str, Any]


class ToolFinished(ThalamusEvent, frozen=True):
    """A tool call ended: ``call`` has its result or its error."""

    stage: str
    call: ToolCall


class Thinking(ThalamusEvent, frozen=True):
    """Thoughts of a model before its reply."""

    role: str
    text: str


class Forgotten(ThalamusEvent, frozen=True):
    """Something was deleted permanently: ``counts`` by kind."""

    counts: dict[str, int]


class ErrorReported(ThalamusEvent, frozen=True):
    """A stage, a plugin or a callback raised an exception; the turn continues."""

    where: str
    error: BaseException
    traceback: str


# callback of each kind of event, and the fields passed to it
_CALLBACKS: dict[type[ThalamusEvent], tuple[str, tuple[str, ...]]] = {
    TurnStarted: ("on_turn_started", ("record", "stages")),
    TurnFinished: ("on_turn_finished", ("record", "left")),
    ModelCalled: ("on_model_call", ("role", "model", "messages", "reply")),
    ChatMessage: ("on_chat_message", ("role", "content")),
    Token: ("on_token", ("text",)),
    StageStarted: ("on_status_update", ("stage", "status", "detail")),
    StageFinished: ("on_status_update", ("stage", "status", "detail")),
    StageFailed: ("on_status_update", ("stage", "status", "detail")),
    StageWaiting: ("on_status_update", ("stage", "status", "detail")),
    WorldCommitted: ("on_world_committed", ("change",)),
    LedgerEntry: ("on_thalamus_control_entry", ("stage", "decision")),
    Routed: ("on_route", ("route", "reason")),
    ToolCalled: ("on_tool_call", ("stage", "id", "name", "args")),
    ToolFinished: ("on_tool_result", ("stage", "call")),
    Thinking: ("on_thinking", ("role", "text")),
    Forgotten: ("on_forgotten", ("counts",)),
    SessionStarted: ("on_session_started", ("session",)),
    SessionEnded: ("on_session_ended", ("session",)),
    ErrorReported: ("on_error", ("where", "error", "traceback")),
}
_STATUS = {
    StageStarted: "started",
    StageFinished: "finished",
    StageFailed: "failed",
    StageWaiting: "waiting",
}
CALLBACKS = tuple(dict.fromkeys(["on_event", *(name for name, _ in _CALLBACKS.values())]))


class Hearing(Protocol):
    """Plugins that may listen to all events; ``hears``: one does."""

    @property
    def hears(self) -> bool: ...

    def hear(self, event: ThalamusEvent) -> None: ...


class ThalamusEvents:
    """Callbacks for a user interface: subclass this, or ``bind`` functions.

    A callback that raises never stops a turn: the exception is logged with its traceback and
    reported once through ``on_error``.
    """

    def __init__(self, clock: Clock | None = None) -> None:
        self._clock = clock or Clock()
        self._bound: dict[str, list[Callable[..., None]]] = {}
        # the plugins of the last object that was given these listeners
        self.plugins: Hearing | None = None
        self._log: TextIO | None = None
        self._listeners: list[Callable[[Event], None]] = []
        self._reporting = False

    # Methods do nothing by default; a subclass overrides those it needs.

    def on_event(self, event: ThalamusEvent) -> None:
        """Any event, with its full content: see the classes above."""

    def on_turn_started(self, record: Turn, stages: tuple[str, ...]) -> None:
        """A turn starts, with the stages that may run."""

    def on_turn_finished(self, record: Turn, left: tuple[str, ...]) -> None:
        """A turn ended, with the stages postponed to a job."""

    def on_model_call(
        self, role: str, model: str, messages: list[tuple[str, str]], reply: str
    ) -> None:
        """A model was called and replied; only with the setting ``log_prompts``."""

    def on_chat_message(self, role: str, content: str) -> None:
        """A message of the conversation: ``role`` is user or assistant."""

    def on_token(self, text: str) -> None:
        """A piece of the answer as it is generated."""

    def on_status_update(self, stage: str, status: str, detail: dict[str, Any]) -> None:
        """A stage starts (``started``), ends (``finished``, with the detail of its ledger entry),
        fails (``failed``, with the ``error``), or waits for a busy model (``waiting``, with the
        ``seconds`` and the server's ``reason``)."""

    def on_thalamus_control_entry(self, stage: str, data: dict[str, Any]) -> None:
        """A decision of a stage, with the fields it wrote in ``content``."""

    def on_world_committed(self, change: WorldChange) -> None:
        """A change of the world state was stored."""

    def on_route(self, route: str, reason: str) -> None:
        """A routed turn got its route."""

    def on_tool_call(self, stage: str, id: str, name: str, args: dict[str, Any]) -> None:
        """A stage or its model calls a tool."""

    def on_tool_result(self, stage: str, call: ToolCall) -> None:
        """A tool call ended with a result or an error."""

    def on_thinking(self, role: str, text: str) -> None:
        """Thoughts of a model before its reply."""

    def on_forgotten(self, counts: dict[str, int]) -> None:
        """Something was deleted permanently."""

    def on_session_started(self, session: str) -> None:
        """The first turn of a session in this process starts."""

    def on_session_ended(self, session: str) -> None:
        """The session was reset, or the engine closed."""

    def on_error(self, where: str, error: BaseException, trace: str) -> None:
        """A stage, a plugin or a callback raised an exception; the turn continues."""

    def bind(self, name: str, callback: Callable[..., None]) -> None:
        """Adds a function that is called in addition to the method ``name``. Raises ``ValueError``
        for an unknown name."""
        if name not in CALLBACKS:
            raise ValueError(f"unknown callback {name!r} (choose {', '.join(CALLBACKS)})")
        self._bound.setdefault(name, []).append(callback)

    def write_to(self, file: TextIO) -> None:
        """Writes every event with a callback of its own, except tokens, to ``file`` as JSON
        lines."""
        self._log = file

    def send_to(self, listener: Callable[[Event], None]) -> None:
        """Passes every event that ``write_to`` would write to a function, as a record, immediately
        and in the thread of the event."""
        self._listeners.append(listener)

    @property
    def wants_tokens(self) -> bool:
        """True if anyone listens to tokens, so that a reply is worth streaming."""
        if self.plugins is not None and self.plugins.hears:
            return True
        return any(
            self._bound.get(name) or getattr(type(self), name) is not getattr(ThalamusEvents, name)
            for name in ("on_event", "on_token")
        )

    def emit(self, event: ThalamusEvent) -> None:
        """Calls all listeners of an event, and writes it to the log file."""
        self._call("on_event", event)
        if self.plugins is not None:
            self.plugins.hear(event)
        if type(event) not in _CALLBACKS:
            return
        name, fields = _CALLBACKS[type(event)]
        data = {field: _value(event, field) for field in fields}
        self._call(name, *data.values())
        if (self._log is not None or self._listeners) and name != "on_token":
            self._write(name, event, data)

    def failed(
        self, where: str, error: BaseException, turn: str | None = None, session: str | None = None
    ) -> None:
        """Logs an exception with its traceback and reports it."""
        trace = "".join(traceback.format_exception(error))
        if isinstance(error, ThalamusError):  # expected: the user reads its message
            log.info("%s failed: %s", where, error)
            log.debug("%s failed\n%s", where, trace)
        else:
            log.error("%s failed\n%s", where, trace)
        if self._reporting:  # the callback that reports errors is itself broken
            return
        self._reporting = True
        try:
            self.emit(
                ErrorReported(turn=turn, session=session, where=where, error=error, traceback=trace)
            )
        finally:
            self._reporting = False

    def _call(self, name: str, *values: Any) -> None:
        for callback in (getattr(self, name), *self._bound.get(name, ())):
            try:
                callback(*values)
            except Exception as error:
                self.failed(f"callback {name}", error)

    def _write(self, name: str, event: ThalamusEvent, data: dict[str, Any]) -> None:
        if isinstance(event, ErrorReported):
            data["error"] = _error_text(event.error)
        line = Event(
            name=name.removeprefix("on_"),
            at=self._clock.stamp(),
            turn=event.turn,
            session=event.session,
            data=data,
        )
        for listener in self._listeners:
            try:
                listener(line)
            except Exception:
                log.exception("cannot deliver an event")
        if self._log is None:
            return
        try:
            self._log.write(to_line(line).decode())
            self._log.flush()
        except (OSError, ValueError) as error:
            self._log = None
            log.error("cannot write events: %s", error)


def _error_text(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


def _value(event: ThalamusEvent, field: str) -> Any:
    """Value of a field for a callback."""
    if field == "status":
        return _STATUS[type(event)]
    if field == "detail":
        return _status_detail(event)
    if isinstance(event, LedgerEntry) and field == "decision":
        return to_builtins(event.entry) | {"content": event.content}
    return getattr(event, field)


def _status_detail(event: ThalamusEvent) -> dict[str, Any]:
    """Details of the status of a stage, for ``on_status_update``."""
    if isinstance(event, StageWaiting):
        return {"seconds": event.seconds, "reason": event.reason}
    if isinstance(event, StageFailed):
        return {"error": _error_text(event.error)}
    if isinstance(event, StageFinished):
        steps = [step for step in event.record.trace if step.stage == event.stage]
        return dict(steps[-1].detail) if steps else {}
    return {}
