"""Files that records were written to."""

from __future__ import annotations

from thalamus.records.base import Record


class ExportedFile(Record, tag="exported_file"):
    """A file that a data set or a report was written to. ``holds``: ids of the turns and other
    records it quotes, so that `forget` can list the files with deleted content. ``user`` and
    ``agent``: who wrote it."""

    path: str
    format: str
    id: str | None = None
    at: str | None = None
    rows: int = 0
    holds: list[str] = []
    user: str | None = None
    agent: str | None = None
