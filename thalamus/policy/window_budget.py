"""Budgets of a context window: tokens to ask for, tokens for notes, and the reading speed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

LARGEST = 32_768  # tokens of a window that is not set by hand
LEAST = 4096  # tokens of a window that is made smaller for want of memory
UNKNOWN = 8192  # tokens that a window counts as until it is known
NOTES_SHARE = 1 / 4  # of a window, for notes
DIALOGUE_SHARE = 1 / 2  # of what the fixed part leaves, kept for the dialogue
MOST_DIALOGUE = 0.7  # of a window, for the recent dialogue and the message
EARLIER_SHARE = 1 / 12  # of a window, for a summary of the dialogue before that
LEAST_NOTES = 1000  # tokens for notes of a model that reads slowly
UNMEASURED = 4000  # tokens for notes of a model whose reading speed is unknown
SECONDS = 5  # that a model may spend on reading notes
LEAST_READINGS = 3  # measurements of a speed that is relied on
MOST_READINGS = 9  # measurements that are remembered
LEAST_READ = 500  # uncached tokens of a prompt that measures a speed
_STEPS = (1000, 2000, 4000, 8000, 16_000, 32_000)  # tokens read in ``SECONDS``
_BYTES = 2  # of a number in the cache of keys and values
_HYSTERESIS = 1.2  # times that a measurement must be past the border of a step to leave it


def cache_bytes(description: Mapping[str, Any]) -> int | None:
    """Bytes that each token of a window takes in the cache of keys and values, by the entries of a
    GGUF file: those of a model that attends to everything, so at most. None if they do not say."""
    architecture = description.get("general.architecture")

    def entry(name: str) -> Any:
        return description.get(f"{architecture}.{name}")

    try:
        heads = entry("attention.head_count_kv") or entry("attention.head_count")
        everywhere = sum(heads) if isinstance(heads, Sequence) else heads * entry("block_count")
        width = entry("embedding_length") // _most(entry("attention.head_count") or heads)
        key = entry("attention.key_length") or width
        return int(everywhere * (key + (entry("attention.value_length") or key)) * _BYTES) or None
    except (TypeError, ZeroDivisionError):
        return None


def _most(heads: Any) -> int:
    return int(max(heads) if isinstance(heads, Sequence) else heads)


def fitting_window(own: int, token: int | None, room: int | None) -> int:
    """Tokens of the window to ask for: the model's ``own``, but not more than ``LARGEST``, and
    halved until its cache fits into ``room`` bytes. ``token``: bytes of each token there. If either
    is unknown, at most ``UNKNOWN``."""
    window = min(own, LARGEST)
    if token is None or room is None:
        return min(window, UNKNOWN)
    while window > LEAST and window * token > room:
        window = max(LEAST, window // 2)
    return window


def notes_budget(
    window: int, left: int, chosen: int | None, reads: int | None, fixed: int = 0
) -> int:
    """Tokens for notes in a prompt of which the ``fixed`` part, the message and the answer leave
    ``left``.

    ``chosen``: the setting, for notes and the fixed part, of which notes get half at least; None
    for a quarter of the window, and no more than the model reads in a few seconds (``reads``; None
    if that is unknown).
    """
    most = max(0, int(left * (1 - DIALOGUE_SHARE)))
    if chosen is not None:
        return min(most, max(chosen - fixed, chosen // 2))
    readable = UNMEASURED if reads is None else max(reads, LEAST_NOTES)
    return min(most, max(int(window * NOTES_SHARE), LEAST_NOTES), readable)


def reading_step(speeds: Sequence[float], current: int | None) -> int | None:
    """Tokens that a model reads in ``SECONDS`` at the median of its ``speeds`` in tokens a second,
    rounded down to a step; the ``current`` one unless that is clearly wrong. None for too few
    speeds."""
    if len(speeds) < LEAST_READINGS:
        return current
    tokens = median(speeds) * SECONDS
    if current is None or tokens * _HYSTERESIS < current:
        return _step_below(tokens)
    return max(current, _step_below(tokens / _HYSTERESIS))


def _step_below(tokens: float) -> int:
    return max((step for step in _STEPS if step <= tokens), default=_STEPS[0])
