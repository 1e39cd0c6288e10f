"""Facts as they held at a time, and as the resolution of intervals sees them.

Nothing is decided here: what holds, what a name means and how a predicate is taken is worked out
in ``memory`` and written down as it says.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from msgspec import UNSET, structs

from thalamus.records import Fact, Note
from thalamus.records.history import sortable
from thalamus.storage.protocol import FactQuery, FactState
from thalamus.storage.relational.filters import BEGINNING, condition
from thalamus.storage.relational.rows import find

if TYPE_CHECKING:
    from thalamus.security.encryption import Cipher
    from thalamus.storage.protocol import Filter, Interval, Rows


# -- facts that hold -----------------------------------------------------------------------------

_ORDER = "ORDER BY lower(f.subject), f.predicate, coalesce(f.valid_from, f.created_at), f.key"


def facts(rows: Rows, where: Filter, entity: str | None, history: bool) -> list[Fact]:
    """The facts that hold at a time, or all; each with the interval that holds it then."""
    at, known = where.as_of or where.known_at or (None if history else where.now), where.known_at
    timeless = structs.replace(where, as_of=None, now=None, known_at=None)
    sql, values = condition(timeless, "true" if history or known else "live")
    among = f"f.key IN (SELECT key FROM fact_entry WHERE {sql})"
    if entity is not None:  # each of its facts is looked up: with IN all facts would be listed
        among = f"EXISTS (SELECT 1 FROM fact_entry WHERE fact_entry.key = f.key AND {sql})"
        among += " AND f.entity = ?"
        values = (*values, entity)
    if at is None:
        query = f"SELECT f.id FROM fact AS f WHERE {among} {_ORDER}"
        ids = [row[0] for row in rows.connection.execute(query, values)]
        return list(_by_id(rows, ids).values())
    held, times = _held(at, known)
    query = (
        "SELECT f.id, f.stated_from, i.valid_from AS held_from, i.valid_to AS held_to"
        f" FROM fact AS f JOIN fact_interval AS i ON i.fact = f.key AND {held}"
        f" WHERE {among} {_ORDER}"
    )
    found = rows.connection.execute(query, (*times, *values)).fetchall()
    by_id = _by_id(rows, [row[0] for row in found])
    return [_held_fact(by_id[row[0]], *row[1:]) for row in found]


def _by_id(rows: Rows, ids: Sequence[str]) -> dict[str, Fact]:
    """The facts with these ids, in their order."""
    by_id = {fact.id: fact for fact in find(rows, Fact, {"id": ids})}
    return {id: by_id[id] for id in dict.fromkeys(ids)}


def _held(at: str, known: str | None) -> tuple[str, tuple[Any, ...]]:
    """The condition on intervals ``i`` that hold at a time, as is believed now or was believed
    when ``known``."""
    sql = "i.valid_from <= ? AND (i.valid_to IS NULL OR i.valid_to > ?)"
    values = [sortable(at)] * 2
    if known is None:
        return f"i.believed_to IS NULL AND {sql}", tuple(values)
    sql += " AND i.believed_from <= ? AND (i.believed_to IS NULL OR i.believed_to > ?)"
    return sql, (*values, *[sortable(known)] * 2)


def _held_fact(fact: Fact, stated: str | None, held_from: str, held_to: str | None) -> Fact:
    """The fact as it was believed, with the interval that held it."""
    begin, end = f"{held_from}Z", held_to and f"{held_to}Z"
    unsaid = stated is None and begin in (BEGINNING, fact.created_at)
    return structs.replace(
        fact, valid_from=None if unsaid else begin, valid_to=end, retired_at=None
    )


# -- states: what the resolution of intervals reads ----------------------------------------------

# in the order of the fields of ``FactState``
_STATE = (
    *("key", "id", "user", "agent", "subject", "subject_said", "entity", "predicate", "object"),
    *("created_at", "recorded_at", "stated_from", "stated_to", "retired_at", "value"),
)


def states(rows: Rows, cipher: Cipher | None, query: FactQuery) -> list[FactState]:
    """The facts that a query names, in the order of their keys."""
    found = sorted(rows.select("fact", _STATE, _where(rows, cipher, query)), key=lambda r: r[0])
    if not found:
        return []
    keys = [row[0] for row in found]
    notes, believed = _notes(rows, keys), _believed(rows, keys)
    made = []
    for row in found:
        *plain, value = row
        held = believed.get(row[0], ())
        fields: tuple[Any, ...] = (
            *plain,
            _plain(cipher, row[1], value),
            notes.get(row[0], []),
            [interval for interval, _ in held],
            max((since for _, since in held), default=""),
        )
        made.append(FactState(*fields))
    return made


def _plain(cipher: Cipher | None, id: str, value: str) -> str:
    if cipher is None:
        return value
    from thalamus.security.encryption import plain

    return plain(cipher, id, value)


def _where(rows: Rows, cipher: Cipher | None, query: FactQuery) -> dict[str, Any]:
    where: dict[str, Any] = {}
    if query.ids:
        where["id"] = query.ids
    if query.user is not UNSET:
        where["user"] = query.user
    if query.entity is not None:
        where["entity"] = query.entity
    if query.predicates:
        where["predicate"] = query.predicates
    if query.value is not None:
        where["value"] = query.value
        if cipher is not None:
            from thalamus.security.encryption import same_values

            where["value"] = tuple(same_values(rows, cipher, query))
    if not query.retired:
        where["retired_at"] = None
    return where


def _notes(rows: Rows, keys: Sequence[int]) -> dict[int, list[tuple[int, Note]]]:
    """The notes of each of these facts with their numbers, in the order in which they came."""
    found: dict[int, list[tuple[int, Note]]] = {}
    columns = ("n", "fact", "kind", "at", "recorded_at")
    for n, key, kind, at, recorded_at in rows.select("fact_note", columns, {"fact": keys}):
        note = Note(kind=kind, at=at, recorded_at=recorded_at)
        found.setdefault(key, []).append((n, note))
    for notes in found.values():
        notes.sort(key=lambda note: note[0])
    return found


def _believed(rows: Rows, keys: Sequence[int]) -> dict[int, list[tuple[Interval, str]]]:
    """When each of these facts holds, as is believed at present, and since when that is."""
    found: dict[int, list[tuple[Interval, str]]] = {}
    columns = ("fact", "valid_from", "valid_to", "believed_from")
    where = {"fact": keys, "believed_to": None}
    for key, begin, end, since in rows.select("fact_interval", columns, where):
        interval = (f"{begin}Z", end and f"{end}Z")
        found.setdefault(key, []).append((interval, f"{since}Z"))
    for held in found.values():
        held.sort(key=lambda one: one[0][0])
    return found
