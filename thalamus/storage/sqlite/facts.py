"""Reading facts: what holds, what held, what was believed, and everything that was told."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET, structs

from thalamus.policy import timeline
from thalamus.policy.entities import USER, canonical, fold, key_of, subject_name
from thalamus.policy.predicates import PredicateEntry, Registry
from thalamus.policy.staleness import ended_reason
from thalamus.policy.timeline import BEGINNING, Interval, NoteKind, Repeat, Statement, moment
from thalamus.predicates import packaged, packaged_entries
from thalamus.records import Alias, Belief, Fact, Note, Predicate
from thalamus.storage.protocol import Change
from thalamus.storage.sqlite import encryption, rows
from thalamus.storage.sqlite.rows import condition

if TYPE_CHECKING:
    from thalamus.storage.protocol import Filter
    from thalamus.storage.sqlite.encryption import Cipher


def aliases(db: sqlite3.Connection, owner: str | None) -> dict[str, tuple[str, str]]:
    """alias -> (target, the name that is shown), as they count for an owner."""
    found = db.execute(
        "SELECT alias, target, target_name FROM alias"
        " WHERE owner = ?1 OR (owner = '' AND reason <> 'name') ORDER BY owner",
        (owner or "",),
    )
    return {row[0]: (row[1], row[2]) for row in found}


def resolve_entity(db: sqlite3.Connection, owner: str | None, subject: str) -> tuple[str, str]:
    """The key of what a subject means, and the name that is shown: the one that others were
    merged into, else the first spelling."""
    known = aliases(db, owner)
    key = canonical(key_of(subject), {alias: target for alias, (target, _) in known.items()})
    if key == USER:
        return key, USER
    for alias, (target, name) in known.items():
        if target == key != alias:
            return key, name
    row = db.execute(
        "SELECT subject FROM fact WHERE user IS ? AND entity = ? ORDER BY key LIMIT 1", (owner, key)
    ).fetchone()
    return key, row[0] if row else subject_name(subject)


def add_alias(db: sqlite3.Connection, alias: Alias, now: str, keep: bool = False) -> bool:
    """Writes a row; with ``keep`` one that is there stays. Returns whether it was written."""
    name, target = key_of(alias.name), key_of(alias.target)
    values = (
        alias.user or "",
        name,
        alias.name,
        target,
        alias.target,
        alias.reason,
        alias.recorded_at or now,
    )
    added = db.execute(
        f"INSERT OR {'IGNORE' if keep else 'REPLACE'} INTO alias VALUES (?,?,?,?,?,?,?)", values
    )
    return added.rowcount > 0


def merge(
    db: sqlite3.Connection,
    registry: Registry,
    name: str,
    into: str,
    owner: str | None,
    now: str,
    cipher: Cipher | None,
) -> list[Change]:
    """From now on ``name`` means ``into``."""
    _, shown = resolve_entity(db, owner, into)
    before, _ = resolve_entity(db, owner, name)
    add_alias(db, Alias(name=name, target=shown, user=owner, recorded_at=now), now)
    return reassign(db, registry, owner, {before, key_of(name)}, now, cipher)


def unmerge(
    db: sqlite3.Connection,
    registry: Registry,
    name: str,
    owner: str | None,
    now: str,
    cipher: Cipher | None,
) -> list[Change] | None:
    """``name`` means itself again, also when it is what the user is called. None when it does."""
    row = db.execute(
        "SELECT reason, target, owner FROM alias WHERE alias = ?1 AND owner IN ('', ?2)"
        " ORDER BY owner DESC LIMIT 1",
        (key_of(name), owner or ""),
    ).fetchone()
    if row is None or row["reason"] == "apart":
        return None
    before, _ = resolve_entity(db, owner, name)
    if row["reason"] == "hand":
        db.execute("DELETE FROM alias WHERE alias = ? AND owner = ?", (key_of(name), row["owner"]))
    else:
        own = Alias(name=name, target=name, reason="apart", user=owner, recorded_at=now)
        add_alias(db, own, now)
    return reassign(db, registry, owner, {before, key_of(name)}, now, cipher)


def follow_names(
    db: sqlite3.Connection, registry: Registry, owner: str | None, now: str, cipher: Cipher | None
) -> list[Change]:
    """What the user is called means the user. Called when a fact about the user's name changed.
    A name that is encrypted is no other name: it would stand there in plain words."""
    names = {
        fold(row[0]): row[0]
        for row in db.execute(
            "SELECT object FROM fact WHERE user IS ? AND entity = ? AND predicate = 'name'"
            " AND object <> ''"
            " AND retired_at IS NULL ORDER BY key",
            (owner, USER),
        )
    }
    there = {
        row[0]
        for row in db.execute(
            "SELECT alias FROM alias WHERE owner = ? AND reason = 'name'", (owner or "",)
        )
    }
    changed = set()
    for key in there - set(names):
        db.execute("DELETE FROM alias WHERE owner = ? AND alias = ?", (owner or "", key))
        changed.add(key)
    for key, name in names.items():
        alias = Alias(name=name, target=USER, reason="name", user=owner, recorded_at=now)
        if key not in there and key_of(name) != USER and add_alias(db, alias, now, keep=True):
            changed.add(key)
    moved = changed | ({USER} if changed else set())
    return reassign(db, registry, owner, moved, now, cipher, exact=True)


def reassign(
    db: sqlite3.Connection,
    registry: Registry,
    owner: str | None,
    keys: set[str],
    now: str,
    cipher: Cipher | None,
    exact: bool = False,
) -> list[Change]:
    """Resolves again what the subjects of the facts under these keys mean, and settles what moved.
    With ``exact`` the facts of this owner only, else without an owner those of everyone."""

    everyone = owner is None and not exact
    groups: dict[Group, None] = {}
    for key in sorted(keys):
        query = f"SELECT * FROM fact WHERE entity = ? {'' if everyone else 'AND user IS ?'}"
        for row in db.execute(query, (key,) if everyone else (key, owner)).fetchall():
            said = row["subject_said"] or row["subject"]
            found, shown = resolve_entity(db, row["user"], said)
            if (found, shown) == (row["entity"], row["subject"]):
                continue
            groups[group_of(registry, row)] = None
            db.execute(
                "UPDATE fact SET entity = ?, subject = ?, subject_said = ? WHERE key = ?",
                (found, shown, said if said != shown else None, row["key"]),
            )
            db.execute("INSERT INTO removal (key) VALUES (?)", (row["key"],))
            moved = db.execute("SELECT * FROM fact WHERE key = ?", (row["key"],)).fetchone()
            groups[group_of(registry, moved)] = None
    return settle_groups(db, registry, list(groups), now, cipher)


def listed(db: sqlite3.Connection, owner: str | None) -> list[tuple[str, str | None, int]]:
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


def alias_records(db: sqlite3.Connection) -> list[Alias]:
    """All aliases, as records."""
    query = "SELECT * FROM alias ORDER BY owner, alias"
    return [
        Alias(
            name=row["name"],
            target=row["target_name"],
            reason=row["reason"],
            user=row["owner"] or None,
            recorded_at=row["recorded_at"],
        )
        for row in db.execute(query)
    ]


# -- Reading facts: what holds, what held, what was believed, and everything that was told. --


_ORDER = " ORDER BY subject COLLATE NOCASE, predicate, coalesce(fact.valid_from, created_at), key"


def facts(db: sqlite3.Connection, where: Filter, subject: str | None, history: bool) -> list[Fact]:
    """The facts that hold at a time, or all; each with the interval that holds it then."""
    at, known = where.as_of or where.known_at or (None if history else where.now), where.known_at
    timeless = structs.replace(where, as_of=None, now=None, known_at=None)
    sql, values = condition(timeless)
    if history or known:
        sql = sql.replace("live", "1", 1)
    if subject is not None:
        sql += " AND key IN (SELECT key FROM fact WHERE entity = ?)"
        values = (*values, _subject_key(db, where.user, subject))
    held, times = ("", ()) if at is None else _held(at, known)
    query = (
        f"SELECT fact.* {', i.valid_from AS held_from, i.valid_to AS held_to' if held else ''}"
        f" FROM fact {held} WHERE key IN (SELECT key FROM fact_entry WHERE {sql})"
    )
    found = db.execute(query + _ORDER, (*times, *values)).fetchall()
    return [_held_fact(row) if held else rows.fact(row) for row in found]


def _held(at: str, known: str | None) -> tuple[str, tuple[Any, ...]]:
    sql, values = believed_at(at, known)
    return f"JOIN fact_interval AS i ON i.fact = fact.key AND {sql}", values


def believed_at(at: str, known: str | None) -> tuple[str, tuple[Any, ...]]:
    """The condition on rows ``i`` of ``fact_interval``: they hold at a time, as is believed now
    or was believed when ``known``."""
    sql = "i.valid_from <= ? AND (i.valid_to IS NULL OR i.valid_to > ?)"
    values = [moment(at)] * 2
    if known is None:
        return f"i.believed_to IS NULL AND {sql}", tuple(values)
    sql += " AND i.believed_from <= ? AND (i.believed_to IS NULL OR i.believed_to > ?)"
    return sql, (*values, *[moment(known)] * 2)


def _held_fact(row: sqlite3.Row) -> Fact:
    fact = rows.fact(row)
    begin, end = f"{row['held_from']}Z", row["held_to"] and f"{row['held_to']}Z"
    unsaid = row["stated_from"] is None and begin in (BEGINNING, fact.created_at)
    fact.valid_from, fact.valid_to = None if unsaid else begin, end
    if fact.retired_at is not None:
        fact.retired_at = None  # it is shown as it was believed
    return fact


def _subject_key(db: sqlite3.Connection, owner: str | None, subject: str) -> str:
    key, _ = resolve_entity(db, owner, subject)
    if key == fold(subject) and owner is None:  # the name of any user
        row = db.execute(
            "SELECT target FROM alias WHERE alias = ? AND NOT EXISTS"
            " (SELECT 1 FROM fact WHERE entity = ?) LIMIT 1",
            (key, key),
        ).fetchone()
        return row[0] if row else key
    return key


def with_history(db: sqlite3.Connection, fact: Fact) -> Fact:
    """The fact with everything that was told of it and believed about it."""
    query = "SELECT key, subject_said, stated_from, stated_to FROM fact WHERE id = ?"
    row = db.execute(query, (fact.id,)).fetchone()
    if row is None:
        return fact
    notes = db.execute(
        "SELECT kind, at, recorded_at FROM fact_note WHERE fact = ? ORDER BY n", (row["key"],)
    )
    beliefs = db.execute(
        "SELECT valid_from, valid_to, believed_from, believed_to FROM fact_interval"
        " WHERE fact = ? ORDER BY n",
        (row["key"],),
    )
    made = structs.replace(
        fact,
        stated_from=row["stated_from"],
        stated_to=row["stated_to"],
        notes=[Note(**dict(note)) for note in notes],
        beliefs=[
            Belief(**{name: at and f"{at}Z" for name, at in dict(belief).items()})
            for belief in beliefs
        ],
    )
    if row["subject_said"] is not None:
        made.subject_said = row["subject_said"]
    return made


# -- What was told of facts, and settling what holds: functions over the connection of a writ --


# owner, entity, predicates, and the value of those that do not exclude other values
Group = tuple[str | None, str, tuple[str, ...], str | None]
_COLUMNS = (
    "id predicate object valid_from valid_to recorded_at retired_at created_at "
    "session user agent quote trust sensitivity"
).split()


def columns(db: sqlite3.Connection, fact: Fact) -> dict[str, Any]:
    """The row of a new fact. What it says of itself as ``stated`` counts as told."""
    said = fact.subject if fact.subject_said is UNSET else fact.subject_said
    entity, shown = resolve_entity(db, fact.user, said)
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


def statements(db: sqlite3.Connection, group: Group, cipher: Cipher | None) -> list[Statement]:
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
        said = encryption.alike(db, cipher, owner, entity, predicates, value)
        query += f" AND value IN ({','.join('?' * len(said))})"
        values += said
    return [
        Statement(
            fact=str(row["key"]),
            value=row["predicate"]
            if len(predicates) > 1
            else encryption.plain(db, cipher, row["id"], row["value"]),
            said=row["created_at"],
            asserted=(moment(row["recorded_at"]), row["key"]),
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
    db: sqlite3.Connection, registry: Registry, fact: Fact, cipher: Cipher | None
) -> Repeat | None:
    """The known fact that ``fact`` says again or ends; its id in ``fact``."""
    entity, _ = resolve_entity(db, fact.user, fact.subject)
    value = fold(fact.object)
    group = _group(registry, fact.user, entity, fact.predicate, value)
    known = statements(db, group, cipher)
    new = Statement(
        fact="",
        value=fact.predicate if len(group[2]) > 1 else value,
        said=fact.created_at or "",
        start=fact.valid_from,
        end=fact.valid_to,
    )
    found = timeline.repeats(new, known, timeline.resolve_intervals(known))
    if found is None:
        return None
    row = db.execute("SELECT id FROM fact WHERE key = ?", (int(found.fact),)).fetchone()
    return Repeat(row[0], found.kind, found.at)


def settle_groups(
    db: sqlite3.Connection,
    registry: Registry,
    groups: Sequence[Group],
    now: str,
    cipher: Cipher | None,
) -> list[Change]:
    """Resolves again what holds in these groups; returns the facts that hold otherwise."""
    changes: list[Change] = []
    for group in groups:
        told = statements(db, group, cipher)
        held = timeline.resolve_intervals(told)
        for statement in told:
            value = [i for s in told if s.value == statement.value for i in held[s.fact]]
            change = _settle_fact(db, statement, held[statement.fact], value, now)
            if change is not None:
                changes.append(change)
        owner, entity, predicates, _ = group
        if entity == USER and predicates == ("name",):
            changes += follow_names(db, registry, owner, now, cipher)
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
    db: sqlite3.Connection, registry: Registry, id: str, now: str, cipher: Cipher | None
) -> list[Change] | None:
    """The fact was never true: the rest is as if it had not been told. None when it is retired
    already, or there is no such fact."""
    row = db.execute("SELECT * FROM fact WHERE id = ? AND retired_at IS NULL", (id,)).fetchone()
    if row is None:
        return None
    before = believed(db, row["key"])
    at = _disbelieve(db, row["key"], before, now)
    query = "UPDATE fact SET retired_at = ? WHERE key = ?"
    db.execute(query, (f"{at}Z", row["key"]))
    db.execute("INSERT INTO removal (key) VALUES (?)", (row["key"],))
    rest = settle_groups(db, registry, [group_of(registry, row)], now, cipher)
    return [Change(id, before, [], True), *rest]


def forget_told(db: sqlite3.Connection, key: int) -> None:
    """Deletes what hangs on the row of a fact."""
    for table in ("fact_note", "fact_interval"):
        db.execute(f"DELETE FROM {table} WHERE fact = ?", (key,))


# -- The user's own predicates, on top of the packaged ones. --


def registry(db: sqlite3.Connection) -> Registry:
    """All predicates; the user's own count more."""
    return _together(tuple(own_entries(db)))


