"""The graph of concepts, insights and the user, as a picture and as a table."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence

from thalamus.report.content import Content, DrawnEdge, DrawnNode
from thalamus.report.layout import places, without_overlap
from thalamus.report.markup import figures_table, folded, plain, scrolled, short

_WIDTH, _TALL, _MARGIN = 960, 600, 46
_LETTER = 6.6  # the width of one in a label
_LABEL = 26  # characters


def section(content: Content) -> str:
    """The picture, what its colours stand for, and the same as a table; empty without nodes."""
    if not content.nodes:
        return ""
    concepts = sum(node.kind not in ("user", "insight") for node in content.nodes)
    shown = f"The {concepts:,} best connected of {content.all_nodes:,} concepts"
    title = f"{shown}, with insights about them and what connects them"
    kinds = dict.fromkeys(node.kind for node in content.nodes)
    legend = "".join(
        f'<li><span class="dot of-{plain(kind)}" aria-hidden="true"></span>{plain(kind)}</li>'
        for kind in kinds
    )
    return (
        f'<p class="note">{shown}, with insights about them. A line means that something is about'
        " both; a strong one is a fact.</p>"
        + scrolled("Graph", _picture(title, content.nodes, content.edges))
        + f'<ul class="legend">{legend}</ul>'
        + folded("The graph as a table", _table(content))
    )


def _picture(title: str, nodes: Sequence[DrawnNode], edges: Sequence[DrawnEdge]) -> str:
    number = {node.id: n for n, node in enumerate(nodes)}
    ends = [(number[e.source], number[e.target], float(e.weight)) for e in edges]
    placed = places([_radius(node) for node in nodes], ends, (_WIDTH, _TALL), _MARGIN)
    parts = []
    for edge in sorted(edges, key=lambda edge: bool(edge.label)):
        (x1, y1), (x2, y2) = placed[number[edge.source]], placed[number[edge.target]]
        kind = "fact" if edge.label else "together"
        parts.append(
            f'<line class="edge {kind}" x1="{x1:.0f}" y1="{y1:.0f}" x2="{x2:.0f}" y2="{y2:.0f}">'
            f"<title>{plain(_sentence(edge, nodes, number))}</title></line>"
        )
    labels = []
    order = sorted(range(len(nodes)), key=lambda n: -_radius(nodes[n]))
    boxes = [_box(nodes[n], *placed[n]) for n in order]
    fits = dict(zip(order, without_overlap(boxes), strict=True))
    for n, node in enumerate(nodes):
        x, y = placed[n]
        told = plain(f"{node.name} ({node.kind}, {node.seen:,})")
        parts.append(
            f'<circle class="node of-{plain(node.kind)}" cx="{x:.0f}" cy="{y:.0f}"'
            f' r="{_radius(node):.1f}" data-name="{plain(node.name)}">'
            f"<title>{told}</title></circle>"
        )
        if fits[n]:
            label = plain(short(node.name, _LABEL))
            labels.append(
                f'<text class="name" x="{x:.0f}" y="{y - _radius(node) - 4:.0f}">{label}</text>'
            )
    return (
        f'<svg class="graph" role="img" viewBox="0 0 {_WIDTH} {_TALL}">'
        f"<title>{plain(title)}</title>{''.join(parts)}{''.join(labels)}</svg>"
    )


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


def _table(content: Content) -> str:
    names = {node.id: node.name for node in content.nodes}
    near: dict[str, list[str]] = defaultdict(list)
    for edge in sorted(content.edges, key=lambda edge: -edge.weight):
        near[edge.source].append(names[edge.target])
        near[edge.target].append(names[edge.source])
    rows = [
        (node.name, node.kind, node.seen, _list(list(dict.fromkeys(near[node.id]))))
        for node in content.nodes
    ]
    heads = ("Name", "Kind", "Met", "Connected with")
    return scrolled("The graph as a table", figures_table("Concepts and insights", heads, rows))


def _list(names: Sequence[str], most: int = 6) -> str:
    told = ", ".join(short(name, 40) for name in names[:most])
    return f"{told} and {len(names) - most:,} more" if len(names) > most else told
