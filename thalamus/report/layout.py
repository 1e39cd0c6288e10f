"""Where the nodes of a graph are drawn.

Force-directed placement (Fruchterman and Reingold, 1991): edges pull their ends together, all nodes
push each other away, and what moves is cooled down. The same graph always gives the same picture.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

STEPS = 300
_SPREAD = 0.75  # of distances from the middle: below 1 brings what is far off nearer
_GAP = 10.0  # between nodes
_PUSHES = 60
_GOLDEN = math.pi * (3 - math.sqrt(5))


def places(
    radii: Sequence[float],
    edges: Sequence[tuple[int, int, float]],
    size: tuple[float, float],
    margin: float,
) -> list[tuple[float, float]]:
    """The places of nodes with these radii inside a rectangle; ``edges`` are the numbers of two
    nodes and how strong their connection is."""
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
        moved = (apart * force[:, :, None]).sum(axis=1) - points * 0.6  # towards the middle
        length = np.maximum(np.sqrt((moved**2).sum(axis=1, keepdims=True)), 1e-9)
        heat = 0.12 * (1 - step / STEPS) + 0.002
        points = points + moved / length * np.minimum(length, heat)
    placed = _apart(_filled(points, size, margin), np.array(radii), size, margin)
    return [(float(x), float(y)) for x, y in placed]


def _distances(points: Any) -> tuple[Any, Any]:
    """From each node to each: as vectors, and how far."""
    import numpy as np

    apart = points[:, None, :] - points[None, :, :]
    return apart, np.maximum(np.sqrt((apart**2).sum(axis=2)), 1e-4)


def _filled(points: Any, size: tuple[float, float], margin: float) -> Any:
    """The same places, those in the middle further apart and those far off nearer, stretched to
    fill the rectangle but for its margin."""
    import numpy as np

    middle = points - points.mean(axis=0)
    distance = np.maximum(np.sqrt((middle**2).sum(axis=1, keepdims=True)), 1e-9)
    spread = middle / distance * (distance / distance.max()) ** _SPREAD
    low, high = spread.min(axis=0), spread.max(axis=0)
    span = np.where(high > low, high - low, 1)
    free = np.array(size) - 2 * margin
    return np.where(high > low, (spread - low) / span, 0.5) * free + margin


def _apart(points: Any, radii: Any, size: tuple[float, float], margin: float) -> Any:
    """The same places, with nodes that overlap pushed apart."""
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
    """Which labels can be shown, the first ones first: those whose box (left, top, right, bottom)
    overlaps none that is shown."""
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
