"""The tables ``fact``, ``fact_note`` and ``fact_interval``: facts as they held at a time, and as
input for the resolution of intervals.

Nothing is decided here: intervals, entities and cardinality are computed in ``memory`` and stored
as given.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from msgspec import UNSET, structs

from thalamus.records import Belief, Fact, Note
from thalamus.records.history import sortable
from thalamus.store.entries import BEGINNING, condition
from thalamus.store.records import ABOUT as ABOUT_CONCEPT
from thalamus.store.records import AFTER_ALL, PAGE
from thalamus.store.rows import decoded
from thalamus.store.tables import OWN_OR_SHARED
from thalamus.store.values import FactState

if TYPE_CHECKING:
    from msgspec import UnsetType

    from thalamus.store.encryption.cipher import Cipher
    from thalamus.store.reader import Reader
    from thalamus.store.tables import Tables
    from thalamus.store.values import FactGroup, Filter, Interval
    from thalamus.store.writer import Writer


class StoredFact(NamedTuple):
    """A fact as stored, an encrypted one without its object and metadata. ``entity`` and ``value``
    are the keys by which its subject and object are compared."""

    key: int
    id: str
    user: str | None
    entity: str
    subject: str
    predicate: str
    object: str
    value: str
    valid_from: str | None
    valid_to: str | None
    retired_at: str | None
    metadata: str


class StoredBelief(NamedTuple):
    """A period in which a fact (its key) is believed to hold, with the time during which that was
    believed. Times have no Z (``records.history.sortable``). ``n``: number in order of writing."""

    fact: int
    valid_from: str
    valid_to: str | None
    believed_from: str
    believed_to: str | None
    n: int = 0


class SubjectCount(NamedTuple):
    """Display name and owner of a subject, and its number of facts."""

    name: str
    user: str | None
    facts: int


# -- facts by what they are about -----------------------------------------------------------------

STORED = """
SELECT key, id, "user", entity, subject, predicate, object, value, valid_from, valid_to, retired_at,
metadata FROM fact"""
AS_STORED = f"{STORED} WHERE id IN (SELECT value FROM json_each(?))"
OVER = f"""{STORED}
WHERE id IN (
    SELECT target FROM link
    WHERE source IN (SELECT value FROM json_each(?)) AND relation = 'about'
) AND retired_at IS NULL AND valid_to <= ?"""
UNENDED = """
SELECT 1 FROM fact
WHERE "user" IS ? AND entity = ? AND predicate = ? AND value = ? AND retired_at IS NULL
AND (valid_to IS NULL OR valid_to > ?) LIMIT 1"""
CURRENT = """
SELECT * FROM fact WHERE id IN (SELECT value FROM json_each(?)) AND retired_at IS NULL
ORDER BY key"""
ENCRYPTED = "SELECT * FROM fact WHERE id IN (SELECT id FROM encrypted WHERE kind = 'fact')"
ABOUT = "SELECT id FROM fact WHERE key IN (SELECT value FROM json_each(?)) OR entity = ?"
PREDICATES = "SELECT DISTINCT predicate FROM fact ORDER BY predicate"
PREDICATES_ABOUT = "SELECT DISTINCT predicate FROM fact WHERE entity = ? ORDER BY predicate"
FIRST_SUBJECT = "SELECT subject FROM fact WHERE entity = ? ORDER BY key LIMIT 1"
FIRST_OF_USER = """
SELECT subject FROM fact WHERE entity = ? AND "user" IS ? ORDER BY key LIMIT 1"""
SUBJECTS = """
SELECT min(subject), "user", count(*) FROM fact
GROUP BY entity, "user" ORDER BY entity, "user"
"""
SUBJECTS_OF_USER = f"""
SELECT min(subject), "user", count(*) FROM fact WHERE {OWN_OR_SHARED}
GROUP BY entity, "user" ORDER BY entity, "user"
"""
COUNT_HELD = """
SELECT count(*) FROM fact
WHERE retired_at IS NULL AND key IN (
    SELECT fact FROM fact_interval
    WHERE believed_to IS NULL AND valid_from <= ? AND (valid_to IS NULL OR valid_to > ?)
)"""
OF_USER = f" AND {OWN_OR_SHARED}"
OF_AGENT = " AND (agent = ? OR agent IS NULL)"


def as_stored(reader: Reader, ids: Collection[str]) -> list[StoredFact]:
    """Facts with these ids, without decryption."""
    return [StoredFact(*row) for row in reader.fetch(AS_STORED, ids)] if ids else []


def over(reader: Reader, memories: Collection[str], now: str) -> list[StoredFact]:
    """Facts that these memories are about and that have ended by now, without decryption."""
    return [StoredFact(*row) for row in reader.fetch(OVER, memories, now)] if memories else []


def is_restated(reader: Reader, fact: StoredFact, now: str) -> bool:
    """True when a fact with the same statement is not over."""
    same = (fact.user, fact.entity, fact.predicate, fact.value)
    return bool(reader.fetch(UNENDED, *same, now))


def current(reader: Reader, ids: Collection[str]) -> list[Fact]:
    """Facts with these ids that are not retired, in storage order."""
    return reader.read(Fact, CURRENT, ids) if ids else []


def encrypted(reader: Reader) -> list[Fact]:
    """Facts whose content is encrypted."""
    return reader.read(Fact, ENCRYPTED)


def by_keys(reader: Reader, keys: Collection[int]) -> dict[int, Fact]:
    """Facts by their keys."""
    found = reader.fetch("SELECT * FROM fact WHERE key IN (SELECT value FROM json_each(?))", keys)
    return {row["key"]: fact for row, fact in zip(found, _opened(reader, found), strict=True)}


def ids(reader: Reader) -> list[str]:
    """Ids of all facts."""
    return [row[0] for row in reader.fetch("SELECT id FROM fact")]


def ids_about(reader: Reader, keys: Collection[int], entity: str | None) -> list[str]:
    """Ids of the facts with one of these keys, and of those about an entity."""
    return [row[0] for row in reader.fetch(ABOUT, keys, entity)]


def predicates(reader: Reader, entity: str | None = None) -> list[str]:
    """Predicates of the facts about an entity, or of all."""
    found = reader.fetch(PREDICATES_ABOUT, entity) if entity else reader.fetch(PREDICATES)
    return [row[0] for row in found]


def first_subject(reader: Reader, entity: str, user: str | UnsetType | None = UNSET) -> str | None:
    """Displayed subject of the fact about an entity that was stored first: of one user (None: of
    the shared ones), or of any."""
    if user is UNSET:
        found = reader.fetch(FIRST_SUBJECT, entity)
    else:
        found = reader.fetch(FIRST_OF_USER, entity, user)
    return str(found[0][0]) if found else None


def subjects(reader: Reader, user: str | None = None) -> list[SubjectCount]:
    """Subjects of a user's facts and of shared ones, or of all, with their number of facts."""
    found = reader.fetch(SUBJECTS) if user is None else reader.fetch(SUBJECTS_OF_USER, user)
    return [SubjectCount(str(name), owner, int(count)) for name, owner, count in found]


