"""A graph of concepts as a tree, for Graphviz, and as a page."""

from __future__ import annotations

import math
from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING

from thalamus.terminal.lines import one_line
from thalamus.terminal.local import zone
from thalamus.terminal.tree import Node, lines
from thalamus.text.days import last_day
from thalamus.text.visible import visible

if TYPE_CHECKING:
    from thalamus.records.graphs import Graph, GraphEdge, GraphNode

_RING = 170  # pixels between the rings of nodes
_STYLE = """body{font:16px/1.5 system-ui,sans-serif;margin:2rem;max-width:70rem}
svg{width:100%;height:auto;border:1px solid #ccc}
text{font-size:12px;text-anchor:middle}
line.fact{stroke:#246;stroke-width:1.5}
line.together{stroke:#bbb}
circle{fill:#def;stroke:#246}
circle.root{fill:#246}
@media(prefers-color-scheme:dark){body{background:#111;color:#eee}text{fill:#eee}}"""


# -- a tree ----------------------------------------------------------------------------------------


def tree_lines(graph: Graph) -> Iterator[str]:
    """Each node once, below the node from which it was reached, with the edge between them."""
    nodes = {node.id: node for node in graph.nodes}
    known = {graph.root: Node(_label(nodes[graph.root]))}
    order = sorted(graph.nodes, key=lambda node: node.distance)
    for node in order:
        for edge in sorted(graph.edges, key=_importance):
            if node.id in known or node.id not in (edge.source, edge.target):
                continue
            above = edge.target if edge.source == node.id else edge.source
            if above in known and nodes[above].distance < node.distance:
                known[node.id] = known[above].add(f"{_arrow(edge, above)} {_label(node)}")
    yield from lines(known[graph.root])


def path_line(graph: Graph) -> str:
    """``user —lives_in→ Lisbon —(2)— Anna``."""
    nodes = {node.id: node for node in graph.nodes}
    parts = [one_line(nodes[graph.path[0]].name)]
    for above, below in zip(graph.path, graph.path[1:], strict=False):
        edge = next(e for e in graph.edges if {e.source, e.target} == {above, below})
        parts += [_arrow(edge, above), one_line(nodes[below].name)]
    return " ".join(parts)


def _importance(edge: GraphEdge) -> tuple[bool, int, str]:
    return edge.kind != "fact", -edge.weight, edge.label or ""


def _label(node: GraphNode) -> str:
    seen = f"  ({node.seen})" if node.seen else ""
    return f"{one_line(node.name)}{seen}"


def _arrow(edge: GraphEdge, above: str) -> str:
    """Text of an edge as seen from the node ``above``."""
    if edge.kind == "together":
        return f"—({edge.weight})—"
    label = one_line(f"{edge.label}{_interval(edge)}")
    return f"—{label}→" if edge.source == above else f"←{label}—"


def _interval(edge: GraphEdge) -> str:
    if edge.valid_to is None:
        return ""
    return f" until {last_day(edge.valid_to, {}, zone())}"


# -- Graphviz --------------------------------------------------------------------------------------


def dot_lines(graph: Graph) -> Iterator[str]:
    """The graph in the language of Graphviz."""
    yield "digraph concepts {"
    yield "  node [shape=box, style=rounded];"
    for node in graph.nodes:
        bold = ", penwidth=2" if node.id == graph.root else ""
        yield f"  {_quoted(node.id)} [label={_quoted(node.name)}{bold}];"
    for edge in graph.edges:
        ends = f"  {_quoted(edge.source)} -> {_quoted(edge.target)}"
        if edge.kind == "fact":
            yield f"{ends} [label={_quoted(f'{edge.label}{_interval(edge)}')}];"
        else:
            yield f"{ends} [dir=none, style=dotted, label={_quoted(str(edge.weight))}];"
    yield "}"


def _quoted(text: str) -> str:
    """A text as Graphviz reads it, with escaped backslashes and quotation marks."""
    plain = visible(" ".join(text.split())).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{plain}"'


