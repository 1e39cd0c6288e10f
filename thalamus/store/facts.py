"""Facts as they held at a time, and as input for the resolution of intervals.

Nothing is decided here: intervals, entities and cardinality are computed in ``memory`` and stored
as given.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from msgspec import UNSET, structs

from thalamus.records import Belief, Fact, Note
from thalamus.records.history import sortable
from thalamus.records.kinds import kind_of
from thalamus.store.conditions import Among, Either, above, at_most, beginning
from thalamus.store.entries import BEGINNING, condition
from thalamus.store.pages import pages
from thalamus.store.records import MutableRecords, Records, with_ids
from thalamus.store.row_access import Selection
from thalamus.store.rows import maker, read_columns
from thalamus.store.values import FactQuery, FactState

if TYPE_CHECKING:
    from thalamus.store.collection import RowReader, RowWriter
    from thalamus.store.conditions import Where
    from thalamus.store.encryption.cipher import Cipher
    from thalamus.store.row_access import Rows
    from thalamus.store.values import FactQuery, Filter, Interval


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


_BELIEF = StoredBelief._fields[:-1]  # without its number


class Facts(Records):
    """The facts of a store."""

    def __init__(self, rows: RowReader) -> None:
        super().__init__(rows, kind_of(Fact))

    def read(self, where: Filter, entity: str | None = None, history: bool = False) -> list[Fact]:
        """Facts, about one ``entity``, that hold (at ``where.as_of``, or now), or were believed to
        at ``where.known_at``; with ``history`` all, in world order, each with its notes and
        beliefs."""
        with self._rows.guard():
            found = [self._rows.open(one) for one in facts(self._rows, where, entity, history)]
        if not history:
            return found
        with self._rows.guard():
            return with_histories(self._rows.rows, found)

    def current(self, ids: Collection[str]) -> list[Fact]:
        """Those of these facts that are not retired."""
        return self._rows.find(Fact, {"id": tuple(ids), "retired_at": None})

    def states(self, query: FactQuery) -> list[FactState]:
        """Facts that match a query, in storage order."""
        with self._rows.guard():
            return states(self._rows.rows, self._rows.reading_cipher(), query)

    def matching(self, query: FactQuery) -> list[Fact]:
        """Facts that match a query, in storage order, as records."""
        cipher, where, order = self._rows.reading_cipher(), _where(query, None), ("key",)
        if cipher is None or query.value is None:
            return self._rows.find(Fact, where, order)
        where = _where(query, cipher)
        with self._rows.guard():
            kind, rows = kind_of(Fact), self._rows.rows
            found, stored = rows.select_each(
                [
                    Selection("fact", read_columns(kind), where, order),
                    Selection("fact", ("id", "value"), where, order),
                ]
            )
            ids = {row[0] for row in _with_value(stored, rows, cipher, query)}
            return [self._rows.open(fact) for fact in map(maker(Fact), found) if fact.id in ids]

    def as_stored(self, ids: str | Sequence[str]) -> list[StoredFact]:
        """Facts with these ids, without decryption."""
        return self.find_stored(with_ids(ids))

    def find_stored(self, where: Where) -> list[StoredFact]:
        """Facts that match a condition, without decryption."""
        return [StoredFact(*row) for row in self._rows.select("fact", StoredFact._fields, where)]

    def with_history(self, fact: Fact) -> Fact:
        """The fact with all its notes and beliefs."""
        with self._rows.guard():
            return with_histories(self._rows.rows, [fact])[0]

    def predicates(self, where: Where | None = None) -> list[str]:
        """Predicates of facts, without duplicates."""
        found = self._rows.select("fact", ("predicate",), where, group=("predicate",))
        return [str(row[0]) for row in found]

    def first_subject(self, where: Where) -> str | None:
        """Displayed subject of the fact that was stored first."""
        found = self._rows.select("fact", ("subject",), where, order=("key",), limit=1)
        return str(found[0][0]) if found else None

    def subjects(self, where: Where | None = None) -> list[SubjectCount]:
        """Subjects of facts, with their number of facts."""
        columns, group = ("min(subject)", "user", "count(*)"), ("entity", "user")
        found = self._rows.select("fact", columns, where, order=group, group=group)
        return [SubjectCount(str(name), user, int(count)) for name, user, count in found]

    def count_held(self, where: Where, at: str) -> int:
        """Number of facts that hold at a time, as currently believed."""
        moment = sortable(at)
        started = {"believed_to": None, "valid_from": at_most(moment)}
        conditions = ({**started, "valid_to": None}, {**started, "valid_to": above(moment)})
        return sum(
            self.count({**where, "key": Among("fact_interval", "fact", one)}) for one in conditions
        )

    def notes(self, key: int) -> list[tuple[int, Note]]:
        """Notes of a fact with their numbers, in order of writing."""
        with self._rows.guard():
            return _notes(self._rows.rows, [key]).get(key, [])

    def beliefs(self, key: int) -> list[StoredBelief]:
        """All beliefs about a fact, current and former, in order of writing."""
        found = self._rows.select(
            "fact_interval", StoredBelief._fields, {"fact": key}, order=("n",)
        )
        return [StoredBelief(*row) for row in found]

    def change_pages(
        self, end: Literal["valid_from", "valid_to"], time: Any, where: Where | None = None
    ) -> Iterator[list[StoredBelief]]:
        """Beginnings or ends of facts, as currently believed, newest first, in pages. ``time``:
        condition on that time, ``where``: on the facts."""
        believed: dict[str, Any] = {"believed_to": None}
        if where:
            believed["fact"] = Among("fact", "key", where)
        columns = StoredBelief._fields
        for page in pages(self._rows, "fact_interval", columns, end, "n", time, believed):
            yield [StoredBelief(*(row[name] for name in columns)) for row in page]


class MutableFacts(Facts, MutableRecords):
    """Facts in a unit of work."""

    def __init__(self, rows: RowWriter) -> None:
        MutableRecords.__init__(self, rows, kind_of(Fact))

    def add_note(self, key: int, note: Note) -> bool:
        """Adds a note to a fact; False when it has the same one."""
        columns = ("fact", "kind", "at", "recorded_at")
        row = (key, note.kind, note.at, note.recorded_at)
        return self._target.insert("fact_note", columns, [row]) > 0

    def delete_note(self, key: int, kind: str, at: str) -> bool:
        """Deletes a note of a fact; True when there was one."""
        return self._target.delete("fact_note", {"fact": key, "kind": kind, "at": at}) > 0

    def add_beliefs(self, beliefs: Iterable[StoredBelief]) -> None:
        """Adds beliefs; each gets the next number."""
        rows = [one[: len(_BELIEF)] for one in beliefs]
        if rows:
            self._target.insert("fact_interval", _BELIEF, rows)

    def end_belief(self, key: int, valid_from: str, valid_to: str | None, at: str) -> None:
        """Ends, at a time, the belief that a fact holds between two others."""
        interval = {"fact": key, "valid_from": valid_from, "valid_to": valid_to}
        self._target.update("fact_interval", {"believed_to": at}, {**interval, "believed_to": None})

    def reopen_beliefs(self, numbers: Collection[int]) -> None:
        """Removes the end of beliefs."""
        self._target.update("fact_interval", {"believed_to": None}, {"n": tuple(numbers)})

    def delete_beliefs(self, numbers: Collection[int]) -> None:
        """Deletes beliefs."""
        self._target.delete("fact_interval", {"n": tuple(numbers)})


# -- the history of a fact ------------------------------------------------------------------------

_TIMES = ("valid_from", "valid_to", "believed_from", "believed_to")


def with_histories(rows: Rows, facts: Sequence[Fact]) -> list[Fact]:
    """The facts with all their notes and beliefs."""
    columns = ("id", "key", "subject_said", "stated_from", "stated_to")
    ids = [fact.id for fact in facts]
    stored = {row[0]: tuple(row)[1:] for row in rows.select("fact", columns, {"id": ids})}
    keys = [key for key, *_ in stored.values()]
    notes, beliefs = _notes(rows, keys), _beliefs(rows, keys)
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


def _beliefs(rows: Rows, keys: Sequence[int]) -> dict[int, list[Belief]]:
    """All beliefs about each of these facts, in order of writing."""
    found: dict[int, list[Belief]] = {}
    columns = ("n", "fact", *_TIMES)
    for _, key, *times in sorted(map(tuple, rows.select("fact_interval", columns, {"fact": keys}))):
        found.setdefault(key, []).append(Belief(**_times(times)))
    return found


def _times(row: Sequence[str | None]) -> dict[str, Any]:
    return {name: at and f"{at}Z" for name, at in zip(_TIMES, row, strict=True)}


# -- facts that hold -----------------------------------------------------------------------------

_ORDER = "ORDER BY lower(f.subject), f.predicate, coalesce(f.valid_from, f.created_at), f.key"


def facts(reader: RowReader, where: Filter, entity: str | None, history: bool) -> list[Fact]:
    """Facts that hold at a time, or all; each with the interval in which it holds then."""
    at, known = where.as_of or where.known_at or (None if history else where.now), where.known_at
    timeless = structs.replace(where, as_of=None, now=None, known_at=None)
    live = "true" if history or known else "live"
    sql, values = condition(timeless, live, indexed=entity is None)
    among = f"f.key IN (SELECT key FROM fact_entry WHERE {sql})"
    if entity is not None:  # looks up each of its facts: with IN all facts would be scanned
        among = f"EXISTS (SELECT 1 FROM fact_entry WHERE fact_entry.key = f.key AND {sql})"
        among += " AND f.entity = ?"
        values = [*values, entity]
    columns = ", ".join(f'f."{name}"' for name in read_columns(kind_of(Fact)))
    make = maker(Fact)
    if at is None:
        query = f"SELECT {columns} FROM fact AS f WHERE {among} {_ORDER}"
        return list(map(make, reader.fetch(query, *values)))
    held, times = _holding(at, known)
    query = (
        "SELECT f.stated_from, i.valid_from AS held_from, i.valid_to AS held_to,"
        f" {columns}"
        " FROM fact AS f"
        f" JOIN fact_interval AS i ON i.fact = f.key AND {held}"
        f" WHERE {among} {_ORDER}"
    )
    found = reader.fetch(query, *times, *values)
    return [_held_fact(make(row[3:]), *row[:3]) for row in map(tuple, found)]


def _holding(at: str, known: str | None) -> tuple[str, tuple[Any, ...]]:
    """SQL condition on intervals ``i`` that contain a time, as believed now or at ``known``."""
    sql = "i.valid_from <= ? AND (i.valid_to IS NULL OR i.valid_to > ?)"
    values = [sortable(at)] * 2
    if known is None:
        return f"i.believed_to IS NULL AND {sql}", tuple(values)
    sql += " AND i.believed_from <= ? AND (i.believed_to IS NULL OR i.believed_to > ?)"
    return sql, (*values, *[sortable(known)] * 2)


def _held_fact(fact: Fact, stated: str | None, held_from: str, held_to: str | None) -> Fact:
    """The fact as it was believed, with the interval in which it held."""
    begin, end = f"{held_from}Z", held_to and f"{held_to}Z"
    unsaid = stated is None and begin in (BEGINNING, fact.created_at)
    return structs.replace(
        fact, valid_from=None if unsaid else begin, valid_to=end, retired_at=None
    )


# -- states, for the resolution of intervals -----------------------------------------------------

# in the order of the fields of ``FactState``
_STATE = (
    *("key", "id", "user", "agent", "subject", "subject_said", "entity", "predicate", "object"),
    *("created_at", "recorded_at", "stated_from", "stated_to", "retired_at", "trust"),
    "value",
)

_NOTE = ("n", "fact", "kind", "at", "recorded_at")
_HELD = ("fact", "valid_from", "valid_to", "believed_from")


def states(rows: Rows, cipher: Cipher | None, query: FactQuery) -> list[FactState]:
    """Facts that match a query, sorted by key."""
    where = _where(query, cipher)
    among = Among("fact", "key", where)
    found, noted, intervals = rows.select_each(
        [
            Selection("fact", _STATE, where, ("key",)),
            Selection("fact_note", _NOTE, {"fact": among}),
            Selection("fact_interval", _HELD, {"fact": among, "believed_to": None}),
        ]
    )
    notes, believed = _by_fact(noted), _believed(intervals)
    result = []
    for row in _with_value(found, rows, cipher, query):
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


def _with_value(
    found: Sequence[Any], rows: Rows, cipher: Cipher | None, query: FactQuery
) -> Sequence[Any]:
    """Those of the rows whose object has the value that a query asks for."""
    if cipher is None or query.value is None:
        return found
    from thalamus.store.encryption.cipher import is_digest, same_values

    if not any(is_digest(value) for *_, value in found):
        return found
    wanted = same_values(rows, cipher, query)
    return [row for row in found if row[-1] in wanted]


def _where(query: FactQuery, cipher: Cipher | None) -> dict[str, Any]:
    """Condition on facts: those whose value is encrypted are compared later."""
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
            from thalamus.store.encryption.cipher import PREFIX

            where["value"] = Either(query.value, beginning(PREFIX))
    if not query.retired:
        where["retired_at"] = None
    return where


def _notes(rows: Rows, keys: Sequence[int]) -> dict[int, list[tuple[int, Note]]]:
    """Notes of each of these facts with their numbers, in order of writing."""
    return _by_fact(rows.select("fact_note", _NOTE, {"fact": keys}))


def _by_fact(rows: Iterable[Any]) -> dict[int, list[tuple[int, Note]]]:
    """Notes with their numbers, in order of writing, by the key of their fact."""
    found: dict[int, list[tuple[int, Note]]] = {}
    for n, key, kind, at, recorded_at in rows:
        note = Note(kind=kind, at=at, recorded_at=recorded_at)
        found.setdefault(key, []).append((n, note))
    for notes in found.values():
        notes.sort(key=lambda note: note[0])
    return found


def _believed(rows: Iterable[Any]) -> dict[int, list[tuple[Interval, str]]]:
    """Current belief about each fact: its intervals, with the time since when they are believed."""
    found: dict[int, list[tuple[Interval, str]]] = {}
    for key, begin, end, since in rows:
        interval = (f"{begin}Z", end and f"{end}Z")
        found.setdefault(key, []).append((interval, f"{since}Z"))
    for intervals in found.values():
        intervals.sort(key=lambda one: one[0][0])
    return found
