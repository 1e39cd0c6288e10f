"""The signed head: how far the seals and the ledger go.

Whoever cuts off the end of either must sign another head, which takes the key.
"""

from __future__ import annotations

import sqlite3
from typing import Any

import msgspec

from thalamus.errors import UsageError
from thalamus.storage.sqlite.signing import GENESIS, Signer

NAME = "seal_head"
COLUMNS = "seal_columns"  # the columns of each table when its rows were sealed, as JSON
SUMS = "seal_vectors"  # the vectors of each space, as JSON
TRIGGERS = "seal_triggers"  # a digest of the triggers, which were those of a new store
SIGNED_META = ("store", "next_key", COLUMNS, SUMS, TRIGGERS)


class Sum(msgspec.Struct, omit_defaults=True):
    """How many vectors there are, and the sum of what each adds to it."""

    count: int = 0
    total: str = "0"
    edited: int = 0  # only while verifying

    def move(self, count: int, by: int) -> None:
        """So many more, or less."""
        total = int(self.total, 16) + by
        self.count += count
        self.total = f"{total % (1 << 128):x}"


class Head(msgspec.Struct):
    """``first`` … ``n``: the seals; ``seq`` and ``hash``: the last ledger entry."""

    key: str  # the fingerprint of the key that signed it
    first: int = 1
    n: int = 0
    chain: str = GENESIS.hex()
    seq: int = 0
    hash: str = ""
    mac: str = ""

    def signature(self, signer: Signer, db: sqlite3.Connection) -> str:
        """What ``mac`` has to be."""
        meta = [_meta(db, name) for name in SIGNED_META]
        head = [self.key, self.first, self.n, self.chain, self.seq, self.hash]
        return signer.head([head, meta]).hex()


def read(db: sqlite3.Connection) -> Head | None:
    """The head; None when the store was never signed. Raises ``ValueError`` when it is no head."""
    text = _meta(db, NAME)
    if text is None:
        return None
    return msgspec.json.decode(text, type=Head, strict=True)


def write(db: sqlite3.Connection, head: Head, signer: Signer) -> None:
    """Signs and writes the head."""
    head.seq, head.hash = last_event(db)
    head.mac = head.signature(signer, db)
    put(db, NAME, msgspec.json.encode(head).decode())


def put(db: sqlite3.Connection, name: str, value: str) -> None:
    db.execute("INSERT OR REPLACE INTO meta (name, value) VALUES (?,?)", (name, value))


def columns(db: sqlite3.Connection) -> dict[str, list[str]]:
    """The columns with which each table was sealed."""
    found: dict[str, list[str]] = msgspec.json.decode(
        _meta(db, COLUMNS) or "{}", type=dict[str, list[str]]
    )
    return found


def sums(db: sqlite3.Connection) -> dict[int, Sum]:
    """The vectors that were signed, by space."""
    found: dict[int, Sum] = msgspec.json.decode(_meta(db, SUMS) or "{}", type=dict[int, Sum])
    return found


def put_sums(db: sqlite3.Connection, found: dict[int, Sum]) -> None:
    put(db, SUMS, msgspec.json.encode(found).decode())


def last_event(db: sqlite3.Connection) -> tuple[int, str]:
    row = db.execute("SELECT seq, hash FROM event ORDER BY seq DESC LIMIT 1").fetchone()
    return (row[0], row[1]) if row else (0, "")


def last_seal(db: sqlite3.Connection) -> tuple[int, bytes] | None:
    row = db.execute("SELECT n, chain FROM seal ORDER BY n DESC LIMIT 1").fetchone()
    return (row[0], row[1]) if row else None


def store_id(db: sqlite3.Connection) -> str:
    return str(_meta(db, "store"))


def to_keep(db: sqlite3.Connection, head: Head, signer: Signer) -> str:
    """The head as one word to be kept elsewhere."""
    values = [store_id(db), head.n, head.chain, head.seq, head.hash or "-"]
    mac = signer.head(["kept", *values]).hex()[:32]
    return ":".join(map(str, [*values, mac]))


def kept(db: sqlite3.Connection, text: str, signer: Signer) -> Head:
    """What ``to_keep`` gave, read again. Raises ``UsageError`` when it is something else."""
    parts = text.strip().split(":")
    if len(parts) != 6 or not (parts[1].isdecimal() and parts[3].isdecimal()):
        raise UsageError("That is no head.", fix="Give what `thalamus verify --head` printed.")
    if parts[0] != store_id(db):
        raise UsageError(f"That is the head of another store, {parts[0]}.")
    n, seq = int(parts[1]), int(parts[3])
    values = [parts[0], n, parts[2], seq, parts[4]]
    if signer.head(["kept", *values]).hex()[:32] != parts[5]:
        raise UsageError(
            "That head was not signed with this store's present key, or it was copied wrongly.",
            fix="After `thalamus key rotate` or `adopt` keep a new one.",
        )
    hash = "" if parts[4] == "-" else parts[4]
    return Head(key=signer.fingerprint, n=n, chain=parts[2], seq=seq, hash=hash)


def triggers(db: sqlite3.Connection) -> str | None:
    """The digest of the triggers that were found to be ours."""
    found: str | None = _meta(db, TRIGGERS)
    return found


def _meta(db: sqlite3.Connection, name: str) -> Any:
    row = db.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
    return row[0] if row else None
