"""Evaluations of answers for reading: plain lines, aligned."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thalamus.terminal.retrieval_tables import aligned

if TYPE_CHECKING:
    from thalamus.records.evaluations import AnswerEvaluation, AnswerTally

_REASONS = {"no_answer": "without an answer in the file", "no_evidence": "without evidence"}


def answer_lines(found: AnswerEvaluation) -> list[str]:
    """The subject of the measurement, the table of right answers by flow, and the comparison."""
    left_out = [
        f"{count:,} {_REASONS.get(name, name)}" for name, count in found.left_out.items() if count
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
