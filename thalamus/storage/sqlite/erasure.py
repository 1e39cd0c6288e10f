"""The rows of something that is forgotten, deleted in one transaction."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from thalamus.policy.erasure import ErasurePlan, ScanItem, is_given
from thalamus.policy.staleness import reason_in_words
from thalamus.records import Event
from thalamus.records.identity import identity_hash
from thalamus.storage.protocol import NOBODY, ErasedContent
from thalamus.storage.sqlite import ledger, rows
from thalamus.storage.sqlite.connection import MARKER
from thalamus.storage.sqlite.encryption import VALUE, VECTOR
from thalamus.storage.sqlite.writer import bring_back, close_batch, delete

if TYPE_CHECKING:
    from thalamus.clock import Clock
    from thalamus.storage.sqlite.encryption import Cipher
    from thalamus.storage.sqlite.signer import Signer


KNOWN = ("turn", "memory", "fact", "document", "plan", "event")
# tables without words of the user's
_MUTE = {
    "meta",
    "link",
    "space",
    "embedding",
    "removal",
    "event",
    "sqlite_sequence",
    "signature",
    "encrypted",
    "job",
}
# columns that are no words, or are read in another way
_PLAIN = set(
    "key id created_at recorded_at retired_at valid_from valid_to expires_at session user agent"
    " trust status sensitivity importance scope type provenance identity_hash content_hash subject"
    " predicate object quote message answer content topic metadata body sha256 turn data"
    " salt".split()
)

_TIME = re.compile(r"\d{4}-\d\d-\d\d(T[\d:.]+Z?)?")


def scan_items(db: sqlite3.Connection, cipher: Cipher | None) -> Iterator[ScanItem]:
    """Every row but those of the ledger; what is encrypted is opened, as far as its key is here."""
    for table in ("memory", "fact", "turn", "plan", "document"):
        cursor = db.execute(f"SELECT * FROM {table}")
        more = [column[0] for column in cursor.description if column[0] not in _PLAIN]
        make = _MAKERS[table]
        encrypted = _encrypted(db, table)
        for row in cursor:
            if cipher is not None and row["id"] in encrypted:
                row = _open(cipher, table, row)
            item: ScanItem = make(row)
            item.texts += [reason_in_words(text) for name in more if _says(text := row[name])]
            yield item
    for table in other_tables(db):
        yield from _others(db, table)


def scan_events(db: sqlite3.Connection, open: Callable[[Event], Event]) -> Iterator[ScanItem]:
    """The entries of the ledger that were not emptied and do not record an emptying."""
    for row in db.execute("SELECT * FROM event WHERE salt IS NOT NULL"):
        if row["name"] != "forgotten":
            event = open(rows.event(row))
            texts = [event.name, *strings(event.data)]
            yield ScanItem("event", str(event.seq), texts, turn=event.turn, session=event.session)


def other_tables(db: sqlite3.Connection) -> list[str]:
    """Tables that this module knows nothing of."""
    found = db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    names = (row[0] for row in found)
    mute = (*_MUTE, *KNOWN)
    return [n for n in names if n not in mute and not n.startswith(("sqlite_", "_sqlite"))]


def _encrypted(db: sqlite3.Connection, table: str) -> set[str]:
    return {row[0] for row in db.execute("SELECT id FROM encrypted WHERE kind = ?", (table,))}


def _open(cipher: Cipher, table: str, row: sqlite3.Row) -> Any:
    """An encrypted row with its content in its columns; as it is when it does not open."""
    values = cipher.content(table, row["id"])
    if values is None:
        return row
    for name in (VECTOR, VALUE):
        values.pop(name, None)
    found = dict(row)
    if table == "plan":
        found["body"] = rows.pack_json({**msgspec.json.decode(row["body"]), **values})
        return found
    source = values.pop("provenance", None)
    if source:
        known = {name: value for name, value in source.items() if value is not None}
        found["provenance"] = rows.pack_json(known)
    found["metadata"] = rows.pack_json(values.pop("metadata"))
    if quarantine := values.pop("quarantine", None):
        found["quarantine"] = rows.pack_json(quarantine)
    if table == "fact":
        found["value"] = None  # a digest, which is nobody's word
    return found | values


def _says(value: Any) -> bool:
    """Whether a value is a text, and no time."""
    return isinstance(value, str) and _TIME.fullmatch(value) is None


def name_of(db: sqlite3.Connection, table: str) -> str:
    """The SQL expressions that tell the rows of a table apart, as a list."""
    columns = db.execute(f"PRAGMA table_info({table})").fetchall()
    primary = [f'"{row[1]}"' for row in sorted(columns, key=lambda row: row[5]) if row[5]]
    return ", ".join(primary) or "rowid"


def strings(value: Any) -> Iterator[str]:
    """All texts in a JSON value, names too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, part in value.items():
            yield name
            yield from strings(part)
    elif isinstance(value, list):
        for part in value:
            yield from strings(part)


