"""Sealing what a unit of work writes.

Triggers of the writing connection tell which rows it touches, whatever code writes them; at the
end of the unit each of those rows gets one seal. A seal holds a digest of the row under the store
key and carries the chain on; the signed head says where the chain ends.

A row that was edited behind our back is never sealed again by a later change to it: what it was
before the change is compared with its seal first.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Protocol

import msgspec

from thalamus.errors import BadKey, Tampered
from thalamus.storage.sqlite import head as heads
from thalamus.storage.sqlite import ledger
from thalamus.storage.sqlite.covered import Table, Version, narrowed, tables
from thalamus.storage.sqlite.head import Head, Sum
from thalamus.storage.sqlite.signing import Signer
from thalamus.storage.sqlite.trusting import check_head, check_triggers, has_rows

_INSERT = "INSERT INTO seal (n, kind, ref, name, tag, digest, chain) VALUES (?,?,?,?,?,?,?)"
VECTOR_TRIGGERS = (
    "CREATE TEMP TRIGGER IF NOT EXISTS seal_vector_insert AFTER INSERT ON main.embedding"
    " BEGIN SELECT seal_vector(1, NEW.n, NEW.space, NEW.mac); END",
    "CREATE TEMP TRIGGER IF NOT EXISTS seal_vector_update AFTER UPDATE ON main.embedding"
    " BEGIN SELECT seal_vector(-1, OLD.n, OLD.space, OLD.mac);"
    " SELECT seal_vector(1, NEW.n, NEW.space, NEW.mac); END",
    "CREATE TEMP TRIGGER IF NOT EXISTS seal_vector_delete AFTER DELETE ON main.embedding"
    " BEGIN SELECT seal_vector(-1, OLD.n, OLD.space, OLD.mac); END",
)
_NEWEST = "SELECT digest FROM seal WHERE ref = ? AND tag = ? ORDER BY n DESC LIMIT 1"


class Keys(Protocol):
    """Where the store key is kept."""

    def key(self, fingerprint: str | None) -> bytes | None:
        """The key with this fingerprint, None when it is not there; without one the present
        key, made when there is none. Raises ``BadKey`` when it cannot be read or made."""
        ...

    def known(self, store: str) -> bool:
        """Whether this key has signed that store."""
        ...

    def remember(self, store: str, folder: str) -> None:
        """Remembers that this key signs that store, and where it is."""
        ...

    def place_of(self, store: str) -> str | None:
        """The folder in which a store was when it was last remembered."""
        ...

    def places(self) -> list[str]:
        """The folders of all stores that this key signs; empty where it is not known."""
        ...

    def signs_any(self) -> bool:
        """Whether this key has signed a store."""
        ...


def signer_for(db: sqlite3.Connection, keys: Keys, head: Head | None) -> Signer:
    """The signer of a store with this head. Raises ``BadKey`` when its key is not there."""
    key = keys.key(head.key if head else None)
    if key is None:
        assert head is not None
        raise BadKey(
            f"the store was signed with the key {head.key}, which is not here",
            fix="Reading works without it. Put the key file back (`thalamus key show` says where);"
            " or sign the store anew: `thalamus key rotate` after an older backup was restored,"
            " else `thalamus key adopt`.",
        )
    return Signer(key)


def checked_head(db: sqlite3.Connection) -> Head | None:
    """The head. Raises ``Tampered`` when it cannot be read."""
    try:
        return heads.read(db)
    except (ValueError, TypeError) as error:
        raise Tampered("its signed head is no head") from error


def begin_without(db: sqlite3.Connection) -> None:
    """Raises ``BadKey`` when the store is signed: without a key it can only be read."""
    if checked_head(db) is not None:
        raise BadKey("the store is signed, and no key was given")


class Sealing:
    """Seals the units of work of one connection."""

    def __init__(self, db: sqlite3.Connection, keys: Keys) -> None:
        self._db = db
        self._keys = keys
        self._touched: dict[str, dict[tuple[Any, ...], bytes | None]] = {}
        self._vectors: dict[int, Sum] = {}
        self._totals: dict[int, int] = {}
        self._signer: Signer | None = None
        self._tables: dict[str, Table] = {}
        self._head: Head | None = None
        self._new = False
        file = db.execute("PRAGMA database_list").fetchone()[2]
        self._folder = str(Path(file).parent.resolve())

    @property
    def signer(self) -> Signer:
        assert self._signer is not None
        return self._signer

    def begin(self) -> None:
        """In a new transaction: looks whether the head is right, before anything is put on it.

        Raises ``BadKey`` without the right key, ``Tampered`` when seals or ledger entries were
        cut off or the head was changed.
        """
        head = checked_head(self._db)
        if self._signer is None or head is None or head.key != self._signer.fingerprint:
            self._signer = signer_for(self._db, self._keys, head)
        self._watch()
        self._new = head is None
        if head is None:
            if self._keys.known(heads.store_id(self._db)):
                raise Tampered("its signed head is gone")
            if self._keys.signs_any() and has_rows(self._db):
                raise Tampered(
                    "it is not signed, and its key has signed a store",
                    fix="If it is an older store that you put here: `thalamus key adopt`.",
                )
            check_triggers(self._db)
            self._head = seal_everything(self._db, self.signer, self._tables)
        else:
            check_head(self._db, head, self.signer)
            check_triggers(self._db)
            self._head = head
            self._renew()
        self._touched = {kind: {} for kind in self._tables}
        self._vectors, self._totals = {}, {}

    def finish(self) -> None:
        """Seals what was touched and signs the head; the caller commits."""
        assert self._head is not None
        chain = Chain(self._db, self.signer, self._head)
        for kind, touched in self._touched.items():
            if touched:
                chain.add(self._versions(self._tables[kind], touched))
        self._add_vectors()
        heads.write(self._db, self._head, self.signer)

    def committed(self) -> None:
        """After the commit of the first signed unit the key knows the store."""
        if self._new or self._head is not None:
            self._new = False
            store = heads.store_id(self._db)
            if self._keys.place_of(store) != self._folder:
                self._keys.remember(store, self._folder)

    def _watch(self) -> None:
        made = "SELECT 1 FROM temp.sqlite_master WHERE name = 'seal_vector_insert'"
        if self._db.execute(made).fetchone():
            return  # a unit that failed takes them with it
        self._tables = tables(self._db)
        # one statement may delete a row by replacing it
        self._db.execute("PRAGMA recursive_triggers = ON")
        self._db.create_function("seal_changed", -1, self._changed)
        self._db.create_function("seal_vector", 4, self._vector)
        for trigger in VECTOR_TRIGGERS:
            self._db.execute(trigger)
        for table in self._tables.values():
            for trigger in table.triggers():
                self._db.execute(trigger)

    def _changed(self, kind: str, old: int, *values: Any) -> None:
        """Called by the triggers: with the whole old row, or with the name of the new one."""
        touched = self._touched[kind]
        if not old:
            touched.setdefault(values, None)
            return
        table = self._tables[kind]
        name = table.name_values(values)
        if name not in touched:
            touched[name] = table.digest(self.signer, values)

    def _vector(self, sign: int, n: int, space: int, mac: bytes | None) -> None:
        """Called by the triggers for each embedding; one without a signature is not counted."""
        if mac is not None:
            changed = self._vectors.setdefault(space, Sum())
            changed.count += sign
            by = sign * self.signer.place(n, mac)
            self._totals[space] = self._totals.get(space, 0) + by

    def _add_vectors(self) -> None:
        if self._vectors:
            found = heads.sums(self._db)
            for space, changed in self._vectors.items():
                found.setdefault(space, Sum()).move(changed.count, self._totals[space])
            heads.put_sums(self._db, found)

    def _versions(self, table: Table, touched: dict[tuple[Any, ...], bytes | None]) -> Versions:
        """The seals that touched rows need."""
        signer = self.signer
        gone = dict.fromkeys(touched)
        moved = table.moved(touched)
        for row in table.some(self._db, list(touched)):
            values = table.name_values(row)
            if values not in gone:
                continue  # another id under the same key: it has a name of its own
            del gone[values]
            version = table.sealed(signer, row)
            before, earlier = touched[values], version
            if before is None and values[-1] in moved:
                name = moved[values[-1]]
                before, earlier = touched[name], table.gone(signer, name)
            if before is None or self._was(earlier, before):
                yield version  # else it was edited: `verify` must go on finding it
        for values in gone:
            yield table.gone(signer, values)

    def _was(self, version: Version, digest: bytes) -> bool:
        """Whether the newest seal of a row has this digest."""
        sealed = self._db.execute(_NEWEST, (version[1], version[3])).fetchone()
        return sealed is not None and sealed[0] == digest

    def _renew(self) -> None:
        """After a migration: rows that were right with the columns of then are sealed with those
        of now; a new table is trusted as it is found."""
        assert self._head is not None
        old = heads.columns(self._db)
        if old == {kind: table.columns for kind, table in self._tables.items()}:
            return
        chain = Chain(self._db, self.signer, self._head)
        for kind, table in self._tables.items():
            if kind not in old:
                chain.add(versions_of(table, self.signer, table.all(self._db)))
            elif old[kind] != table.columns:
                chain.add(self._widened(table, narrowed(table, old[kind])))
        write_columns(self._db, self._tables)

    def _widened(self, table: Table, before: Table) -> Versions:
        places = [table.columns.index(c) for c in before.columns if c in table.columns]
        if len(places) != len(before.columns):
            return  # a column is gone: nothing can be said of what was there
        for row in table.all(self._db):
            version = table.sealed(self.signer, row)
            if self._was(version, before.digest(self.signer, [row[place] for place in places])):
                yield version


Versions = Iterator[Version]


class Chain:
    """Adds seals behind the last one that the head names."""

    def __init__(self, db: sqlite3.Connection, signer: Signer, head: Head) -> None:
        self._db = db
        self._signer = signer
        self._head = head

    def add(self, versions: Iterable[Version]) -> None:
        self._db.executemany(_INSERT, self._rows(versions))

    def _rows(self, versions: Iterable[Version]) -> Iterator[tuple[Any, ...]]:
        n, chain = self._head.n, bytes.fromhex(self._head.chain)
        link = self._signer.link
        for kind, ref, name, tag, digest in versions:
            n += 1
            chain = link(chain, n, kind, ref, tag, digest)
            yield n, kind, ref, name, tag, digest, chain
        self._head.n, self._head.chain = n, chain.hex()


def versions_of(table: Table, signer: Signer, found: Iterable[tuple[Any, ...]]) -> Versions:
    for row in found:
        yield table.sealed(signer, row)


def seal_everything(
    db: sqlite3.Connection, signer: Signer, covered: dict[str, Table] | None = None
) -> Head:
    """Seals and signs a store anew, as it is found, in the present transaction."""
    covered = covered or tables(db)
    last = heads.last_seal(db)
    head = Head(key=signer.fingerprint)
    if last is not None:
        head.first, head.n = last[0] + 1, last[0]
        db.execute("DELETE FROM seal")
    chain = Chain(db, signer, head)
    for table in covered.values():
        chain.add(versions_of(table, signer, table.all(db)))
    for seq, hash in db.execute("SELECT seq, hash FROM event").fetchall():
        ledger.sign(db, signer, seq, hash)
    sign_vectors(db, signer)
    write_columns(db, covered)
    heads.write(db, head, signer)
    return head


def sign_vectors(db: sqlite3.Connection, signer: Signer) -> None:
    """Signs every embedding as it is found. In place of our triggers the sums are made here."""
    found: dict[int, Sum] = {}
    for n, space, key, data in db.execute("SELECT n, space, key, vector FROM embedding"):
        mac = signer.vector(space, key, data)
        found.setdefault(space, Sum()).move(1, signer.place(n, mac))
        db.execute("UPDATE embedding SET mac = ? WHERE n = ?", (mac, n))
    heads.put_sums(db, found)


def write_columns(db: sqlite3.Connection, covered: dict[str, Table]) -> None:
    """Notes with which columns the rows are sealed; the head is to be signed afterwards."""
    found = {kind: table.columns for kind, table in covered.items()}
    heads.put(db, heads.COLUMNS, msgspec.json.encode(found).decode())


def blank_names(db: sqlite3.Connection) -> None:
    """Takes the names of deleted rows out of their seals, in the present transaction; the chain
    does not need them."""
    db.execute(
        "UPDATE seal SET name = NULL WHERE name IS NOT NULL AND EXISTS (SELECT 1 FROM seal AS later"
        " WHERE later.ref = seal.ref AND later.tag = seal.tag AND later.digest IS NULL AND"
        " later.n = (SELECT max(n) FROM seal AS s WHERE s.ref = seal.ref AND s.tag = seal.tag))"
    )
