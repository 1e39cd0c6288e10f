"""Origins of a record, as a tree of which every node can be opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from thalamus.terminal.explain import tree
from thalamus.terminal.lines import quoted, visible
from thalamus.terminal.local import day

if TYPE_CHECKING:
    from textual.widgets.tree import TreeNode

    from thalamus.records import Origin


def fill(node: TreeNode[str], origin: Origin) -> None:
    """Adds what a thing came from below a node, with the ids of what can be opened."""
    below = {tree(child).label for child in origin.origins}
    for line in tree(origin).children:
        if line.label not in below:
            add_line(node, line.label)
    for child in origin.origins:
        _add(node, child)


def add_line(node: TreeNode[str], line: str, id: str | None = None) -> None:
    """Adds a line that has nothing below it."""
    node.add_leaf(label(line), id)


def label(line: str) -> Text:
    """A line as trees take it: nothing in it is markup."""
    return Text(visible(line))


def _add(node: TreeNode[str], origin: Origin) -> None:
    said = origin.quote or origin.text if origin.kind == "turn" else ""
    if not origin.origins and not said:
        add_line(node, _line(origin), origin.id)
        return
    opened = node.add(label(_line(origin)), origin.id, expand=True)
    if said:
        add_line(opened, quoted(said, 300), origin.id)
    for child in origin.origins:
        _add(opened, child)


def _line(origin: Origin) -> str:
    """One line about where something came from; what was said in a turn stands below it."""
    if origin.kind != "turn":
        return tree(origin).label
    relation = (origin.relation or "").replace("_", " ")
    return f"{relation} a turn of {day(origin.at)}, session {origin.session or '-'}".strip()