def _others(db: sqlite3.Connection, table: str) -> Iterator[ScanItem]:
    for row in db.execute(f"SELECT json_array({name_of(db, table)}), * FROM {table}"):
        texts = []
        for value in tuple(row)[1:]:
            if value and _says(value):
                texts.append(value)
                if value[:1] in "[{":
                    texts += _inside(value)
        yield ScanItem(table, row[0], texts)


def _inside(text: str) -> list[str]:
    try:
        return list(strings(msgspec.json.decode(text)))
    except msgspec.DecodeError:
        return []


def _metadata(row: sqlite3.Row) -> list[str]:
    text = row["metadata"]
    return [] if text == "{}" else list(strings(msgspec.json.decode(text)))


def _made(kind: str, row: sqlite3.Row, main: list[str], texts: list[str]) -> ScanItem:
    source = rows.provenance(row["provenance"]) if kind != "turn" else None
    item = ScanItem(
        kind,
        row["id"],
        [*texts, *_metadata(row)],
        main,
        session=row["session"],
        user=row["user"],
        agent=row["agent"],
    )
    if source is not None:
        item.turn, item.document = source.turn, source.document
        item.quotes = [text for text in (source.quote, source.heading) if text]
    return item


def _memory(row: sqlite3.Row) -> ScanItem:
    texts = [text for text in (row["content"], row["topic"]) if text]
    return _made("memory", row, [row["content"]], texts)


def _fact(row: sqlite3.Row) -> ScanItem:
    said = (row["subject"], row["predicate"], row["object"])
    item = _made("fact", row, [row["object"]], [" ".join(said)])
    item.subject = row["subject"]
    if row["quote"]:
        item.quotes.append(row["quote"])
    return item


def _turn(row: sqlite3.Row) -> ScanItem:
    said = [text for text in (row["message"], row["answer"]) if text]
    return _made("turn", row, said, list(said))


def _plan(row: sqlite3.Row) -> ScanItem:
    plan = rows.plan(row)
    texts = [text for item in plan.retrieval_instructions for text in (item.query, item.topic)]
    said = [text for text in texts if text]
    return ScanItem(
        "plan", row["id"], said, session=row["session"], user=row["user"], turn=row["turn"]
    )


def _document(row: sqlite3.Row) -> ScanItem:
    found = rows.document(row)
    texts = [text for text in (found.title, found.path) if text]
    texts += [text for problem in found.issues for text in (problem.message, problem.fix)]
    quotes = [text for text in (found.summary, found.topic) if text]
    return ScanItem("document", row["id"], texts, list(quotes), quotes)


_MAKERS = {"memory": _memory, "fact": _fact, "turn": _turn, "plan": _plan, "document": _document}


# -- deleting -------------------------------------------------------------------------------------


PREFIX = 64  # bytes of a vector, or of something encrypted, that tell it from any other


def forget_rows(
    db: sqlite3.Connection,
    plan: ErasurePlan,
    names: list[str],
    clock: Clock,
    signer: Signer | None = None,
    cipher: Cipher | None = None,
) -> ErasedContent:
    """Deletes and cuts in the present transaction, empties ledger entries, says so in the ledger
    and leaves the marker. What went is returned and is nowhere else."""
    done = ErasedContent(names=[*names, *plan.sessions], before=ledger.head(db))
    about = _columns_about(db)
    waiting, batches = _summed_up(db, plan), _batches_of(db, plan)
    for (kind, id), item in plan.taken.items():
        done.counts[kind] = done.counts.get(kind, 0) + 1
        said = item.texts if kind != "event" else [t for t in item.texts if " " in t]
        done.texts += [(id, kind, text) for text in (*said, *item.quotes)]
        if kind != "event" and is_given(id):
            done.texts.append((id, kind, id))
        done.vectors += _ciphertexts(db, kind, id)
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
    done.texts += [("", "quote", text) for text in plan.cut_words]
    for (kind, id), what in plan.cuts.items():
        if not (cipher is not None and _cut_encrypted(cipher, kind, id, what)):
            _cut(db, kind, id, what)
    for session in plan.sessions:
        _rename(db, session, clock, cipher)
    entries = [int(id) for id in plan.ids("event")]
    ledger.empty(db, entries)
    data = {"entries": ledger.spans(entries), "counts": dict(sorted(done.counts.items()))}
    ledger.append(db, Event(name=ledger.FORGOTTEN, at=clock.stamp(), data=data), clock, signer)
    done.after = ledger.head(db)
    db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (MARKER, clock.stamp()))
    return done


