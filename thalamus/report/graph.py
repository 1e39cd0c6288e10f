"""The graph of concepts, insights and the user: as a picture, and as a table."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence

from msgspec import Struct

from thalamus.report.content import Content, DrawnEdge, DrawnNode
from thalamus.report.layout import places, without_overlap
from thalamus.report.template import short

WIDTH, HEIGHT = 960, 600
_MARGIN = 46
_LETTER = 6.6  # the width of one in a label
_LABEL = 26  # characters


class Line(Struct, frozen=True):
    """An edge in the picture. ``title``: what it means, as a sentence."""

    kind: str
    ends: tuple[tuple[float, float], tuple[float, float]]
    title: str


class Circle(Struct, frozen=True):
    """A node in the picture; ``label`` is empty where there is no room for it."""

    node: DrawnNode
    x: float
    y: float
    radius: float
    label: str


class Picture(Struct, frozen=True):
    """The graph as it is drawn: its edges, and above them its nodes."""

    lines: Sequence[Line]
    circles: Sequence[Circle]

    @property
    def legend(self) -> list[tuple[str, str]]:
        """The colours of the kinds of nodes with their names."""
        kinds = dict.fromkeys(circle.node.kind for circle in self.circles)
        return [(f"of-{kind}", kind) for kind in kinds]


def picture(content: Content) -> Picture:
    """The graph as it is drawn, facts above the other edges."""
    nodes, edges = content.nodes, content.edges
    number = {node.id: n for n, node in enumerate(nodes)}
    ends = [(number[e.source], number[e.target], float(e.weight)) for e in edges]
    placed = places([_radius(node) for node in nodes], ends, (WIDTH, HEIGHT), _MARGIN)
    lines = [
        Line(
            "fact" if edge.label else "together",
            (placed[number[edge.source]], placed[number[edge.target]]),
            _sentence(edge, nodes, number),
        )
        for edge in sorted(edges, key=lambda edge: bool(edge.label))
    ]
    order = sorted(range(len(nodes)), key=lambda n: -_radius(nodes[n]))
    boxes = [_box(nodes[n], *placed[n]) for n in order]
    fits = dict(zip(order, without_overlap(boxes), strict=True))
    circles = [
        Circle(node, *placed[n], _radius(node), short(node.name, _LABEL) if fits[n] else "")
        for n, node in enumerate(nodes)
    ]
    return Picture(lines, circles)


def table(content: Content) -> list[tuple[str, str, int, str]]:
    """Each node with its kind, how often it was met, and what it is connected with."""
    names = {node.id: node.name for node in content.nodes}
    connected: dict[str, list[str]] = defaultdict(list)
    for edge in sorted(content.edges, key=lambda edge: -edge.weight):
        connected[edge.source].append(names[edge.target])
        connected[edge.target].append(names[edge.source])
    return [
        (node.name, node.kind, node.seen, _list(list(dict.fromkeys(connected[node.id]))))
        for node in content.nodes
    ]


def _radius(node: DrawnNode) -> float:
    return 5 + min(15.0, 2 * math.sqrt(node.seen))


def _box(node: DrawnNode, x: float, y: float) -> tuple[float, float, float, float]:
    """The room that a label takes above its node."""
    half = len(short(node.name, _LABEL)) * _LETTER / 2
    bottom = y - _radius(node)
    return x - half, bottom - 16, x + half, bottom


def _sentence(edge: DrawnEdge, nodes: Sequence[DrawnNode], number: dict[str, int]) -> str:
    source, target = nodes[number[edge.source]].name, nodes[number[edge.target]].name
    if edge.label:
        return f"{source} {edge.label} {target}"
    return f"{source}, {target}: {edge.weight:,} about both"


def _list(names: Sequence[str], most: int = 6) -> str:
    shown = ", ".join(short(name, 40) for name in names[:most])
    return f"{shown} and {len(names) - most:,} more" if len(names) > most else shown