def count_held(reader: Reader, user: str | None, agent: str | None, at: str) -> int:
    """Number of facts that hold at a time, as currently believed: of a user or an agent and shared
    ones, or of all."""
    sql, values = COUNT_HELD, [sortable(at)] * 2
    for owned, name in ((OF_USER, user), (OF_AGENT, agent)):
        if name is not None:
            sql, values = sql + owned, [*values, name]
    return int(reader.fetch(sql, *values)[0][0])


def _opened(reader: Reader, rows: Sequence[Any]) -> list[Fact]:
    """Decrypted facts from rows with all columns of their table."""
    return [reader.open(fact) for fact in decoded(Fact, rows)]


# -- notes and beliefs ----------------------------------------------------------------------------

NOTE = "SELECT n, fact, kind, at, recorded_at FROM fact_note"
NOTES = f"{NOTE} WHERE fact = (SELECT key FROM fact WHERE id = ?) ORDER BY n"
BELIEF = """
SELECT fact, valid_from, valid_to, believed_from, believed_to, n FROM fact_interval"""
BELIEFS = f"{BELIEF} WHERE fact = (SELECT key FROM fact WHERE id = ?) ORDER BY n"
_BELIEF = StoredBelief._fields[:-1]  # without its number


def notes(reader: Reader, id: str) -> list[Note]:
    """Notes of a fact, in order of writing."""
    return [_note(row) for row in reader.fetch(NOTES, id)]


