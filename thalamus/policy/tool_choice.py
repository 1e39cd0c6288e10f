"""Choice of tools by the outcomes of earlier calls: discounted UCB1 over near tasks.

A call counts as much as its task resembles the present one (the square of the cosine of their
embeddings), and less with every later call for a similar task, so that a tool that has changed is
judged by what it does now. The score of a tool is the mean of its outcomes, lowered if it is slow,
plus the UCB1 bonus for tools that were rarely tried; a quota that is nearly spent lowers the sum.
Tools that were never tried for a similar task come first, in the given order.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

UNUSED = 0.5  # outcome of a call that succeeded, but was not used in the answer
SUCCESS = 0.5  # outcome from which a call counts as a success
SLOW = 10_000  # milliseconds after which a result is worth half
DISCOUNT = 0.98  # factor of a call's weight for each later call for the same task
EXPLORATION = 0.2  # factor of the bonus: UCB1 as published (1) explores more than it gains
UNKNOWN = 0.25  # weight of a call whose task has no embedding
NEGLIGIBLE = 1e-9  # total weight up to which a tool counts as never tried
SAME_TASK = 0.5  # cosine from which two tasks are listed as one


class PastCall(Struct, frozen=True):
    """The outcome of a call, from 0 to 1, with its milliseconds. ``cosine``: similarity of its task
    to the present one; None if unknown."""

    tool: str
    outcome: float
    ms: int = 0
    cosine: float | None = 1.0


class Performance(Struct, frozen=True):
    """Weighted mean of a tool's outcomes and milliseconds. ``n``: total weight of its calls."""

    outcome: float
    latency: float
    n: float


class ToolScore(Struct, frozen=True):
    """A tool with its performance and its ``score``; both are None if it was never tried."""

    tool: str
    performance: Performance | None = None
    score: float | None = None


def outcome_of(*, failed: bool, used: bool | None, corrected: bool) -> float:
    """Outcome of a call. ``used``: its result was used in the answer; None if that means nothing,
    as for a tool that changes something."""
    if failed or corrected:
        return 0.0
    return UNUSED if used is False else 1.0


def weight(cosine: float | None) -> float:
    """Weight of a call for a task by the similarity of its own."""
    return UNKNOWN if cosine is None else max(0.0, min(1.0, cosine)) ** 2


def performances(calls: Sequence[PastCall], discount: float = DISCOUNT) -> dict[str, Performance]:
    """Performance of each tool in ``calls``, which are in order of time, oldest first."""
    total: dict[str, float] = defaultdict(float)
    outcomes: dict[str, float] = defaultdict(float)
    times: dict[str, float] = defaultdict(float)
    age = 0.0  # later calls for similar tasks, by weight
    for call in reversed(calls):
        of_task = weight(call.cosine)
        counted = of_task * discount**age
        age += of_task
        total[call.tool] += counted
        outcomes[call.tool] += counted * call.outcome
        times[call.tool] += counted * call.ms
    return {
        tool: Performance(outcomes[tool] / n, times[tool] / n, n)
        for tool, n in total.items()
        if n > NEGLIGIBLE
    }


def ranked(
    tools: Sequence[str],
    calls: Iterable[PastCall],
    quotas: Mapping[str, float] | None = None,
    *,
    discount: float = DISCOUNT,
    exploration: float = EXPLORATION,
) -> list[ToolScore]:
    """The tools, best first; equal ones in the given order. ``quotas``: the share of its quota that
    a tool has left, 0 to 1; with none left it comes last."""
    offered = set(tools)
    known = performances([call for call in calls if call.tool in offered], discount)
    tried = sum(found.n for found in known.values())
    left = quotas or {}
    scores = []
    for tool in tools:
        found = known.get(tool)
        score = None
        if found is not None:
            score = _score(found, tried, exploration) * math.sqrt(left.get(tool, 1.0))
        scores.append(ToolScore(tool, found, score))
    return sorted(scores, key=lambda one: _place(one, left.get(one.tool, 1.0)))


def _score(found: Performance, tried: float, exploration: float) -> float:
    speed = 1 / (1 + found.latency / SLOW)
    return found.outcome * speed + exploration * math.sqrt(2 * math.log1p(tried) / found.n)


def _place(one: ToolScore, left: float) -> tuple[int, float]:
    """Sort key: what was never tried, then by score, then, by outcome, what has no quota left."""
    if left <= 0:
        return 2, -one.performance.outcome if one.performance is not None else 0.0
    return (0, 0.0) if one.score is None else (1, -one.score)
