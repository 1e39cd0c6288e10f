"""Whom the facts are about: names that mean the same, and the facts that follow them.

An alias belongs to an owner (a user; the empty text when to nobody in particular). Names merged by
hand for nobody in particular count for every owner, what a user is called for that owner only.
"""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from thalamus.policy.entities import USER, canonical, fold, key_of, subject_name
from thalamus.records import Alias

if TYPE_CHECKING:
    from thalamus.policy.predicates import Registry
    from thalamus.storage.shapes import Change
    from thalamus.storage.sqlite.sealed import Boxes


def aliases(db: sqlite3.Connection, owner: str | None) -> dict[str, tuple[str, str]]:
    """alias -> (target, the name that is shown), as they count for an owner."""
    found = db.execute(
        "SELECT alias, target, target_name FROM alias"
        " WHERE owner = ?1 OR (owner = '' AND reason <> 'name') ORDER BY owner",
        (owner or "",),
    )
    return {row[0]: (row[1], row[2]) for row in found}


def entity(db: sqlite3.Connection, owner: str | None, subject: str) -> tuple[str, str]:
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
    boxes: Boxes | None,
) -> list[Change]:
    """From now on ``name`` means ``into``."""
    _, shown = entity(db, owner, into)
    before, _ = entity(db, owner, name)
    add_alias(db, Alias(name=name, target=shown, user=owner, recorded_at=now), now)
    return reassign(db, registry, owner, {before, key_of(name)}, now, boxes)


def unmerge(
    db: sqlite3.Connection,
    registry: Registry,
    name: str,
    owner: str | None,
    now: str,
    boxes: Boxes | None,
) -> list[Change] | None:
    """``name`` means itself again, also when it is what the user is called. None when it does."""
    row = db.execute(
        "SELECT reason, target, owner FROM alias WHERE alias = ?1 AND owner IN ('', ?2)"
        " ORDER BY owner DESC LIMIT 1",
        (key_of(name), owner or ""),
    ).fetchone()
    if row is None or row["reason"] == "apart":
        return None
    before, _ = entity(db, owner, name)
    if row["reason"] == "hand":
        db.execute("DELETE FROM alias WHERE alias = ? AND owner = ?", (key_of(name), row["owner"]))
    else:
        own = Alias(name=name, target=name, reason="apart", user=owner, recorded_at=now)
        add_alias(db, own, now)
    return reassign(db, registry, owner, {before, key_of(name)}, now, boxes)


def follow_names(
    db: sqlite3.Connection, registry: Registry, owner: str | None, now: str, boxes: Boxes | None
) -> list[Change]:
    """What the user is called means the user. Called when a fact about the user's name changed.
    A name that is sealed is no other name: it would stand there in plain words."""
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
    return reassign(db, registry, owner, moved, now, boxes, exact=True)


def reassign(
    db: sqlite3.Connection,
    registry: Registry,
    owner: str | None,
    keys: set[str],
    now: str,
    boxes: Boxes | None,
    exact: bool = False,
) -> list[Change]:
    """Finds anew what the subjects of the facts under these keys mean, and settles what moved.
    With ``exact`` the facts of this owner only, else without an owner those of everyone."""
    from thalamus.storage.sqlite.telling import Group, group_of, settle_groups

    everyone = owner is None and not exact
    groups: dict[Group, None] = {}
    for key in sorted(keys):
        query = f"SELECT * FROM fact WHERE entity = ? {'' if everyone else 'AND user IS ?'}"
        for row in db.execute(query, (key,) if everyone else (key, owner)).fetchall():
            said = row["subject_said"] or row["subject"]
            found, shown = entity(db, row["user"], said)
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
    return settle_groups(db, registry, list(groups), now, boxes)


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
