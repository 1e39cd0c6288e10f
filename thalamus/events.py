"""What happens in a turn, as events that a user interface listens to.

Every event is an object with the ids of its turn and session and its full content, given to
``ThalamusEvents.on_event``. For most of them there is a callback of its own as well, which takes
only what is said there.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable
from typing import Any, TextIO

from msgspec import Struct, to_builtins

from thalamus.clock import Clock
from thalamus.errors import ThalamusError
from thalamus.records import Event, Step, ToolCall, Turn, WorldChange
from thalamus.records.json_line import to_line

log = logging.getLogger(__name__)


class ThalamusEvent(Struct, frozen=True, kw_only=True):
    """Something that happened. ``turn`` and ``session`` are ids, None where there is none."""

    turn: str | None = None
    session: str | None = None


class SessionStarted(ThalamusEvent, frozen=True):
    """The first turn of a session in this process is about to begin."""


class SessionEnded(ThalamusEvent, frozen=True):
    """The session was reset, or the engine closed."""


class TurnStarted(ThalamusEvent, frozen=True):
    """A turn begins: ``record`` as it came in, ``stages`` those that may be run."""

    record: Turn
    stages: tuple[str, ...]


class TurnFinished(ThalamusEvent, frozen=True):
    """A turn ended, or was interrupted (``record.interrupted``). ``left``: the stages that are
    left for later, when the turn starts and finishes once more."""

    record: Turn
    left: tuple[str, ...] = ()


class ChatMessage(ThalamusEvent, frozen=True):
    """A message of the conversation: ``role`` is user or assistant."""

    role: str
    content: str


class Token(ThalamusEvent, frozen=True):
    """A piece of the answer, as the model makes it."""

    text: str


class StageStarted(ThalamusEvent, frozen=True):
    """A stage begins."""

    stage: str


class StageFinished(ThalamusEvent, frozen=True):
    """A stage ended; ``record`` is the turn as it left it."""

    stage: str
    record: Turn


class StageFailed(ThalamusEvent, frozen=True):
    """A stage raised ``error``; the turn goes on as it was before."""

    stage: str
    error: Exception


class LedgerEntry(ThalamusEvent, frozen=True):
    """What a stage decided: ``entry`` as the ledger keeps it, without a word of what it is about,
    and ``content``, the fields of the turn that the stage wrote."""

    stage: str
    entry: Step
    content: dict[str, Any] = {}


class WorldCommitted(ThalamusEvent, frozen=True):
    """A ``change`` of the world state was stored."""

    change: WorldChange


class ModelCalled(ThalamusEvent, frozen=True):
    """A model was asked: ``messages`` as (role, content), and its raw ``reply``. Only with the
    setting ``log_prompts``; what a rule finds personal is left out."""

    role: str
    model: str
    messages: list[tuple[str, str]]
    reply: str


class Routed(ThalamusEvent, frozen=True):
    """A routed turn was sent on its way: ``route`` is context, world or answer."""

    route: str
    reason: str


class ToolCalled(ThalamusEvent, frozen=True):
    """A stage, or its model, calls a tool."""

    stage: str
    id: str
    name: str
    args: dict[str, Any]


class ToolFinished(ThalamusEvent, frozen=True):
    """What came of the call of a tool: ``call`` has its result, or its error."""

    stage: str
    call: ToolCall


class Thinking(ThalamusEvent, frozen=True):
    """What a model thought aloud before it replied."""

    role: str
    text: str


class Forgotten(ThalamusEvent, frozen=True):
    """Something was deleted for good: ``counts`` of what, by kind."""

    counts: dict[str, int]


class ErrorReported(ThalamusEvent, frozen=True):
    """A stage, a plugin or a callback raised; the turn goes on."""

    where: str
    error: BaseException
    traceback: str


# the callback of each kind of event that has one, and the fields of the event that it takes
_CALLBACKS: dict[type[ThalamusEvent], tuple[str, tuple[str, ...]]] = {
    TurnStarted: ("on_turn_started", ("record", "stages")),
    TurnFinished: ("on_turn_finished", ("record", "left")),
    ModelCalled: ("on_model_call", ("role", "model", "messages", "reply")),
    ChatMessage: ("on_chat_message", ("role", "content")),
    Token: ("on_token", ("text",)),
    StageStarted: ("on_status_update", ("stage", "status")),
    StageFinished: ("on_status_update", ("stage", "status")),
    StageFailed: ("on_status_update", ("stage", "status")),
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
_STATUS = {StageStarted: "started", StageFinished: "finished", StageFailed: "failed"}
CALLBACKS = tuple(dict.fromkeys(["on_event", *(name for name, _ in _CALLBACKS.values())]))


class ThalamusEvents:
    """Callbacks that a user interface binds: subclass this, or ``bind`` functions.

    A callback that raises never stops a turn: it is logged with its traceback and reported
    through ``on_error`` once.
    """

    def __init__(self, clock: Clock | None = None) -> None:
        self._clock = clock or Clock()
        self._bound: dict[str, list[Callable[..., None]]] = {}
        self._log: TextIO | None = None
        self._listeners: list[Callable[[Event], None]] = []
        self._reporting = False

    # Each method does nothing here; a subclass overrides those that it listens to.

    def on_event(self, event: ThalamusEvent) -> None:
        """Anything that happens, with all there is to know of it: see the classes above."""

    def on_turn_started(self, record: Turn, stages: tuple[str, ...]) -> None:
        """A turn begins, with the stages that may be run."""

    def on_turn_finished(self, record: Turn, left: tuple[str, ...]) -> None:
        """A turn ended, with the stages that are left for later."""

    def on_model_call(
        self, role: str, model: str, messages: list[tuple[str, str]], reply: str
    ) -> None:
        """A model was asked and replied; only with the setting ``log_prompts``."""

    def on_chat_message(self, role: str, content: str) -> None:
        """A message of the conversation: ``role`` is user or assistant."""

    def on_token(self, text: str) -> None:
        """A piece of the answer, as the model makes it."""

    def on_status_update(self, stage: str, status: str) -> None:
        """A stage begins (``started``), ends (``finished``) or fails (``failed``)."""

    def on_thalamus_control_entry(self, stage: str, data: dict[str, Any]) -> None:
        """What a stage decided, and in ``content`` what it planned, fetched, reflected, stored."""

    def on_world_committed(self, change: WorldChange) -> None:
        """A change of the world state was stored."""

    def on_route(self, route: str, reason: str) -> None:
        """A routed turn was sent on its way."""

    def on_tool_call(self, stage: str, id: str, name: str, args: dict[str, Any]) -> None:
        """A stage, or its model, calls a tool."""

    def on_tool_result(self, stage: str, call: ToolCall) -> None:
        """What came of the call of a tool."""

    def on_thinking(self, role: str, text: str) -> None:
        """What a model thought aloud before it replied."""

    def on_forgotten(self, counts: dict[str, int]) -> None:
        """Something was deleted for good."""

    def on_session_started(self, session: str) -> None:
        """The first turn of a session in this process."""

    def on_session_ended(self, session: str) -> None:
        """The session was reset or the engine closed."""

    def on_error(self, where: str, error: BaseException, trace: str) -> None:
        """A stage or a callback raised; the turn goes on."""

    def bind(self, name: str, callback: Callable[..., None]) -> None:
        """Adds a function that is called in addition to the method ``name``. Raises
        ``ValueError`` for a name that is not a callback's."""
        if name not in CALLBACKS:
            raise ValueError(f"unknown callback {name!r} (choose {', '.join(CALLBACKS)})")
        self._bound.setdefault(name, []).append(callback)

    def write_to(self, file: TextIO) -> None:
        """Writes every event that has a callback of its own, except tokens, to ``file`` as JSON
        lines."""
        self._log = file

    def send_to(self, listener: Callable[[Event], None]) -> None:
        """Gives every event that ``write_to`` would write to a function, as a record: at once, in
        the thread in which it happens."""
        self._listeners.append(listener)

    @property
    def wants_tokens(self) -> bool:
        """Whether anyone listens to tokens, so that a reply is worth streaming."""
        return any(
            self._bound.get(name) or getattr(type(self), name) is not getattr(ThalamusEvents, name)
            for name in ("on_event", "on_token")
        )

    def emit(self, event: ThalamusEvent) -> None:
        """Calls everyone who listens to an event, and writes it down."""
        self._call("on_event", event)
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
        if isinstance(error, ThalamusError):  # foreseen: the user reads its message
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
            data["error"] = f"{type(event.error).__name__}: {event.error}"
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
                log.exception("cannot hand on an event")
        if self._log is None:
            return
        try:
            self._log.write(to_line(line).decode())
            self._log.flush()
        except (OSError, ValueError) as error:
            self._log = None
            log.error("cannot write events: %s", error)


def _value(event: ThalamusEvent, field: str) -> Any:
    """What a callback is given for a field."""
    if field == "status":
        return _STATUS[type(event)]
    if isinstance(event, LedgerEntry) and field == "decision":
        return to_builtins(event.entry) | {"content": event.content}
    return getattr(event, field)
