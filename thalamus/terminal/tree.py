"""Trees as plain text."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from thalamus.text.width import wrapped

HANG = 2  # columns of indentation of further lines
LEAST = 20  # least columns of a label


class Node(Struct):
    """A line of a tree with its children."""

    label: str
    children: list[Node] = field(default_factory=list)

    def add(self, label: str) -> Node:
        """Adds a child and returns it."""
        child = Node(label)
        self.children.append(child)
        return child


def lines(root: Node, room: int | None = None) -> Iterator[str]:
    """The lines of a tree, beginning with the root; labels longer than ``room`` columns are broken
    between words."""
    yield from _label(root, "", "", room)
    yield from _below(root, "", room)


def _below(node: Node, indent: str, room: int | None) -> Iterator[str]:
    for child in node.children:
        last = child is node.children[-1]
        below = indent + ("   " if last else "│  ")
        yield from _label(child, f"{indent}{'└─' if last else '├─'} ", below, room)
        yield from _below(child, below, room)


def _label(node: Node, before: str, below: str, room: int | None) -> Iterator[str]:
    """The label of a node; ``below`` precedes its further lines."""
    if room is None:
        yield before + node.label
        return
    first, *others = wrapped(node.label, max(LEAST, room - len(below) - HANG), 0)
    yield before + first
    guide = below + ("│ " if node.children else "  ")
    yield from (guide + other for other in others)
