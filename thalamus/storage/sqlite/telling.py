"""What was told of facts, and settling what holds: functions over the connection of a writer.

``settle_groups`` is to be called whenever a fact of a group has come, gone or changed; it gives
back which facts hold otherwise now. All of it happens in the caller's transaction.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import UNSET

from thalamus.policy import timeline
from thalamus.policy.entities import USER, fold
from thalamus.policy.timeline import Interval, NoteKind, Repeat, Statement, moment
from thalamus.storage.shapes import Change
from thalamus.storage.sqlite import entities, rows, sealed_values

if TYPE_CHECKING:
    from thalamus.policy.predicates import Registry
    from thalamus.records import Fact
    from thalamus.storage.sqlite.sealed import Boxes

# owner, entity, predicates, and the value of those that do not exclude other values
Group = tuple[str | None, str, tuple[str, ...], str | None]
_COLUMNS = (
    "id predicate object valid_from valid_to recorded_at retired_at created_at "
    "session user agent quote trust sensitivity"
).split()


def columns(db: sqlite3.Connection, fact: Fact) -> dict[str, Any]:
    """The row of a new fact. What it says of itself as ``stated`` counts as told."""
    said = fact.subject if fact.subject_said is UNSET else fact.subject_said
    entity, shown = entities.entity(db, fact.user, said)
    if fact.subject_said is not UNSET:
        shown = fact.subject
    told = (fact.stated_from, fact.stated_to)
    return {
        **{name: getattr(fact, name) for name in _COLUMNS},
        "subject": shown,
        "subject_said": said if said != shown else None,
        "entity": entity,
        "value": fold(fact.object),
        "stated_from": fact.valid_from if told[0] is UNSET else told[0],
        "stated_to": fact.valid_to if told[1] is UNSET else told[1],
        "metadata": rows.pack_json(fact.metadata),
        "provenance": rows.pack_provenance(fact.provenance),
    }


def add_told(db: sqlite3.Connection, key: int, fact: Fact) -> None:
    """The notes and beliefs that a fact brings. One that says nothing of beliefs is believed to
    hold as it says, from when it was recorded."""
    for note in [] if fact.notes is UNSET else fact.notes:
        add_note(db, key, note.kind, note.at, note.recorded_at)
    if fact.beliefs is UNSET:
        interval = (fact.valid_from or fact.created_at or "", fact.valid_to)
        _believe(db, key, interval, fact.recorded_at or "", fact.retired_at)
        return
    for belief in fact.beliefs:
        interval = (belief.valid_from, belief.valid_to)
        _believe(db, key, interval, belief.believed_from, belief.believed_to)


def add_note(db: sqlite3.Connection, key: int, kind: NoteKind, at: str, now: str) -> bool:
    """Notes that a fact was said again, or ended. False when that is noted already; an end that
    is told again counts as the last that was told."""
    query = "SELECT n FROM fact_note WHERE fact = ? AND kind = ? AND at = ?"
    known = db.execute(query, (key, kind, at)).fetchone()
    if known is not None and kind != "end":
        return False
    db.execute(
        "INSERT OR REPLACE INTO fact_note (fact, kind, at, recorded_at) VALUES (?,?,?,?)",
        (key, kind, at, now),
    )
    return known is None


def group_of(registry: Registry, row: sqlite3.Row) -> Group:
    """The group that a row of ``fact`` belongs to: what excludes each other."""
    return _group(registry, row["user"], row["entity"], row["predicate"], row["value"])


def _group(registry: Registry, owner: str | None, entity: str, predicate: str, value: str) -> Group:
    if registry.one_valued(predicate):
        return owner, entity, (predicate,), None
    opposite = registry.opposite(predicate)
    pair = sorted({predicate, opposite} if opposite else {predicate})
    return owner, entity, tuple(pair), value


def groups_of(db: sqlite3.Connection, registry: Registry, ids: Iterable[str]) -> list[Group]:
    """The groups of these facts, each once. To settle after a deletion, asked before it."""
    found: dict[Group, None] = {}
    for id in ids:
        row = db.execute("SELECT * FROM fact WHERE id = ?", (id,)).fetchone()
        if row is not None:
            found[group_of(registry, row)] = None
    return list(found)


def statements(db: sqlite3.Connection, group: Group, boxes: Boxes | None) -> list[Statement]:
    """What was told in a group and is not retracted. Facts go by their keys, as text."""
    owner, entity, predicates, value = group
    marks = ",".join("?" * len(predicates))
    query = (
        "SELECT key, id, predicate, value, created_at, recorded_at, stated_from, stated_to"
        " FROM fact WHERE user IS ? AND entity = ? AND retired_at IS NULL"
        f" AND predicate IN ({marks})"
    )
    values: list[Any] = [owner, entity, *predicates]
    if value is not None:
        said = sealed_values.alike(db, boxes, owner, entity, predicates, value)
        query += f" AND value IN ({','.join('?' * len(said))})"
        values += said
    return [
        Statement(
            fact=str(row["key"]),
            value=row["predicate"]
            if len(predicates) > 1
            else sealed_values.plain(db, boxes, row["id"], row["value"]),
            said=row["created_at"],
            told=(moment(row["recorded_at"]), row["key"]),
            start=row["stated_from"],
            end=row["stated_to"],
            **_notes(db, row["key"]),
        )
        for row in db.execute(query, values).fetchall()
    ]


def _notes(db: sqlite3.Connection, key: int) -> dict[str, Any]:
    query = "SELECT kind, at, recorded_at, n FROM fact_note WHERE fact = ? ORDER BY n"
    found = db.execute(query, (key,)).fetchall()
    told = [(row[0], row[1], (moment(row[2]), row[3])) for row in found]
    return {
        "mentions": tuple(at for kind, at, _ in told if kind == "mention"),
        "since": tuple((at, when) for kind, at, when in told if kind == "since"),
        "ends": tuple((at, when) for kind, at, when in told if kind == "end"),
    }


def repeats(
    db: sqlite3.Connection, registry: Registry, fact: Fact, boxes: Boxes | None
) -> Repeat | None:
    """The known fact that ``fact`` says again or ends; its id in ``fact``."""
    entity, _ = entities.entity(db, fact.user, fact.subject)
    value = fold(fact.object)
    group = _group(registry, fact.user, entity, fact.predicate, value)
    known = statements(db, group, boxes)
    new = Statement(
        fact="",
        value=fact.predicate if len(group[2]) > 1 else value,
        said=fact.created_at or "",
        start=fact.valid_from,
        end=fact.valid_to,
    )
    found = timeline.repeats(new, known, timeline.settle(known))
    if found is None:
        return None
    row = db.execute("SELECT id FROM fact WHERE key = ?", (int(found.fact),)).fetchone()
    return Repeat(row[0], found.kind, found.at)


def settle_groups(
    db: sqlite3.Connection,
    registry: Registry,
    groups: Sequence[Group],
    now: str,
    boxes: Boxes | None,
) -> list[Change]:
    """Finds anew what holds in these groups. Returns the facts that hold otherwise than before."""
    changes: list[Change] = []
    for group in groups:
        told = statements(db, group, boxes)
        held = timeline.settle(told)
        for statement in told:
            value = [i for s in told if s.value == statement.value for i in held[s.fact]]
            change = _settle_fact(db, statement, held[statement.fact], value, now)
            if change is not None:
                changes.append(change)
        owner, entity, predicates, _ = group
        if entity == USER and predicates == ("name",):
            changes += entities.follow_names(db, registry, owner, now, boxes)
    return changes


def _settle_fact(
    db: sqlite3.Connection,
    told: Statement,
    held: list[Interval],
    value: list[Interval],
    now: str,
) -> Change | None:
    key = int(told.fact)
    before = believed(db, key)
    if before == held:
        return None
    at = _disbelieve(db, key, [i for i in before if i not in held], now)
    for interval in held:
        if interval not in before:
            _believe(db, key, interval, at, None)
    begin, end = timeline.hull(told, held)
    db.execute("UPDATE fact SET valid_from = ?, valid_to = ? WHERE key = ?", (begin, end, key))
    id = db.execute("SELECT id FROM fact WHERE key = ?", (key,)).fetchone()[0]
    return Change(id, before, held, timeline.lost(before, value))


def believed(db: sqlite3.Connection, key: int) -> list[Interval]:
    """When a fact holds, as it is believed at present."""
    query = (
        "SELECT valid_from, valid_to FROM fact_interval"
        " WHERE fact = ? AND believed_to IS NULL ORDER BY valid_from"
    )
    return [(f"{a}Z", b and f"{b}Z") for a, b in db.execute(query, (key,))]


def _believe(
    db: sqlite3.Connection, key: int, interval: Interval, begin: str, end: str | None
) -> None:
    db.execute(
        "INSERT INTO fact_interval (fact, valid_from, valid_to, believed_from, believed_to)"
        " VALUES (?,?,?,?,?)",
        (key, *(at if at is None else moment(at) for at in (*interval, begin, end))),
    )


def _disbelieve(db: sqlite3.Connection, key: int, gone: list[Interval], now: str) -> str:
    """Ends the belief in these intervals. Returns when: not before it began, whatever the clock."""
    query = "SELECT max(believed_from) FROM fact_interval WHERE fact = ? AND believed_to IS NULL"
    at = max(moment(now), db.execute(query, (key,)).fetchone()[0] or "")
    for begin, end in gone:
        db.execute(
            "UPDATE fact_interval SET believed_to = ? WHERE fact = ? AND valid_from = ?"
            " AND valid_to IS ? AND believed_to IS NULL",
            (at, key, moment(begin), end and moment(end)),
        )
    return at


def retire(
    db: sqlite3.Connection, registry: Registry, id: str, now: str, boxes: Boxes | None
) -> list[Change] | None:
    """The fact was never true: the rest is as if it had not been told. None when it is retired
    already, or there is none."""
    row = db.execute("SELECT * FROM fact WHERE id = ? AND retired_at IS NULL", (id,)).fetchone()
    if row is None:
        return None
    before = believed(db, row["key"])
    at = _disbelieve(db, row["key"], before, now)
    query = "UPDATE fact SET retired_at = ? WHERE key = ?"
    db.execute(query, (f"{at}Z", row["key"]))
    db.execute("INSERT INTO removal (key) VALUES (?)", (row["key"],))
    rest = settle_groups(db, registry, [group_of(registry, row)], now, boxes)
    return [Change(id, before, [], True), *rest]


def forget_told(db: sqlite3.Connection, key: int) -> None:
    """Deletes what hangs on the row of a fact."""
    for table in ("fact_note", "fact_interval"):
        db.execute(f"DELETE FROM {table} WHERE fact = ?", (key,))