@lru_cache(maxsize=8)  # asked for with each fact
def _together(own: tuple[PredicateEntry, ...]) -> Registry:
    return Registry([*packaged_entries(), *own]) if own else packaged()


def own_entries(db: sqlite3.Connection) -> list[PredicateEntry]:
    found = db.execute("SELECT body FROM predicate ORDER BY name")
    return [msgspec.json.decode(row[0], type=PredicateEntry) for row in found]


def set_predicate(
    db: sqlite3.Connection, predicate: Predicate, now: str, cipher: Cipher | None
) -> list[Change]:
    """Sets one, renames the facts that have one of its spellings, and settles what it concerns."""

    before = registry(db).opposite(predicate.name)
    save_predicate(db, predicate)
    known = registry(db)
    concerned = {predicate.name, predicate.opposite, before} - {None}
    for row in db.execute("SELECT DISTINCT predicate FROM fact").fetchall():
        if known.name(row[0]) != row[0]:
            concerned.add(known.name(row[0]))
            db.execute(
                "INSERT INTO removal (key) SELECT key FROM fact WHERE predicate = ?", (row[0],)
            )
            db.execute(
                "UPDATE fact SET predicate = ? WHERE predicate = ?", (known.name(row[0]), row[0])
            )
    groups: dict[Group, None] = {}
    for name in sorted(filter(None, concerned)):
        query = "SELECT * FROM fact WHERE predicate = ? AND retired_at IS NULL"
        for row in db.execute(query, (name,)).fetchall():
            groups[group_of(known, row)] = None
    return settle_groups(db, known, list(groups), now, cipher)