def beliefs(reader: Reader, id: str) -> list[StoredBelief]:
    """All beliefs about a fact, current and former, in order of writing."""
    return [StoredBelief(*row) for row in reader.fetch(BELIEFS, id)]


def add_note(writer: Writer, key: int, note: Note) -> bool:
    """Adds a note to a fact; False when it has the same one."""
    columns = ("fact", "kind", "at", "recorded_at")
    row = (key, note.kind, note.at, note.recorded_at)
    return writer.insert("fact_note", columns, [row]) > 0


def delete_note(writer: Writer, key: int, kind: str, at: str) -> bool:
    """Deletes a note of a fact; True when there was one."""
    return writer.delete("fact_note", "fact = ? AND kind = ? AND at = ?", key, kind, at) > 0


def add_beliefs(writer: Writer, beliefs: Iterable[StoredBelief]) -> None:
    """Adds beliefs; each gets the next number."""
    rows = [one[: len(_BELIEF)] for one in beliefs]
    if rows:
        writer.insert("fact_interval", _BELIEF, rows)


def end_belief(writer: Writer, key: int, valid_from: str, valid_to: str | None, at: str) -> None:
    """Ends, at a time, the belief that a fact holds between two others."""
    current = "fact = ? AND valid_from = ? AND valid_to IS ? AND believed_to IS NULL"
    writer.update("fact_interval", {"believed_to": at}, current, key, valid_from, valid_to)


def reopen_beliefs(writer: Writer, numbers: Collection[int]) -> None:
    """Removes the end of beliefs."""
    among = "n IN (SELECT value FROM json_each(?))"
    writer.update("fact_interval", {"believed_to": None}, among, numbers)


def delete_beliefs(writer: Writer, numbers: Collection[int]) -> None:
    """Deletes beliefs."""
    writer.delete("fact_interval", "n IN (SELECT value FROM json_each(?))", numbers)


def rename_predicate(writer: Writer, name: str, new: str) -> None:
    """Gives all facts with a predicate another one."""
    writer.update("fact", {"predicate": new}, "predicate = ?", name)


# -- the history of a fact ------------------------------------------------------------------------

SAID = """
SELECT id, key, subject_said, stated_from, stated_to FROM fact
WHERE id IN (SELECT value FROM json_each(?))"""
OF_IDS = "fact IN (SELECT key FROM fact WHERE id IN (SELECT value FROM json_each(?)))"
NOTES_OF = f"{NOTE} WHERE {OF_IDS}"
BELIEFS_OF = f"{BELIEF} WHERE {OF_IDS}"


def with_histories(reader: Reader | Tables, facts: Sequence[Fact]) -> list[Fact]:
    """The facts with all their notes and beliefs."""
    ids = [fact.id for fact in facts]
    if not ids:
        return []
    found, noted, believed = reader.fetch_each((SAID, ids), (NOTES_OF, ids), (BELIEFS_OF, ids))
    stored = {row[0]: tuple(row)[1:] for row in found}
    notes, beliefs = _by_fact(noted), _beliefs(believed)
    return [
        _with_history(fact, stored[fact.id], notes, beliefs) if fact.id in stored else fact
        for fact in facts
    ]


def _with_history(
    fact: Fact,
    stored: Sequence[Any],
    notes: dict[int, list[tuple[int, Note]]],
    beliefs: dict[int, list[Belief]],
) -> Fact:
    key, subject, stated_from, stated_to = stored
    complete = structs.replace(
        fact,
        stated_from=stated_from,
        stated_to=stated_to,
        notes=[note for _, note in notes.get(key, [])],
        beliefs=beliefs.get(key, []),
    )
    if subject is not None:
        complete.subject_said = subject
    return complete


