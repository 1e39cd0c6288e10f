"""A list of entries, one on a line."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from thalamus.terminal.lines import visible
from thalamus.ui.entries import Entry


class EntryList(OptionList):
    """Entries to choose from; the one that is marked stays so when the list is filled again."""

    DEFAULT_CSS = """
    EntryList { background: $background; border: round $foreground 30%; padding: 0 1;
                text-wrap: nowrap; text-overflow: ellipsis; scrollbar-size-vertical: 1; }
    EntryList:focus { border: round $primary; }
    """

    def __init__(self, title: str, id: str = "entries") -> None:
        super().__init__(id=id)
        self.border_title = title
        self._entries: list[Entry] = []

    @property
    def chosen(self) -> Entry | None:
        """The entry that is marked."""
        if self.highlighted is None or self.highlighted >= len(self._entries):
            return None
        return self._entries[self.highlighted]

    def fill(self, found: Sequence[Entry], empty: str) -> None:
        """Shows entries, or why there are none."""
        before = self.chosen
        place = self._place_of(before, found)
        self._entries = list(found)
        self.clear_options()
        self.add_options([Option(_line(entry)) for entry in found])
        if not found:
            self.add_option(Option(empty, disabled=True))
        self.border_subtitle = f"{len(found)}"
        if found:
            self.highlighted = min(place, len(found) - 1)

    def _place_of(self, before: Entry | None, found: Sequence[Entry]) -> int:
        """The row that is chosen among others: that of the same entry; where only that is gone, the
        next one; of another list the first, so that no key is meant for what nobody looked at."""
        ids = [entry.id for entry in found]
        if before is not None and before.id in ids:
            return ids.index(before.id)
        known = [entry.id for entry in self._entries if before is None or entry.id != before.id]
        return self.highlighted or 0 if ids == known else 0


def _line(entry: Entry) -> Content:
    return Content.assemble(
        (f"{entry.when:<11}" if entry.when else "", "$text-muted"),
        (f"{visible(entry.label)[:13]:<14}", "bold"),  # a colour would be lost on the marked row
        visible(entry.text),
        (f"  {visible(entry.marks)}" if entry.marks else "", "$text-muted"),
    )
