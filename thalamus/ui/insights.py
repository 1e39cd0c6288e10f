"""The page of insights: conclusions and their sources."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.widgets import OptionList, Static, Tree

from thalamus.errors import NothingFound
from thalamus.terminal.insights import reflection_lines
from thalamus.text.visible import visible
from thalamus.ui.actions import CHANGES, Changing
from thalamus.ui.entries import Entry, of_record
from thalamus.ui.entry_list import EntryList
from thalamus.ui.origins import fill
from thalamus.ui.pages import NO_MEMORY, Page

if TYPE_CHECKING:
    from thalamus.api import Thalamus
    from thalamus.records.reports import DeepReflection, Origin

KEYS = ("x", "d", "w", "u")


class InsightsPage(Changing, Page):
    """The insights, the strongest first, and below them the tree of sources of the selected one."""

    PAGE = "insights"
    AUTO_FOCUS = "EntryList"
    DEFAULT_CSS = """
    InsightsPage EntryList { height: 1fr; }
    InsightsPage Tree { height: 1fr; border: round $foreground 30%; background: $background;
                        padding: 0 1; }
    InsightsPage Tree:focus { border: round $primary; }
    InsightsPage #whole { height: auto; max-height: 4; padding: 0 2; text-style: bold; }
    InsightsPage #waiting { height: auto; color: $text-muted; padding: 0 1; }
    """
    BINDINGS = [
        Binding("a", "all", "All", tooltip="Include or exclude inactive insights"),
        Binding("m", "merge", "Merge", tooltip="Merge similar insights"),
        *(binding for binding in CHANGES if binding.key in KEYS),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._all = False

    def content(self) -> ComposeResult:
        yield EntryList("Insights")
        yield Static("", id="whole", markup=False)
        tree: Tree[str] = Tree("", id="origins")
        tree.border_title = "What it was made of"
        tree.show_root = False
        tree.guide_depth = 3
        yield tree
        yield Static("", id="waiting", markup=False)

    def on_mount(self) -> None:
        self.reload()

    def on_screen_resume(self) -> None:
        self.reload()

    def chosen_id(self) -> str | None:
        chosen = self.query_one(EntryList).chosen
        return chosen.id if chosen is not None else None

    def hide(self, ids: Collection[str]) -> None:
        super().hide(ids)
        self._show_tree(None)

    def reload(self, id: str | None = None) -> None:
        self.query_one(EntryList).follow(id)
        status = None if self._all else "active"
        self.fetch(
            lambda t: (_listed(t, status), t.insights.count_jobs().get("waiting", 0)),
            self._show,
            group="list",
            empty=lambda: self._show(([], 0)),
        )

    def action_all(self) -> None:
        """Includes or excludes the inactive ones."""
        self._all = not self._all
        self.reload()

    def action_merge(self) -> None:
        """Merges insights; takes as long as the model takes."""
        self.notify("Merging …")
        self.fetch(lambda t: t.insights.merge(), self._merged, group="merge", slow=True)

    @on(OptionList.OptionHighlighted)
    def show_tree(self) -> None:
        """Shows the sources of an insight."""
        if (id := self.chosen_id()) is not None:
            self.fetch(lambda t: _tree(t, id), self._show_tree, group="tree")

    @on(OptionList.OptionSelected)
    def open_entry(self) -> None:
        """Shows all details of an insight."""
        self.action_why()

    @on(Tree.NodeSelected)
    def open_origin(self, event: Tree.NodeSelected[str]) -> None:
        """Shows all details of a source of an insight."""
        if event.node.data:
            self.ui.open_details(event.node.data, lambda _: self.reload())

    def _merged(self, report: DeepReflection) -> None:
        self.notify(visible("\n".join(reflection_lines(report))), timeout=8, markup=False)
        self.reload()

    def _show(self, result: tuple[list[Entry], int]) -> None:
        found, waiting = result
        nothing = "No insights yet: they are concluded from what is said on different days."
        empty = nothing if self.ui.session else NO_MEMORY
        self.query_one(EntryList).fill(found, empty, of=str(self._all))
        many = "1 turn waits" if waiting == 1 else f"{waiting} turns wait"
        waiting_text = f"{many} to be looked at for connections." if waiting else ""
        self.query_one("#waiting", Static).update(waiting_text)
        if not found:
            self._show_tree(None)

    def _show_tree(self, origin: Origin | None) -> None:
        tree: Tree[str] = self.query_one(Tree)
        tree.clear()
        self.query_one("#whole", Static).update(visible(origin.text) if origin else "")
        if origin is not None:
            fill(tree.root, origin)


def _listed(thalamus: Thalamus, status: str | None) -> list[Entry]:
    return [of_record(insight) for insight in thalamus.insights.find(status=status)]


def _tree(thalamus: Thalamus, id: str) -> Origin | None:
    try:
        return thalamus.insights.tree(id)
    except NothingFound:  # it was deleted meanwhile
        return None
