"""What is still to be done for turns that were stored as soon as they were answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite_utils.db import Database

_JOBS = (
    # kind: the stages that are left of the turn's flow. A row goes with what it stands for: in the
    # transaction that stores what was reflected, or with its turn
    """CREATE TABLE job (
        n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,
        turn TEXT NOT NULL, state TEXT NOT NULL DEFAULT 'waiting', created_at TEXT NOT NULL,
        taken_at TEXT, taken_by TEXT, tries INTEGER NOT NULL DEFAULT 0)""",
    "CREATE INDEX job_turn ON job (turn)",
    "CREATE TRIGGER job_of_turn AFTER DELETE ON turn"
    " BEGIN DELETE FROM job WHERE turn = OLD.id; END",
)


def m_jobs(db: Database) -> None:
    """Jobs that outlive the process that left them. They hold ids, times and stages, no words."""
    for statement in _JOBS:
        db.execute(statement)
