"""Layout of a graph.

Force-directed placement (Fruchterman and Reingold, 1991): edges attract their ends, all nodes repel
each other, and movement cools down. The same graph always gives the same picture.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

STEPS = 300
_SPREAD = 0.75  # exponent of the distance from the centre: below 1 brings outliers closer
_GAP = 10.0  # between nodes
_PUSHES = 60
_GOLDEN = math.pi * (3 - math.sqrt(5))


def places(
    radii: Sequence[float],
    edges: Sequence[tuple[int, int, float]],
    size: tuple[float, float],
    margin: float,
) -> list[tuple[float, float]]:
    """Positions of nodes with these radii inside a rectangle; ``edges``: two node numbers and the
    strength of their connection."""
    import numpy as np

    count = len(radii)
    if count == 0:
        return []
    turns = np.arange(count) * _GOLDEN
    start = np.sqrt((np.arange(count) + 0.5) / count)
    points = np.stack([np.cos(turns) * start, np.sin(turns) * start], axis=1)
    pull = np.zeros((count, count))
    for one, other, strength in edges:
        pull[one, other] = pull[other, one] = 1 + math.log1p(strength) / 2
    ideal = 1.6 / math.sqrt(count)
    for step in range(STEPS):
        apart, distance = _distances(points)
        force = ideal**2 / distance**2 - pull * distance / ideal
        np.fill_diagonal(force, 0)
        movement = (apart * force[:, :, None]).sum(axis=1) - points * 0.6  # towards the centre
        length = np.maximum(np.sqrt((movement**2).sum(axis=1, keepdims=True)), 1e-9)
        heat = 0.12 * (1 - step / STEPS) + 0.002
        points = points + movement / length * np.minimum(length, heat)
    placed = _separate(_fit(points, size, margin), np.array(radii), size, margin)
    return [(float(x), float(y)) for x, y in placed]


def _distances(points: Any) -> tuple[Any, Any]:
    """Vectors and distances between all pairs of nodes."""
    import numpy as np

    apart = points[:, None, :] - points[None, :, :]
    return apart, np.maximum(np.sqrt((apart**2).sum(axis=2)), 1e-4)


def _fit(points: Any, size: tuple[float, float], margin: float) -> Any:
    """The positions with outliers moved closer and the centre spread out, scaled to fill the
    rectangle inside its margin."""
    import numpy as np

    middle = points - points.mean(axis=0)
    distance = np.maximum(np.sqrt((middle**2).sum(axis=1, keepdims=True)), 1e-9)
    spread = middle / distance * (distance / distance.max()) ** _SPREAD
    low, high = spread.min(axis=0), spread.max(axis=0)
    span = np.where(high > low, high - low, 1)
    free = np.array(size) - 2 * margin
    return np.where(high > low, (spread - low) / span, 0.5) * free + margin


def _separate(points: Any, radii: Any, size: tuple[float, float], margin: float) -> Any:
    """The positions with overlapping nodes pushed apart."""
    import numpy as np

    wanted = radii[:, None] + radii[None, :] + _GAP
    for _ in range(_PUSHES):
        apart, distance = _distances(points)
        push = np.maximum(wanted - distance, 0) / 2
        np.fill_diagonal(push, 0)
        points = points + (apart / distance[:, :, None] * push[:, :, None]).sum(axis=1)
        points = np.clip(points, margin, np.array(size) - margin)
    return points


def without_overlap(
    boxes: Sequence[tuple[float, float, float, float]],
) -> list[bool]:
    """Flags of the labels that fit, in order of priority: a label is shown if its box (left, top,
    right, bottom) overlaps no shown one."""
    shown: list[tuple[float, float, float, float]] = []
    fits = []
    for left, top, right, bottom in boxes:
        free = all(
            right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top
            for other in shown
        )
        if free:
            shown.append((left, top, right, bottom))
        fits.append(free)
    return fits
