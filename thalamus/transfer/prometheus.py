"""Figures in the text format of Prometheus (version 0.0.4): one family after the other, each with
its HELP, its TYPE and its samples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thalamus.records.metrics import Metric, Metrics
    from thalamus.records.statistics import StageTimes

_UNITS = {"share": "ratio", "ms": "seconds", "per_100_turns": "per_100_turns"}
_ESCAPED = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})
Sample = tuple[Mapping[str, str], float]


def prometheus_text(found: Metrics) -> str:
    """All figures; those without data are left out, except for their targets and verdicts."""
    lines = [
        *_family("turns", "Turns.", [({}, found.turns)]),
        *(line for one in found.figures for line in _figure(one)),
        *_family("target_met", "1 if a figure meets its target, else 0.", list(_verdicts(found))),
        *_family("refusals", "Refused statements by rule.", _by("rule", found.refusals)),
        *_family("tool_calls", "Tool calls by tool.", _by("tool", found.tools)),
    ]
    for name, description, field in (
        ("stage_runs", "Runs of a stage with a model.", "calls"),
        ("stage_seconds", "Seconds that a stage took with a model, in total.", "total_ms"),
        ("stage_tokens_in", "Tokens that a stage gave a model.", "tokens_in"),
        ("stage_tokens_out", "Tokens that a stage got from a model.", "tokens_out"),
    ):
        lines += _family(name, description, [_of_stage(one, field) for one in found.stages])
    return "".join(f"{line}\n" for line in lines)


def _figure(one: Metric) -> Iterator[str]:
    if one.value is None:
        return
    value = one.value / 1000 if one.unit == "ms" else one.value
    yield from _family(f"{one.name}_{_UNITS[one.unit]}", f"{one.description}.", [({}, value)])


def _verdicts(found: Metrics) -> Iterator[Sample]:
    for one in found.figures:
        if one.verdict in ("met", "missed"):
            yield {"figure": one.name}, one.verdict == "met"


def _by(label: str, counts: Mapping[str, int]) -> list[Sample]:
    return [({label: name}, count) for name, count in counts.items()]


def _of_stage(one: StageTimes, field: str) -> Sample:
    value = getattr(one, field)
    labels = {"stage": one.stage, "model": one.model or ""}
    return labels, value / 1000 if field == "total_ms" else value


def _family(name: str, description: str, samples: list[Sample]) -> Iterator[str]:
    """A family of gauges: figures of a window of time go down, too. Nothing without samples."""
    if not samples:
        return
    description = description.replace("\\", r"\\").replace("\n", r"\n")
    yield f"# HELP thalamus_{name} {description}"
    yield f"# TYPE thalamus_{name} gauge"
    for labels, value in samples:
        given = ",".join(f'{key}="{text.translate(_ESCAPED)}"' for key, text in labels.items())
        yield f"thalamus_{name}{f'{{{given}}}' if given else ''} {_number(value)}"


def _number(value: float) -> str:
    return str(int(value)) if float(value).is_integer() else repr(round(float(value), 9))
