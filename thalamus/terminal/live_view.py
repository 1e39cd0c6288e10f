"""Live events of running chats as text, for `thalamus trace --follow`."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from msgspec import ValidationError, convert

from thalamus.records import Step, Turn
from thalamus.terminal import streams
from thalamus.terminal.local import zone
from thalamus.terminal.tool_calls import call_text, outcome_text
from thalamus.terminal.trace import detail_label
from thalamus.terminal.turn_lines import FIELDS, VERBATIM, cost
from thalamus.text.local_time import local
from thalamus.text.visible import visible

if TYPE_CHECKING:
    from thalamus.records import Event

LABEL = 10  # columns before the text
LEAST = 20  # least columns of the text
Line = tuple[str, str, str]  # label, text, style

# details of a stage that its content shows, or that are of no interest
_SHOWN = set(
    "memories facts refused decisions messages instructions cut_short loop_cut parts prompt"
    " no_longer".split()
)
_COST = ("ms", "model", "tokens_in", "tokens_out", "tokens_cached")
# content shown by its own event, or repeated by another stage
_ELSEWHERE = {"answer", "route", "world", "tool_calls", "interrupted", "status"}


class LiveView:
    """Prints events, each turn under a heading that is repeated after events of another turn. In
    colour on a terminal, unless NO_COLOR is set."""

    def __init__(self) -> None:
        from rich.console import Console

        self._console = Console(highlight=False, soft_wrap=False)
        self._turn: tuple[str | None, str | None] = (None, None)

    def show(self, event: Event) -> None:
        """Prints an event."""
        if event.name == "status_update":
            self._show_status(event)
            return
        lines = list(_LINES.get(event.name, _anything)(event))
        if not lines:
            return
        streams.clear_status()
        if event.turn and (event.session, event.turn) != self._turn:
            self._turn = (event.session, event.turn)
            self._heading(event)
        for line in lines:
            self._print(*line)

    def say(self, text: str) -> None:
        """Prints a line about the chats themselves, on standard error."""
        streams.clear_status()
        streams.complain(text)

    def _heading(self, event: Event) -> None:
        at = local(event.at, zone())[11:19]
        title = visible(f"session {event.session}  {event.turn}  {at}".replace("\n", " "))
        self._print("", "", "")
        self._print("", title, "bold")

    def _show_status(self, event: Event) -> None:
        """A running stage as a word that disappears again; a failed one as a line."""
        streams.clear_status()
        stage, status = str(event.data.get("stage")), event.data.get("status")
        if status == "failed":
            self._print(stage, "failed", "red")
        elif status == "started" and sys.stdout.isatty() and sys.stderr.isatty():
            streams.status(f"{stage} …")

    def _print(self, label: str, text: str, style: str) -> None:
        """A label, and a text next to it on as many lines as it takes."""
        from rich.text import Text

        width = max(self._console.width - LABEL, LEAST)
        if not label and style == "bold":
            self._console.print(Text(text, style=style), overflow="fold")
            return
        shown = f"{label[: LABEL - 1]:{LABEL}}"
        for part in visible(text).split("\n") or [""]:
            wrapped = Text(part).wrap(self._console, width) if part else [Text("")]
            for piece in wrapped:
                piece.rstrip()
                line = Text.assemble((shown, "cyan"), (piece.plain, style))
                line.rstrip()
                self._console.print(line, no_wrap=True, overflow="ignore", crop=False)
                shown = " " * LABEL
        streams.flush()


# -- what the events say ---------------------------------------------------------------------------


def _started(event: Event) -> Iterator[Line]:
    record = event.data.get("record") or {}
    if record.get("answer") is None:  # a turn that is finished later starts again
        yield "you", str(record.get("message", "")), "bold"


def _finished(event: Event) -> Iterator[Line]:
    record = event.data.get("record") or {}
    for issue in record.get("issues") or ():
        yield "issue", f"{issue.get('code')}: {issue.get('message')}", "yellow"
        if issue.get("fix"):
            yield "", str(issue["fix"]), "dim"
    if record.get("interrupted"):
        yield "stopped", f"interrupted in {record['interrupted']}", "yellow"
    left = event.data.get("left")
    if left:
        yield "later", ", ".join(left), "dim"


def _message(event: Event) -> Iterator[Line]:
    if event.data.get("role") == "assistant":
        yield "answer", str(event.data.get("content", "")), "green"


def _stage(event: Event) -> Iterator[Line]:
    """Lines about a stage: its cost and its decisions."""
    stage, data = str(event.data.get("stage")), event.data.get("decision") or {}
    step = Step(stage=stage, at=event.at, **{name: data[name] for name in _COST if name in data})
    yield stage, f"done in {cost(step)}", "dim"
    content = data.get("content") or {}
    if stage == "store" and not content.get("stored"):
        yield "", VERBATIM, "green"
    for name, value in content.items():
        if name in _ELSEWHERE or (name == "reflection" and stage == "store"):
            continue
        for line in _content(name, value):
            yield "", line, _style(name, line)
    for name, value in (data.get("detail") or {}).items():
        if name == "left_out":
            yield from (("", f"left out {id}: {why}", "dim") for id, why in value.items())
        elif name not in _SHOWN and value is not False:
            label = detail_label(name)
            yield "", label if value is True else f"{label}: {_short(value)}", "dim"


def _content(name: str, value: Any) -> list[str]:
    """Lines of the output of a stage in a field of the turn."""
    if name in FIELDS:
        with suppress(ValidationError):  # of another version
            return FIELDS[name](getattr(convert({"message": name, name: value}, Turn), name))
    if value in (None, [], {}, ""):
        return []
    return [f"{name.replace('_', ' ')}: {_short(value)}"]


def _style(name: str, line: str) -> str:
    if line.startswith(("refuse", "no longer", "quarantine", "retract")):
        return "yellow"
    if name in ("reflection", "stored"):
        return "green"
    return "dim" if name in ("profile", "dialogue") else ""


def _model_call(event: Event) -> Iterator[Line]:
    yield "prompt", f"{event.data.get('role')}, {event.data.get('model')}", "magenta"
    for role, content in event.data.get("messages") or ():
        yield str(role), str(content), "dim"
    yield "reply", str(event.data.get("reply", "")), "magenta"


def _route(event: Event) -> Iterator[Line]:
    reason = f": {event.data['reason']}" if event.data.get("reason") else ""
    yield "route", f"{event.data.get('route')}{reason}", "bold"


def _tool_call(event: Event) -> Iterator[Line]:
    yield "tool", call_text(str(event.data.get("name")), event.data.get("args")), "blue"


def _tool_result(event: Event) -> Iterator[Line]:
    call = event.data.get("call") or {}
    text = outcome_text(call.get("result"), call.get("error"))
    yield "", f"→ {text}  ({call.get('ms', 0):,} ms)", "red" if call.get("error") else "blue"


def _thinking(event: Event) -> Iterator[Line]:
    yield "thinking", str(event.data.get("text", "")), "dim"


def _world(event: Event) -> Iterator[Line]:
    change = event.data.get("change") or {}
    for operation in change.get("operations") or ():
        change = f"{operation.get('op')} {operation.get('path')} {_short(operation.get('value'))}"
        yield "world", change, "green"


def _forgotten(event: Event) -> Iterator[Line]:
    yield "forgotten", _short(event.data.get("counts")), "yellow"


def _error(event: Event) -> Iterator[Line]:
    yield "error", f"{event.data.get('where')}: {event.data.get('error')}", "bold red"
    yield "", str(event.data.get("traceback", "")).rstrip(), "red"


def _lost(event: Event) -> Iterator[Line]:
    yield "lost", f"{event.data.get('count'):,} events: they came faster than here", "yellow"


def _nothing(event: Event) -> Iterator[Line]:
    return iter(())


def _anything(event: Event) -> Iterator[Line]:
    yield event.name, _short(event.data), "dim"


_LINES: dict[str, Callable[[Event], Iterator[Line]]] = {
    "turn_started": _started,
    "turn_finished": _finished,
    "chat_message": _message,
    "thalamus_control_entry": _stage,
    "model_call": _model_call,
    "route": _route,
    "tool_call": _tool_call,
    "tool_result": _tool_result,
    "thinking": _thinking,
    "world_committed": _world,
    "forgotten": _forgotten,
    "error": _error,
    "events_lost": _lost,
    "session_started": _nothing,
    "session_ended": _nothing,
}


def _short(value: Any) -> str:
    """Any value on one line, cut if it is long."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    line = " ".join(text.split())
    return line if len(line) <= 300 else f"{line[:299]}…"
