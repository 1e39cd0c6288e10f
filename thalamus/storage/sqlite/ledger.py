"""The ledger: append-only, each entry carrying the hash of the one before it.

What an entry says (its turn, its session, its data) enters the chain only as a salted digest, its
``body``. So an entry can be emptied: words and salt go, the digest stays, the chain still holds,
and nobody can find out by trying what the digest is of. An emptied entry must be named by a later
entry ``forgotten``; one that is not was tampered with.
"""

from __future__ import annotations

import hashlib
import hmac
import sqlite3
from collections.abc import Iterable, Iterator

from thalamus.clock import Clock
from thalamus.records import Event
from thalamus.storage.sqlite import rows

GENESIS = "0" * 64
FORGOTTEN = "forgotten"  # the name of the entry that names emptied ones


def append(connection: sqlite3.Connection, event: Event, clock: Clock) -> Event:
    """Appends ``event`` in the present transaction; returns it with seq, prev, hash, body and
    salt. An entry of an export brings its salt, an emptied one its body, and keeps them."""
    last = connection.execute("SELECT hash FROM event ORDER BY seq DESC LIMIT 1").fetchone()
    prev = last[0] if last else GENESIS
    data = rows.pack_json(event.data)
    emptied = event.body and not (event.salt or event.data or event.turn or event.session)
    if not emptied:
        event.salt = event.salt or clock.new_salt(prev, event.at, event.name)
        event.body = body_digest(event.salt, event.turn, event.session, data)
    assert event.body is not None
    digest = chain_hash(prev, event.at, event.name, event.body)
    cursor = connection.execute(
        "INSERT INTO event (at, name, turn, session, data, prev, hash, salt, body)"
        " VALUES (?,?,?,?,?,?,?,?,?)",
        (
            *(event.at, event.name, event.turn, event.session, data),
            *(prev, digest, event.salt, event.body),
        ),
    )
    event.seq, event.prev, event.hash = cursor.lastrowid, prev, digest
    return event


def body_digest(salt: str, turn: str | None, session: str | None, data: str) -> str:
    """HMAC-SHA256, keyed with the entry's salt, over what it says."""
    text = rows.pack_json([turn, session, data])
    return hmac.new(bytes.fromhex(salt), text.encode("utf-8", "replace"), "sha256").hexdigest()


def chain_hash(prev: str, at: str, name: str, body: str) -> str:
    """SHA-256 over the previous hash and the entry, as a JSON list."""
    text = rows.pack_json([prev, at, name, body])
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def empty(connection: sqlite3.Connection, entries: Iterable[int]) -> None:
    """Takes the words out of entries, in the present transaction. The caller appends the entry
    that names them: ``append(Event(name=FORGOTTEN, data={"entries": spans(entries), …}))``."""
    connection.executemany(
        "UPDATE event SET turn = NULL, session = NULL, data = '{}', salt = NULL WHERE seq = ?",
        ((seq,) for seq in entries),
    )


def spans(numbers: Iterable[int]) -> list[list[int]]:
    """Numbers as first and last of each run: 1, 2, 3, 7 -> [[1, 3], [7, 7]]."""
    found: list[list[int]] = []
    for number in sorted(set(numbers)):
        if found and found[-1][1] == number - 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return found


def head(connection: sqlite3.Connection) -> dict[str, object]:
    """Number and hash of the last entry."""
    row = connection.execute("SELECT seq, hash FROM event ORDER BY seq DESC LIMIT 1").fetchone()
    return {"seq": row[0], "hash": row[1]} if row else {"seq": 0, "hash": GENESIS}


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
    """Where the chain is broken."""
    found = []
    prev, last = GENESIS, 0
    emptied: set[int] = set()
    for row in connection.execute("SELECT * FROM event ORDER BY seq"):
        if row["prev"] != prev or not _holds(row):
            found.append(f"ledger entry {row['seq']} does not follow from the one before it")
        if row["salt"] is None:
            emptied.add(row["seq"])
        elif row["name"] == FORGOTTEN:
            for first, end in rows.event(row).data.get("entries", []):
                emptied.difference_update(range(first, end + 1))
        prev, last = row["hash"], row["seq"]
    found += [f"ledger entry {seq} was emptied, and no later entry says so" for seq in emptied]
    given = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'event'").fetchone()
    if given is not None and given[0] > last:
        found.append(f"the ledger ends at entry {last}, but there were {given[0]}")
    return found


def _holds(row: sqlite3.Row) -> bool:
    """Whether an entry is what its digests say."""
    said = (row["turn"], row["session"], row["data"])
    if row["salt"] is None:
        whole = said == (None, None, "{}")
    else:
        whole = row["body"] == body_digest(row["salt"], *said)
    return whole and row["hash"] == chain_hash(row["prev"], row["at"], row["name"], row["body"])