def _note(row: Sequence[Any]) -> Note:
    _, _, kind, at, recorded_at = row
    return Note(kind=kind, at=at, recorded_at=recorded_at)


def _by_fact(rows: Iterable[Any]) -> dict[int, list[tuple[int, Note]]]:
    """Notes with their numbers, in order of writing, by the key of their fact."""
    found: dict[int, list[tuple[int, Note]]] = {}
    for row in sorted(rows, key=lambda row: int(row[0])):
        found.setdefault(row[1], []).append((row[0], _note(row)))
    return found


def _beliefs(rows: Iterable[Any]) -> dict[int, list[Belief]]:
    """Beliefs in order of writing, by the key of their fact."""
    found: dict[int, list[Belief]] = {}
    for one in sorted((StoredBelief(*row) for row in rows), key=lambda belief: belief.n):
        belief = Belief(
            valid_from=f"{one.valid_from}Z",
            valid_to=one.valid_to and f"{one.valid_to}Z",
            believed_from=f"{one.believed_from}Z",
            believed_to=one.believed_to and f"{one.believed_to}Z",
        )
        found.setdefault(one.fact, []).append(belief)
    return found


# -- facts that hold -----------------------------------------------------------------------------

IN_INTERVAL = """
JOIN fact_interval AS i
ON i.fact = f.key AND i.valid_from <= ? AND (i.valid_to IS NULL OR i.valid_to > ?)"""
BELIEVED_NOW = f"{IN_INTERVAL} AND i.believed_to IS NULL"
BELIEVED_THEN = f"""{IN_INTERVAL}
AND i.believed_from <= ? AND (i.believed_to IS NULL OR i.believed_to > ?)"""
IN_WORLD_ORDER = """
ORDER BY lower(f.subject), f.predicate, coalesce(f.valid_from, f.created_at), f.key"""


def read(
    reader: Reader, where: Filter, entity: str | None = None, history: bool = False
) -> list[Fact]:
    """Facts, about one ``entity``, that hold (at ``where.as_of``, or now), or were believed to at
    ``where.known_at``, each with the interval in which it holds then; with ``history`` all, each
    with its notes and beliefs. In world order."""
    known = where.known_at
    at = where.as_of or known or (None if history else where.now)
    timeless = structs.replace(where, as_of=None, now=None, known_at=None)
    live = "true" if history or known else "live"
    sql, values = condition(timeless, live, indexed=entity is None)
    among = f"f.key IN (SELECT key FROM fact_entry WHERE {sql})"
    if entity is not None:  # looks up each of its facts: with IN all facts would be scanned
        among = f"EXISTS (SELECT 1 FROM fact_entry WHERE fact_entry.key = f.key AND {sql})"
        among += " AND f.entity = ?"
        values = [*values, entity]
    if at is None:
        query = f"SELECT f.* FROM fact AS f WHERE {among} {IN_WORLD_ORDER}"
        found = _opened(reader, reader.fetch(query, *values))
    else:
        moments = [sortable(at)] * 2 + ([sortable(known)] * 2 if known else [])
        query = f"""
        SELECT f.*, i.valid_from AS held_from, i.valid_to AS held_to FROM fact AS f
        {BELIEVED_THEN if known else BELIEVED_NOW} WHERE {among} {IN_WORLD_ORDER}"""
        rows = reader.fetch(query, *moments, *values)
        facts = _opened(reader, rows)
        found = [_held_fact(fact, row) for fact, row in zip(facts, rows, strict=True)]
    return with_histories(reader, found) if history else found


def _held_fact(fact: Fact, row: Any) -> Fact:
    """The fact as it was believed, with the interval in which it held."""
    begin, end = f"{row['held_from']}Z", row["held_to"] and f"{row['held_to']}Z"
    unsaid = row["stated_from"] is None and begin in (BEGINNING, fact.created_at)
    return structs.replace(
        fact, valid_from=None if unsaid else begin, valid_to=end, retired_at=None
    )


