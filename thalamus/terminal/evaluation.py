"""Evaluations, of retrieval, memory and answers, as plain, aligned lines."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from thalamus.records.evaluations import PersonaAnswers
from thalamus.terminal.local import day
from thalamus.text.visible import visible

if TYPE_CHECKING:
    from thalamus.evaluation.compare import Comparison, QuestionChange
    from thalamus.records.evaluations import (
        AnswerEvaluation,
        AnswerTally,
        Evaluation,
        MemoryCase,
        MemoryEvaluation,
        Score,
        Tally,
    )

_REASONS = {
    "abstention": "without an answer (abstention)",
    "adversarial": "adversarial",
    "no_evidence": "without evidence in the haystack",
}
_COUNTS = ("right", "wrong", "missed")
_ANSWER_REASONS = {"no_answer": "without an answer in the file", "no_evidence": "without evidence"}


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


def memory_lines(found: MemoryEvaluation) -> list[str]:
    """The subject of the measurement, the table by kind, and the figures over all."""
    counts = [f"{what} {name}" for what in ("facts", "memories") for name in _COUNTS]
    rows = [["kind", "cases", *counts, "false positives"]]
    rows += [_memory_row(name, tally) for name, tally in found.kinds.items()]
    total = found.all
    assert total is not None
    rows.append(_memory_row("all", total))
    models = ", ".join(f"{stage} {name}" for stage, name in sorted(found.models.items()))
    return [
        f"{found.file} (sha256 {found.sha256})",
        f"{models}, embedder {found.embedder}, prompts {found.prompts}",
        "",
        *aligned(rows),
        "",
        _shares("facts", total.facts),
        _shares("memories", total.memories),
        *_rest(total),
        f"a turn took {found.seconds:.1f} s (median)",
        *([f"{found.resumed:,} of the cases were resumed"] if found.resumed else []),
    ]


def wrong_lines(cases: Iterable[MemoryCase]) -> list[str]:
    """Every case with wrong or missing entries, with its messages and the fault of its reply."""
    lines: list[str] = []
    for case in cases:
        problems = [
            f"  {item.verdict:6}  {item.what:6}  {_one_line(item.text)}"
            for item in case.kept
            if item.verdict != "right"
        ]
        if case.reply:
            problems.append(f"  {case.reply}: {_one_line(case.answer or '')}")
        if problems:
            messages = " / ".join(_one_line(text) for text in [*case.before, case.message])
            lines += [f"{case.id} ({day(case.at)}): {messages}", *problems, ""]
    return lines


def _memory_row(name: str, tally: Tally) -> list[str]:
    numbers = [getattr(s, n) for s in (tally.facts, tally.memories) for n in _COUNTS]
    nothing = f"{tally.empty_kept:,} of {tally.empty:,}" if tally.empty else "-"
    return [name, f"{tally.cases:,}", *(f"{number:,}" for number in numbers), nothing]


def _shares(what: str, score: Score) -> str:
    kept, wanted = score.right + score.wrong, score.found + score.missed
    precision = f"precision {_percent(score.precision)} ({score.right:,} of {kept:,} kept)"
    return f"{what}: {precision}, recall {_percent(score.recall)} ({score.found:,} of {wanted:,})"


def _rest(total: Tally) -> Sequence[str]:
    lines = []
    if total.empty:
        share = _percent(total.empty_kept / total.empty)
        lines.append(
            f"messages with nothing to keep of which something was kept: {share}"
            f" ({total.empty_kept:,} of {total.empty:,})"
        )
    if total.statements:
        lines.append(
            f"of {total.statements:,} statements, {total.refusals:,} were answered by a refusal,"
            f" {total.echoes:,} by an echo"
        )
    return lines


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share * 100:.1f} %"


def _one_line(text: str) -> str:
    """A text from elsewhere, without control characters."""
    shown = "".join(character if character.isprintable() else " " for character in text)
    return " ".join(shown.split())


def answer_lines(found: AnswerEvaluation) -> list[str]:
    """The subject of the measurement, the table of right answers by flow, and the comparison."""
    left_out = [
        f"{count:,} {_ANSWER_REASONS.get(name, name)}"
        for name, count in found.left_out.items()
        if count
    ]
    names = list(dict.fromkeys(name for tally in found.flows.values() for name in tally.types))
    rows = [["right answers", *found.flows]]
    rows += [[name, *(_of_type(tally, name) for tally in found.flows.values())] for name in names]
    tallies = found.flows.values()
    rows.append(["all", *(f"{tally.right} of {tally.questions}" for tally in tallies)])
    rows.append(["accuracy", *(f"{tally.accuracy * 100:.1f} %" for tally in tallies)])
    rows.append(["evidence found", *(f"{tally.recall * 100:.1f} %" for tally in tallies)])
    rows.append(["prompt tokens", *(f"{tally.tokens_in:,}" for tally in tallies)])
    rows.append(["ms (median)", *(f"{tally.ms:,.0f}" for tally in tallies)])
    return [
        f"{found.file} ({found.format}, sha256 {found.sha256})",
        f"model {found.model}, embedder {found.embedder}, prompts {found.prompts}",
        *([f"left out: {', '.join(left_out)}"] if left_out else []),
        "",
        *aligned(rows),
        "",
        *_compared(found),
    ]


def _of_type(tally: AnswerTally, name: str) -> str:
    right, asked = tally.types.get(name, [0, 0])
    return f"{right} of {asked}"


def _compared(found: AnswerEvaluation) -> list[str]:
    first, *others = found.flows
    return [
        f"{name} against {first}: {tally.won} won, {tally.lost} lost"
        f" (exact sign test, two-sided: p = {tally.p:.4f})"
        for name, tally in ((name, found.flows[name]) for name in others)
    ]


def print_answers(found: Sequence[PersonaAnswers]) -> None:
    """Prints a table with a column for each side. Respects NO_COLOR and COLUMNS."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(show_lines=True)
    table.add_column("question")
    for name in found[0].answers if found else ():
        table.add_column(Text(visible(name)))
    for row in found:
        cells = (row.question, *row.answers.values())
        table.add_row(*(Text(visible(cell)) for cell in cells))
    Console(file=sys.stdout, highlight=False).print(table)
