"""Signatures over the rows: what a unit of work writes is signed with the store key.

Triggers of the writing connection report which rows it touches, whatever code writes them; at the
end of the unit each of those rows gets one signature. A signature holds a digest of the row under
the store key and carries the chain on; the signed head says where the chain ends.

A row that was edited behind our back is never signed again by a later change to it: what it was
before the change is compared with its signature first.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import itemgetter
from pathlib import Path
from typing import Any, Protocol

import msgspec

from thalamus.errors import BadKey, Tampered, UsageError
from thalamus.storage.sqlite import ledger, migrations
from thalamus.storage.sqlite.rows import in_parts, placeholders
from thalamus.storage.sqlite.signer import GENESIS, Signer, fingerprint_of

# table -> columns that are not signed, for they follow from other rows
SIGNED_TABLES: dict[str, tuple[str, ...]] = {
    "memory": (),
    "fact": (),
    "turn": (),
    "document": (),
    "link": (),
    "plan": (),
    "space": ("count", "last"),
    "removal": (),
    "encrypted": (),
    "fact_note": (),
    "fact_interval": (),
    "alias": (),
    "predicate": (),
    "batch": (),
    "batch_item": (),
    "job": (),
}
Version = tuple[str, int, str, bytes, bytes | None]  # kind, ref, name, tag, digest
_encode_name = msgspec.json.Encoder().encode


class SignedTable:
    """A signed table: its columns, and what names a row of it."""

    def __init__(self, kind: str, columns: list[str], keys: list[str], by_number: bool) -> None:
        self.kind = kind
        self.columns = columns
        self.keys = keys  # the primary key, then the id
        self.by_number = by_number  # the primary key is one whole number
        self.places = [columns.index(key) for key in keys]
        self.listed = ",".join(f'"{column}"' for column in columns)
        self.name_values: Callable[[Sequence[Any]], tuple[Any, ...]] = (
            itemgetter(*self.places) if len(keys) > 1 else lambda row: (row[self.places[0]],)
        )
        self._signer: Signer | None = None
        self._digest: Callable[[Any], bytes] | None = None
        self.order = ",".join(f'"{key}"' for key in keys)

    def name(self, values: Sequence[Any]) -> str:
        """What names the row with these values, which are those of ``keys``."""
        return _encode_name(values).decode()

    def ref(self, values: Sequence[Any], tag: bytes) -> int:
        """The number by which the signatures of a row are found."""
        if self.by_number and isinstance(values[0], int):
            return values[0]
        return int.from_bytes(tag[:8], "big", signed=True)

    def digest(self, signer: Signer, row: Sequence[Any]) -> bytes:
        if self._digest is None or self._signer is not signer:
            self._signer, self._digest = signer, signer.rows(self.kind, self.columns)
        return self._digest(row)

    def version(self, signer: Signer, row: Sequence[Any]) -> Version:
        """A row as what a signature is made of."""
        values = self.name_values(row)
        name = self.name(values)
        tag = signer.tag(self.kind, name)
        return self.kind, self.ref(values, tag), name, tag, self.digest(signer, row)

    def deleted(self, signer: Signer, values: tuple[Any, ...]) -> Version:
        """The same of a row that is not there any more, by what named it."""
        name = self.name(values)
        tag = signer.tag(self.kind, name)
        return self.kind, self.ref(values, tag), name, tag, None

    def moved(self, touched: dict[tuple[Any, ...], bytes | None]) -> dict[Any, tuple[Any, ...]]:
        """By their ids, under which names the rows were that may have got another key."""
        if not (self.by_number and len(self.keys) == 2):
            return {}
        return {name[-1]: name for name, digest in touched.items() if digest is not None}

    def all(self, db: sqlite3.Connection) -> Iterator[tuple[Any, ...]]:
        """Every row, in the order of its key."""
        cursor = _plain_rows(db)
        yield from cursor.execute(
            f"SELECT {self.listed} FROM main.{self.kind} ORDER BY {self.order}"
        )

    def some(
        self, db: sqlite3.Connection, names: Sequence[tuple[Any, ...]]
    ) -> Iterator[tuple[Any, ...]]:
        """The rows with these values of ``keys``, as far as they are there."""
        query = f"SELECT {self.listed} FROM main.{self.kind} WHERE "
        if not self.by_number:
            where = " AND ".join(f'"{key}" IS ?' for key in self.keys)
            for name in names:
                yield from _plain_rows(db).execute(query + where, name)
            return
        for part in in_parts([name[0] for name in names]):
            where = f'"{self.keys[0]}" IN ({placeholders(part)})'
            yield from _plain_rows(db).execute(query + where, part)

    def triggers(self) -> Iterator[str]:
        """Triggers that report every row that is written on this connection."""
        new = ",".join(f'NEW."{key}"' for key in self.keys)
        old = ",".join(f'OLD."{column}"' for column in self.columns)
        old_row = f"SELECT row_changed('{self.kind}',1,{old});"
        new_row = f"SELECT row_changed('{self.kind}',0,{new});"
        for when, what in (
            ("INSERT", new_row),
            (f"UPDATE OF {self.listed}", f"{old_row} {new_row}"),
            ("DELETE", old_row),
        ):
            name = f"signed_{self.kind}_{when.split()[0].lower()}"
            yield (
                f"CREATE TEMP TRIGGER IF NOT EXISTS {name} AFTER {when} ON main.{self.kind}"
                f" BEGIN {what} END"
            )


def _plain_rows(db: sqlite3.Connection) -> sqlite3.Cursor:
    cursor = db.cursor()
    cursor.row_factory = None
    return cursor


def tables(db: sqlite3.Connection) -> dict[str, SignedTable]:
    """The signed tables that this store has."""
    found = {}
    for kind, left_out in SIGNED_TABLES.items():
        columns, keys, types = [], [], {}
        for row in db.execute(f"PRAGMA main.table_info({kind})"):
            types[row[1]] = str(row[2]).upper()
            if row[1] not in left_out:
                columns.append(str(row[1]))
            if row[5]:
                keys.append((row[5], str(row[1])))
        if not columns:
            continue
        primary = [name for _, name in sorted(keys)]
        by_number = len(primary) == 1 and types[primary[0]] == "INTEGER"
        also = ["id"] if "id" in columns and "id" not in primary else []
        found[kind] = SignedTable(kind, columns, [*primary, *also], by_number)
    return found


def narrowed(table: SignedTable, columns: Iterable[str]) -> SignedTable:
    """The table as it was when it had only these columns."""
    return SignedTable(table.kind, list(columns), table.keys, table.by_number)


# -- the signed head: how far the signatures and the ledger go ---------------------------------


NAME = "signed_head"
COLUMNS = "signed_columns"  # the columns of each table when its rows were signed, as JSON
SUMS = "signed_vectors"  # the vectors of each space, as JSON
TRIGGERS = "signed_triggers"  # a digest of the triggers, which were those of a new store
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
    """``first`` … ``n``: the signatures; ``seq`` and ``hash``: the last ledger entry."""

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
    """The head; None when the store was never signed. Raises ``ValueError`` if not valid."""
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
    """The columns with which each table was signed."""
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


def last_signature(db: sqlite3.Connection) -> tuple[int, bytes] | None:
    row = db.execute("SELECT n, chain FROM signature ORDER BY n DESC LIMIT 1").fetchone()
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
        raise UsageError(
            "Not a valid head value.", fix="Give a value printed by `thalamus verify --head`."
        )
    if parts[0] != store_id(db):
        raise UsageError(f"The head belongs to another store, {parts[0]}.")
    n, seq = int(parts[1]), int(parts[3])
    values = [parts[0], n, parts[2], seq, parts[4]]
    if signer.head(["kept", *values]).hex()[:32] != parts[5]:
        raise UsageError(
            "The head was not signed with the current key of this store, or was copied wrongly.",
            fix="Keep a new head after `thalamus key rotate` or `adopt`.",
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


# -- checks before anything is written on top of it -----------------------------------------------


def has_rows(db: sqlite3.Connection) -> bool:
    """Whether anything is remembered in a store."""
    tables_ = ("memory", "fact", "turn", "document")
    return any(db.execute(f"SELECT EXISTS (SELECT 1 FROM {t})").fetchone()[0] for t in tables_)


def check_triggers(db: sqlite3.Connection) -> None:
    """Raises ``Tampered`` when there are triggers that are not ours: what they do would be signed
    like our own work. They are compared with those of a new store once, and the signed head keeps
    a digest of them."""
    query = "SELECT name, sql FROM main.sqlite_master WHERE type = 'trigger' ORDER BY name"
    found = [(name, sql) for name, sql in db.execute(query)]
    digest = fingerprint_of(found)
    if digest == triggers(db):
        return
    schema = migrations.reference_schema()
    known = {name: sql for (kind, name), sql in schema.items() if kind == "trigger"}
    strange = [name for name, sql in found if known.get(name) != sql]
    if strange:
        fix = f"Inspect it, then remove it with SQLite: DROP TRIGGER {strange[0]}."
        raise Tampered(f"the trigger {strange[0]} is foreign", fix=fix)
    put(db, TRIGGERS, digest)


def check_head(db: sqlite3.Connection, head: Head, signer: Signer) -> None:
    """Raises ``Tampered`` when the head is not what the key signed, or the end is gone."""
    if head.mac != head.signature(signer, db):
        raise Tampered("its signed head was changed")
    if (last_signature(db) or (head.first - 1, GENESIS)) != (head.n, bytes.fromhex(head.chain)):
        raise Tampered("its last signatures are not those that were signed")
    if last_event(db) != (head.seq, head.hash):
        raise Tampered("its last ledger entries are missing or changed")


# -- signing a unit of work --------------------------------------------------------------------


_INSERT = "INSERT INTO signature (n, kind, ref, name, tag, digest, chain) VALUES (?,?,?,?,?,?,?)"
VECTOR_TRIGGERS = (
    "CREATE TEMP TRIGGER IF NOT EXISTS vector_insert AFTER INSERT ON main.embedding"
    " BEGIN SELECT vector_changed(1, NEW.n, NEW.space, NEW.mac); END",
    "CREATE TEMP TRIGGER IF NOT EXISTS vector_update AFTER UPDATE ON main.embedding"
    " BEGIN SELECT vector_changed(-1, OLD.n, OLD.space, OLD.mac);"
    " SELECT vector_changed(1, NEW.n, NEW.space, NEW.mac); END",
    "CREATE TEMP TRIGGER IF NOT EXISTS vector_delete AFTER DELETE ON main.embedding"
    " BEGIN SELECT vector_changed(-1, OLD.n, OLD.space, OLD.mac); END",
)
_NEWEST = "SELECT digest FROM signature WHERE ref = ? AND tag = ? ORDER BY n DESC LIMIT 1"


class Keys(Protocol):
    """Where the store key is kept."""

    def key(self, fingerprint: str | None) -> bytes | None:
        """The key with this fingerprint, None when it is not there; without one the present
        key, made if it is missing. Raises ``BadKey`` when it cannot be read or made."""
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
            f"the store was signed with key {head.key}, which is missing",
            fix="Reading works without it. Restore the key file (`thalamus key show` prints where),"
            " or sign the store again: with `thalamus key rotate` after restoring an older backup,"
            " else with `thalamus key adopt`.",
        )
    return Signer(key)


def checked_head(db: sqlite3.Connection) -> Head | None:
    """The head. Raises ``Tampered`` when it cannot be read."""
    try:
        return read(db)
    except (ValueError, TypeError) as error:
        raise Tampered("its signed head is not a valid head") from error


def begin_without(db: sqlite3.Connection) -> None:
    """Raises ``BadKey`` when the store is signed: without a key it can only be read."""
    if checked_head(db) is not None:
        raise BadKey("the store is signed, but no key is available")


class TransactionSigner:
    """Signs the units of work of one connection."""

    def __init__(self, db: sqlite3.Connection, keys: Keys) -> None:
        self._db = db
        self._keys = keys
        self._touched: dict[str, dict[tuple[Any, ...], bytes | None]] = {}
        self._vectors: dict[int, Sum] = {}
        self._totals: dict[int, int] = {}
        self._signer: Signer | None = None
        self._tables: dict[str, SignedTable] = {}
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

        Raises ``BadKey`` without the right key, ``Tampered`` when signatures or ledger entries were
        cut off or the head was changed.
        """
        head = checked_head(self._db)
        if self._signer is None or head is None or head.key != self._signer.fingerprint:
            self._signer = signer_for(self._db, self._keys, head)
        self._watch()
        self._new = head is None
        if head is None:
            if self._keys.known(store_id(self._db)):
                raise Tampered("its signed head is missing")
            if self._keys.signs_any() and has_rows(self._db):
                raise Tampered(
                    "it is not signed, although its key has signed a store",
                    fix="If you put an older store here on purpose, run `thalamus key adopt`.",
                )
            check_triggers(self._db)
            self._head = sign_everything(self._db, self.signer, self._tables)
        else:
            check_head(self._db, head, self.signer)
            check_triggers(self._db)
            self._head = head
            self._renew()
        self._touched = {kind: {} for kind in self._tables}
        self._vectors, self._totals = {}, {}

    def finish(self) -> None:
        """Signs what was touched and signs the head; the caller commits."""
        assert self._head is not None
        chain = SignatureChain(self._db, self.signer, self._head)
        for kind, touched in self._touched.items():
            if touched:
                chain.add(self._versions(self._tables[kind], touched))
        self._add_vectors()
        write(self._db, self._head, self.signer)

    def committed(self) -> None:
        """After the commit of the first signed unit the key knows the store."""
        if self._new or self._head is not None:
            self._new = False
            store = store_id(self._db)
            if self._keys.place_of(store) != self._folder:
                self._keys.remember(store, self._folder)

    def _watch(self) -> None:
        made = "SELECT 1 FROM temp.sqlite_master WHERE name = 'vector_insert'"
        if self._db.execute(made).fetchone():
            return  # a unit that failed takes them with it
        self._tables = tables(self._db)
        # one statement may delete a row by replacing it
        self._db.execute("PRAGMA recursive_triggers = ON")
        self._db.create_function("row_changed", -1, self._changed)
        self._db.create_function("vector_changed", 4, self._vector)
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
            found = sums(self._db)
            for space, changed in self._vectors.items():
                found.setdefault(space, Sum()).move(changed.count, self._totals[space])
            put_sums(self._db, found)

    def _versions(
        self, table: SignedTable, touched: dict[tuple[Any, ...], bytes | None]
    ) -> Versions:
        """The signatures that touched rows need."""
        signer = self.signer
        gone = dict.fromkeys(touched)
        moved = table.moved(touched)
        for row in table.some(self._db, list(touched)):
            values = table.name_values(row)
            if values not in gone:
                continue  # another id under the same key: it has a name of its own
            del gone[values]
            version = table.version(signer, row)
            before, earlier = touched[values], version
            if before is None and values[-1] in moved:
                name = moved[values[-1]]
                before, earlier = touched[name], table.deleted(signer, name)
            if before is None or self._was(earlier, before):
                yield version  # else it was edited: `verify` must go on finding it
        for values in gone:
            yield table.deleted(signer, values)

    def _was(self, version: Version, digest: bytes) -> bool:
        """Whether the newest signature of a row has this digest."""
        signed = self._db.execute(_NEWEST, (version[1], version[3])).fetchone()
        return signed is not None and signed[0] == digest

    def _renew(self) -> None:
        """After a migration: rows that were right with the columns of then are signed with those
        of now; a new table is trusted as it is found."""
        assert self._head is not None
        old = columns(self._db)
        if old == {kind: table.columns for kind, table in self._tables.items()}:
            return
        chain = SignatureChain(self._db, self.signer, self._head)
        for kind, table in self._tables.items():
            if kind not in old:
                chain.add(versions_of(table, self.signer, table.all(self._db)))
            elif old[kind] != table.columns:
                chain.add(self._widened(table, narrowed(table, old[kind])))
        write_columns(self._db, self._tables)

    def _widened(self, table: SignedTable, before: SignedTable) -> Versions:
        places = [table.columns.index(c) for c in before.columns if c in table.columns]
        if len(places) != len(before.columns):
            return  # a column is gone: nothing can be said of what was there
        for row in table.all(self._db):
            version = table.version(self.signer, row)
            if self._was(version, before.digest(self.signer, [row[place] for place in places])):
                yield version


