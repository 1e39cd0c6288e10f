"""The page of the timeline: facts as bars over time, and the facts or events of a day."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING

from msgspec import Struct
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.widgets import Input, OptionList, Static

from thalamus.clock import format_time
from thalamus.terminal.lines import one_line
from thalamus.terminal.local import day, zone
from thalamus.terminal.timeline import Bar, bars, draw
from thalamus.text.visible import visible
from thalamus.ui.actions import CHANGES, Changing
from thalamus.ui.entries import Entry, of_record
from thalamus.ui.entry_list import EntryList
from thalamus.ui.pages import NO_MEMORY, Page
from thalamus.ui.slider import DaySlider

if TYPE_CHECKING:
    from thalamus.api import Thalamus

MOST = 200  # for events
KEYS = ("e", "n", "x", "d", "w", "u")  # changes of facts


class Times(Struct, frozen=True):
    """Timeline as drawn and listed: bars, the first day of any, today, and the entries."""

    rows: list[Bar]
    first: date
    today: date
    found: list[Entry]


class TimelinePage(Changing, Page):
    """The intervals of facts, by subject; the slider selects a day."""

    PAGE = "timeline"
    AUTO_FOCUS = "DaySlider"
    DEFAULT_CSS = """
    TimelinePage #subject { border: round $foreground 30%; height: 3; }
    TimelinePage #subject:focus { border: round $primary; }
    TimelinePage #bars { height: auto; max-height: 45%; padding: 0 1; }
    TimelinePage EntryList { height: 1fr; min-height: 5; }
    """
    BINDINGS = [
        Binding("slash", "subject", "Subject", tooltip="Filter by subject"),
        Binding("t", "events", "Events", tooltip="Switch between events and facts"),
        *(binding for binding in CHANGES if binding.key in KEYS),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._events = False
        self._rows: list[Bar] = []

    def content(self) -> ComposeResult:
        today = datetime.now(UTC).date()
        subject = Input(placeholder="Everyone and everything", id="subject")
        subject.border_title = "Subject"
        yield subject
        yield DaySlider(today, today)
        with VerticalScroll(id="bars", can_focus=False):
            yield Static("", id="picture", markup=False)
        yield EntryList("Held")

    def on_mount(self) -> None:
        self.reload()

    def on_screen_resume(self) -> None:
        self.reload()

    def on_resize(self) -> None:
        self.call_after_refresh(self._draw)

    def chosen_id(self) -> str | None:
        chosen = self.query_one(EntryList).chosen
        return chosen.id if chosen is not None else None

    def reload(self, id: str | None = None) -> None:
        self.query_one(EntryList).follow(id)
        subject = self.query_one("#subject", Input).value.strip() or None
        slider = self.query_one(DaySlider)
        at = None if slider.day == slider.last else slider.day
        events = self._events
        self.fetch(
            lambda t: times(t, subject, at, events=events),
            self._show,
            group="list",
            empty=lambda: self.query_one(EntryList).fill([], NO_MEMORY),
        )

    def action_subject(self) -> None:
        """Goes to the field of the subject."""
        self.query_one("#subject").focus()

    def action_events(self) -> None:
        """Lists events, or facts."""
        self._events = not self._events
        self.reload()

    @on(Input.Changed, "#subject")
    @on(DaySlider.Moved)
    def changed(self) -> None:
        """Shows another subject or another day."""
        self.reload()

    @on(Input.Submitted, "#subject")
    def submitted(self) -> None:
        """Goes to the list."""
        self.query_one(EntryList).focus()

    @on(OptionList.OptionSelected)
    def open_entry(self) -> None:
        """Shows all details of an entry."""
        self.action_why()

    def _show(self, found: Times) -> None:
        slider = self.query_one(DaySlider)
        slider.set_range(found.first, found.today)
        self._rows = found.rows
        self._draw()
        shown = self.query_one(EntryList)
        until = "until" if self._events else "on"
        shown.border_title = f"{'Happened' if self._events else 'Held'} {until} {slider.day}"
        subject = self.query_one("#subject", Input).value
        of = f"{shown.border_title} {subject}"
        shown.fill(found.found, "Nothing that is known.", of=of)

    def _draw(self) -> None:
        slider = self.query_one(DaySlider)
        width = max(self.size.width - 4, 40)
        now = f"{slider.last.isoformat()}T12:00:00Z"
        lines = [*draw(self._rows, now, None, None, width, plain=False)]
        # not measured: Textual sometimes keeps the height of a list that was empty before
        self.query_one("#bars").styles.height = max(len(lines), 1)
        self.query_one("#picture", Static).update(visible("\n".join(lines)))


def times(thalamus: Thalamus, subject: str | None, at: date | None, *, events: bool) -> Times:
    """The facts of a subject over time, and the facts of a day or (``events``) the events until
    then; None is today. Raises ``NoStore``."""
    from thalamus.memory.views.timeline import TimelineQuery

    facts = thalamus.facts.timeline(subject)
    rows = bars(facts)
    today = date.fromisoformat(day(thalamus.clock.stamp()))
    begun = [day(fact.valid_from or fact.created_at) for fact in facts]
    known = sorted(text for text in begun if text and not text.startswith("0001"))
    first = date.fromisoformat(known[0]) if known else today
    if events:
        until = end_of(at) if at else None
        items = thalamus.memories.timeline(TimelineQuery(until=until, subject=subject, limit=MOST))
        found = [
            Entry(i.id, i.kind, day(i.at), i.kind, one_line(i.text), i.change or i.status or "")
            for i in reversed(items)
        ]
    else:
        as_of = end_of(at) if at else None
        found = [of_record(fact) for fact in thalamus.facts.find(subject, as_of=as_of)]
    return Times(rows, first, today, found)


def end_of(at: date) -> str:
    """The last moment of a local day."""
    after = datetime.combine(at + timedelta(days=1), time(), zone())
    return format_time(after.astimezone(UTC) - timedelta(seconds=1))
