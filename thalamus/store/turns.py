"""The tables ``turn`` and ``session_title``."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from thalamus.names import normal_name
from thalamus.records import SessionTitle, Turn
from thalamus.store.tables import EVERY, REACHED

if TYPE_CHECKING:
    from thalamus.store.reader import Reader

OF_USER = '(CAST(? AS TEXT) IS NULL OR "user" = ?)'  # without one: of all

LAST = f"SELECT * FROM turn WHERE session = ? AND {OF_USER} ORDER BY key DESC LIMIT ?"
LAST_ID = f"SELECT id FROM turn WHERE {OF_USER} ORDER BY key DESC LIMIT 1"
LAST_ID_IN = f"SELECT id FROM turn WHERE session = ? AND {OF_USER} ORDER BY key DESC LIMIT 1"
BY_TIME = f"""
SELECT * FROM turn WHERE session = ? AND {REACHED}
ORDER BY created_at DESC, key DESC LIMIT ?"""
ENCRYPTED = f"""
SELECT * FROM turn WHERE session = ? AND {REACHED}
AND id IN (SELECT id FROM encrypted WHERE kind = 'turn')"""
FROM = 'SELECT * FROM turn WHERE "user" IS ? AND agent IS ? AND key >= ? ORDER BY key'
WITH_KEYS = "SELECT * FROM turn WHERE key IN (SELECT value FROM json_each(?))"
KEYS_IN = 'SELECT key, id, "user" FROM turn WHERE session = ? ORDER BY key'
SESSIONS = "SELECT id, session FROM turn WHERE id IN (SELECT value FROM json_each(?))"
TIMES = "SELECT id, created_at FROM turn WHERE id IN (SELECT value FROM json_each(?))"
OF_OWNER = 'SELECT 1 FROM turn WHERE id = ? AND "user" IS ? AND agent IS ?'
COUNT = 'SELECT count(*) FROM turn WHERE session = ? AND "user" IS ?'
# the targets of links between turns: a memory supersedes a turn that it corrects
SUPERSEDED = """
id IN (SELECT target FROM link WHERE relation = 'supersedes' AND source IN (SELECT id FROM turn))"""
WITHDRAWN = f"SELECT id FROM turn WHERE {SUPERSEDED}"
WITHDRAWN_IN = f"SELECT id FROM turn WHERE session = ? AND {SUPERSEDED}"
# imported turns that nothing was extracted from, and that have no job for it
NOT_EXTRACTED = f"""
ref IS NOT NULL AND NOT ({SUPERSEDED})
AND id NOT IN (SELECT turn FROM job WHERE kind = 'finish')
AND id NOT IN (SELECT target FROM link WHERE relation = 'derived_from')"""
NEWEST_NOT_EXTRACTED = f"""
SELECT id FROM turn WHERE {NOT_EXTRACTED} ORDER BY created_at DESC, key DESC LIMIT ?"""
ABOUT = """
SELECT turn.* FROM link JOIN turn ON turn.id = link.source
WHERE link.target = ? AND link.relation = 'about'
ORDER BY turn.created_at DESC, turn.key DESC LIMIT ?"""
OF_AGENT_NEAR = """
SELECT DISTINCT turn.* FROM turn JOIN link ON link.source = turn.id AND link.relation = 'about'
WHERE turn.agent = ? AND turn.created_at BETWEEN ? AND ?
AND link.target IN (SELECT target FROM link WHERE source = ? AND relation = 'about')
ORDER BY turn.created_at, turn.key"""
IDS_NOT_EXTRACTED = f"""
SELECT id FROM turn WHERE id IN (SELECT value FROM json_each(?)) AND {NOT_EXTRACTED}"""
COUNT_NOT_EXTRACTED = f"SELECT count(*) FROM turn WHERE {NOT_EXTRACTED}"
TITLES = f"SELECT * FROM session_title WHERE {REACHED} ORDER BY key"
TITLE_IDS = 'SELECT id FROM session_title WHERE session = ? AND "user" IS ?'


def last(reader: Reader, session: str, user: str | None, limit: int) -> list[Turn]:
    """Last turns of a session, newest first: of a user or of all."""
    return reader.read(Turn, LAST, session, user, user, limit)


def last_id(reader: Reader, session: str | None, user: str | None) -> str | None:
    """Id of the turn stored last: in a session or in any, of a user or of all."""
    if session is None:
        found = reader.fetch(LAST_ID, user, user)
    else:
        found = reader.fetch(LAST_ID_IN, session, user, user)
    return found[0][0] if found else None


def last_ids(reader: Reader, session: str | None, limit: int | None = None) -> list[str]:
    """Ids of the last turns in a session, or (None) in none, newest first."""
    sql = "SELECT id FROM turn WHERE session IS ? ORDER BY key DESC LIMIT ?"
    return [row[0] for row in reader.fetch(sql, session, EVERY if limit is None else limit)]


def before(reader: Reader, key: int, session: str | None, user: str | None) -> Turn | None:
    """The turn before the one with this key, of the same session and user."""
    sql = """
    SELECT * FROM turn WHERE session IS ? AND "user" IS ? AND key < ?
    ORDER BY key DESC LIMIT 1"""
    found = reader.read(Turn, sql, session, user, key)
    return found[0] if found else None


def id_before(reader: Reader, key: int, session: str | None) -> str | None:
    """Id of the turn before the one with this key in its session, of any user."""
    sql = """
    SELECT id FROM turn WHERE session IS ? AND key < ?
    ORDER BY key DESC LIMIT 1"""
    found = reader.fetch(sql, session, key)
    return found[0][0] if found else None


def newest_not_extracted(reader: Reader, limit: int) -> list[str]:
    """Ids of the newest imported turns that nothing was extracted from, oldest first."""
    return [row[0] for row in reader.fetch(NEWEST_NOT_EXTRACTED, limit)][::-1]


def not_extracted(reader: Reader, ids: Collection[str]) -> set[str]:
    """Those of these turns that were imported, and that nothing was extracted from."""
    return {row[0] for row in reader.fetch(IDS_NOT_EXTRACTED, [*ids])} if ids else set()


def of_agent_near(reader: Reader, agent: str, turn: str, since: str, until: str) -> list[Turn]:
    """Turns of an agent from a time, oldest first, that are linked with what a turn is linked
    with."""
    return reader.read(Turn, OF_AGENT_NEAR, agent, since, until, turn)


def about(reader: Reader, project: str, limit: int) -> list[Turn]:
    """The newest turns that are linked with a project, newest first."""
    return reader.read(Turn, ABOUT, project, limit)


def count_not_extracted(reader: Reader) -> int:
    """Number of imported turns that nothing was extracted from."""
    return int(reader.fetch(COUNT_NOT_EXTRACTED)[0][0])


def of_session(reader: Reader, session: str | None, user: str | None) -> list[Turn]:
    """Turns of one user (None: of nobody) in a session, in the order of storing."""
    sql = 'SELECT * FROM turn WHERE session IS ? AND "user" IS ? ORDER BY key'
    return reader.read(Turn, sql, session, user)


def by_time(reader: Reader, session: str, user: str | None, limit: int | None) -> list[Turn]:
    """Turns of a session, newest first: of a user and shared ones, or of all."""
    return reader.read(Turn, BY_TIME, session, user, EVERY if limit is None else limit)


def encrypted(reader: Reader, session: str, user: str | None) -> list[Turn]:
    """Encrypted turns of a session: of a user and shared ones, or of all."""
    return reader.read(Turn, ENCRYPTED, session, user)


def since(reader: Reader, key: int, user: str | None, agent: str | None) -> list[Turn]:
    """Turns of a user with an agent from the one with this key on, in the order of storing."""
    return reader.read(Turn, FROM, user, agent, key)


def by_keys(reader: Reader, keys: Collection[int]) -> list[Turn]:
    """Turns with these keys, in any order."""
    return reader.read(Turn, WITH_KEYS, keys) if keys else []


def keys_in(reader: Reader, session: str, users: Collection[str | None]) -> dict[int, str]:
    """Ids of the turns of these users in a session, by their keys, in the order of storing."""
    found = reader.fetch(KEYS_IN, session)
    return {row[0]: row[1] for row in found if (row[2] and normal_name(row[2])) in users}


def sessions_of(reader: Reader, ids: Collection[str]) -> dict[str, str | None]:
    """Sessions of turns, by id."""
    return {row[0]: row[1] for row in reader.fetch(SESSIONS, ids)} if ids else {}


def times(reader: Reader, ids: Collection[str]) -> dict[str, str]:
    """Times of turns, by id."""
    return {row[0]: row[1] for row in reader.fetch(TIMES, ids)} if ids else {}


def recorded_at(reader: Reader, id: str) -> str | None:
    """Time at which a turn was stored."""
    found = reader.fetch("SELECT recorded_at FROM turn WHERE id = ?", id)
    return found[0][0] if found else None


def is_of(reader: Reader, id: str, user: str | None, agent: str | None) -> bool:
    """True when there is a turn with this id, of this user and agent."""
    return bool(reader.fetch(OF_OWNER, id, user, agent))


def is_session(reader: Reader, session: str) -> bool:
    """True when there is a turn in a session."""
    return bool(reader.fetch("SELECT 1 FROM turn WHERE session = ? LIMIT 1", session))


def count(reader: Reader, session: str, user: str | None) -> int:
    """Number of turns of one user (None: of nobody) in a session."""
    return int(reader.fetch(COUNT, session, user)[0][0])


def withdrawn(reader: Reader, session: str | None = None) -> set[str]:
    """Ids of the turns that another turn supersedes, in a session or in any."""
    found = reader.fetch(WITHDRAWN_IN, session) if session else reader.fetch(WITHDRAWN)
    return {row[0] for row in found}


# -- titles of sessions ----------------------------------------------------------------------------


def titles(reader: Reader, user: str | None) -> list[SessionTitle]:
    """Titles of a user and shared ones, or of all, in the order of storing."""
    return reader.read(SessionTitle, TITLES, user)


def title_ids(reader: Reader, session: str, user: str | None) -> list[str]:
    """Ids of the titles that one user (None: nobody) gave to a session."""
    return [row[0] for row in reader.fetch(TITLE_IDS, session, user)]
