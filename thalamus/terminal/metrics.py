"""Figures of a store as text: each with its target and its verdict."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from thalamus.terminal.lines import one_line
from thalamus.terminal.local import day
from thalamus.text.figures import figure_text, target_text

if TYPE_CHECKING:
    from thalamus.records.metrics import Metrics


def metric_lines(found: Metrics) -> Iterator[str]:
    """A table of the figures, then refusals by rule, tool calls and stages."""
    period = f" since {day(found.since)}" if found.since else ""
    period += f" before {day(found.until)}" if found.until else ""
    yield f"{found.turns:,} turn{'' if found.turns == 1 else 's'}{period}"
    rows = [
        (
            one.description,
            figure_text(one.value, one.unit),
            target_text(one.target, one.bound, one.unit),
            (one.verdict or "") if one.value is not None else "no data",
            f"of {one.of:,}" if one.of else "",
        )
        for one in found.figures
    ]
    name, value, target, verdict, _ = (max(map(len, column)) for column in zip(*rows, strict=True))
    for row in rows:
        line = f"  {row[0]:{name}}  {row[1]:>{value}}  {row[2]:{target}}  {row[3]:{verdict}}"
        yield f"{line}  {row[4]}".rstrip()
    yield from _counts("Refusals by rule", found.refusals)
    yield from _counts("Tool calls", found.tools)
    if found.stages:
        yield "Stages: model, runs, time, tokens in and out"
    for one in found.stages:
        model = f"  {one_line(one.model)}" if one.model else ""
        tokens = f"  {one.tokens_in:,}/{one.tokens_out:,}" if one.tokens_in else ""
        yield f"  {one.stage}{model}  {one.calls:,}  {one.total_ms:,} ms{tokens}"


def _counts(title: str, counts: Mapping[str, int]) -> Iterator[str]:
    if not counts:
        return
    yield title
    name, digits = max(map(len, counts)), max(len(f"{count:,}") for count in counts.values())
    for key, count in counts.items():
        yield f"  {one_line(key):{name}}  {count:>{digits},}"
