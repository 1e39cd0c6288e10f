"""The table ``plan``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thalamus.records import Plan

if TYPE_CHECKING:
    from thalamus.store.reader import Reader

LAST = 'SELECT * FROM plan WHERE session = ? AND "user" IS ? ORDER BY key DESC LIMIT 1'
IDS_OF_TURN = "SELECT id FROM plan WHERE turn = ?"


def last(reader: Reader, session: str, user: str | None) -> Plan | None:
    """Plan that one user (None: nobody) saved last in a session."""
    found = reader.read(Plan, LAST, session, user)
    return found[0] if found else None


def ids_of_turn(reader: Reader, turn: str) -> list[str]:
    """Ids of the plans that a turn saved."""
    return [row[0] for row in reader.fetch(IDS_OF_TURN, turn)]
