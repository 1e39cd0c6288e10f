"""Conversations exported as a tree, in which edited and regenerated messages are branches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from thalamus.transfer.foreign.values import identity, listed


class Tree(Struct, frozen=True):
    """Nodes by name. ``parent`` and ``children``: their fields with the names of others; ``time``:
    when a node was written."""

    nodes: dict[str, dict[str, Any]]
    parent: str
    children: str
    time: Callable[[dict[str, Any]], str | None]

    def branch(self, current: object) -> tuple[list[str], bool]:
        """Names of the nodes from the root to the ``current`` one, or to the leaf that was written
        last, and whether they form a cycle. Missing nodes are left out."""
        parents = self._parents()
        known = identity(current)
        node = known if known in self.nodes else self._latest_leaf(parents)
        names, cycle = _path(node, parents)
        return [name for name in reversed(names) if name in self.nodes], cycle

    def _parents(self) -> dict[str, str]:
        """The parent of each node: the one that it names, else the one that names it as a child.
        Also of nodes that are missing, so that they do not cost those before them."""
        parents = {
            identity(child): name
            for name, node in self.nodes.items()
            for child in listed(node.get(self.children))
        }
        for name, node in self.nodes.items():
            parent = identity(node.get(self.parent))
            if parent in self.nodes or (parent and name not in parents):
                parents[name] = parent
        return parents

    def _latest_leaf(self, parents: dict[str, str]) -> str | None:
        """The last of the leaves, by the last known time of their branches."""
        inner = set(parents.values())
        leaves = [name for name in self.nodes if name not in inner] or list(self.nodes)
        known: dict[str, str] = {}
        for leaf in leaves:
            self._note_time(leaf, parents, known)
        return max(reversed(leaves), key=lambda name: known.get(name, ""), default=None)

    def _note_time(self, name: str, parents: dict[str, str], known: dict[str, str]) -> None:
        """Notes the last known time from a node to the root, for it and all between, each of which
        is looked at once."""
        between: list[str] = []
        node: str | None = name
        found = ""
        while node is not None and node not in known:
            known[node] = ""  # a cycle ends here
            between.append(node)
            if node in self.nodes and (found := self.time(self.nodes[node]) or ""):
                break
            node = parents.get(node)
        found = found or known.get(node or "", "")
        known.update(dict.fromkeys(between, found))


def _path(node: str | None, parents: dict[str, str]) -> tuple[list[str], bool]:
    """Names from a node to the root, and whether they form a cycle."""
    path: dict[str, None] = {}
    while node is not None and node not in path:
        path[node] = None
        node = parents.get(node)
    return list(path), node is not None
