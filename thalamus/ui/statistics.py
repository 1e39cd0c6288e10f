"""The page of statistics: size and use of the store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.widgets import Static

from thalamus.terminal.statistics import lines
from thalamus.text.visible import visible
from thalamus.ui.pages import NO_MEMORY, Page

if TYPE_CHECKING:
    from thalamus.records.statistics import Statistics


class StatisticsPage(Page):
    """The figures of `thalamus store stats`."""

    PAGE = "statistics"
    AUTO_FOCUS = "VerticalScroll"
    DEFAULT_CSS = """
    StatisticsPage VerticalScroll { padding: 0 1; }
    """
    BINDINGS = [Binding("r", "reload", "Refresh", tooltip="Count again")]

    def content(self) -> ComposeResult:
        with VerticalScroll():
            yield Static("Counting …", id="figures", markup=False)

    def on_mount(self) -> None:
        self.action_reload()

    def on_screen_resume(self) -> None:
        self.action_reload()

    def action_reload(self) -> None:
        """Counts again."""
        figures = self.query_one("#figures", Static)
        self.fetch(
            lambda t: t.store.stats(),
            self._show,
            group="stats",
            empty=lambda: figures.update(NO_MEMORY),
            slow=True,
        )

    def _show(self, found: Statistics) -> None:
        width = max(self.size.width - 4, 40)
        text = "\n".join(lines(found, width, plain=False))
        self.query_one("#figures", Static).update(visible(text))