# -- states, for the resolution of intervals -----------------------------------------------------

# in the order of the fields of ``FactState``
STATE = """
SELECT key, id, "user", agent, subject, subject_said, entity, predicate, object, created_at,
recorded_at, stated_from, stated_to, retired_at, trust, value FROM fact"""
HELD = """
SELECT fact, valid_from, valid_to, believed_from FROM fact_interval WHERE believed_to IS NULL"""
# conditions on facts
WITH_ID = "id IN (SELECT value FROM json_each(?))"
OF_ENTITY = "entity = ?"
OF_ENTITY_AND_USER = 'entity = ? AND "user" IS ?'
WITH_PREDICATE = "predicate = ? AND retired_at IS NULL"
IN_GROUP = '"user" IS ? AND entity = ? AND predicate IN (SELECT value FROM json_each(?))'
WITH_VALUE = f"{IN_GROUP} AND value = ?"
# an encrypted value (see ``encryption.cipher.digest``) is compared later
WITH_VALUE_OR_ENCRYPTED = f"""{IN_GROUP}
AND (value = ? OR (value >= 'encrypted:' AND value < 'encrypted;'))"""
NOT_RETIRED = " AND retired_at IS NULL"
SUBJECTS_OF_KEYS = """
SELECT DISTINCT subject FROM encrypted
WHERE kind = 'fact' AND id IN (SELECT value FROM json_each(?))"""


def states(reader: Reader, ids: Collection[str]) -> list[FactState]:
    """Facts with these ids, retired ones too, in storage order."""
    return _states(reader, WITH_ID, (ids,)) if ids else []


def states_about(
    reader: Reader, entity: str, user: str | UnsetType | None = UNSET
) -> list[FactState]:
    """Facts about an entity, retired ones too, in storage order: of one user (None: shared ones),
    or of all."""
    if user is UNSET:
        return _states(reader, OF_ENTITY, (entity,))
    return _states(reader, OF_ENTITY_AND_USER, (entity, user))


def states_with_predicate(reader: Reader, predicate: str) -> list[FactState]:
    """Facts with a predicate that are not retired, in storage order."""
    return _states(reader, WITH_PREDICATE, (predicate,))


def states_of_group(reader: Reader, group: FactGroup, *, retired: bool = False) -> list[FactState]:
    """Facts of a group that are not retired, or with ``retired`` all, in storage order."""
    where, values = _in_group(group, reader.reading_cipher())
    return _states(reader, where if retired else where + NOT_RETIRED, values, group)


def of_group(reader: Reader, group: FactGroup) -> list[Fact]:
    """All facts of a group as records, retired ones too, in storage order."""
    where, values = _in_group(group, reader.reading_cipher())
    found = reader.fetch(f"SELECT * FROM fact WHERE {where} ORDER BY +key", *values)
    return _opened(reader, _with_value(reader, found, group))


def _in_group(group: FactGroup, cipher: Cipher | None) -> tuple[str, tuple[Any, ...]]:
    """Condition on the facts of a group, and its values."""
    if group.value is None:
        return IN_GROUP, (group.owner, group.entity, group.predicates)
    where = WITH_VALUE if cipher is None else WITH_VALUE_OR_ENCRYPTED
    return where, (group.owner, group.entity, group.predicates, group.value)


def _states(
    reader: Reader, where: str, values: Sequence[Any], group: FactGroup | None = None
) -> list[FactState]:
    """Facts that meet a condition and have the value of a group, in storage order."""
    among = f"fact IN (SELECT key FROM fact WHERE {where})"
    found, noted, held = reader.fetch_each(
        # not along the key, for which SQLite would read all facts about the entity
        (f"{STATE} WHERE {where} ORDER BY +key", *values),
        (f"{NOTE} WHERE {among}", *values),
        (f"{HELD} AND {among}", *values),
    )
    cipher = reader.reading_cipher()
    notes, believed = _by_fact(noted), _believed(held)
    result = []
    for row in _with_value(reader, found, group):
        *plain, value = row
        beliefs = believed.get(row[0], ())
        fields: tuple[Any, ...] = (
            *plain,
            _plain(cipher, row[1], value),
            notes.get(row[0], []),
            [interval for interval, _ in beliefs],
            max((since for _, since in beliefs), default=""),
        )
        result.append(FactState(*fields))
    return result


