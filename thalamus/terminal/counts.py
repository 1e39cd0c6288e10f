"""How many of what, in words."""

from __future__ import annotations

from collections.abc import Mapping

_PLURALS = {"memory": "memories", "summary": "summaries"}


def in_words(counts: Mapping[str, int]) -> str:
    """``12 turns, 1 memory``; ``nothing`` when all are 0."""
    parts = [f"{n:,} {name if n == 1 else _plural(name)}" for name, n in counts.items() if n]
    return ", ".join(parts) or "nothing"


def _plural(name: str) -> str:
    return _PLURALS.get(name, f"{name}s")
