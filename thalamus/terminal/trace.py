"""A turn's ledger entries as a tree of plain lines."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from msgspec import ValidationError, convert

from thalamus.errors import NothingFound
from thalamus.records import Event, Fact, Instruction, Memory, Plan, Record, StageLog, Turn
from thalamus.terminal.lines import instruction_line, one_line, quoted
from thalamus.terminal.tool_calls import call_text, outcome_text
from thalamus.terminal.tree import Node

if TYPE_CHECKING:
    from thalamus.api import Thalamus

Get = Callable[[str], Record | None]  # the record with an id
Calls = Mapping[str, dict[str, Any]]  # calls of tools by their ids
SHORT = 90  # characters of a text
_ON_ONE_LINE = ("tool_ranking", "tools_used")
# words for details of a stage, by their names in the ledger
LABELS = {
    "cut_short": "cut at the limit of tokens",
    "facts": "facts found",
    "instructions": "searches",
    "left_out": "left out of the prompt",
    "loop_cut": "repetition cut off",
    "memories": "memories found",
    "messages": "messages in the prompt",
    "no_longer": "statements that ended",
    "no_room": "other entries without room",
    "notes": "notes in the prompt",
    "refused": "refused",
    "second_look": "confidence on a second look",
    "tool_ranking": "tools by score",
    "tools_used": "results in the answer",
    "topics": "topics found",
    "used": "evidence in the answer",
}


def tree(get: Get, turn: str, events: Sequence[Event], logs: Sequence[StageLog] = ()) -> Node:
    """All ledger entries of a turn; input and output of tools come from the ``logs`` of its stages,
    as long as they are kept."""
    calls = {call["id"]: call for log in logs for call in log.gave.get("tool_calls") or ()}
    names = {entry["id"]: entry["name"] for entry in _called_in(events)}
    root = Node(f"{_heading(get, turn, events)}  {quoted(_text_of(get, turn), SHORT)}")
    end = 0  # of the stages
    for event in events:
        if event.name == "stage":
            _stage(root, _with_names(event.data, names), get, calls)
            end = len(root.children)
        elif event.name == "issue":
            _issue(root, event.data)
        else:
            root.add(f"{event.name.replace('_', ' ')}: {_fields(event.data)}")
    if end and all(step.get("stage") != "plan" for step in _stage_entries(events)):
        root.children.insert(end, Node("plan: none saved"))
    return root


def turn_tree(thalamus: Thalamus, turn: str) -> Node:
    """Everything in the store about the work on a turn."""
    events = thalamus.sessions.trace(turn)
    logs: list[StageLog] = []
    if any((step.get("detail") or {}).get("calls") for step in _stage_entries(events)):
        with suppress(NothingFound):  # only kept for a while
            logs = thalamus.sessions.stage_logs(turn)
    return tree(thalamus.store.get, turn, events, logs)


def summary(get: Get, turn: str, events: Sequence[Event]) -> str:
    """A turn on one line: time, session, stages, tokens, milliseconds, message."""
    steps = _stage_entries(events)
    names = " ".join(str(step.get("stage")) for step in steps) or "-"
    problems = _issue_entries(events)
    issues = f"  {len(problems)} issue{'s' if len(problems) > 1 else ''}" if problems else ""
    message = quoted(_text_of(get, turn), 60)
    return f"{_heading(get, turn, events)}  {names}  {_cost(steps)}{issues}  {message}"


def _heading(get: Get, turn: str, events: Sequence[Event]) -> str:
    thing = get(turn)
    at = getattr(thing, "created_at", None) or (events[0].at if events else "")
    session = getattr(thing, "session", None) or (events[0].session if events else None)
    return f"{turn}  {at}  session {session or '-'}"


def _stage(root: Node, data: dict[str, Any], get: Get, calls: Calls) -> None:
    stage = str(data.get("stage", ""))
    model = f"  {data['model']}" if data.get("model") else ""
    node = root.add(f"{stage}{model}  {_cost([data])}")
    for name, label in (("inputs", "in "), ("outputs", "out")):
        for id in data.get(name) or []:
            saved = get(id) if stage == "plan" else None
            if isinstance(saved, Plan):
                below = node.add(f"{label} {id}")
                for item in saved.retrieval_instructions:
                    below.add(instruction_line(item))
                continue
            # of the turn itself: the message on the way in, the answer on the way out
            text = _text_of(get, id, stage if name == "outputs" else "")
            node.add(f"{label} {id}" + (f"  {quoted(text, SHORT)}" if text else ""))
    for name, value in (data.get("detail") or {}).items():
        if name == "calls":
            for entry in value:
                node.add(_called(entry, calls))
        else:
            _detail(node, name, value, get)


def _detail(node: Node, name: str, value: object, get: Get) -> None:
    """Adds a detail of a stage, on one line or with a line for each part."""
    label = detail_label(name)
    if name in _ON_ONE_LINE and isinstance(value, list) and value:
        node.add(f"{label}: {', '.join(map(_ranked, value))}")
    elif isinstance(value, list) and value:
        below = node.add(label)
        for item in value:
            below.add(one_line(_item(name, item, get), 300))
    elif isinstance(value, dict) and value:
        below = node.add(label)
        for key, item in value.items():
            text = _text_of(get, key) if name == "left_out" else ""
            shown = f"  {quoted(text, SHORT)}" if text else ""
            below.add(one_line(f"{key}{shown}: {_value(item)}", 300))
    elif value is True:
        node.add(label)
    elif value is not False:
        node.add(f"{label}: {'none' if value in ([], {}) else _value(value)}")


def detail_label(name: str) -> str:
    """A detail of a stage in words."""
    return LABELS.get(name, name.replace("_", " "))


def _item(name: str, item: object, get: Get) -> str:
    """An item of a detail: an instruction, a decision, or evidence with its text."""
    if name == "used":
        return f"{item}  {quoted(_text_of(get, str(item)), SHORT)}"
    shown = _planned(item) if name == "search_plan" else _decided(item, get)
    return shown or _value(item)


def _ranked(item: object) -> str:
    """A tool with its score, or only its name."""
    if not isinstance(item, dict):
        return str(item)
    score = item.get("score")
    return f"{item.get('tool')} {'(untried)' if score is None else score}"


def _called_in(events: Sequence[Event]) -> list[dict[str, Any]]:
    """All entries of tool calls."""
    details = [step.get("detail") or {} for step in _stage_entries(events)]
    return [entry for detail in details for entry in detail.get("calls") or ()]


def _with_names(data: dict[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """The data of a stage with the names of tools in place of the ids of calls."""
    detail = data.get("detail") or {}
    if not detail.get("tools_used"):
        return data
    used = [names.get(id, id) for id in detail["tools_used"]]
    return {**data, "detail": {**detail, "tools_used": used}}


def _decided(item: object, get: Get) -> str:
    """A decision of the ledger with the text of its subject, if that still exists."""
    if not isinstance(item, dict) or "decision" not in item:
        return ""
    id = item.get("id") or ""
    text = _text_of(get, id) if id else ""
    content = f": {text}" if text else ""
    return f"{item['decision']}{content} ({item.get('reason')})" + (f"  [{id}]" if id else "")


def _called(entry: dict[str, Any], calls: Calls) -> str:
    """A call of a tool: ``tool calculate(expression="12 * 7") → value: 84 (1 ms)``; only its name
    if its arguments are no longer kept."""
    took = f"({entry.get('ms') or 0} ms)"
    call = calls.get(str(entry.get("id")))
    if call is None:
        failed = " failed" if entry.get("failed") else ""
        return f"tool {entry.get('name')}{failed}  {took}"
    given = call_text(str(call.get("name")), call.get("args"))
    return f"tool {given} → {outcome_text(call.get('result'), call.get('error'))}  {took}"


def _planned(item: object) -> str:
    """An instruction of a search plan from the ledger."""
    try:
        return instruction_line(convert(item, Instruction))
    except ValidationError:
        return ""


def _issue(root: Node, data: dict[str, Any]) -> None:
    node = root.add(f"issue in {data.get('stage')}: {one_line(str(data.get('message')))}")
    if data.get("fix"):
        node.add(one_line(str(data["fix"])))


def _cost(steps: list[dict[str, Any]]) -> str:
    inward, outward = _total(steps, "tokens_in"), _total(steps, "tokens_out")
    tokens = f"{inward}+{outward} tokens  " if inward or outward else ""
    return f"{tokens}{_total(steps, 'ms')} ms"


def _fields(data: dict[str, Any]) -> str:
    """The non-empty data of an entry by name."""
    fields = {name: value for name, value in data.items() if value not in (None, [], {})}
    return ", ".join(f"{name.replace('_', ' ')} {_listed(value)}" for name, value in fields.items())


def _listed(value: object) -> str:
    plain = isinstance(value, list) and all(isinstance(item, str) for item in value)
    return " and ".join(value) if plain else _value(value)  # type: ignore[arg-type]


def _value(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _stage_entries(events: Sequence[Event]) -> list[dict[str, Any]]:
    """The data of the stages among a turn's ledger entries (fields of ``records.Step``)."""
    return [event.data for event in events if event.name == "stage"]


def _issue_entries(events: Sequence[Event]) -> list[dict[str, Any]]:
    """The data of the issues (fields of ``records.Issue``)."""
    return [event.data for event in events if event.name == "issue"]


def _total(steps: list[dict[str, Any]], name: str) -> int:
    """The sum of ``ms``, ``tokens_in`` or ``tokens_out`` over stages."""
    return sum(int(step.get(name) or 0) for step in steps)


def _text_of(get: Get, id: str, stage: str = "") -> str:
    """The text of an id; of a turn the message or, for ``stage`` answer, the answer."""
    thing = get(id)
    if isinstance(thing, Turn):
        return thing.answer or "" if stage == "answer" else thing.message
    if isinstance(thing, Memory):
        return thing.content
    if isinstance(thing, Fact):
        return f"{thing.subject} {thing.predicate} {thing.object}"
    instructions = getattr(thing, "retrieval_instructions", [])
    return "; ".join(instruction_line(item) for item in instructions)
