"""The table ``job``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thalamus.storage.protocol.jobs import StoredJob

if TYPE_CHECKING:
    from thalamus.storage.protocol.conditions import Where
    from thalamus.storage.protocol.jobs import JobKind, JobState
    from thalamus.storage.relational.collection import RowReader, RowWriter

_FIELDS = tuple(name for name in StoredJob._fields if name != "n")
_CHANGED = ("state", "taken_at", "taken_by", "tries", "error")


class Jobs:
    """See ``storage.protocol.jobs.Jobs``."""

    def __init__(self, rows: RowReader) -> None:
        self._rows = rows

    def find(
        self, kind: JobKind, where: Where | None = None, limit: int | None = None
    ) -> list[StoredJob]:
        of_kind = {"kind": kind, **(where or {})}
        found = self._rows.select("job", StoredJob._fields, of_kind, order=("n",), limit=limit)
        return [StoredJob(*row) for row in found]

    def count(self, kind: JobKind) -> dict[JobState, int]:
        found = self._rows.select("job", ("state", "count(*)"), {"kind": kind}, group=("state",))
        return {row[0]: int(row[1]) for row in found}


class MutableJobs(Jobs):
    """See ``storage.protocol.jobs.MutableJobs``."""

    def __init__(self, rows: RowWriter) -> None:
        super().__init__(rows)
        self._target = rows

    def add(self, job: StoredJob) -> None:
        self._target.insert("job", _FIELDS, [job[: len(_FIELDS)]])

    def put(self, job: StoredJob) -> None:
        fields = {name: getattr(job, name) for name in _CHANGED}
        self._target.update("job", fields, {"n": job.n})
