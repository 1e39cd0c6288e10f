"""A slider for choosing a day."""

from __future__ import annotations

from datetime import date, timedelta

from textual import events
from textual.binding import Binding
from textual.content import Content
from textual.message import Message
from textual.widget import Widget


class DaySlider(Widget, can_focus=True):
    """A day in a range, moved with the arrows or a click."""

    DEFAULT_CSS = """
    DaySlider { height: 3; border: round $foreground 30%; padding: 0 1; }
    DaySlider:focus { border: round $primary; }
    """
    BINDINGS = [
        Binding("left", "move(-1)", "A day back", show=False),
        Binding("right", "move(1)", "A day on", show=False),
        Binding("shift+left,pageup", "move(-30)", "30 days back", show=False),
        Binding("shift+right,pagedown", "move(30)", "30 days on", show=False),
        Binding("home", "go(0)", "The first day", show=False),
        Binding("end", "go(1)", "Today", show=False),
    ]

    class Moved(Message):
        """Message that another day was chosen."""

        def __init__(self, day: date) -> None:
            super().__init__()
            self.day = day

    def __init__(self, first: date, last: date) -> None:
        super().__init__()
        self.border_title = "As of"
        self.first, self.last, self.day = first, last, last

    def set_range(self, first: date, last: date) -> None:
        """Changes the range; the chosen day is kept if possible."""
        at_end = self.day == self.last
        self.first, self.last = min(first, last), last
        self.day = last if at_end else max(self.first, min(self.day, last))
        self.refresh()

    def render(self) -> Content:
        width = max(self.size.width - 12, 2)
        place = self._place(width)
        return Content.assemble(
            f"{self.day.isoformat()}  ",
            ("━" * place, "$primary"),
            ("●", "$text-primary"),
            ("─" * (width - place - 1), "$foreground 30%"),
        )

    def action_move(self, days: int) -> None:
        """Moves by this number of days."""
        self._choose(self.day + timedelta(days=days))

    def action_go(self, end: int) -> None:
        """Goes to one of the ends."""
        self._choose(self.last if end else self.first)

    def on_click(self, event: events.Click) -> None:
        """Goes to the clicked day."""
        width = max(self.size.width - 12, 2)
        share = min(max(event.x - 14, 0) / max(width - 1, 1), 1.0)
        self._choose(self.first + timedelta(days=round(share * self._days)))

    @property
    def _days(self) -> int:
        return max((self.last - self.first).days, 1)

    def _place(self, width: int) -> int:
        return round((self.day - self.first).days / self._days * (width - 1))

    def _choose(self, day: date) -> None:
        day = max(self.first, min(day, self.last))
        if day != self.day:
            self.day = day
            self.refresh()
            self.post_message(self.Moved(day))
