"""The list of changes that can be undone."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.binding import Binding
from textual.widgets import OptionList

from thalamus.terminal.batches import changes_line, undone_counts
from thalamus.terminal.local import day
from thalamus.text.visible import visible
from thalamus.ui.dialogs import Confirm
from thalamus.ui.entries import Entry
from thalamus.ui.entry_list import EntryList
from thalamus.ui.key_footer import KeyFooter
from thalamus.ui.pages import PageView

if TYPE_CHECKING:
    from thalamus.api import Thalamus
    from thalamus.memory.undo.undo import Undone
    from thalamus.records.reports import Batch


class UndoList(PageView):
    """The changes that can be undone, the newest first. Closes after an undo."""

    TITLE = "undo"
    AUTO_FOCUS = "EntryList"
    DEFAULT_CSS = "UndoList EntryList { height: 1fr; }"
    BINDINGS = [Binding("escape", "leave", "Back")]

    def __init__(self, then: Callable[[str | None], None]) -> None:
        super().__init__()
        self._then = then

    def compose(self) -> ComposeResult:
        yield EntryList("What can be undone: Enter undoes it", whole=True)
        yield KeyFooter()

    def on_mount(self) -> None:
        self.fetch(_undoable, self._show, group="list", empty=lambda: self._show([]))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Undoes a change after confirmation."""
        chosen = self.query_one(EntryList).chosen
        if chosen is None:
            return
        id = chosen.id

        def reply(yes: bool | None) -> None:
            if yes:
                self.fetch(lambda t: t.undo(id), self._undone, group="undo")

        self.app.push_screen(Confirm(f"Undo {chosen.label} of {chosen.when}?", chosen.text), reply)

    def action_leave(self) -> None:
        self.dismiss(None)

    def _show(self, found: list[Entry]) -> None:
        self.query_one(EntryList).fill(found, "There is nothing to undo.")

    def _undone(self, undone: Undone) -> None:
        batch = undone.change
        many = undone_counts(undone.counts) or "nothing left"
        text = f"Undone: {batch.action}: {many}\n{changes_line(batch)}"
        self.app.notify(visible(text.rstrip()), markup=False)
        back = [item.id for item in batch.changes if item.change != "made"]
        self._then(back[0] if len(back) == 1 else None)
        self.dismiss(None)


def _undoable(thalamus: Thalamus) -> list[Entry]:
    return [_entry(batch) for batch in thalamus.store.batches(undoable=True)]


def _entry(batch: Batch) -> Entry:
    until = f"until {day(batch.until)}" if batch.until else ""
    return Entry(batch.id, "batch", day(batch.at), batch.action, changes_line(batch), until)
