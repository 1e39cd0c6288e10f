"""Budgets of a context window: tokens to ask for, tokens for notes, and the reading speed."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

LARGEST = 32_768  # tokens of a window that is not set by hand
UNKNOWN = 8192  # tokens that a window counts as until it is known
NOTES_SHARE = 1 / 4  # of a window, for notes
DIALOGUE_SHARE = 1 / 2  # of what the fixed part leaves, kept for the dialogue
LEAST_NOTES = 1000  # tokens for notes of a model that reads slowly
UNMEASURED = 4000  # tokens for notes of a model whose reading speed is unknown
SECONDS = 5  # that a model may spend on reading notes
LEAST_READINGS = 3  # measurements of a speed that is relied on
MOST_READINGS = 9  # measurements that are remembered
LEAST_READ = 500  # uncached tokens of a prompt that measures a speed
_STEPS = (1000, 2000, 4000, 8000, 16_000, 32_000)  # tokens read in ``SECONDS``
_HYSTERESIS = 1.2  # times that a measurement must be past the border of a step to leave it


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
