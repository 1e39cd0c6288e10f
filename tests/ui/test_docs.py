"""The keys in the documentation are those of the full screen."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.binding import BindingType

from thalamus.ui.app import ThalamusApp
from thalamus.ui.chat import ChatPage
from thalamus.ui.composer import Composer
from thalamus.ui.console import Console
from thalamus.ui.help import keys_of

PAGE = Path(__file__).parents[2] / "docs" / "ui.md"
TABLES: dict[str, list[BindingType]] = {
    "app": ThalamusApp.BINDINGS,
    "chat": ChatPage.BINDINGS,
    "composer": Composer.BINDINGS,
    "console": Console.BINDINGS,
}


def table(bindings: list[BindingType]) -> str:
    """The keys as they stand in the documentation."""
    rows = [f"| {keys} | {what} |" for keys, what in keys_of(bindings)]
    return "\n".join(["| Key | What it does |", "|---|---|", *rows])


@pytest.mark.parametrize("name", TABLES)
def test_the_keys_are_documented(name: str) -> None:
    assert f"<!-- keys: {name} -->\n\n{table(TABLES[name])}\n" in PAGE.read_text()
