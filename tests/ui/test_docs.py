"""The keys in the documentation are those of the full screen."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.binding import BindingType

from thalamus.ui.app import ThalamusApp
from thalamus.ui.chat import ChatPage
from thalamus.ui.composer import Composer
from thalamus.ui.console import Console
from thalamus.ui.details import Details
from thalamus.ui.documents import DocumentsPage
from thalamus.ui.help import keys_of
from thalamus.ui.insights import InsightsPage
from thalamus.ui.memory import MemoryPage
from thalamus.ui.query import FILTERS
from thalamus.ui.sessions import SessionsPage
from thalamus.ui.settings import SettingsPage
from thalamus.ui.slider import DaySlider
from thalamus.ui.statistics import StatisticsPage
from thalamus.ui.timeline import TimelinePage
from thalamus.ui.world import WorldPage

PAGE = Path(__file__).parents[2] / "docs" / "ui.md"
TABLES: dict[str, list[BindingType]] = {
    "app": ThalamusApp.BINDINGS,
    "chat": ChatPage.BINDINGS,
    "composer": Composer.BINDINGS,
    "console": Console.BINDINGS,
    "memory": MemoryPage.BINDINGS,
    "details": Details.BINDINGS,
    "timeline": TimelinePage.BINDINGS,
    "slider": DaySlider.BINDINGS,
    "insights": InsightsPage.BINDINGS,
    "world": WorldPage.BINDINGS,
    "documents": DocumentsPage.BINDINGS,
    "sessions": SessionsPage.BINDINGS,
    "statistics": StatisticsPage.BINDINGS,
    "settings": SettingsPage.BINDINGS,
}


def table(bindings: list[BindingType]) -> str:
    """The keys as they stand in the documentation."""
    rows = [f"| {keys} | {what} |" for keys, what in keys_of(bindings)]
    return "\n".join(["| Key | What it does |", "|---|---|", *rows])


@pytest.mark.parametrize("name", TABLES)
def test_the_keys_are_documented(name: str) -> None:
    assert f"<!-- keys: {name} -->\n\n{table(TABLES[name])}\n" in PAGE.read_text()


def test_the_filters_are_documented() -> None:
    text = PAGE.read_text()
    for name, meaning in FILTERS.items():
        assert f"| `{name}:` | {meaning} |" in text
