"""A list of entries, one on a line, or as many lines as it takes."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from thalamus.terminal.lines import visible
from thalamus.text.width import columns, cut, wrapped
from thalamus.ui.entries import Entry

LEAST = 36  # columns of a line, however narrow the list is
SHORTEST = 16  # columns of a text, however long the remarks are
PADDING = 3  # columns that are no text: at the sides, and a scroll bar


class EntryList(OptionList):
    """Entries to choose from; the one that is marked stays so when the list is filled again.
    ``whole``: what is too long for a line goes on in the next one, instead of being cut."""

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
        """The entry that is marked."""
        if self.highlighted is None or self.highlighted >= len(self._entries):
            return None
        return self._entries[self.highlighted]

    def fill(
        self, found: Sequence[Entry], empty: str, *, of: str = "", total: int | None = None
    ) -> None:
        """Shows entries, or why there are none (``empty``). ``of``: what the list is of, such as a
        query; ``total``: how many there are, where these are not all of them."""
        shown = [entry for entry in found if entry.id not in self._hidden]
        place = self._place(shown, of)
        self._entries, self._of, self._empty, self._total = shown, of, empty, total
        self._draw(place)

    def on_resize(self) -> None:
        self._draw(self.highlighted or 0)

    def _draw(self, place: int) -> None:
        """Shows the lines as wide as there is room, and marks one."""
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
        """When the list is filled again, this one takes the place of the one that is marked, if
        that is gone."""
        self._instead = id or self._instead

    def hide(self, ids: Collection[str]) -> None:
        """Shows these no longer, whatever the list is filled with; none of them: all again."""
        self._hidden = set(ids)
        if ids:
            self.fill(self._entries, self._empty, of=self._of, total=self._total)

    def _place(self, found: Sequence[Entry], of: str) -> int:
        """The row to be marked: that of the same entry, or of what took its place; where both are
        gone, the next one that is left, or else the one before. Of another list the first, so that
        no key is meant for what nobody looked at."""
        before, known = self.highlighted, [entry.id for entry in self._entries]
        instead, self._instead = self._instead, None
        if before is None or before >= len(known):
            return 0
        if known == [entry.id for entry in found]:
            return before
        places = {entry.id: place for place, entry in enumerate(found) if entry.id}
        near = [*known[before + 1 :], *reversed(known[:before])] if of == self._of else []
        candidates = [known[before], instead or "", *near]
        return next((places[id] for id in candidates if id in places), 0)


def _line(entry: Entry, room: int) -> Content:
    """An entry on a line of so many columns: of its text as much as its remarks leave room for."""
    when, label = _head(entry)
    marks = f"  {visible(entry.marks)}" if entry.marks else ""
    text = cut(visible(entry.text), max(room - columns(when + label + marks), SHORTEST))
    return Content.assemble(
        (when, "$text-muted"),
        (label, "bold"),  # a colour would be lost on the marked row
        text,
        (marks, "$text-muted"),
    )


def _rows(entry: Entry, room: int) -> Content:
    """An entry on as many lines as it takes, its text in a column of its own."""
    when, label = _head(entry)
    indent = columns(when + label)
    text = visible("  ".join(filter(None, (entry.text, entry.marks))))
    lines = wrapped(text, max(room - indent, SHORTEST), 0)
    return Content.assemble((when, "$text-muted"), (label, "bold"), f"\n{' ' * indent}".join(lines))


def _head(entry: Entry) -> tuple[str, str]:
    """When it was, and its label, as columns."""
    when = f"{entry.when:<11}" if entry.when else ""
    return when, f"{visible(entry.label)[:13]:<14}"
