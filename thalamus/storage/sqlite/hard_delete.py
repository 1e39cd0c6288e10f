"""The rows of something that is forgotten, deleted in one transaction."""

from __future__ import annotations

import json
import sqlite3
from typing import TYPE_CHECKING, Any

import msgspec

from thalamus.policy.forget import Going, is_given
from thalamus.records import Event
from thalamus.storage.forgettable import Forgotten
from thalamus.storage.sqlite import ledger, own_predicates, pieces, rows, telling
from thalamus.storage.sqlite.deleting import delete
from thalamus.storage.sqlite.forgetting import MARKER
from thalamus.storage.sqlite.retiring import bring_back, close_batch
from thalamus.storage.sqlite.sealed import OWNER

if TYPE_CHECKING:
    from thalamus.clock import Clock
    from thalamus.storage.sqlite.sealed import Boxes
    from thalamus.storage.sqlite.signing import Signer

PREFIX = 64  # bytes of a vector, or of something encrypted, that tell it from any other


def forget_rows(
    db: sqlite3.Connection,
    going: Going,
    names: list[str],
    clock: Clock,
    signer: Signer | None = None,
    boxes: Boxes | None = None,
) -> Forgotten:
    """Deletes and cuts in the present transaction, empties ledger entries, says so in the ledger
    and leaves the marker. What went is returned and is nowhere else."""
    done = Forgotten(names=[*names, *going.sessions], before=ledger.head(db))
    about = _columns_about(db)
    registry = own_predicates.registry(db)
    groups = telling.groups_of(db, registry, going.ids("fact"))
    waiting, batches = _summed_up(db, going), _batches_of(db, going)
    for (kind, id), piece in going.taken.items():
        done.counts[kind] = done.counts.get(kind, 0) + 1
        said = piece.texts if kind != "event" else [t for t in piece.texts if " " in t]
        done.texts += [(id, kind, text) for text in (*said, *piece.quotes)]
        if kind != "event" and is_given(id):
            done.texts.append((id, kind, id))
        done.vectors += _boxes(db, kind, id)
        if kind in ("turn", "memory", "fact"):
            _note_vectors(db, kind, id, done)
            _delete_about(db, about, kind, id)
            delete(db, id)
        elif kind in ("plan", "document"):
            db.execute(f"DELETE FROM {kind} WHERE id = ?", (id,))
            db.execute("DELETE FROM link WHERE source = ?1 OR target = ?1", (id,))
        elif kind != "event":
            _delete_other(db, kind, id)
    for id in waiting:  # nothing else says what these do
        bring_back(db, "id = ?", id)
    for batch in batches:
        close_batch(db, batch, clock.stamp())
    done.changes = telling.settle_groups(db, registry, groups, clock.stamp(), boxes)
    done.texts += [("", "quote", text) for text in going.cut_words]
    for (kind, id), what in going.cuts.items():
        if not (boxes is not None and _cut_sealed(boxes, kind, id, what)):
            _cut(db, kind, id, what)
    for session in going.sessions:
        _rename(db, session, clock, boxes)
    entries = [int(id) for id in going.ids("event")]
    ledger.empty(db, entries)
    data = {"entries": ledger.spans(entries), "counts": dict(sorted(done.counts.items()))}
    ledger.append(db, Event(name=ledger.FORGOTTEN, at=clock.stamp(), data=data), clock, signer)
    done.after = ledger.head(db)
    db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (MARKER, clock.stamp()))
    return done


def _summed_up(db: sqlite3.Connection, going: Going) -> list[str]:
    """What was retired because a summary stood for it, and stays when that summary goes."""
    query = (
        "SELECT memory.id FROM link JOIN memory ON memory.id = target WHERE source = ?"
        " AND relation = 'derived_from' AND memory.status = 'retired'"
    )
    taken = set(going.ids("memory"))
    found = [row[0] for id in sorted(taken) for row in db.execute(query, (id,))]
    return [id for id in dict.fromkeys(found) if id not in taken]


def _batches_of(db: sqlite3.Connection, going: Going) -> list[str]:
    """The batches that changed something that goes. Undoing one would delete what was made and
    bring nothing back. (One that was undone has no items any more.)"""
    query = "SELECT batch FROM batch_item WHERE id = ? AND before IS NOT NULL"
    found = [row[0] for id in going.ids("memory") for row in db.execute(query, (id,))]
    return list(dict.fromkeys(found))


