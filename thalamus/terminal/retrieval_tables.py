"""Evaluations and comparisons as plain, aligned lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thalamus.evaluation.compare import Comparison, QuestionChange
    from thalamus.records.evaluations import Evaluation

_REASONS = {
    "abstention": "without an answer (abstention)",
    "adversarial": "adversarial",
    "no_evidence": "without evidence in the haystack",
}


def evaluation_lines(found: Evaluation) -> list[str]:
    """The subject of the measurement, the table of shares in percent, and the times."""
    kinds = [f"{name}@{k}" for k in found.k for name in ("any", "all", "recall")]
    rows = [["type", "questions", *kinds]]
    rows += [_row(name, figures, kinds) for name, figures in found.types.items()]
    total = {"questions": float(found.questions), **found.scores}
    rows.append(_row("all", total, kinds))
    return [
        f"{found.file} ({found.format}, sha256 {found.sha256}), by {found.level}",
        f"embedder {found.embedder}",
        *([f"reranker {found.reranker}"] if found.reranker != "none" else []),
        *_left_out(found),
        "",
        *aligned(rows),
        "",
        *_times(found),
    ]


def comparison_lines(found: Comparison) -> list[str]:
    """The table by type, the probability of chance, the questions left out, and those that
    changed."""
    rows = [["type", "questions", "won", "lost", "same", f"recall@{found.k}", "now"]]
    rows += [_counted(name, found.of_type(name)) for name in found.types()]
    rows.append(_counted("all", found))
    lines = [*aligned(rows), ""]
    verdict = "could well be chance" if found.p >= 0.05 else "is hardly chance"
    lines.append(f"Exact sign test over won and lost, two-sided: p = {found.p:.4f}; it {verdict}.")
    lines += _unpaired(found)
    lines += _listed("Won", found.won) + _listed("Lost", found.lost)
    return lines


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of cells as lines: the first column to the left, the others to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [f"{cell:>{width}}" for cell, width in zip(row[1:], widths[1:], strict=True)]
        lines.append("  ".join([f"{row[0]:{widths[0]}}", *cells]).rstrip())
    return lines


def _row(name: str, figures: Mapping[str, float], kinds: Sequence[str]) -> list[str]:
    shares = [f"{figures[kind] * 100:.1f}" if kind in figures else "-" for kind in kinds]
    return [name, f"{figures['questions']:,.0f}", *shares]


def _left_out(found: Evaluation) -> list[str]:
    parts = [f"{count:,} {_REASONS.get(name, name)}" for name, count in found.left_out.items()]
    if found.references:
        parts.append(f"{found.references:,} gold references that do not resolve")
    return [f"left out: {', '.join(parts)}"] if parts else []


def _times(found: Evaluation) -> list[str]:
    lines = []
    if found.haystacks:
        stores = "1 store" if found.haystacks == 1 else f"{found.haystacks:,} stores"
        what = f"{found.records:,} records in {stores}"
        lines.append(f"loaded {what} in {found.seconds['ingest']:.1f} s")
    asked = f"asked {found.questions:,} questions in {found.seconds['questions']:.1f} s"
    lines.append(f"{asked}: p50 {found.ms['p50']:.1f} ms, p95 {found.ms['p95']:.1f} ms")
    if found.resumed:
        lines.append(f"{found.resumed:,} of the answers were resumed")
    return lines


def _counted(name: str, found: Comparison) -> list[str]:
    figures = found.figures()
    counts = [f"{figures[key]:,}" for key in ("questions", "won", "lost", "same")]
    return [name, *counts, *(f"{share * 100:.1f}" for share in figures["recall"])]


def _unpaired(found: Comparison) -> list[str]:
    parts = {
        "only in the first file": found.first_only,
        "only in the second": found.second_only,
        "with different gold": found.changed,
    }
    counts = [f"{count:,} {what}" for what, count in parts.items() if count]
    return [f"left out: {', '.join(counts)}"] if counts else []


def _listed(title: str, changes: Sequence[QuestionChange]) -> list[str]:
    if not changes:
        return []
    rows = [
        [f"  {change.before * 100:.0f} → {change.after * 100:.0f}", change.id, change.question]
        for change in changes
    ]
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    body = [
        f"{row[0]:{widths[0]}}  {row[1]:{widths[1]}}  {' '.join(row[2].split())}" for row in rows
    ]
    return ["", f"{title}:", *body]
