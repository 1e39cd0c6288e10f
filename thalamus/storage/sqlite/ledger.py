"""The ledger: append-only, each entry carrying the hash of the one before it.

What an entry says (its turn, its session, its data) enters the chain only as a salted digest, its
``body``. So an entry can be emptied: words and salt go, the digest stays, the chain still holds,
and nobody can find out by trying what the digest is of. An emptied entry must be named by a later
entry ``forgotten``; one that is not was tampered with. The signature of an entry is of its number
and its hash, so an emptied entry keeps it.
"""

from __future__ import annotations

import hashlib
import hmac
import sqlite3
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from thalamus.storage.sqlite import rows

if TYPE_CHECKING:
    from thalamus.clock import Clock
    from thalamus.records import Event
    from thalamus.storage.sqlite.signer import Signer

GENESIS = "0" * 64
FORGOTTEN = "forgotten"  # the name of the entry that names emptied ones


def append(
    connection: sqlite3.Connection, event: Event, clock: Clock, signer: Signer | None = None
) -> Event:
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
    if signer is not None and event.seq is not None:
        sign(connection, signer, event.seq, digest)
    return event


def sign(connection: sqlite3.Connection, signer: Signer, seq: int, hash: str) -> None:
    """Puts the signature on an entry. The hash needs no key: an import compares by it."""
    mac = signer.entry(seq, hash)
    connection.execute("UPDATE event SET mac = ? WHERE seq = ?", (mac, seq))


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
    """Where the chain is broken, in words."""
    emptied = EmptiedEntries()
    found = [
        f"ledger entry {seq} does not follow from the previous one"
        for seq in breaks(connection, emptied)
    ]
    found += [
        f"ledger entry {seq} was emptied, but no later entry records it" for seq in emptied.left
    ]
    last = connection.execute("SELECT coalesce(max(seq), 0) FROM event").fetchone()[0]
    given = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'event'").fetchone()
    if given is not None and given[0] > last:
        found.append(f"the ledger ends at entry {last}, but {given[0]} were written")
    return found


def breaks(connection: sqlite3.Connection, emptied: EmptiedEntries) -> Iterator[int]:
    """The entries that do not follow from the one before them."""
    prev = GENESIS
    for row in connection.execute("SELECT * FROM event ORDER BY seq"):
        if not follows(prev, row):
            yield row["seq"]
        emptied.see(row)
        prev = row["hash"]


def follows(prev: str, row: sqlite3.Row) -> bool:
    """Whether an entry is what its hash says, and names the hash of the one before it."""
    return bool(row["prev"] == prev and _holds(row))


class EmptiedEntries:
    """``left``: the emptied entries that no later one has named, of those that were seen."""

    def __init__(self) -> None:
        self.left: set[int] = set()

    def see(self, row: sqlite3.Row) -> bool:
        """To be shown every entry, in their order. Whether it names others."""
        if row["salt"] is None:
            self.left.add(row["seq"])
        elif row["name"] == FORGOTTEN:
            for first, last in rows.event(row).data.get("entries", []):
                self.left = {seq for seq in self.left if not first <= seq <= last}
            return True
        return False


def _holds(row: sqlite3.Row) -> bool:
    """Whether an entry is what its digests say."""
    said = (row["turn"], row["session"], row["data"])
    if row["salt"] is None:
        whole = said == (None, None, "{}")
    else:
        whole = row["body"] == body_digest(row["salt"], *said)
    return whole and row["hash"] == chain_hash(row["prev"], row["at"], row["name"], row["body"])
