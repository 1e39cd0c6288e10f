"""The rows of a store as pieces to be judged: every table that holds words, also later ones."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from thalamus.policy.about import in_words
from thalamus.policy.forget import Piece
from thalamus.storage.sqlite import rows

if TYPE_CHECKING:
    from thalamus.records import Event
    from thalamus.storage.sqlite.sealed import Boxes

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
    "seal",
    "sealed",
    "job",
}
# columns that are no words, or are read in another way
_PLAIN = set(
    "key id created_at recorded_at retired_at valid_from valid_to expires_at session user agent"
    " trust status sensitivity importance scope type provenance said content_hash subject"
    " predicate object quote message answer content topic metadata body sha256 turn data"
    " salt".split()
)

_TIME = re.compile(r"\d{4}-\d\d-\d\d(T[\d:.]+Z?)?")


def pieces(db: sqlite3.Connection, boxes: Boxes | None) -> Iterator[Piece]:
    """Every row but those of the ledger; what is sealed is opened, as far as its key is here."""
    for table in ("memory", "fact", "turn", "plan", "document"):
        cursor = db.execute(f"SELECT * FROM {table}")
        more = [column[0] for column in cursor.description if column[0] not in _PLAIN]
        make = _MAKERS[table]
        sealed = _sealed(db, table)
        for row in cursor:
            if boxes is not None and row["id"] in sealed:
                row = _open(boxes, table, row)
            piece: Piece = make(row)
            piece.texts += [in_words(text) for name in more if _says(text := row[name])]
            yield piece
    for table in other_tables(db):
        yield from _others(db, table)


def events(db: sqlite3.Connection, open: Callable[[Event], Event]) -> Iterator[Piece]:
    """The entries of the ledger that were not emptied and do not tell of emptying."""
    for row in db.execute("SELECT * FROM event WHERE salt IS NOT NULL"):
        if row["name"] != "forgotten":
            event = open(rows.event(row))
            texts = [event.name, *strings(event.data)]
            yield Piece("event", str(event.seq), texts, turn=event.turn, session=event.session)


def other_tables(db: sqlite3.Connection) -> list[str]:
    """Tables that this module knows nothing of."""
    found = db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    names = (row[0] for row in found)
    mute = (*_MUTE, *KNOWN)
    return [n for n in names if n not in mute and not n.startswith(("sqlite_", "_sqlite"))]


def _sealed(db: sqlite3.Connection, table: str) -> set[str]:
    return {row[0] for row in db.execute("SELECT id FROM sealed WHERE kind = ?", (table,))}


def _open(boxes: Boxes, table: str, row: sqlite3.Row) -> Any:
    """A sealed row with its content in its columns; as it is when it does not open."""
    values = boxes.content(table, row["id"])
    if values is None:
        return row
    values.pop("vector", None)
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


def _others(db: sqlite3.Connection, table: str) -> Iterator[Piece]:
    for row in db.execute(f"SELECT json_array({name_of(db, table)}), * FROM {table}"):
        texts = []
        for value in tuple(row)[1:]:
            if value and _says(value):
                texts.append(value)
                if value[:1] in "[{":
                    texts += _inside(value)
        yield Piece(table, row[0], texts)


def _inside(text: str) -> list[str]:
    try:
        return list(strings(msgspec.json.decode(text)))
    except msgspec.DecodeError:
        return []


def _metadata(row: sqlite3.Row) -> list[str]:
    text = row["metadata"]
    return [] if text == "{}" else list(strings(msgspec.json.decode(text)))


def _made(kind: str, row: sqlite3.Row, main: list[str], texts: list[str]) -> Piece:
    source = rows.provenance(row["provenance"]) if kind != "turn" else None
    piece = Piece(
        kind,
        row["id"],
        [*texts, *_metadata(row)],
        main,
        session=row["session"],
        user=row["user"],
        agent=row["agent"],
    )
    if source is not None:
        piece.turn, piece.document = source.turn, source.document
        piece.quotes = [text for text in (source.quote, source.heading) if text]
    return piece


def _memory(row: sqlite3.Row) -> Piece:
    texts = [text for text in (row["content"], row["topic"]) if text]
    return _made("memory", row, [row["content"]], texts)


def _fact(row: sqlite3.Row) -> Piece:
    said = (row["subject"], row["predicate"], row["object"])
    piece = _made("fact", row, [row["object"]], [" ".join(said)])
    piece.subject = row["subject"]
    if row["quote"]:
        piece.quotes.append(row["quote"])
    return piece


def _turn(row: sqlite3.Row) -> Piece:
    said = [text for text in (row["message"], row["answer"]) if text]
    return _made("turn", row, said, list(said))


def _plan(row: sqlite3.Row) -> Piece:
    plan = rows.plan(row)
    texts = [text for item in plan.retrieval_instructions for text in (item.query, item.topic)]
    said = [text for text in texts if text]
    return Piece(
        "plan", row["id"], said, session=row["session"], user=row["user"], turn=row["turn"]
    )


def _document(row: sqlite3.Row) -> Piece:
    found = rows.document(row)
    texts = [text for text in (found.title, found.path) if text]
    texts += [text for problem in found.issues for text in (problem.message, problem.fix)]
    quotes = [text for text in (found.summary, found.topic) if text]
    return Piece("document", row["id"], texts, list(quotes), quotes)


_MAKERS = {"memory": _memory, "fact": _fact, "turn": _turn, "plan": _plan, "document": _document}
