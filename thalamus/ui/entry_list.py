"""A list of entries, each on one line or on as many as it needs."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from thalamus.text.visible import visible
from thalamus.text.width import columns, cut, wrapped
from thalamus.ui.entries import Entry

LEAST = 36  # least columns of a line
SHORTEST = 16  # least columns of a text
PADDING = 3  # columns of the border and the scroll bar


class EntryList(OptionList):
    """Entries to choose from; the selection is kept when the list is filled again. ``whole``: long
    entries continue on the next line instead of being cut."""

    DEFAULT_CSS = """
    EntryList { background: $background; border: round $foreground 30%; padding: 0 1;
                text-wrap: nowrap; text-overflow: ellipsis; scrollbar-size-vertical: 1; }
    EntryList:focus { border: round $primary; }
    """

    def __init__(self, title: str, id: str = "entries", *, whole: bool = False) -> None:
        super().__init__(id=id)
        self._row = _rows if whole else _line
        self.border_title = title
        self._entries: list[Entry] = []
        self._of = self._empty = ""
        self._total: int | None = None
        self._instead: str | None = None
        self._hidden: set[str] = set()

    @property
    def chosen(self) -> Entry | None:
        """The selected entry."""
        if self.highlighted is None or self.highlighted >= len(self._entries):
            return None
        return self._entries[self.highlighted]

    def fill(
        self, found: Sequence[Entry], empty: str, *, of: str = "", total: int | None = None
    ) -> None:
        """Shows entries, or the reason why there are none (``empty``). ``of``: the source of the
        list, such as a query; ``total``: the number of entries, if these are not all."""
        shown = [entry for entry in found if entry.id not in self._hidden]
        place = self._place(shown, of)
        self._entries, self._of, self._empty, self._total = shown, of, empty, total
        self._draw(place)

    def on_resize(self) -> None:
        self._draw(self.highlighted or 0)

    def _draw(self, place: int) -> None:
        """Shows the lines as wide as the list, and selects one."""
        room = max(self.size.width - PADDING, LEAST)
        lines = [Option(self._row(entry, room)) for entry in self._entries]
        if not lines:
            lines = [Option(line, disabled=True) for line in wrapped(self._empty, room, 0)]
        self.clear_options()
        self.add_options(lines)
        count = f"{len(self._entries)}"
        self.border_subtitle = count if self._total is None else f"{count} of {self._total:,}"
        if self._entries:
            self.highlighted = min(place, len(self._entries) - 1)

    def follow(self, id: str | None) -> None:
        """Selects this entry when the list is filled again, if the selected one is gone."""
        self._instead = id or self._instead

    def hide(self, ids: Collection[str]) -> None:
        """Hides these entries, whatever the list is filled with; without any, shows all again."""
        self._hidden = set(ids)
        if ids:
            self.fill(self._entries, self._empty, of=self._of, total=self._total)

    def _place(self, found: Sequence[Entry], of: str) -> int:
        """The row to select: that of the same entry or its successor; if both are gone, the next
        remaining one, or else the previous one. In another list the first, so that no key acts on
        an entry nobody looked at."""
        before, known = self.highlighted, [entry.id for entry in self._entries]
        instead, self._instead = self._instead, None
        if before is None or before >= len(known):
            return 0
        if known == [entry.id for entry in found]:
            return before
        places = {entry.id: place for place, entry in enumerate(found) if entry.id}
        neighbours = [*known[before + 1 :], *reversed(known[:before])] if of == self._of else []
        candidates = [known[before], instead or "", *neighbours]
        return next((places[id] for id in candidates if id in places), 0)


def _line(entry: Entry, room: int) -> Content:
    """An entry on a line of this width: as much of its text as its remarks leave room for."""
    when, label = _head(entry)
    marks = f"  {visible(entry.marks)}" if entry.marks else ""
    text = cut(visible(entry.text), max(room - columns(when + label + marks), SHORTEST))
    return Content.assemble(
        (when, "$text-muted"),
        (label, "bold"),  # a colour would be lost on the selected row
        text,
        (marks, "$text-muted"),
    )


def _rows(entry: Entry, room: int) -> Content:
    """An entry on as many lines as it needs, its text in a column of its own."""
    when, label = _head(entry)
    indent = columns(when + label)
    text = visible("  ".join(filter(None, (entry.text, entry.marks))))
    lines = wrapped(text, max(room - indent, SHORTEST), 0)
    return Content.assemble((when, "$text-muted"), (label, "bold"), f"\n{' ' * indent}".join(lines))


def _head(entry: Entry) -> tuple[str, str]:
    """Time and label as columns. A label is never cut: it may be typed as a filter."""
    when = f"{entry.when:<11}" if entry.when else ""
    return when, f"{visible(entry.label):<13} "