def _plain(cipher: Cipher | None, id: str, value: str) -> str:
    if cipher is None:
        return value
    from thalamus.store.encryption.cipher import plain

    return plain(cipher, id, value)


def _with_value(reader: Reader, found: Sequence[Any], group: FactGroup | None) -> Sequence[Any]:
    """The rows whose object has the value of the group, if that has one."""
    cipher = reader.reading_cipher()
    if cipher is None or group is None or group.value is None:
        return found
    from thalamus.store.encryption.cipher import digest, is_digest

    if not (ids := [row["id"] for row in found if is_digest(row["value"])]):
        return found
    same = next((row["id"] for row in found if row["value"] == group.value), None)
    value = group.value if same is None else _plain(cipher, same, group.value)
    subjects = [row[0] for row in reader.fetch(SUBJECTS_OF_KEYS, ids)]
    keys = [key for subject in subjects if (key := cipher.key_of(subject))]
    wanted = {group.value, value, *(digest(key[1], group.owner, value) for key in keys)}
    return [row for row in found if row["value"] in wanted]


def _believed(rows: Iterable[Any]) -> dict[int, list[tuple[Interval, str]]]:
    """Current belief about each fact: its intervals, with the time since when they are believed."""
    found: dict[int, list[tuple[Interval, str]]] = {}
    for key, begin, end, since in rows:
        interval = (f"{begin}Z", end and f"{end}Z")
        found.setdefault(key, []).append((interval, f"{since}Z"))
    for intervals in found.values():
        intervals.sort(key=lambda one: one[0][0])
    return found


# -- beginnings and ends ---------------------------------------------------------------------------

BEGINNINGS = f"""{BELIEF}
WHERE believed_to IS NULL AND valid_from >= ? AND (valid_from, n) < (?, ?)"""
ENDS = f"""{BELIEF}
WHERE believed_to IS NULL AND valid_to >= ? AND (valid_to, n) < (?, ?)"""
OF_ENTITIES = """
AND fact IN (SELECT key FROM fact WHERE entity IN (SELECT value FROM json_each(?)))"""
OF_CONCEPT = f" AND fact {ABOUT_CONCEPT}"
NEWEST_BEGINNINGS = " ORDER BY valid_from DESC, n DESC LIMIT ?"
NEWEST_ENDS = " ORDER BY valid_to DESC, n DESC LIMIT ?"
FIRST = "0001-01-01T00:00:00 "  # after the beginning of time, and before every other time


def change_pages(
    reader: Reader,
    end: Literal["valid_from", "valid_to"],
    since: str | None,
    until: str | None,
    entities: Collection[str] | None = None,
    concepts: Collection[str] = (),
) -> Iterator[list[StoredBelief]]:
    """Beginnings or ends of facts, as currently believed, newest first, in pages: from ``since``
    (else those after the beginning of time) to before ``until``; of facts about one of these
    ``entities`` (None: any) and all of these ``concepts``, given by their keys."""
    sql, newest = (BEGINNINGS, NEWEST_BEGINNINGS) if end == "valid_from" else (ENDS, NEWEST_ENDS)
    chosen: list[Any] = []
    if entities is not None:
        sql, chosen = sql + OF_ENTITIES, [entities]
    for concept in concepts:
        sql, chosen = sql + OF_CONCEPT, [*chosen, concept]
    first = sortable(since) if since else FIRST
    last: tuple[Any, ...] = (sortable(until) if until else AFTER_ALL, 0)
    while page := [
        StoredBelief(*row) for row in reader.fetch(sql + newest, first, *last, *chosen, PAGE)
    ]:
        yield page
        if len(page) < PAGE:
            return
        last = getattr(page[-1], end), page[-1].n
