"""Rows of facts: their notes and beliefs, the names that mean another one, and own predicates.

Nothing is decided here: what holds, what a name means and how a predicate is taken is worked out
in ``memory`` and written down as it says.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET, UnsetType, structs

from thalamus.records import Alias, Belief, Fact, Note, Predicate
from thalamus.storage.protocol import FactQuery, FactState
from thalamus.storage.sqlite import encryption, rows
from thalamus.storage.sqlite.rows import condition, sortable

if TYPE_CHECKING:
    from thalamus.storage.protocol import Filter, Interval
    from thalamus.storage.sqlite.encryption import Cipher


# -- facts that hold -----------------------------------------------------------------------------

_ORDER = " ORDER BY subject COLLATE NOCASE, predicate, coalesce(fact.valid_from, created_at), key"


def facts(db: sqlite3.Connection, where: Filter, entity: str | None, history: bool) -> list[Fact]:
    """The facts that hold at a time, or all; each with the interval that holds it then."""
    at, known = where.as_of or where.known_at or (None if history else where.now), where.known_at
    timeless = structs.replace(where, as_of=None, now=None, known_at=None)
    sql, values = condition(timeless)
    if history or known:
        sql = sql.replace("live", "1", 1)
    if entity is not None:
        sql += " AND key IN (SELECT key FROM fact WHERE entity = ?)"
        values = (*values, entity)
    held, times = ("", ()) if at is None else _held(at, known)
    query = (
        f"SELECT fact.* {', i.valid_from AS held_from, i.valid_to AS held_to' if held else ''}"
        f" FROM fact {held} WHERE key IN (SELECT key FROM fact_entry WHERE {sql})"
    )
    found = db.execute(query + _ORDER, (*times, *values)).fetchall()
    return [_held_fact(row) if held else rows.fact(row) for row in found]


def _held(at: str, known: str | None) -> tuple[str, tuple[Any, ...]]:
    """The join with the intervals ``i`` that hold at a time, as is believed now or was believed
    when ``known``."""
    join = "JOIN fact_interval AS i ON i.fact = fact.key AND "
    sql = "i.valid_from <= ? AND (i.valid_to IS NULL OR i.valid_to > ?)"
    values = [sortable(at)] * 2
    if known is None:
        return f"{join} i.believed_to IS NULL AND {sql}", tuple(values)
    sql += " AND i.believed_from <= ? AND (i.believed_to IS NULL OR i.believed_to > ?)"
    return join + sql, (*values, *[sortable(known)] * 2)


def _held_fact(row: sqlite3.Row) -> Fact:
    fact = rows.fact(row)
    begin, end = f"{row['held_from']}Z", row["held_to"] and f"{row['held_to']}Z"
    unsaid = row["stated_from"] is None and begin in (rows.BEGINNING, fact.created_at)
    fact.valid_from, fact.valid_to = None if unsaid else begin, end
    if fact.retired_at is not None:
        fact.retired_at = None  # it is shown as it was believed
    return fact


def with_history(db: sqlite3.Connection, fact: Fact) -> Fact:
    """The fact with everything that was recorded of it and believed about it."""
    query = "SELECT key, subject_said, stated_from, stated_to FROM fact WHERE id = ?"
    row = db.execute(query, (fact.id,)).fetchone()
    if row is None:
        return fact
    beliefs = db.execute(
        "SELECT valid_from, valid_to, believed_from, believed_to FROM fact_interval"
        " WHERE fact = ? ORDER BY n",
        (row["key"],),
    )
    made = structs.replace(
        fact,
        stated_from=row["stated_from"],
        stated_to=row["stated_to"],
        notes=[note for _, note in _notes(db, [row["key"]]).get(row["key"], [])],
        beliefs=[
            Belief(**{name: at and f"{at}Z" for name, at in dict(belief).items()})
            for belief in beliefs
        ],
    )
    if row["subject_said"] is not None:
        made.subject_said = row["subject_said"]
    return made


def ended(db: sqlite3.Connection, keys: Sequence[int], now: str) -> Iterator[tuple[int, Fact]]:
    """(key, fact) of turns from which a fact was taken that has ended since, and of memories about
    a fact that ended at a time which was known before."""
    for part in rows.in_parts(keys):
        numbered = ",".join(f"?{place}" for place in range(2, len(part) + 2))
        for query in (_FROM_TURNS, _ABOUT):
            for key, fact in db.execute(query.format(numbered), (now, *part)).fetchall():
                row = db.execute("SELECT * FROM fact WHERE key = ?", (fact,)).fetchone()
                yield key, rows.fact(row)


_FROM_TURNS = (
    "SELECT turn.key, fact.key FROM turn"
    " JOIN link ON link.target = turn.id AND link.relation = 'derived_from'"
    " JOIN fact ON fact.id = link.source"
    " WHERE turn.key IN ({}) AND (fact.retired_at IS NOT NULL OR fact.valid_to <= ?1)"
    " ORDER BY fact.key"
)
# of a fact whose end was known in advance, and which is over now: nothing happened then that could
# have marked what is about it
_ABOUT = (
    "SELECT memory.key, fact.key FROM memory"
    " JOIN link ON link.source = memory.id AND link.relation = 'about'"
    " JOIN fact ON fact.id = link.target"
    " WHERE memory.key IN ({}) AND memory.stale IS NULL AND fact.retired_at IS NULL"
    " AND fact.valid_to > memory.created_at AND fact.valid_to <= ?1 AND NOT EXISTS"
    " (SELECT 1 FROM fact AS other WHERE other.user IS fact.user AND other.entity = fact.entity"
    "  AND other.predicate = fact.predicate AND other.value = fact.value"
    "  AND other.retired_at IS NULL AND (other.valid_to IS NULL OR other.valid_to > ?1))"
    " ORDER BY fact.key"
)

# -- states: what the resolution of intervals reads and writes ----------------------------------

# in the order of the fields of ``FactState``
_STATE = (
    "key, id, user, agent, subject, subject_said, entity, predicate, object, created_at,"
    " recorded_at, stated_from, stated_to, retired_at, value"
)


def states(db: sqlite3.Connection, cipher: Cipher | None, query: FactQuery) -> list[FactState]:
    """The facts that a query names, in the order of their keys."""
    sql, values = _where(db, cipher, query)
    found = db.execute(f"SELECT {_STATE} FROM fact WHERE {sql} ORDER BY key", values).fetchall()
    if not found:
        return []
    keys = [row[0] for row in found]
    notes, believed = _notes(db, keys), _believed(db, keys)
    states = []
    for row in found:
        *plain, value = row
        held = believed.get(row[0], ())
        fields: tuple[Any, ...] = (
            *plain,
            encryption.plain(db, cipher, row[1], value),
            notes.get(row[0], []),
            [interval for interval, _ in held],
            max((since for _, since in held), default=""),
        )
        states.append(FactState(*fields))
    return states


def _where(
    db: sqlite3.Connection, cipher: Cipher | None, query: FactQuery
) -> tuple[str, list[Any]]:
    parts, values = [], list[Any]()
    if query.ids:
        parts.append(f"id IN ({rows.placeholders(query.ids)})")
        values += query.ids
    if query.user is not UNSET:
        parts.append("user IS ?")
        values.append(query.user)
    if query.entity is not None:
        parts.append("entity = ?")
        values.append(query.entity)
    if query.predicates:
        parts.append(f"predicate IN ({rows.placeholders(query.predicates)})")
        values += query.predicates
    if query.value is not None:
        same = encryption.same_values(db, cipher, query)
        parts.append(f"value IN ({rows.placeholders(same)})")
        values += same
    if not query.retired:
        parts.append("retired_at IS NULL")
    return " AND ".join(parts) or "1", values


def _notes(db: sqlite3.Connection, keys: Sequence[int]) -> dict[int, list[tuple[int, Note]]]:
    """The notes of each of these facts with their numbers, in the order in which they came."""
    found: dict[int, list[tuple[int, Note]]] = {}
    for part in rows.in_parts(keys):
        query = (
            "SELECT fact, n, kind, at, recorded_at FROM fact_note"
            f" WHERE fact IN ({rows.placeholders(part)}) ORDER BY n"
        )
        for key, n, kind, at, recorded_at in db.execute(query, part):
            note = Note(kind=kind, at=at, recorded_at=recorded_at)
            found.setdefault(key, []).append((n, note))
    return found


def _believed(db: sqlite3.Connection, keys: Sequence[int]) -> dict[int, list[tuple[Interval, str]]]:
    """When each of these facts holds, as is believed at present, and since when that is."""
    found: dict[int, list[tuple[Interval, str]]] = {}
    for part in rows.in_parts(keys):
        query = (
            "SELECT fact, valid_from, valid_to, believed_from FROM fact_interval"
            f" WHERE fact IN ({rows.placeholders(part)}) AND believed_to IS NULL"
            " ORDER BY valid_from"
        )
        for key, begin, end, since in db.execute(query, part):
            interval = (f"{begin}Z", end and f"{end}Z")
            found.setdefault(key, []).append((interval, f"{since}Z"))
    return found


def add_history(db: sqlite3.Connection, key: int, fact: Fact) -> None:
    """The notes and beliefs that a new fact brings."""
    for note in [] if fact.notes is UNSET else fact.notes:
        add_note(db, key, note)
    for belief in [] if fact.beliefs is UNSET else fact.beliefs:
        times = (belief.valid_from, belief.valid_to, belief.believed_from, belief.believed_to)
        _believe(db, key, *times)


def add_note(db: sqlite3.Connection, key: int, note: Note) -> bool:
    """Records that a fact was said again, or ended. False when that is recorded already; an end
    that is said again counts as the last that was said."""
    query = "SELECT n FROM fact_note WHERE fact = ? AND kind = ? AND at = ?"
    known = db.execute(query, (key, note.kind, note.at)).fetchone()
    if known is not None and note.kind != "end":
        return False
    db.execute(
        "INSERT OR REPLACE INTO fact_note (fact, kind, at, recorded_at) VALUES (?,?,?,?)",
        (key, note.kind, note.at, note.recorded_at),
    )
    return known is None


def change_beliefs(
    db: sqlite3.Connection, key: int, gone: Sequence[Interval], new: Sequence[Interval], at: str
) -> None:
    """Ends the belief in some intervals and begins that in others."""
    for begin, end in gone:
        db.execute(
            "UPDATE fact_interval SET believed_to = ? WHERE fact = ? AND valid_from = ?"
            " AND valid_to IS ? AND believed_to IS NULL",
            (sortable(at), key, sortable(begin), end and sortable(end)),
        )
    for begin, end in new:
        _believe(db, key, begin, end, at, None)


def _believe(db: sqlite3.Connection, key: int, *times: str | None) -> None:
    """``times``: from and to in the world, then from and to in the store."""
    db.execute(
        "INSERT INTO fact_interval (fact, valid_from, valid_to, believed_from, believed_to)"
        " VALUES (?,?,?,?,?)",
        (key, *(at if at is None else sortable(at) for at in times)),
    )


_INDEXED = {"subject", "predicate", "retired_at"}  # of which the search indexes hold something


def update(db: sqlite3.Connection, key: int, fields: dict[str, str | None]) -> None:
    """Sets columns of a fact."""
    names = ", ".join(f"{name} = ?" for name in fields)
    db.execute(f"UPDATE fact SET {names} WHERE key = ?", (*fields.values(), key))
    if _INDEXED & set(fields):
        db.execute("INSERT INTO removal (key) VALUES (?)", (key,))


def rename_predicate(db: sqlite3.Connection, old: str, new: str) -> None:
    """Gives all facts with one predicate another."""
    db.execute("INSERT INTO removal (key) SELECT key FROM fact WHERE predicate = ?", (old,))
    db.execute("UPDATE fact SET predicate = ? WHERE predicate = ?", (new, old))


def delete_history(db: sqlite3.Connection, key: int) -> None:
    """Deletes what hangs on the row of a fact."""
    for table in ("fact_note", "fact_interval"):
        db.execute(f"DELETE FROM {table} WHERE fact = ?", (key,))


# -- entities, aliases, predicates ---------------------------------------------------------------


def entity_name(db: sqlite3.Connection, entity: str, user: str | UnsetType | None) -> str | None:
    """The name under which the first fact about an entity, of one user or any, shows it."""
    where, values = "entity = ?", list[str | None]([entity])
    if user is not UNSET:
        where, values = "user IS ? AND entity = ?", [user, entity]
    row = db.execute(
        f"SELECT subject FROM fact WHERE {where} ORDER BY key LIMIT 1", values
    ).fetchone()
    return str(row[0]) if row else None


def entities(db: sqlite3.Connection, owner: str | None) -> list[tuple[str, str | None, int]]:
    """(name, owner, how many facts) of everything that facts are about."""
    where = "" if owner is None else "WHERE user = ? OR user IS NULL"
    return [
        (row[0], row[1], row[2])
        for row in db.execute(
            f"SELECT min(subject), user, count(*) FROM fact {where}"
            " GROUP BY entity, user ORDER BY min(subject) COLLATE NOCASE, user",
            () if owner is None else (owner,),
        )
    ]


def aliases(
    db: sqlite3.Connection, users: Sequence[str | None] | None, key: str | None
) -> list[Alias]:
    """The aliases of these users (None: of all), those of nobody in particular first."""
    parts, values = ["1"], list[Any]()
    if users is not None:
        parts.append(f"owner IN ({rows.placeholders(users)})")
        values += [user or "" for user in users]
    if key is not None:
        parts.append("folded = ?")
        values.append(key)
    query = f"SELECT * FROM alias WHERE {' AND '.join(parts)} ORDER BY owner, folded"
    return [
        Alias(
            name=row["name"],
            target=row["target"],
            reason=row["reason"],
            user=row["owner"] or None,
            recorded_at=row["recorded_at"],
        )
        for row in db.execute(query, values)
    ]


def put_alias(db: sqlite3.Connection, alias: Alias, key: str, target: str) -> None:
    """Writes an alias under its key, in the place of another one."""
    db.execute(
        "INSERT OR REPLACE INTO alias VALUES (?,?,?,?,?,?,?,?)",
        (
            *(alias.user or "", key, alias.name, alias.target, target, alias.reason),
            *(alias.user, alias.recorded_at),
        ),
    )


def delete_alias(db: sqlite3.Connection, user: str | None, key: str) -> None:
    db.execute("DELETE FROM alias WHERE owner = ? AND folded = ?", (user or "", key))


def predicates(db: sqlite3.Connection) -> list[Predicate]:
    """The user's own predicates."""
    found = db.execute("SELECT body FROM predicate ORDER BY name")
    return [msgspec.json.decode(row[0], type=Predicate) for row in found]


def predicates_in_use(db: sqlite3.Connection) -> list[str]:
    """The predicates that facts have."""
    return [row[0] for row in db.execute("SELECT DISTINCT predicate FROM fact")]


def put_predicate(db: sqlite3.Connection, predicate: Predicate) -> None:
    """Writes a predicate, in the place of one with the same name."""
    body = msgspec.json.encode(predicate).decode()
    db.execute("INSERT OR REPLACE INTO predicate VALUES (?,?)", (predicate.name, body))
