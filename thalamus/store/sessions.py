"""Sessions, counted in the table ``turn``."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from thalamus.names import normal_name

if TYPE_CHECKING:
    from thalamus.store.reader import Reader

# They use an index alone: a condition on the user would read all of that user's turns
COUNT = """
SELECT session, "user", count(*), min(created_at), max(created_at), min(key), max(key) FROM turn"""
COUNTS = f'{COUNT} WHERE session IS NOT NULL GROUP BY session, "user"'
COUNTS_OF_SESSION = f'{COUNT} WHERE session = ? GROUP BY session, "user"'
ENDS = """
SELECT session, max(created_at) FROM turn WHERE session IS NOT NULL
GROUP BY session ORDER BY max(key)"""
LAST_TURNS = 'SELECT session, created_at FROM turn WHERE "user" = ? ORDER BY key DESC LIMIT ?'
LAST_SHARED = """
SELECT session, created_at FROM turn WHERE "user" IS NULL ORDER BY key DESC LIMIT ?"""
NOT_SUMMED_UP = """
SELECT DISTINCT session FROM turn WHERE session IS NOT NULL AND id NOT IN (
    SELECT target FROM link WHERE relation = 'derived_from'
    AND source IN (SELECT id FROM memory WHERE type = 'session_summary'))"""


class SessionCount(NamedTuple):
    """Counts of a user's turns in a session: their number, times of the first and the last, and
    keys of those stored first and last."""

    session: str
    user: str | None
    turns: int
    begun: str
    ended: str
    first: int
    last: int


def counts(reader: Reader, session: str | None = None) -> list[SessionCount]:
    """Counts of every session, or of one."""
    rows = reader.fetch(COUNTS) if session is None else reader.fetch(COUNTS_OF_SESSION, session)
    found: dict[tuple[str, str | None], SessionCount] = {}
    for row in rows:
        name = (normal_name(row[0]), row[1] and normal_name(row[1]))
        count = SessionCount(*name, *row[2:])
        found[name] = _added(found[name], count) if name in found else count
    return list(found.values())


def ends(reader: Reader) -> list[tuple[str, str]]:
    """Sessions with the time of their last turn, the oldest first."""
    found: dict[str, str] = {}
    for row in reader.fetch(ENDS):
        name = normal_name(row[0])
        found[name] = max(row[1], found.pop(name, ""))
    return list(found.items())


def recent(reader: Reader, user: str | None, turns: int) -> list[tuple[str | None, str]]:
    """Sessions and times of the last ``turns`` turns of a user, newest first."""
    shared = user is None
    found = reader.fetch(LAST_SHARED, turns) if shared else reader.fetch(LAST_TURNS, user, turns)
    return [(row[0] and normal_name(row[0]), row[1]) for row in found]


def not_summed_up(reader: Reader) -> set[str]:
    """Sessions with unsummarized turns."""
    return {normal_name(row[0]) for row in reader.fetch(NOT_SUMMED_UP)}


def _added(one: SessionCount, other: SessionCount) -> SessionCount:
    """Counts of the turns under two spellings of a session or of its user."""
    return SessionCount(
        one.session,
        one.user,
        one.turns + other.turns,
        min(one.begun, other.begun),
        max(one.ended, other.ended),
        min(one.first, other.first),
        max(one.last, other.last),
    )
