"""Whose plan it is: several users may speak in a session of one name."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite_utils.db import Database

_PLANS_OF_USERS = (
    "ALTER TABLE plan ADD COLUMN user TEXT",
    "UPDATE plan SET user = (SELECT turn.user FROM turn WHERE turn.id = plan.turn)",
    "DROP INDEX plan_session",
    "CREATE INDEX plan_session ON plan (session, user, key)",
)


def m_plans_of_users(db: Database) -> None:
    """A plan belongs to a session and its user: that of the turn after which it was made."""
    for statement in _PLANS_OF_USERS:
        db.execute(statement)
