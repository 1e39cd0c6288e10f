"""Remembering which file that was written holds what, so that `forget` can name it."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from thalamus.records import ExportedFile

if TYPE_CHECKING:
    from thalamus.context import Context
    from thalamus.storage.protocol import Writer


def remember_file(
    path: Path,
    format: str,
    rows: int,
    holds: Collection[str],
    at: str,
    writer: Writer,
    context: Context,
) -> None:
    """Remembers the ids that a file holds; one that is written again takes the place of itself,
    and one that holds nothing is not remembered."""
    where = str(path.absolute())
    for id in writer.records(ExportedFile).ids({"path": where}):
        writer.remove(id)
    if holds:
        id = context.clock.new_id("exp", where, format, rows)
        record = ExportedFile(
            id=id, at=at, path=where, format=format, rows=rows, holds=sorted(holds)
        )
        writer.add(record)
