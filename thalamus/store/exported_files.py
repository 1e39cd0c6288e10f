"""The table ``exported_file``."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thalamus.store.reader import Reader


def ids_at(reader: Reader, path: str) -> list[str]:
    """Ids of the entries about the file at a path."""
    found = reader.fetch("SELECT id FROM exported_file WHERE path = ?", path)
    return [row[0] for row in found]
