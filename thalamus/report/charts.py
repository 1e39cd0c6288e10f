"""Charts as SVG with a title and without text, so that they can be stretched to any width."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from thalamus.report.markup import plain

_HEIGHT = 100


@dataclass(frozen=True)
class Series:
    """One value for each bar; ``kind`` names its colour."""

    kind: str
    name: str
    values: Sequence[int]


def bars(title: str, names: Sequence[str], series: Sequence[Series]) -> str:
    """A stacked bar for each name; its figures are shown on hover."""
    most = max((sum(values) for values in zip(*(s.values for s in series), strict=True)), default=0)
    parts = []
    for n, name in enumerate(names):
        top = float(_HEIGHT)
        for one in series:
            height = one.values[n] / most * _HEIGHT if most else 0
            top -= height
            if height:
                parts.append(
                    f'<rect class="fill {one.kind}" x="{n * 10 + 1}" y="{top:.2f}" width="8"'
                    f' height="{height:.2f}"/>'
                )
        figures = ", ".join(f"{one.values[n]:,} {one.name}" for one in series)
        parts.append(
            f'<rect class="over" x="{n * 10}" y="0" width="10" height="{_HEIGHT}">'
            f"<title>{plain(f'{name}: {figures}')}</title></rect>"
        )
    return _svg("bars", title, max(1, len(names)) * 10, "".join(parts))


def growth(title: str, kind: str, values: Sequence[int]) -> str:
    """An area chart of the running total of the values."""
    sums = [sum(values[: n + 1]) for n in range(len(values))]
    most = max(sums, default=0) or 1
    if len(sums) == 1:
        sums = [0, *sums]
    step = 100 / max(1, len(sums) - 1)
    points = [f"{n * step:.2f} {_HEIGHT - total / most * 96:.2f}" for n, total in enumerate(sums)]
    line = " L".join(points)
    return _svg(
        "growth",
        title,
        100,
        f'<path class="area {kind}" d="M0 {_HEIGHT} L{line} L100 {_HEIGHT} Z"/>'
        f'<path class="line {kind}" d="M{line}"/>',
    )


def share(value: float, most: float) -> str:
    """A bar that illustrates the figure next to it, hidden from screen readers."""
    width = value / most * 100 if most else 0
    return (
        '<svg class="share" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect class="rail" width="100" height="8"/><rect class="fill answer" width="{width:.1f}"'
        ' height="8"/></svg>'
    )


def legend(series: Sequence[Series]) -> str:
    """Legend of the colours."""
    items = "".join(
        f'<li><span class="dot {one.kind}" aria-hidden="true"></span>{plain(one.name)}</li>'
        for one in series
    )
    return f'<ul class="legend">{items}</ul>'


def _svg(kind: str, title: str, width: int, inner: str) -> str:
    return (
        f'<svg class="{kind}" role="img" viewBox="0 0 {width} {_HEIGHT}"'
        f' preserveAspectRatio="none"><title>{plain(title)}</title>{inner}</svg>'
    )
