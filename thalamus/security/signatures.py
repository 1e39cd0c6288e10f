"""Signatures over rows, and the signed head at the end of their chain.

A signature holds a digest of a row under the store key and continues the chain; the signed head
records its end. ``sign_rows`` signs the rows written in a unit of work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Any, Protocol

import msgspec

from thalamus.errors import BadKey, Tampered, UsageError
from thalamus.records.kinds import kinds, numbered
from thalamus.security.row_signatures import GENESIS, RowSigner
from thalamus.storage.protocol.rows import Connection, Rows

# tables that belong to records -> columns that are not signed, because they are derived
_HANGING: dict[str, tuple[str, ...]] = {
    "space": ("count", "last"),
    "removal": (),
    "encrypted": (),
    "fact_note": (),
    "fact_interval": (),
    "batch": (),
    "batch_item": (),
    "job": (),
}


def signed_tables() -> dict[str, tuple[str, ...]]:
    """Tables whose rows are signed, each with its unsigned columns."""
    return {**{kind.name: () for kind in kinds()}, **_HANGING}


Version = tuple[str, int, str, bytes, bytes | None]  # kind, ref, name, tag, digest
_encode_name = msgspec.json.Encoder().encode


class SignedTable:
    """A signed table: its columns, and the identity of its rows."""

    def __init__(
        self,
        kind: str,
        columns: list[str],
        keys: list[str],
        by_number: bool,
        floats: Sequence[str] = (),
    ) -> None:
        self.kind = kind
        self.columns = columns
        self.keys = keys  # the primary key, then the id
        self.by_number = by_number  # the primary key is one integer
        self.places = [columns.index(key) for key in keys]
        self._floats = [columns.index(column) for column in floats if column in columns]
        self.name_values: Callable[[Sequence[Any]], tuple[Any, ...]] = (
            itemgetter(*self.places) if len(keys) > 1 else lambda row: (row[self.places[0]],)
        )
        self._signer: RowSigner | None = None
        self._digest: Callable[[Any], bytes] | None = None

    def as_read(self, row: list[Any]) -> tuple[Any, ...]:
        """A row to be written, in the form in which it will be read."""
        for place in self._floats:
            if row[place] is not None:
                row[place] = float(row[place])
        return tuple(row)

    def name(self, values: Sequence[Any]) -> str:
        """Name of the row with these values of ``keys``."""
        return _encode_name(values).decode()

    def ref(self, values: Sequence[Any], tag: bytes) -> int:
        """Number by which the signatures of a row are found."""
        if self.by_number and isinstance(values[0], int):
            return values[0]
        return int.from_bytes(tag[:8], "big", signed=True)

    def digest(self, signer: RowSigner, row: Sequence[Any]) -> bytes:
        if self._digest is None or self._signer is not signer:
            self._signer, self._digest = signer, signer.rows(self.kind, self.columns)
        return self._digest(row)

    def version(self, signer: RowSigner, row: Sequence[Any]) -> Version:
        """A row in the form in which it is signed."""
        values = self.name_values(row)
        name = self.name(values)
        tag = signer.tag(self.kind, name)
        return self.kind, self.ref(values, tag), name, tag, self.digest(signer, row)

    def deleted(self, signer: RowSigner, values: tuple[Any, ...]) -> Version:
        """The deletion of a row, by its identity, in the form in which it is signed."""
        name = self.name(values)
        tag = signer.tag(self.kind, name)
        return self.kind, self.ref(values, tag), name, tag, None

    def moved(self, touched: dict[tuple[Any, ...], bytes | None]) -> dict[Any, tuple[Any, ...]]:
        """Former names of rows that may have got another key, by id."""
        if not (self.by_number and len(self.keys) == 2):
            return {}
        return {name[-1]: name for name, digest in touched.items() if digest is not None}

    def all(self, rows: Rows) -> Iterator[tuple[Any, ...]]:
        """Every row, sorted by key."""
        for row in rows.each(self.kind, self.columns, order=self.keys):
            yield tuple(row)


def tables(rows: Rows) -> dict[str, SignedTable]:
    """Signed tables of this store."""
    found = {}
    for kind, left_out in signed_tables().items():
        described = rows.describe(kind)
        columns = [column.name for column in described if column.name not in left_out]
        if not columns:
            continue
        primary = [column for column in described if column.key]
        keys = [column.name for column in sorted(primary, key=lambda column: column.key)]
        by_number = [column.type for column in primary] == ["INTEGER"]
        id_column = ["id"] if "id" in columns and "id" not in keys else []
        floats = [column.name for column in described if column.type == "REAL"]
        found[kind] = SignedTable(kind, columns, [*keys, *id_column], by_number, floats)
    return found


def narrowed(table: SignedTable, columns: Iterable[str]) -> SignedTable:
    """The table restricted to its former columns."""
    return SignedTable(table.kind, list(columns), table.keys, table.by_number)


# -- the signed head: end of the signatures and of the ledger ----------------------------------


NAME = "signed_head"
COLUMNS = "signed_columns"  # columns of each table when its rows were signed, as JSON
SUMS = "signed_vectors"  # vectors of each space, as JSON
# signed with the head; the digest of the triggers is set by the code that checks them
SIGNED_META = ("store", "next_key", COLUMNS, SUMS, "signed_triggers")
_SELECT_META = "SELECT name, value FROM meta WHERE name IN (?,?,?,?,?)"


class Sum(msgspec.Struct, omit_defaults=True):
    """Number of signed vectors, and the sum of their contributions."""

    count: int = 0
    total: str = "0"
    edited: int = 0  # only during verification

    def move(self, count: int, by: int) -> None:
        """Adds to both."""
        total = int(self.total, 16) + by
        self.count += count
        self.total = f"{total % (1 << 128):x}"


class Head(msgspec.Struct):
    """``first`` … ``n``: the signatures; ``seq`` and ``hash``: the last ledger entry."""

    key: str  # fingerprint of the key that signed it
    first: int = 1
    n: int = 0
    chain: str = GENESIS.hex()
    seq: int = 0
    hash: str = ""
    mac: str = ""

    def signature(self, signer: RowSigner, db: Connection) -> str:
        """Expected value of ``mac``."""
        found = dict(db.execute(_SELECT_META, SIGNED_META).fetchall())
        meta = [found.get(name) for name in SIGNED_META]
        head = [self.key, self.first, self.n, self.chain, self.seq, self.hash]
        return signer.head([head, meta]).hex()


def read(db: Connection) -> Head | None:
    """The head; None when the store was never signed. Raises ``ValueError`` if not valid."""
    text = _meta(db, NAME)
    if text is None:
        return None
    return msgspec.json.decode(text, type=Head, strict=True)


def write(db: Connection, head: Head, signer: RowSigner) -> None:
    """Signs and writes the head."""
    head.seq, head.hash = last_event(db)
    head.mac = head.signature(signer, db)
    put(db, NAME, msgspec.json.encode(head).decode())


def put(db: Connection, name: str, value: str) -> None:
    db.execute(
        "INSERT INTO meta (name, value) VALUES (?,?)"
        " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        (name, value),
    )


def columns(db: Connection) -> dict[str, list[str]]:
    """Columns with which each table was signed."""
    found: dict[str, list[str]] = msgspec.json.decode(
        _meta(db, COLUMNS) or "{}", type=dict[str, list[str]]
    )
    return found


def sums(db: Connection) -> dict[int, Sum]:
    """Signed vectors by space."""
    found: dict[int, Sum] = msgspec.json.decode(_meta(db, SUMS) or "{}", type=dict[int, Sum])
    return found


def put_sums(db: Connection, found: dict[int, Sum]) -> None:
    put(db, SUMS, msgspec.json.encode(found).decode())


def last_event(db: Connection) -> tuple[int, str]:
    row = db.execute("SELECT seq, hash FROM event ORDER BY seq DESC LIMIT 1").fetchone()
    return (row[0], row[1]) if row else (0, "")


def last_signature(db: Connection) -> tuple[int, bytes] | None:
    row = db.execute("SELECT n, chain FROM signature ORDER BY n DESC LIMIT 1").fetchone()
    return (row[0], row[1]) if row else None


def store_id(db: Connection) -> str:
    return str(_meta(db, "store"))


def to_keep(db: Connection, head: Head, signer: RowSigner) -> str:
    """The head in one word, to be kept elsewhere."""
    values = [store_id(db), head.n, head.chain, head.seq, head.hash or "-"]
    mac = signer.head(["kept", *values]).hex()[:32]
    return ":".join(map(str, [*values, mac]))


def kept(db: Connection, text: str, signer: RowSigner) -> Head:
    """Parses a head from ``to_keep``. Raises ``UsageError`` when it is not one."""
    parts = text.strip().split(":")
    if len(parts) != 6 or not (parts[1].isdecimal() and parts[3].isdecimal()):
        raise UsageError(
            "Not a valid head value.",
            fix="Give what `thalamus doctor --signatures --head` printed.",
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


def _meta(db: Connection, name: str) -> Any:
    row = db.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
    return row[0] if row else None


# -- checks before writing ------------------------------------------------------------------------


def has_rows(db: Connection) -> bool:
    """True for a store with any record."""
    tables_ = ("document", *(kind.name for kind in numbered()))
    return any(db.execute(f"SELECT EXISTS (SELECT 1 FROM {t})").fetchone()[0] for t in tables_)


def check_head(db: Connection, head: Head, signer: RowSigner) -> None:
    """Raises ``Tampered`` when the head does not match its signature, or the end is cut off."""
    if head.mac != head.signature(signer, db):
        raise Tampered("its signed head was changed")
    if (last_signature(db) or (head.first - 1, GENESIS)) != (head.n, bytes.fromhex(head.chain)):
        raise Tampered("its last signatures are not those that were signed")
    if last_event(db) != (head.seq, head.hash):
        raise Tampered("its last ledger entries are missing or changed")


# -- signing a unit of work --------------------------------------------------------------------


_INSERT = "INSERT INTO signature (n, kind, ref, name, tag, digest, chain) VALUES (?,?,?,?,?,?,?)"
_NEWEST = "SELECT digest FROM signature WHERE ref = ? AND tag = ? ORDER BY n DESC LIMIT 1"


class Keys(Protocol):
    """Storage of the store key."""

    def key(self, fingerprint: str | None) -> bytes | None:
        """The key with this fingerprint, None when it is missing; without one the current key,
        created if it is missing. Raises ``BadKey`` when it cannot be read or created."""
        ...

    def known(self, store: str) -> bool:
        """True when this key has signed that store."""
        ...

    def remember(self, store: str, folder: str) -> None:
        """Records that this key signs that store, and its folder."""
        ...

    def place_of(self, store: str) -> str | None:
        """Last known folder of a store."""
        ...

    def places(self) -> list[str]:
        """Folders of all stores that this key signs; empty if unknown."""
        ...

    def signs_any(self) -> bool:
        """True when this key has signed a store."""
        ...


def signer_for(db: Connection, keys: Keys, head: Head | None) -> RowSigner:
    """Signer of a store with this head. Raises ``BadKey`` when its key is missing."""
    key = keys.key(head.key if head else None)
    if key is None:
        assert head is not None
        raise BadKey(
            f"the store was signed with key {head.key}, which is missing",
            fix="Reading works without it. Restore the key file (`thalamus key show` prints where),"
            " or sign the store again: with `thalamus key rotate` after restoring an older backup,"
            " else with `thalamus key adopt`.",
        )
    return RowSigner(key)


def checked_head(db: Connection) -> Head | None:
    """The head. Raises ``Tampered`` when it cannot be read."""
    try:
        return read(db)
    except (ValueError, TypeError) as error:
        raise Tampered("its signed head is not a valid head") from error


def begin_without(db: Connection) -> None:
    """Raises ``BadKey`` when the store is signed: without a key it is read-only."""
    if checked_head(db) is not None:
        raise BadKey("the store is signed, but no key is available")


Versions = Iterator[Version]


class SignatureChain:
    """Appends signatures to the one at the head."""

    def __init__(self, db: Connection, signer: RowSigner, head: Head) -> None:
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


def versions_of(
    table: SignedTable, signer: RowSigner, found: Iterable[tuple[Any, ...]]
) -> Versions:
    for row in found:
        yield table.version(signer, row)


def sign_everything(
    rows: Rows, signer: RowSigner, signed: dict[str, SignedTable] | None = None
) -> Head:
    """Signs a whole store as it is, in the current transaction."""
    signed, db = signed or tables(rows), rows.connection
    last = last_signature(db)
    head = Head(key=signer.fingerprint)
    if last is not None:
        head.first, head.n = last[0] + 1, last[0]
        db.execute("DELETE FROM signature")
    chain = SignatureChain(db, signer, head)
    for table in signed.values():
        chain.add(versions_of(table, signer, table.all(rows)))
    for seq, hash in db.execute("SELECT seq, hash FROM event").fetchall():
        db.execute("UPDATE event SET mac = ? WHERE seq = ?", (signer.entry(seq, hash), seq))
    sign_vectors(db, signer)
    write_columns(db, signed)
    write(db, head, signer)
    return head


def sign_vectors(db: Connection, signer: RowSigner) -> None:
    """Signs every embedding as it is."""
    found: dict[int, Sum] = {}
    query = "SELECT n, space, key, vector, sentences FROM embedding"
    for n, space, key, data, sentences in db.execute(query).fetchall():
        mac = signer.vector(space, key, data, sentences)
        found.setdefault(space, Sum()).move(1, signer.place(n, mac))
        db.execute("UPDATE embedding SET mac = ? WHERE n = ?", (mac, n))
    put_sums(db, found)


def write_columns(db: Connection, signed: dict[str, SignedTable]) -> None:
    """Records the columns with which the rows are signed; the head must be signed afterwards."""
    found = {kind: table.columns for kind, table in signed.items()}
    put(db, COLUMNS, msgspec.json.encode(found).decode())


def blank_names(db: Connection) -> None:
    """Removes the names of deleted rows from their signatures, in the current transaction; the
    chain does not need them."""
    same_row = "ref = signature.ref AND {0}.tag = signature.tag"
    newest = f"SELECT max(n) FROM signature AS any WHERE any.{same_row.format('any')}"
    db.execute(
        "UPDATE signature SET name = NULL WHERE name IS NOT NULL AND EXISTS"
        f" (SELECT 1 FROM signature AS later WHERE later.{same_row.format('later')}"
        f" AND later.digest IS NULL AND later.n = ({newest}))"
    )
