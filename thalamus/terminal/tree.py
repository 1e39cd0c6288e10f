"""Trees as plain text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass
class Node:
    """A line of a tree with what hangs below it."""

    label: str
    children: list[Node] = field(default_factory=list)

    def add(self, label: str) -> Node:
        """Hangs a new node below this one and returns it."""
        child = Node(label)
        self.children.append(child)
        return child


def lines(root: Node) -> Iterator[str]:
    """The lines of a tree, the root's first and without a mark."""
    yield root.label
    yield from _below(root, "")


def _below(node: Node, indent: str) -> Iterator[str]:
    for child in node.children:
        last = child is node.children[-1]
        yield f"{indent}{'└─' if last else '├─'} {child.label}"
        yield from _below(child, indent + ("   " if last else "│  "))
