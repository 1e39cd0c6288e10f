"""Origins of a record as a tree whose nodes can be opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from thalamus.terminal.explain import tree
from thalamus.terminal.lines import quoted
from thalamus.terminal.local import day
from thalamus.text.visible import visible

if TYPE_CHECKING:
    from textual.widgets.tree import TreeNode

    from thalamus.records.reports import Origin


def fill(node: TreeNode[str], origin: Origin) -> None:
    """Adds the origins below a node, with the ids of entries that can be opened."""
    below = {tree(child).label for child in origin.origins}
    for line in tree(origin).children:
        if line.label not in below:
            add_line(node, line.label)
    for child in origin.origins:
        _add(node, child)


def add_line(node: TreeNode[str], line: str, id: str | None = None) -> None:
    """Adds a line without children."""
    node.add_leaf(label(line), id)


def label(line: str) -> Text:
    """A line for a tree, without markup."""
    return Text(visible(line))


def _add(node: TreeNode[str], origin: Origin) -> None:
    words = origin.quote or origin.text if origin.kind == "turn" else ""
    if not origin.origins and not words:
        add_line(node, _line(origin), origin.id)
        return
    opened = node.add(label(_line(origin)), origin.id, expand=True)
    if words:
        add_line(opened, quoted(words, 300), origin.id)
    for child in origin.origins:
        _add(opened, child)


def _line(origin: Origin) -> str:
    """One line about an origin; the words of a turn are below it."""
    if origin.kind != "turn":
        return tree(origin).label
    relation = (origin.relation or "").replace("_", " ")
    return f"{relation} a turn of {day(origin.at)}, session {origin.session or '-'}".strip()
