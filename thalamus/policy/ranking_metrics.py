"""How good a ranking is, and whether one of two is better by more than luck.

A ranking is a list of names, best first, each once; gold is the names that should be in it.
Shares are 0..1. The measures are those of LongMemEval's and LoCoMo's retrieval tables.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil


def any_at(ranked: Sequence[str], gold: Sequence[str], k: int) -> float:
    """1 when at least one gold name is among the first ``k``, else 0."""
    return float(not set(gold).isdisjoint(ranked[:k]))


def all_at(ranked: Sequence[str], gold: Sequence[str], k: int) -> float:
    """1 when every gold name is among the first ``k``, else 0."""
    return float(set(gold) <= set(ranked[:k]))


def recall_at(ranked: Sequence[str], gold: Sequence[str], k: int) -> float:
    """The share of the gold names that are among the first ``k``. Gold must not be empty."""
    wanted = set(gold)
    return len(wanted.intersection(ranked[:k])) / len(wanted)


def measures(ranked: Sequence[str], gold: Sequence[str], ks: Sequence[int]) -> dict[str, float]:
    """``any@5``, ``all@5``, ``recall@5`` and so on for each of ``ks``."""
    kinds = {"any": any_at, "all": all_at, "recall": recall_at}
    return {f"{name}@{k}": measure(ranked, gold, k) for k in ks for name, measure in kinds.items()}


def means(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The mean of each measure over rows that have the same ones; empty without rows."""
    if not rows:
        return {}
    return {name: sum(row[name] for row in rows) / len(rows) for name in rows[0]}


def percentile(numbers: Sequence[float], share: float) -> float:
    """The smallest number that at least this ``share`` (0..1) of them do not exceed: the nearest
    rank, so always one of them. 0 when there are none."""
    if not numbers:
        return 0.0
    return sorted(numbers)[max(0, ceil(share * len(numbers)) - 1)]


def sign_test(won: int, lost: int) -> float:
    """The exact two-sided sign test (Dixon and Mood, "The Statistical Sign Test", JASA 1946).

    How likely it is, if winning and losing were equally likely, that of ``won + lost`` questions
    at least so many would go one way; ties do not count. On a measure that is only 0 or 1 it is
    the exact McNemar test.
    """
    total = won + lost
    ways = tail = 1  # to get ``count`` of one kind, and at most so many
    for count in range(min(won, lost)):
        ways = ways * (total - count) // (count + 1)
        tail += ways
    return min(1.0, 2 * tail / (1 << total))