Versions = Iterator[Version]


class SignatureChain:
    """Adds signatures behind the last one that the head names."""

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


def versions_of(table: SignedTable, signer: Signer, found: Iterable[tuple[Any, ...]]) -> Versions:
    for row in found:
        yield table.version(signer, row)


def sign_everything(
    db: sqlite3.Connection, signer: Signer, signed: dict[str, SignedTable] | None = None
) -> Head:
    """Signs a whole store again, as it is found, in the present transaction."""
    signed = signed or tables(db)
    last = last_signature(db)
    head = Head(key=signer.fingerprint)
    if last is not None:
        head.first, head.n = last[0] + 1, last[0]
        db.execute("DELETE FROM signature")
    chain = SignatureChain(db, signer, head)
    for table in signed.values():
        chain.add(versions_of(table, signer, table.all(db)))
    for seq, hash in db.execute("SELECT seq, hash FROM event").fetchall():
        ledger.sign(db, signer, seq, hash)
    sign_vectors(db, signer)
    write_columns(db, signed)
    write(db, head, signer)
    return head


def sign_vectors(db: sqlite3.Connection, signer: Signer) -> None:
    """Signs every embedding as it is found. In place of our triggers the sums are made here."""
    found: dict[int, Sum] = {}
    for n, space, key, data in db.execute("SELECT n, space, key, vector FROM embedding"):
        mac = signer.vector(space, key, data)
        found.setdefault(space, Sum()).move(1, signer.place(n, mac))
        db.execute("UPDATE embedding SET mac = ? WHERE n = ?", (mac, n))
    put_sums(db, found)


def write_columns(db: sqlite3.Connection, signed: dict[str, SignedTable]) -> None:
    """Notes with which columns the rows are signed; the head is to be signed afterwards."""
    found = {kind: table.columns for kind, table in signed.items()}
    put(db, COLUMNS, msgspec.json.encode(found).decode())


def blank_names(db: sqlite3.Connection) -> None:
    """Takes the names of deleted rows out of their signatures, in the present transaction; the
    chain does not need them."""
    same_row = "ref = signature.ref AND {0}.tag = signature.tag"
    newest = f"SELECT max(n) FROM signature AS any WHERE any.{same_row.format('any')}"
    db.execute(
        "UPDATE signature SET name = NULL WHERE name IS NOT NULL AND EXISTS"
        f" (SELECT 1 FROM signature AS later WHERE later.{same_row.format('later')}"
        f" AND later.digest IS NULL AND later.n = ({newest}))"
    )
