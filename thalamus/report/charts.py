"""Charts: positions of bars and lines in a picture that is ``HEIGHT`` high and is stretched to any
width."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

HEIGHT = 100
STEP = 10  # from bar to bar


class Series(Struct, frozen=True):
    """One value for each bar; ``kind`` names its colour."""

    kind: str
    name: str
    values: Sequence[int]


class Segment(Struct, frozen=True):
    """The part of a bar that is of one series."""

    kind: str
    y: float
    height: float


class StackedBar(Struct, frozen=True):
    """The values of one name on top of each other, and the same in words (``label``)."""

    x: int
    label: str
    segments: Sequence[Segment]


def highest(series: Sequence[Series]) -> int:
    """The largest sum of the values of one bar."""
    return max((sum(values) for values in zip(*(s.values for s in series), strict=True)), default=0)


def bars(names: Sequence[str], series: Sequence[Series]) -> list[StackedBar]:
    """A bar for each name, as high as its share of the highest."""
    most = highest(series)
    stacks = []
    for n, name in enumerate(names):
        top, segments = float(HEIGHT), []
        for one in series:
            height = one.values[n] / most * HEIGHT if most else 0
            top -= height
            if height:
                segments.append(Segment(one.kind, top, height))
        counts = ", ".join(f"{one.values[n]:,} {one.name}" for one in series)
        stacks.append(StackedBar(n * STEP, f"{name}: {counts}", segments))
    return stacks


def growth(values: Sequence[int]) -> str:
    """The sums of the values so far, as the points of an SVG path."""
    sums = [sum(values[: n + 1]) for n in range(len(values))]
    most = max(sums, default=0) or 1
    if len(sums) == 1:
        sums = [0, *sums]
    step = 100 / max(1, len(sums) - 1)
    points = [f"{n * step:.2f} {HEIGHT - total / most * 96:.2f}" for n, total in enumerate(sums)]
    return " L".join(points)