def save_predicate(db: sqlite3.Connection, predicate: Predicate) -> bool:
    """Writes the row alone; False when that very one is there."""
    entry = PredicateEntry(
        name=predicate.name,
        cardinality=predicate.cardinality,
        spellings=tuple(predicate.spellings),
        opposite=predicate.opposite,
        description=predicate.description,
        source="own",
    )
    if entry in own_entries(db):
        return False
    body = msgspec.json.encode(entry).decode()
    db.execute("INSERT OR REPLACE INTO predicate VALUES (?,?)", (entry.name, body))
    return True


# -- What may no longer be true, and why: memories by their mark, turns by the facts told in  --


_MEMORIES = "SELECT key, stale FROM memory WHERE stale IS NOT NULL AND key IN ({})"
_TOLD = (
    "SELECT turn.key, fact.key FROM turn"
    " JOIN link ON link.target = turn.id AND link.relation = 'derived_from'"
    " JOIN fact ON fact.id = link.source"
    " WHERE turn.key IN ({}) AND (fact.retired_at IS NOT NULL OR fact.valid_to <= ?1)"
    " ORDER BY fact.key"
)
# of a fact that was told to end later, and is over now: nothing happened then that could mark it
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
AT_ONCE = 500  # keys in one query


def stale(db: sqlite3.Connection, keys: Sequence[int], now: str) -> dict[int, str]:
    """The reasons by key; what is fine is left out."""
    found: dict[int, str] = {}
    for start in range(0, len(keys), AT_ONCE):
        part = keys[start : start + AT_ONCE]
        marks = ",".join("?" * len(part))
        found |= dict(db.execute(_MEMORIES.format(marks), part).fetchall())
        for key, reason in (*_over(db, _TOLD, part, now), *_over(db, _ABOUT, part, now)):
            found[key] = f"{found[key]}; {reason}" if key in found else reason
    return found


def _over(
    db: sqlite3.Connection, query: str, keys: Sequence[int], now: str
) -> Iterator[tuple[int, str]]:
    """What was said is kept as it was said; what has ended of it since is reported next to it."""
    numbered = ",".join(f"?{place}" for place in range(2, len(keys) + 2))
    for said_in, fact_key in db.execute(query.format(numbered), (now, *keys)).fetchall():
        row = db.execute("SELECT * FROM fact WHERE key = ?", (fact_key,)).fetchone()
        fact = rows.fact(row)
        yield said_in, ended_reason(fact, None if fact.retired_at else fact.valid_to)
