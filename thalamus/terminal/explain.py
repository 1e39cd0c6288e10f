"""Origins as trees of plain lines."""

from __future__ import annotations

from thalamus.policy.sources import is_address
from thalamus.records.reports import Origin
from thalamus.terminal.lines import instruction_line, one_line, quoted, span
from thalamus.terminal.local import day
from thalamus.terminal.tree import Node

_MOST_WORDS = 8  # shared words that are shown
_WORDS = {
    None: "",
    "said_in": "said in ",
    "read_in": "read in ",
    "planned_after": "planned after ",
    "merged_from": "merged from ",
    "derived_from": "derived from ",
    "supersedes": "supersedes ",
    "part_of": "part of ",
    "about": "about ",
}


def tree(origin: Origin) -> Node:
    """The origins as a tree, with the explained entry at its root."""
    node = Node(_label(origin))
    root = origin.relation is None
    if root and origin.kind == "turn":
        node.add(f"answer: {one_line(origin.answer or '(none)', 200)}")
        if origin.draft:
            node.add(f"draft, without memory: {one_line(origin.draft, 200)}")
        for item in origin.search_plan:
            node.add(f"looked up for the draft: {instruction_line(item)}")
    if origin.model:
        verb = "answered" if origin.kind == "turn" else "extracted"
        node.add(f"{verb} by {origin.model}")
    if root and origin.kind in ("memory", "fact") and not origin.origins:
        quote = f": {quoted(origin.quote)}" if origin.quote else ""
        node.add(f"stored on {day(origin.at)}, without a turn or a document{quote}")
    node.children += [tree(child) for child in origin.origins]
    if any(child.shared is not None for child in origin.origins):
        node.add("(use in the answer is judged by shared words alone)")
    return node


def _label(origin: Origin) -> str:
    words = _WORDS.get(origin.relation, f"{origin.relation} ")
    if origin.relation == "evidence":
        words = f"{_use(origin)}: "
    note = f"  ({one_line(origin.note)})" if origin.note else ""
    if origin.kind == "missing":
        quote = f": {quoted(origin.quote)}" if origin.quote else ""
        return f"{words}{origin.id}, no longer in the store{quote}"
    if origin.kind == "turn":
        return f"{words}{_turn_label(origin)}{note}"
    if origin.kind == "document":
        return f"{words}{_document_label(origin)}{note}"
    kind, text = origin.kind.replace("discovery_", ""), one_line(origin.text, 200)
    status = f"  ({origin.status})" if origin.status else ""
    stale = f"  (no longer: {origin.stale})" if origin.stale else ""
    return f"{words}{kind} {text}{_interval(origin)}{status}{stale}  [{origin.id}]{note}"


def _use(origin: Origin) -> str:
    """The use of a piece of evidence: in the prompt, and in the answer."""
    if origin.in_prompt is False:
        return "recalled, not in the prompt"
    where = "in the prompt" if origin.in_prompt else "recalled"
    if origin.shared is None:
        return where
    if not origin.shared:
        return f"{where}, no words of it in the answer"
    return f"{where}, and in the answer ({', '.join(origin.shared[:_MOST_WORDS])})"


def _interval(origin: Origin) -> str:
    if not (origin.valid_from or origin.valid_to):
        return ""
    return f"  ({span(origin.valid_from, origin.valid_to, {'precision': origin.precision})})"


def _turn_label(origin: Origin) -> str:
    where = f"turn {origin.id} on {day(origin.at)} in session {origin.session or '-'}"
    words = origin.quote if origin.relation == "said_in" and origin.quote else origin.text
    return f"{where}: {quoted(words, 300)}"


def _document_label(origin: Origin) -> str:
    parts = [f"document {quoted(origin.text)}", origin.path or ""]
    parts += [f"published {day(origin.published)}"] if origin.published else []
    parts += [f"read {day(origin.at)}"] if is_address(origin.path or "") else []
    parts += [f"page {origin.page}"] if origin.page is not None else []
    parts += [f"offset {origin.offset}"] if origin.offset is not None else []
    parts += [f"under {quoted(origin.heading)}"] if origin.heading else []
    quote = f": {quoted(origin.quote, 300)}" if origin.quote else ""
    return f"{', '.join(part for part in parts if part)}  [{origin.id}]{quote}"
