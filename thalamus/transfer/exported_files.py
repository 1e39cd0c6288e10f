"""Registry of exported files and their content, so that `forget` can list them."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from thalamus.records import ExportedFile
from thalamus.store import exported_files

if TYPE_CHECKING:
    from thalamus.engine import Engine
    from thalamus.store.writer import Writer


def remember_file(
    path: Path,
    format: str,
    rows: int,
    holds: Collection[str],
    at: str,
    writer: Writer,
    engine: Engine,
) -> None:
    """Registers the ids in a file. Writing the file again replaces its entry; a file without ids is
    not registered."""
    where = str(path.absolute())
    for id in exported_files.ids_at(writer, where):
        writer.remove(id)
    if holds:
        id = engine.clock.new_id("exp", where, format, rows)
        record = ExportedFile(
            id=id,
            at=at,
            path=where,
            format=format,
            rows=rows,
            holds=sorted(holds),
            user=writer.acting.user,
            agent=writer.acting.agent,
        )
        writer.add(record)
