"""A turn's ledger entries as a tree of plain lines."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from thalamus.memory import trace
from thalamus.records import Event
from thalamus.terminal.lines import one_line, quoted
from thalamus.terminal.tree import Node

if TYPE_CHECKING:
    from thalamus.storage.protocol import Store

SHORT = 90  # characters of a text


def tree(store: Store, turn: str, events: list[Event]) -> Node:
    """Everything that the ledger holds about a turn."""
    root = Node(f"{_heading(store, turn, events)}  {quoted(trace.text_of(store, turn), SHORT)}")
    for event in events:
        if event.name == "stage":
            _stage(root, event.data, store)
        elif event.name == "issue":
            _issue(root, event.data)
        else:
            root.add(f"{event.name}: {_value(event.data)}")
    return root


def summary(store: Store, turn: str, events: list[Event]) -> str:
    """A turn on one line: when, where, which stages, tokens, milliseconds, message."""
    steps = trace.stage_entries(events)
    names = " ".join(str(step.get("stage")) for step in steps) or "-"
    problems = trace.issue_entries(events)
    told = f"  {len(problems)} issue{'s' if len(problems) > 1 else ''}" if problems else ""
    said = quoted(trace.text_of(store, turn), 60)
    return f"{_heading(store, turn, events)}  {names}  {_cost(steps)}{told}  {said}"


def _heading(store: Store, turn: str, events: list[Event]) -> str:
    thing = store.get(turn)
    at = getattr(thing, "created_at", None) or (events[0].at if events else "")
    session = getattr(thing, "session", None) or (events[0].session if events else None)
    return f"{turn}  {at}  session {session or '-'}"


def _stage(root: Node, data: dict[str, Any], store: Store) -> None:
    stage = str(data.get("stage", ""))
    model = f"  {data['model']}" if data.get("model") else ""
    node = root.add(f"{stage}{model}  {_cost([data])}")
    for name, label in (("inputs", "in "), ("outputs", "out")):
        for id in data.get(name) or []:
            # of the turn itself: the message on the way in, the answer on the way out
            text = trace.text_of(store, id, stage if name == "outputs" else "")
            node.add(f"{label} {id}" + (f"  {quoted(text, SHORT)}" if text else ""))
    for name, value in (data.get("detail") or {}).items():
        if isinstance(value, list) and value:
            below = node.add(name.replace("_", " "))
            for item in value:
                below.add(one_line(_decided(item, store) or _value(item), 300))
        else:
            node.add(f"{name.replace('_', ' ')}: {_value(value) if value != [] else 'none'}")


def _decided(item: object, store: Store) -> str:
    """A decision of the ledger with the words of what it was about, while they are there."""
    if not isinstance(item, dict) or "decision" not in item:
        return ""
    id = item.get("id") or ""
    text = trace.text_of(store, id) if id else ""
    said = f": {text}" if text else ""
    return f"{item['decision']}{said} ({item.get('reason')})" + (f"  [{id}]" if id else "")


def _issue(root: Node, data: dict[str, Any]) -> None:
    node = root.add(f"issue in {data.get('stage')}: {one_line(str(data.get('message')))}")
    if data.get("fix"):
        node.add(one_line(str(data["fix"])))


def _cost(steps: list[dict[str, Any]]) -> str:
    inward, outward = trace.total(steps, "tokens_in"), trace.total(steps, "tokens_out")
    tokens = f"{inward}+{outward} tokens  " if inward or outward else ""
    return f"{tokens}{trace.total(steps, 'ms')} ms"


def _value(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
