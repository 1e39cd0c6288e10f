"""The page of the memory: search while typing, groups, and actions on each entry."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.timer import Timer
from textual.widgets import Input, OptionList, Static, Tree

from thalamus.errors import NothingFound, NothingMatches, UsageError
from thalamus.text.visible import visible
from thalamus.ui.actions import CHANGES, Changing
from thalamus.ui.details import summary
from thalamus.ui.entries import MOST, Entry, entries
from thalamus.ui.entry_list import EntryList
from thalamus.ui.filters import FilterForm
from thalamus.ui.groups import GroupTree, groups
from thalamus.ui.pages import NO_MEMORY, Page
from thalamus.ui.query import Query, parse

if TYPE_CHECKING:
    from thalamus.api import Thalamus

WIDE = 100  # least columns for showing the groups
PAUSE = 0.05  # seconds to wait for another key


class MemoryPage(Changing, Page):
    """The memory browser."""

    PAGE = "memory"
    AUTO_FOCUS = "EntryList"
    DEFAULT_CSS = """
    MemoryPage #body { height: 1fr; }
    MemoryPage GroupTree { display: none; }
    MemoryPage.-groups GroupTree { display: block; }
    MemoryPage #search { border: round $foreground 30%; height: 3; }
    MemoryPage #search:focus { border: round $primary; }
    MemoryPage EntryList { height: 2fr; }
    MemoryPage #preview { height: auto; min-height: 3; max-height: 7; border: round $foreground 30%;
                          padding: 0 1; color: $text-muted; }
    """
    BINDINGS = [
        Binding("slash", "search", "Search"),
        Binding("escape", "list", "List", tooltip="From the field to the list", show=False),
        Binding("down", "list", "List", show=False, tooltip="From the field to the list"),
        Binding("f", "filter", "Filter"),
        Binding("g", "groups", "Groups", tooltip="Go to the groups, or hide them and go back"),
        *CHANGES,
    ]

    def __init__(self) -> None:
        super().__init__()
        self._timer: Timer | None = None
        self._query = Query()
        self.listed = ""  # the query of the shown entries

    def content(self) -> ComposeResult:
        with Horizontal(id="body"):
            yield GroupTree()
            with Vertical():
                hint = "Words; type: topic: scope: trust: since: … narrow the list"
                search = Input(placeholder=hint, id="search")
                search.border_title = "Search"
                yield search
                yield EntryList("Memories")
                yield Static("", id="preview", markup=False)

    def on_mount(self) -> None:
        self.reload()

    def on_screen_resume(self) -> None:
        self.reload()

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.width >= WIDE, "-groups")

    def chosen_id(self) -> str | None:
        chosen = self.query_one(EntryList).chosen
        return chosen.id or None if chosen is not None else None

    def hide(self, ids: Collection[str]) -> None:
        super().hide(ids)
        self.query_one("#preview", Static).update("")

    def reload(self, id: str | None = None) -> None:
        self.query_one(EntryList).follow(id)
        self._list()
        tree = self.query_one(GroupTree)
        self.fetch(groups, tree.fill, group="groups", empty=lambda: None)

    # -- keys ------------------------------------------------------------------------------------

    def action_search(self) -> None:
        """Goes to the search field."""
        self.query_one("#search").focus()

    def action_list(self) -> None:
        """Goes to the list."""
        self.query_one(EntryList).focus()

    def action_groups(self) -> None:
        """Shows the groups and goes to them; there, hides them and goes back to the list."""
        leaves = self.query_one("#groups").has_focus
        self.set_class(not leaves, "-groups")
        self.query_one("#entries" if leaves else "#groups").focus()

    def action_filter(self) -> None:
        """Opens the form of the filters."""
        self.app.push_screen(FilterForm(self._query), self._narrow)

    # -- what happens ----------------------------------------------------------------------------

    @on(Input.Changed, "#search")
    def typed(self) -> None:
        """Searches a moment after the last key."""
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(PAUSE, self._list)

    @on(Input.Submitted, "#search")
    def submitted(self) -> None:
        """Goes to the results."""
        self.query_one(EntryList).focus()

    @on(Tree.NodeSelected)
    def open_group(self, event: Tree.NodeSelected[Query]) -> None:
        """Lists the entries of a group."""
        if event.node.data is not None:
            self._narrow(event.node.data)

    @on(OptionList.OptionSelected)
    def open_entry(self) -> None:
        """Shows all details of an entry."""
        self.action_why()

    @on(OptionList.OptionHighlighted)
    def preview(self) -> None:
        """Shows the fields of an entry below the list."""
        id = self.chosen_id()
        if id is None:
            self.query_one("#preview", Static).update("")
            return
        self.fetch(lambda t: t.store.get(id), self._preview, group="preview")

    def _narrow(self, query: Query | None) -> None:
        if query is not None:
            self.query_one("#search", Input).value = query.text()
            self._list()
            self.query_one(EntryList).focus()

    def _list(self) -> None:
        try:
            query = parse(self.query_one("#search", Input).value)
        except UsageError as error:
            self._show(Query(), [], str(error))
            return
        self._query = query
        self.fetch(
            lambda t: _found(t, query),
            lambda found: self._show(query, *found),
            group="list",
            empty=lambda: self.query_one(EntryList).fill([], NO_MEMORY),
        )

    def _show(self, query: Query, found: list[Entry], empty: str, total: int | None = None) -> None:
        shown = self.query_one(EntryList)
        self.listed = query.text()
        shown.border_title = self.listed or "Memories, the newest first"
        shown.fill(found, visible(empty), of=self.listed, total=total)
        if not found:
            self._preview(None)

    def _preview(self, record: Any) -> None:
        if record is None or record.id == self.chosen_id():
            self.query_one("#preview", Static).update(visible(summary(record)))


def _found(thalamus: Thalamus, query: Query) -> tuple[list[Entry], str, int | None]:
    """Entries that a query finds, the message if there are none, and the total if not all memories
    are listed."""
    try:
        found = entries(thalamus, query)
    except (NothingFound, NothingMatches) as error:
        return [], str(error), None
    more = query == Query() and len(found) == MOST
    return found, "Nothing matches.", thalamus.memories.count()["memory"] if more else None
