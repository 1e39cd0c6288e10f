"""Jobs: what is left to be done for turns, whichever process left it."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from typing import TYPE_CHECKING

from thalamus.clock import days_later
from thalamus.storage.jobs import MOST_TRIES, Job
from thalamus.storage.sqlite.takers import is_gone, this_process

if TYPE_CHECKING:
    from thalamus.records import Turn

LONGEST = 1 / 24  # days after which a job is free, whatever became of the process that took it
_QUERY = "SELECT n, id, kind, turn, state, created_at, taken_at, taken_by, tries FROM job"


def jobs(db: sqlite3.Connection, now: str) -> list[Job]:
    """All of them, oldest first."""
    return [_job(row, now) for row in db.execute(f"{_QUERY} ORDER BY n")]


class JobWriting:
    """Part of ``SqliteWriter``; see ``storage.jobs.JobWriter``."""

    _db: sqlite3.Connection
    _now: str

    if TYPE_CHECKING:  # another part of it

        def _judge_turn(self, turn: Turn) -> None: ...

    def add_job(self, job: Job) -> None:
        self._db.execute(
            "INSERT INTO job (id, kind, turn, created_at) VALUES (?,?,?,?)",
            (job.id, ",".join(job.stages), job.turn, job.created_at),
        )

    def take_job(
        self, turn: str | None = None, but: Collection[str] = (), given_up: bool = False
    ) -> Job | None:
        query = f"{_QUERY} WHERE (?1 IS NULL OR turn = ?1) AND (?2 OR tries < ?3) ORDER BY n"
        for row in self._db.execute(query, (turn, given_up, MOST_TRIES)).fetchall():
            if row["id"] in but or _is_taken(row, self._now):
                continue
            self._db.execute(
                "UPDATE job SET state = 'taken', taken_at = ?, taken_by = ?, tries = tries + 1"
                " WHERE n = ?",
                (self._now, this_process(), row["n"]),
            )
            return _job(row, self._now)
        return None

    def give_back(self, id: str, tried: bool) -> None:
        self._db.execute(
            "UPDATE job SET state = 'waiting', taken_at = NULL, taken_by = NULL,"
            " tries = tries - ? WHERE id = ? AND taken_by = ?",
            (0 if tried else 1, id, this_process()),
        )

    def finish_job(self, turn: Turn) -> bool:
        found = self._db.execute("DELETE FROM job WHERE turn = ?", (turn.id,)).rowcount > 0
        if found:
            self._judge_turn(turn)
        return found


def _is_taken(row: sqlite3.Row, now: str) -> bool:
    """Whether a process is at work on a job."""
    if row["state"] == "waiting" or row["taken_at"] < days_later(now, -LONGEST):
        return False
    return not is_gone(row["taken_by"] or "")


def _job(row: sqlite3.Row, now: str) -> Job:
    return Job(
        id=row["id"],
        turn=row["turn"],
        stages=tuple(row["kind"].split(",")),
        created_at=row["created_at"],
        tries=row["tries"],
        taken=_is_taken(row, now),
    )
