"""An evaluation of the memory as plain, aligned lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from thalamus.terminal.local import day
from thalamus.terminal.retrieval_tables import aligned

if TYPE_CHECKING:
    from thalamus.records.evaluations import MemoryCase, MemoryEvaluation, Score, Tally

_COUNTS = ("right", "wrong", "missed")


def memory_lines(found: MemoryEvaluation) -> list[str]:
    """The subject of the measurement, the table by kind, and the figures over all."""
    counts = [f"{what} {name}" for what in ("facts", "memories") for name in _COUNTS]
    rows = [["kind", "cases", *counts, "false positives"]]
    rows += [_row(name, tally) for name, tally in found.kinds.items()]
    total = found.all
    assert total is not None
    rows.append(_row("all", total))
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


def _row(name: str, tally: Tally) -> list[str]:
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