# -- a page ----------------------------------------------------------------------------------------


def page(graph: Graph) -> str:
    """One HTML page with a picture and lists of the same content; it loads and runs nothing."""
    nodes = {node.id: node for node in graph.nodes}
    title = escape(f"Concepts around {visible(nodes[graph.root].name)}")
    return "\n".join(
        (
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width,initial-scale=1">',
            f"<title>{title}</title><style>{_STYLE}</style></head><body>",
            f"<h1>{title}</h1>",
            *_picture(graph, title),
            "<h2>Concepts</h2><ul>",
            *(f"<li>{escape(_label(node))}, {node.kind}</li>" for node in graph.nodes),
            "</ul><h2>Connections</h2><ul>",
            *(f"<li>{_sentence(edge, nodes)}</li>" for edge in graph.edges),
            "</ul></body></html>",
        )
    )


def _sentence(edge: GraphEdge, nodes: dict[str, GraphNode]) -> str:
    source, target = nodes[edge.source].name, nodes[edge.target].name
    if edge.kind == "fact":
        label = (edge.label or "").replace("_", " ")
        return escape(visible(f"{source} {label} {target}{_interval(edge)}"))
    times = "one thing is" if edge.weight == 1 else f"{edge.weight} things are"
    return escape(visible(f"{source}, {target}: {times} about both"))


def _picture(graph: Graph, title: str) -> Iterator[str]:
    """The nodes in rings around the root, each near the node from which it was reached."""
    places = _places(graph)
    size = 2 * _RING * (1 + max((node.distance for node in graph.nodes), default=0))
    box = f"{-size / 2:.0f} {-size / 2:.0f} {size:.0f} {size:.0f}"
    yield f'<svg role="img" aria-label="{title}" viewBox="{box}"><title>{title}</title>'
    nodes = {node.id: node for node in graph.nodes}
    for edge in graph.edges:
        (x1, y1), (x2, y2) = places[edge.source], places[edge.target]
        ends = f'x1="{x1:.0f}" y1="{y1:.0f}" x2="{x2:.0f}" y2="{y2:.0f}"'
        yield f'<line class="{edge.kind}" {ends}><title>{_sentence(edge, nodes)}</title></line>'
        if edge.kind == "fact":
            label = escape(one_line((edge.label or "").replace("_", " "), 20))
            yield f'<text x="{(x1 + x2) / 2:.0f}" y="{(y1 + y2) / 2:.0f}">{label}</text>'
    for node in graph.nodes:
        x, y = places[node.id]
        root = ' class="root"' if node.id == graph.root else ""
        radius = 5 + min(9.0, math.sqrt(node.seen))
        yield f'<circle{root} cx="{x:.0f}" cy="{y:.0f}" r="{radius:.0f}">'
        yield f"<title>{escape(_label(node))}</title></circle>"
        label = escape(one_line(node.name, 24))
        yield f'<text x="{x:.0f}" y="{y - radius - 4:.0f}">{label}</text>'
    yield "</svg>"


def _places(graph: Graph) -> dict[str, tuple[float, float]]:
    """Position of each node; the same for the same graph."""
    places = {graph.root: (0.0, 0.0)}
    angles = {graph.root: 0.0}
    for distance in range(1, 1 + max((node.distance for node in graph.nodes), default=0)):
        ring = [node.id for node in graph.nodes if node.distance == distance]
        angle_of = {
            id: min(
                (
                    angles[other]
                    for edge in graph.edges
                    for one, other in ((edge.source, edge.target), (edge.target, edge.source))
                    if one == id and other in angles
                ),
                default=0.0,
            )
            for id in ring
        }
        for place, id in enumerate(sorted(ring, key=lambda id: angle_of[id])):
            angle = 2 * math.pi * (place + 0.5 * (distance % 2)) / len(ring)
            angles[id] = angle
            radius = _RING * distance
            places[id] = (radius * math.cos(angle), radius * math.sin(angle))
    return places
