"""Retrieval metrics, and a significance test for comparing two rankings.

A ranking is a list of unique names, best first; gold is the names that should be in it. Shares are
0 to 1. The metrics are those of LongMemEval's and LoCoMo's retrieval tables.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil


def any_at(ranked: Sequence[str], gold: Sequence[str], k: int) -> float:
    """1 if at least one gold name is among the first ``k``, else 0."""
    return float(not set(gold).isdisjoint(ranked[:k]))


def all_at(ranked: Sequence[str], gold: Sequence[str], k: int) -> float:
    """1 if every gold name is among the first ``k``, else 0."""
    return float(set(gold) <= set(ranked[:k]))


def recall_at(ranked: Sequence[str], gold: Sequence[str], k: int) -> float:
    """Share of the gold names among the first ``k``. Gold must not be empty."""
    wanted = set(gold)
    return len(wanted.intersection(ranked[:k])) / len(wanted)


def measures(ranked: Sequence[str], gold: Sequence[str], ks: Sequence[int]) -> dict[str, float]:
    """``any@5``, ``all@5``, ``recall@5`` and so on for each of ``ks``."""
    kinds = {"any": any_at, "all": all_at, "recall": recall_at}
    return {f"{name}@{k}": measure(ranked, gold, k) for k in ks for name, measure in kinds.items()}


def means(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Mean of each metric over rows with the same metrics; empty without rows."""
    if not rows:
        return {}
    return {name: sum(row[name] for row in rows) / len(rows) for name in rows[0]}


def percentile(numbers: Sequence[float], share: float) -> float:
    """Nearest-rank percentile: the smallest number that at least ``share`` (0 to 1) of the numbers
    do not exceed. 0 without numbers."""
    if not numbers:
        return 0.0
    return sorted(numbers)[max(0, ceil(share * len(numbers)) - 1)]


def sign_test(won: int, lost: int) -> float:
    """Exact two-sided sign test (Dixon and Mood, "The Statistical Sign Test", JASA 1946).

    Returns the probability, if winning and losing were equally likely, that at least this many of
    ``won + lost`` questions go one way; ties do not count. On a metric that is only 0 or 1 it
    equals the exact McNemar test.
    """
    total = won + lost
    ways = tail = 1  # ways to get ``count`` of one kind, and at most that many
    for count in range(min(won, lost)):
        ways = ways * (total - count) // (count + 1)
        tail += ways
    return min(1.0, 2 * tail / (1 << total))
