"""The form for the filters of the memory browser, with a field for each."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Label, Static

from thalamus.errors import UsageError
from thalamus.text.visible import visible
from thalamus.ui.query import FILTERS, Query, parse


class FilterForm(ModalScreen[Query | None]):
    """Returns a query with the given filters; None after Escape."""

    DEFAULT_CSS = """
    FilterForm { align: center middle; }
    FilterForm > Vertical {
        width: 78; max-width: 98%; height: auto; max-height: 95%;
        border: round $primary; background: $surface; padding: 0 1;
    }
    FilterForm VerticalScroll { height: auto; max-height: 18; }
    FilterForm Horizontal { height: 1; }
    FilterForm Label { width: 9; color: $text-primary; }
    FilterForm Input { width: 18; }
    FilterForm .hint { width: 1fr; color: $text-muted; padding-left: 1;
                       text-wrap: nowrap; text-overflow: ellipsis; }
    FilterForm #problem { color: $text-error; height: auto; }
    """
    BINDINGS = [Binding("escape", "leave", "Cancel"), Binding("enter,ctrl+s", "done", "Done")]

    def __init__(self, query: Query) -> None:
        super().__init__()
        self._query = query

    def compose(self) -> ComposeResult:
        with Vertical() as window:
            window.border_title = "Filter"
            window.border_subtitle = "Tab: next   Enter or Ctrl+S: done   Escape: cancel"
            with VerticalScroll(can_focus=False):
                for name, meaning in FILTERS.items():
                    with Horizontal():
                        yield Label(name)
                        yield Input(self._query.filters.get(name, ""), id=name, compact=True)
                        yield Static(meaning, classes="hint", markup=False)
            yield Static("", id="problem", markup=False)

    def on_input_submitted(self) -> None:
        self.action_done()

    def action_done(self) -> None:
        """Returns the query, if it is valid."""
        filters = {name: self.query_one(f"#{name}", Input).value.strip() for name in FILTERS}
        given = {name: value for name, value in filters.items() if value}
        query = Query(self._query.words, given)
        try:
            parse(query.text())
        except UsageError as error:
            self.query_one("#problem", Static).update(visible(str(error)))
            return
        self.dismiss(query)

    def action_leave(self) -> None:
        self.dismiss(None)