def _summed_up(db: sqlite3.Connection, plan: ErasurePlan) -> list[str]:
    """What was retired because a summary stood for it, and stays when that summary goes."""
    query = (
        "SELECT memory.id FROM link JOIN memory ON memory.id = target WHERE source = ?"
        " AND relation = 'derived_from' AND memory.status = 'retired'"
    )
    taken = set(plan.ids("memory"))
    found = [row[0] for id in sorted(taken) for row in db.execute(query, (id,))]
    return [id for id in dict.fromkeys(found) if id not in taken]


def _batches_of(db: sqlite3.Connection, plan: ErasurePlan) -> list[str]:
    """The batches that changed something that goes. Undoing one would delete what was made and
    bring nothing back. (One that was undone has no items any more.)"""
    query = "SELECT batch FROM batch_item WHERE id = ? AND before IS NOT NULL"
    found = [row[0] for id in plan.ids("memory") for row in db.execute(query, (id,))]
    return list(dict.fromkeys(found))


def _note_vectors(db: sqlite3.Connection, table: str, id: str, done: ErasedContent) -> None:
    row = db.execute(f"SELECT key FROM {table} WHERE id = ?", (id,)).fetchone()
    if row is not None:
        done.keys.append(row[0])
        found = db.execute("SELECT vector FROM embedding WHERE key = ?", (row[0],))
        done.vectors += [bytes(vector[:PREFIX]) for (vector,) in found]


def _ciphertexts(db: sqlite3.Connection, kind: str, id: str) -> list[bytes]:
    """How the encrypted content of a row begins: backups may have it."""
    found = db.execute("SELECT ciphertext FROM encrypted WHERE kind = ? AND id = ?", (kind, id))
    return [bytes(ciphertext[:PREFIX]) for (ciphertext,) in found]


def _columns_about(db: sqlite3.Connection) -> list[tuple[str, str]]:
    """(table, column) of other tables whose rows are about a turn, memory or fact: by its id in a
    column ``id``, or by its key in a column of its kind's name."""
    return [
        (table, row[1])
        for table in other_tables(db)
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
    columns = name_of(db, table).split(", ")
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
        db.execute("INSERT INTO removal (key) VALUES (?)", (key,))  # to be indexed again


def _emptied(what: set[str]) -> dict[str, None]:
    """The fields of a provenance that are cut."""
    names = {"quote": ("quote", "heading"), "turn": ("turn",)}
    return {name: None for cut in what for name in names[cut]}


def _cut_encrypted(cipher: Cipher, kind: str, id: str, what: set[str]) -> bool:
    """The same in the ciphertext of an encrypted row; False when it is not encrypted."""
    values = cipher.content(kind, id)
    if values is None:
        return False
    changes: dict[str, Any] = {}
    if values.get("provenance"):
        changes["provenance"] = values["provenance"] | _emptied(what)
    if "quote" in what and "quote" in values:
        changes["quote"] = None
    cipher.change(kind, id, **changes)
    return True


def _rename(db: sqlite3.Connection, session: str, clock: Clock, cipher: Cipher | None) -> None:
    """Another name for a session whose own holds the words; its rows stay together."""
    name = clock.new_id("session", ledger.head(db)["seq"], len(session))
    for table in ("turn", "fact"):
        db.execute(f"UPDATE {table} SET session = ? WHERE session = ?", (name, session))
    for row in db.execute("SELECT * FROM memory WHERE session = ?", (session,)).fetchall():
        memory = rows.memory(row)
        if cipher is not None:
            memory = cipher.open(memory)
        memory = msgspec.structs.replace(memory, session=name)
        identity = identity_hash(memory)  # the old hash is of the old name
        if cipher is not None and cipher.is_encrypted("memory", memory.id):
            identity = cipher.hash(memory.user or NOBODY, identity)
        values = (name, identity, row["key"])
        db.execute("UPDATE memory SET session = ?, identity_hash = ? WHERE key = ?", values)
