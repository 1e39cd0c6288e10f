"""The ledger: append-only, each entry carrying the hash of the one before it."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator
from typing import TYPE_CHECKING

from thalamus.records import Event
from thalamus.storage.sqlite import rows

if TYPE_CHECKING:
    from thalamus.storage.sqlite.signing import Signer

GENESIS = "0" * 64


def append(connection: sqlite3.Connection, event: Event, signer: Signer | None = None) -> Event:
    """Appends ``event`` in the present transaction; returns it with seq, prev and hash."""
    last = connection.execute("SELECT hash FROM event ORDER BY seq DESC LIMIT 1").fetchone()
    prev = last[0] if last else GENESIS
    data = rows.pack_json(event.data)
    digest = chain_hash(prev, event.at, event.name, event.turn, event.session, data)
    cursor = connection.execute(
        "INSERT INTO event (at, name, turn, session, data, prev, hash) VALUES (?,?,?,?,?,?,?)",
        (event.at, event.name, event.turn, event.session, data, prev, digest),
    )
    event.seq, event.prev, event.hash = cursor.lastrowid, prev, digest
    if signer is not None and event.seq is not None:
        sign(connection, signer, event.seq, digest)
    return event


def sign(connection: sqlite3.Connection, signer: Signer, seq: int, hash: str) -> None:
    """Puts the signature on an entry. The hash needs no key: an import compares by it."""
    mac = signer.entry(seq, hash)
    connection.execute("UPDATE event SET mac = ? WHERE seq = ?", (mac, seq))


def chain_hash(
    prev: str, at: str, name: str, turn: str | None, session: str | None, data: str
) -> str:
    """SHA-256 over the previous hash and the entry's own columns, as a JSON list."""
    text = rows.pack_json([prev, at, name, turn, session, data])
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def read(connection: sqlite3.Connection, turn: str | None, limit: int | None) -> Iterator[Event]:
    """The entries, oldest first: of one turn, or the last ``limit``."""
    query = "SELECT * FROM event"
    values: list[object] = []
    if turn is not None:
        query += " WHERE turn = ?"
        values.append(turn)
    if limit is not None:
        query = f"SELECT * FROM ({query} ORDER BY seq DESC LIMIT ?)"
        values.append(limit)
    for row in connection.execute(f"{query} ORDER BY seq", values):
        yield rows.event(row)


def problems(connection: sqlite3.Connection) -> list[str]:
    """Where the chain is broken, in words."""
    found = [
        f"ledger entry {seq} does not follow from the one before it" for seq in breaks(connection)
    ]
    last = connection.execute("SELECT coalesce(max(seq), 0) FROM event").fetchone()[0]
    given = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'event'").fetchone()
    if given is not None and given[0] > last:
        found.append(f"the ledger ends at entry {last}, but there were {given[0]}")
    return found


def breaks(connection: sqlite3.Connection) -> Iterator[int]:
    """The entries that do not follow from the one before them."""
    prev = GENESIS
    for row in connection.execute("SELECT * FROM event ORDER BY seq"):
        if not follows(prev, row):
            yield row["seq"]
        prev = row["hash"]


def follows(prev: str, row: sqlite3.Row) -> bool:
    """Whether an entry is what its hash says, and names the hash of the one before it."""
    digest = chain_hash(
        row["prev"], row["at"], row["name"], row["turn"], row["session"], row["data"]
    )
    return bool(row["prev"] == prev and row["hash"] == digest)