def _note_vectors(db: sqlite3.Connection, table: str, id: str, done: Forgotten) -> None:
    row = db.execute(f"SELECT key FROM {table} WHERE id = ?", (id,)).fetchone()
    if row is not None:
        done.keys.append(row[0])
        found = db.execute("SELECT vector FROM embedding WHERE key = ?", (row[0],))
        done.vectors += [bytes(vector[:PREFIX]) for (vector,) in found]


def _boxes(db: sqlite3.Connection, kind: str, id: str) -> list[bytes]:
    """How the encrypted content of a row begins: backups may have it."""
    found = db.execute("SELECT box FROM sealed WHERE kind = ? AND id = ?", (kind, id))
    return [bytes(box[:PREFIX]) for (box,) in found]


def _columns_about(db: sqlite3.Connection) -> list[tuple[str, str]]:
    """(table, column) of other tables whose rows are about a turn, memory or fact: by its id in a
    column ``id``, or by its key in a column of its kind's name."""
    return [
        (table, row[1])
        for table in pieces.other_tables(db)
        for row in db.execute(f"PRAGMA table_info({table})")
        if row[1] in ("id", "turn", "memory", "fact")
    ]


def _delete_about(db: sqlite3.Connection, about: list[tuple[str, str]], kind: str, id: str) -> None:
    for table, column in about:
        if column == "id":
            db.execute(f"DELETE FROM {table} WHERE id = ?", (id,))
        elif column == kind:
            key = f"(SELECT key FROM {kind} WHERE id = ?1)"
            db.execute(f"DELETE FROM {table} WHERE {column} = ?1 OR {column} = {key}", (id,))


def _delete_other(db: sqlite3.Connection, table: str, id: str) -> None:
    columns = pieces.name_of(db, table).split(", ")
    where = " AND ".join(f"{column} IS ?" for column in columns)
    db.execute(f"DELETE FROM {table} WHERE {where}", json.loads(id))


def _cut(db: sqlite3.Connection, kind: str, id: str, what: set[str]) -> None:
    """Takes quotes, and the name of a turn that goes, out of a row that stays."""
    if kind == "document":
        row = db.execute("SELECT * FROM document WHERE id = ?", (id,)).fetchone()
        kept = msgspec.structs.replace(rows.document(row), summary=None, topic=None)
        body = msgspec.json.encode(kept).decode()
        db.execute("UPDATE document SET body = ? WHERE id = ?", (body, id))
        return
    row = db.execute(f"SELECT provenance FROM {kind} WHERE id = ?", (id,)).fetchone()
    source = rows.provenance(row[0])
    if source is not None:
        source = msgspec.structs.replace(source, **_emptied(what))
        packed = rows.pack_provenance(source)
        db.execute(f"UPDATE {kind} SET provenance = ? WHERE id = ?", (packed, id))
    if kind == "fact" and "quote" in what:
        db.execute("UPDATE fact SET quote = NULL WHERE id = ?", (id,))
        key = db.execute("SELECT key FROM fact WHERE id = ?", (id,)).fetchone()[0]
        db.execute("INSERT INTO removal (key) VALUES (?)", (key,))  # to be indexed anew


def _emptied(what: set[str]) -> dict[str, None]:
    """The fields of a provenance that are cut."""
    names = {"quote": ("quote", "heading"), "turn": ("turn",)}
    return {name: None for cut in what for name in names[cut]}


def _cut_sealed(boxes: Boxes, kind: str, id: str, what: set[str]) -> bool:
    """The same in the box of a sealed row; False when it is not sealed."""
    values = boxes.content(kind, id)
    if values is None:
        return False
    changes: dict[str, Any] = {}
    if values.get("provenance"):
        changes["provenance"] = values["provenance"] | _emptied(what)
    if "quote" in what and "quote" in values:
        changes["quote"] = None
    boxes.change(kind, id, **changes)
    return True


def _rename(db: sqlite3.Connection, session: str, clock: Clock, boxes: Boxes | None) -> None:
    """Another name for a session whose own holds the words; its rows stay together."""
    name = clock.new_id("session", ledger.head(db)["seq"], len(session))
    for table in ("turn", "fact"):
        db.execute(f"UPDATE {table} SET session = ? WHERE session = ?", (name, session))
    for row in db.execute("SELECT * FROM memory WHERE session = ?", (session,)).fetchall():
        memory = rows.memory(row)
        if boxes is not None:
            memory = boxes.open(memory)
        memory = msgspec.structs.replace(memory, session=name)
        said = rows.said_hash(memory)  # the old hash is of the old name
        if boxes is not None and boxes.is_sealed("memory", memory.id):
            said = boxes.hash(memory.user or OWNER, said)
        values = (name, said, row["key"])
        db.execute("UPDATE memory SET session = ?, said = ? WHERE key = ?", values)
