"""The statements of the store, as they stand in its modules."""

from __future__ import annotations

import importlib
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import thalamus.store
from tests.store.making import open_store

FOLDER = Path(thalamus.store.__file__).parent
pytestmark = pytest.mark.sqlite


def statements() -> Iterator[tuple[str, str]]:
    """Constants that are whole queries, with their names."""
    for path in sorted([*FOLDER.glob("*.py"), *FOLDER.glob("signing/*.py")]):
        name = ".".join(path.relative_to(FOLDER).with_suffix("").parts)
        module = importlib.import_module(f"thalamus.store.{name}".removesuffix(".__init__"))
        for name, value in vars(module).items():
            if not name.isupper() or not isinstance(value, str) or "{" in value:
                continue  # with braces: for tables of any kind
            if value.strip().startswith("SELECT"):
                yield f"{path.stem}.{name}", value


def test_each_can_be_pasted_into_sqlite3(tmp_path: Path) -> None:
    open_store(tmp_path / "store").close()
    found = dict(statements())
    assert len(found) > 80
    with closing(sqlite3.connect(tmp_path / "store" / "thalamus.db")) as connection:
        for name, text in found.items():
            try:
                connection.execute(f"EXPLAIN {text}", [None] * text.count("?"))
            except sqlite3.Error as error:
                pytest.fail(f"{name}: {error}")
