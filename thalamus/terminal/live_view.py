"""Events of running chats for reading, as they happen: what `thalamus trace --follow` prints."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from thalamus.terminal import streams
from thalamus.terminal.lines import visible
from thalamus.terminal.local import day, zone
from thalamus.terminal.tool_calls import call_text, outcome_text
from thalamus.text.local_time import local

if TYPE_CHECKING:
    from thalamus.records import Event

LABEL = 10  # columns before the text
LEAST = 20  # columns that the text has, however narrow the terminal
Line = tuple[str, str, str]  # label, text, style
Data = Mapping[str, Any]

# what a stage notes down that is shown by its content, or says nothing
_SHOWN = set(
    "memories facts refused decisions messages instructions cut_short loop_cut parts prompt"
    " no_longer".split()
)
# content of a turn that an event of its own shows, or that another stage repeats
_ELSEWHERE = {"answer", "route", "world", "tool_calls", "interrupted", "status"}


class LiveView:
    """Prints events, each turn under a heading that is repeated where another one came between.
    Coloured on a terminal, but for NO_COLOR."""

    def __init__(self) -> None:
        from rich.console import Console

        self._console = Console(highlight=False, soft_wrap=False)
        self._turn: tuple[str | None, str | None] = (None, None)
        self._status = 0  # columns of the word on the status line

    def show(self, event: Event) -> None:
        """Prints what an event says."""
        if event.name == "status_update":
            self._show_status(event)
            return
        lines = list(_LINES.get(event.name, _anything)(event))
        if not lines:
            return
        self._clear()
        if event.turn and (event.session, event.turn) != self._turn:
            self._turn = (event.session, event.turn)
            self._heading(event)
        for line in lines:
            self._print(*line)

    def say(self, text: str) -> None:
        """Prints a line about the chats themselves, on standard error."""
        self._clear()
        streams.complain(text)

    def _heading(self, event: Event) -> None:
        at = local(event.at, zone())[11:19]
        title = visible(f"session {event.session}  {event.turn}  {at}".replace("\n", " "))
        self._print("", "", "")
        self._print("", title, "bold")

    def _show_status(self, event: Event) -> None:
        """A stage that runs, as a word that goes again; one that failed, as a line."""
        self._clear()
        stage, status = str(event.data.get("stage")), event.data.get("status")
        if status == "failed":
            self._print(stage, "failed", "red")
        elif status == "started" and sys.stdout.isatty() and sys.stderr.isatty():
            word = f"{stage} …"
            streams.status(word)
            self._status = len(word)

    def _clear(self) -> None:
        if self._status:
            streams.clear_status(self._status)
            self._status = 0

    def _print(self, label: str, text: str, style: str) -> None:
        """A label and a text, which hangs beside it on as many lines as it takes."""
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
    if record.get("answer") is None:  # a turn that is finished later starts once more
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
    """What a stage took, and what it decided."""
    stage, step = str(event.data.get("stage")), event.data.get("decision") or {}
    yield stage, f"done in {_cost(step)}", "dim"
    content = step.get("content") or {}
    for name, value in content.items():
        if name in _ELSEWHERE or (name == "reflection" and stage == "store"):
            continue
        yield from _CONTENT.get(name, _plain(name))(value)
    for name, value in (step.get("detail") or {}).items():
        if name == "left_out":
            yield from (("", f"left out {id}: {why}", "dim") for id, why in value.items())
        elif name not in _SHOWN:
            yield "", f"{name} {_short(value)}", "dim"


def _cost(step: Data) -> str:
    """``1,240 ms, 812 tokens in, 34 out, qwen2.5``: the model last, by the name of its file."""
    parts = [f"{step.get('ms') or 0:,} ms"]
    if step.get("tokens_in") is not None:
        cached = f" ({step['tokens_cached']:,} cached)" if step.get("tokens_cached") else ""
        parts.append(f"{step['tokens_in']:,} tokens in{cached}")
    if step.get("tokens_out") is not None:
        parts.append(f"{step['tokens_out']:,} out")
    if step.get("model"):
        parts.append(str(step["model"]).rpartition("/")[2])
    return ", ".join(parts)


def _instructions(found: list[Data]) -> Iterator[Line]:
    for item in found:
        about = f", topic {item['topic']}" if item.get("topic") else ""
        query = item.get("query") or "everything"
        yield "", f"looks up {item.get('mode')}: {query}{about}, at most {item.get('limit')}", ""


def _plan(plan: Data | None) -> Iterator[Line]:
    for item in (plan or {}).get("retrieval_instructions") or ():
        query = item.get("query") or "everything"
        yield "", f"next turn: {item.get('mode')}: {query}, at most {item.get('limit')}", ""


def _evidence(found: list[Data]) -> Iterator[Line]:
    for one in found:
        head = f"{one.get('score', 0):.2f}  {day(one.get('at'))}  {one.get('kind')}"
        text = " ".join(str(one.get("text", "")).split())
        stale = f"  (no longer: {one['stale']})" if one.get("stale") else ""
        why = f"  ({one['why']})" if one.get("why") else ""
        yield "", f"{head}  {text}{stale}{why}  [{one.get('id')}]", ""


def _dialogue(found: Data | None) -> Iterator[Line]:
    shown, evicted = ((found or {}).get(name) or () for name in ("shown", "evicted"))
    if shown:
        yield "", f"exchanges in the prompt: {len(shown)}", "dim"
    if evicted:
        yield "", f"exchanges without room in the prompt: {len(evicted)}", "dim"


def _profile(lines: list[Data] | None) -> Iterator[Line]:
    for line in lines or ():
        if line.get("in_prompt", True):
            yield "", f"profile: {line.get('text')}", "dim"


def _reflection(found: Data | None) -> Iterator[Line]:
    found = found or {}
    for memory in found.get("memories_to_store") or ():
        topic = f"  ({memory['topic']})" if memory.get("topic") else ""
        yield "", f"memory: {memory.get('content')}{topic}", "green"
    for fact in found.get("facts") or ():
        said = f"{fact.get('subject')} {fact.get('predicate')} {fact.get('object')}"
        yield "", f"fact: {said}", "green"
    for verdict in found.get("refused") or ():
        yield "", f"refused: {_verdict(verdict)}", "yellow"
    for ending in found.get("no_longer") or ():
        yield "", f"no longer: {ending.get('id')}", "yellow"


def _stored(found: list[Data]) -> Iterator[Line]:
    for verdict in found:
        wrong = verdict.get("decision") in ("refuse", "quarantine", "retract")
        yield "", f"{verdict.get('decision')}: {_verdict(verdict)}", "yellow" if wrong else "green"


def _verdict(verdict: Data) -> str:
    id = f"  [{verdict['id']}]" if verdict.get("id") else ""
    return f"{verdict.get('content') or ''}  ({verdict.get('rule')}: {verdict.get('reason')}){id}"


def _context(found: Data | None) -> Iterator[Line]:
    for source in (found or {}).get("sources") or ():
        title, items = source.get("title"), source.get("items") or ()
        yield "", f"{source.get('kind')}: {title} ({len(items)} items)", ""


def _plain(name: str) -> Callable[[Any], Iterator[Line]]:
    """Shows content of any other name, where there is some."""

    def lines(value: Any) -> Iterator[Line]:
        if value not in (None, [], {}, ""):
            yield "", f"{name.replace('_', ' ')}: {_short(value)}", ""

    return lines


_CONTENT: dict[str, Callable[[Any], Iterator[Line]]] = {
    "retrieval_instructions": _instructions,
    "search_plan": _instructions,
    "evidence": _evidence,
    "dialogue": _dialogue,
    "profile": _profile,
    "reflection": _reflection,
    "stored": _stored,
    "plan": _plan,
    "context": _context,
}


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
        said = f"{operation.get('op')} {operation.get('path')} {_short(operation.get('value'))}"
        yield "world", said, "green"


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
    """Any value on one line, cut where it is long."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    line = " ".join(text.split())
    return line if len(line) <= 300 else f"{line[:299]}…"
