"""Origins of entries, and scores of results, as trees of plain lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import UNSET

from thalamus.policy.rank import MOST_LACK
from thalamus.policy.sources import is_address
from thalamus.terminal.lines import evidence_line, instruction_line, one_line, quoted, span
from thalamus.terminal.local import day
from thalamus.terminal.tree import Node

if TYPE_CHECKING:
    from thalamus.records import Evidence, Explanation
    from thalamus.records.reports import Origin

_MOST_WORDS = 8  # shared words that are shown
_WORDS = {
    None: "",
    "said_in": "said in ",
    "read_in": "read in ",
    "planned_after": "planned after ",
    "merged_from": "merged from ",
    "derived_from": "derived from ",
    "supersedes": "supersedes ",
    "proposes": "proposed instead of ",
    "part_of": "part of ",
    "about": "about ",
}
# the signals of a score, and the name of what was measured for one
_SIGNALS = {
    "fulltext": ("words", "BM25"),
    "vector": ("meaning", "cosine"),
    "sentence": ("nearest sentence of the answer", "cosine"),
    "conversation_vector": ("meaning of its conversation", ""),
    "conversation_words": ("words of its conversation", ""),
    "speaker": ("speaker", ""),
    "time": ("time", ""),
    "dated": ("says when", ""),
    "project": ("this project", ""),
    "lack": ("says little", ""),
}
_LONG = 200  # characters of a text
_LEAST = 0.0005  # value of a signal that is shown
_ROUNDING = 0.0002  # of two scores that are the same


def tree(origin: Origin) -> Node:
    """The origins as a tree, with the explained entry at its root."""
    node = Node(_label(origin))
    root = origin.relation is None
    if root and origin.kind == "turn":
        node.add(f"answer: {one_line(origin.answer or '(none)', _LONG)}")
        if origin.draft:
            node.add(f"draft, without memory: {one_line(origin.draft, _LONG)}")
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
    kind, text = origin.kind.replace("discovery_", ""), one_line(origin.text, _LONG)
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


def score_tree(evidence: Evidence) -> Node:
    """A piece of evidence with what makes up its score and its relevance."""
    node = Node(evidence_line(evidence, _LONG))
    found = evidence.explanation
    if found is not UNSET:
        without = []
        for name, signal in found.signals.items():
            label, measure = _SIGNALS[name]
            if signal.value < _LEAST:
                without.append(label)
                continue
            if measure and name in evidence.scores:
                label += f" ({measure} {evidence.scores[name]:.2f})"
            product = f"{signal.value:.3f} × {signal.weight:<4.1f}"
            node.add(f"{signal.adds:6.3f} = {product}  {label}")
        node.add(f"{found.total:6.3f}   total")
        if without:
            node.add(f"nothing from: {', '.join(without)}")
        node.add(_quotient(evidence, found))
        if abs(evidence.score - found.score) > _ROUNDING:
            reranked = "reranker" in evidence.scores
            reason = " by the reranker" if reranked else ": equals are listed newest first"
            node.add(f"moved to a place with {evidence.score:.3f}{reason}")
        node.add(_relevance(evidence, found))
    node.add(one_line(evidence.why))
    return node


def _quotient(evidence: Evidence, found: Explanation) -> str:
    """``score 0.632 = 2.800 / 3.100 (the best total) × 0.7 (a past question)``."""
    limit = "; at least 0" if found.total < 0 else ""
    limit = "; at most 1" if found.total > found.best else limit
    secondary = "an insight" if evidence.kind == "insight" else "a past question"
    names = {"secondary": secondary, "stale": "no longer true"}
    factors = "".join(f" × {factor:g} ({names[name]})" for name, factor in found.factors.items())
    quotient = f"{found.total:.3f} / {found.best:.3f} (the best total{limit})"
    if found.best <= 0:
        quotient = f"({found.total:.3f} + {MOST_LACK}) / ({found.best:.3f} + {MOST_LACK})"
    return f"score {found.score:.3f} = {quotient}{factors}"


def _relevance(evidence: Evidence, found: Explanation) -> str:
    """``relevance 0.72: words 0.40, meaning 0.22``."""
    if evidence.relevance is None:
        return "no relevance: the question asks for nothing in particular"
    parts = {_SIGNALS.get(name, (name, ""))[0]: part for name, part in found.relevance.items()}
    text = ", ".join(f"{name} {part:.2f}" for name, part in parts.items() if part >= 0.005)
    most = " (at most 1)" if sum(parts.values()) > 1 else ""
    return f"relevance {evidence.relevance:.2f}{most}" + (f": {text}" if text else "")
