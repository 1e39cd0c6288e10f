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
from thalamus.ui.help import keys_of
from thalamus.ui.memory import MemoryPage
from thalamus.ui.query import FILTERS

PAGE = Path(__file__).parents[2] / "docs" / "ui.md"
TABLES: dict[str, list[BindingType]] = {
    "app": ThalamusApp.BINDINGS,
    "chat": ChatPage.BINDINGS,
    "composer": Composer.BINDINGS,
    "console": Console.BINDINGS,
    "memory": MemoryPage.BINDINGS,
    "details": Details.BINDINGS,
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
