"""Signatures of the rows that a unit of work writes.

At its end each changed row gets one signature. A row that was edited outside Thalamus is never
signed by a later change to it: its state before the change is first compared with its signature.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from typing import Any

from msgspec import Struct

from thalamus.errors import Tampered
from thalamus.store.keys import Keys
from thalamus.store.signing import head as signed_head
from thalamus.store.signing.chain import SignatureChain, sign_everything, versions_of
from thalamus.store.signing.head import (
    Head,
    Meta,
    Sum,
    checked_head,
    read_meta,
    signer_for,
    store_id,
)
from thalamus.store.signing.signatures import Signatures
from thalamus.store.signing.signer import Signer
from thalamus.store.signing.tables import SignedTable, Version, tables
from thalamus.store.tables import Tables, WriteHook

_VECTOR = ["n", "space", "mac"]  # columns of an embedding that are counted

Name = tuple[Any, ...]  # values that identify a row
Row = tuple[Any, ...]


class _Change(Struct, frozen=True):
    """A new signature; and of a row that is changed, the present one (``previous``) and the digest
    of the row before the change (``was``)."""

    version: Version
    previous: Version
    was: bytes | None = None


class RowSigning:
    """Signs the rows that are written to ``tables``: its ``hook`` is told of each.

    ``place``: the store's, recorded with the keys; ``check_schema``: raises ``Tampered`` when
    foreign triggers would write rows too; it is given the digest of those that were checked before,
    and returns that of those now.
    """

    def __init__(
        self, tables: Tables, keys: Keys, place: str, check_schema: Callable[[str | None], str]
    ) -> None:
        self._rows = tables
        self._signatures = Signatures(tables)
        self._keys = keys
        self._place = place
        self._check_schema = check_schema
        self._signer: Signer | None = None
        self._tables: dict[str, SignedTable] = {}
        self._head: Head | None = None
        self._meta: Meta = {}  # at the beginning of the unit of work
        self._signed_columns: str | None = None  # as recorded for the present tables
        # of each changed row: the digest before the unit of work, None for a new one; and the
        # current row, None if it was deleted
        self._before: dict[str, dict[Name, bytes | None]] = {}
        self._after: dict[str, dict[Name, Row | None]] = {}
        self._vectors: dict[int, tuple[int, int]] = {}  # of each space: number added, and their sum

    @property
    def signer(self) -> Signer:
        assert self._signer is not None
        return self._signer

    # -- a unit of work ---------------------------------------------------------------------------

    def begin(self) -> None:
        """Checks the head at the beginning of a transaction, before anything is signed on top of
        it.

        Raises ``BadKey`` without the right key, ``Tampered`` when signatures or ledger entries were
        cut off or the head was changed.
        """
        self._meta = meta = read_meta(self._signatures)
        head = checked_head(meta)
        if self._signer is None or head is None or head.key != self._signer.fingerprint:
            self._signer = signer_for(self._keys, head)
        if not self._tables:
            self._tables = tables(self._rows)
        if head is None:
            self._check_unsigned(meta)
            self._signatures.set_value(signed_head.TRIGGERS, self._check_schema(None))
            self._head = sign_everything(self._rows, self.signer, self._tables)
            self._meta = read_meta(self._signatures)
        else:
            signed_head.check_head(self._signatures, meta, head, self.signer)
            known = meta.get(signed_head.TRIGGERS)
            if (digest := self._check_schema(known)) != known:
                self._signatures.set_value(signed_head.TRIGGERS, digest)
            self._head = head
            self._sign_migrated(meta)
        self._before = {kind: {} for kind in self._tables}
        self._after = {kind: {} for kind in self._tables}
        self._vectors = {}
        columns = {kind: table.columns for kind, table in self._tables.items()}
        self._rows.hook = WriteHook(
            columns={**columns, "embedding": _VECTOR, "event": [*signed_head.ENTRY, "mac"]},
            macs={"embedding": self._vector_macs, "event": self._entry_macs},
            written=self._note_written,
        )

    def _check_unsigned(self, meta: Meta) -> None:
        """Raises ``Tampered`` when a store without a head was signed before."""
        if self._keys.known(store_id(meta)):
            raise Tampered("its signed head is missing")
        if self._keys.signs_any() and self._signatures.has_records():
            raise Tampered(
                "it is not signed, although its key has signed a store",
                fix="If you put an older store here on purpose, run `thalamus key adopt`.",
            )

    def finish(self) -> None:
        """Signs the changed rows and the head; the caller commits."""
        assert self._head is not None
        changes = [
            change
            for kind, table in self._tables.items()
            if self._before[kind]
            for change in self._changes(table, self._before[kind], self._after[kind])
        ]
        chain = SignatureChain(self._signatures, self.signer, self._head)
        chain.add(self._valid(changes))
        if self._vectors:
            found = signed_head.sums(self._meta)
            for space, (count, by) in self._vectors.items():
                found.setdefault(space, Sum()).move(count, by)
            signed_head.put_sums(self._signatures, found)
        signed_head.write(self._signatures, self._head, self.signer)

    def committed(self) -> None:
        """Records the store and its folder with the key, after the commit."""
        store = store_id(self._meta)
        if not self._keys.kept_at(store, self._place):
            self._keys.remember(store, self._place)

    def _changes(
        self, table: SignedTable, before: dict[Name, bytes | None], after: dict[Name, Row | None]
    ) -> Iterator[_Change]:
        """Signatures needed by changed rows."""
        signer, moved = self.signer, table.moved(before)
        deleted = []
        for name, row in after.items():
            if row is None:
                deleted.append(name)
                continue
            version = previous = table.version(signer, row)
            was = before[name]
            if was is None and name[-1] in moved:  # it has another key now
                was = before[moved[name[-1]]]
                previous = table.deleted(signer, moved[name[-1]])
            yield _Change(version, previous, was)
        for name in deleted:
            version = table.deleted(signer, name)
            yield _Change(version, version)

    def _valid(self, changes: Sequence[_Change]) -> Iterator[Version]:
        """The new signatures, without those of rows that did not match their present one: these
        were edited, and `doctor --signatures` must still find them."""
        known = [one.previous for one in changes if one.was is not None]
        newest = iter(self._signatures.newest_digests([(one[1], one[3]) for one in known]))
        for change in changes:
            if change.was is None or next(newest) == change.was:
                yield change.version

    def _matches_signature(self, version: Version, digest: bytes) -> bool:
        """True when the newest signature of a row has this digest."""
        return self._signatures.newest_digests([(version[1], version[3])]) == [digest]

    def _sign_migrated(self, meta: Meta) -> None:
        """After a migration: signs rows with the new columns if they were valid with the old ones;
        a new table is trusted as it is."""
        assert self._head is not None
        if meta.get(signed_head.COLUMNS) == self._signed_columns:
            return
        old = signed_head.columns(meta)
        if old == signed_head.signed_columns(self._tables):
            self._signed_columns = meta[signed_head.COLUMNS]
            return
        chain = SignatureChain(self._signatures, self.signer, self._head)
        for kind, table in self._tables.items():
            if kind not in old:
                chain.add(versions_of(table, self.signer, table.all(self._rows)))
            elif old[kind] != table.columns:
                chain.add(self._signed_with_others(table, old[kind]))
        if "event" not in old:
            self._sign_owners()
        signed_head.write_columns(self._signatures, self._tables)

    def _sign_owners(self) -> None:
        """After the migration that gave ledger entries owners: signs those that have one."""
        for seq, hash, user, agent, mac in self._signatures.signed_entries():
            owned = user is not None or agent is not None
            if owned and mac == self.signer.entry(seq, hash, None, None):
                self._signatures.sign_entry(seq, self.signer.entry(seq, hash, user, agent))

    def _signed_with_others(self, table: SignedTable, columns: Sequence[str]) -> Iterator[Version]:
        """Signatures of the rows that are valid with the ``columns`` that were signed until now."""
        places = _places(tuple(columns), tuple(table.columns))
        if places is None:
            return  # a column was dropped: the old rows cannot be verified
        before = table.narrowed(columns)
        for row in table.all(self._rows):
            version = table.version(self.signer, row)
            if self._matches_signature(
                version, before.digest(self.signer, [row[place] for place in places])
            ):
                yield version

    # -- written rows -----------------------------------------------------------------------------

    def _note_written(self, table: str, before: Sequence[Row], after: Sequence[Row]) -> None:
        """Records rows as they were before they were changed or deleted, and as they are now."""
        if table == "event":
            self._sign_new_owners(before, after)
        elif table == "embedding":
            for sign, rows in ((-1, before), (1, after)):
                for n, space, mac in rows:
                    self._count(space, sign, n, mac)
        else:
            signed = self._tables[table]
            for row in before:
                name = signed.name_values(row)
                if name not in self._before[table]:
                    self._before[table][name] = signed.digest(self.signer, row)
                self._after[table][name] = None
            for row in after:
                name = signed.name_values(row)
                self._before[table].setdefault(name, None)
                self._after[table][name] = row

    def _sign_new_owners(self, before: Sequence[Row], after: Sequence[Row]) -> None:
        """Signs ledger entries whose owner has changed, unless they were edited."""
        for (seq, hash, *owner, mac), (_, _, *new_owner, _) in zip(before, after, strict=False):
            if owner != new_owner and mac == self.signer.entry(seq, hash, *owner):
                self._signatures.sign_entry(seq, self.signer.entry(seq, hash, *new_owner))

    def _count(self, space: int, sign: int, n: int, mac: bytes | None) -> None:
        """Counts one embedding more or less; unsigned ones are not counted."""
        if mac is not None:
            count, by = self._vectors.get(space, (0, 0))
            self._vectors[space] = count + sign, by + sign * self.signer.place(n, mac)

    def _vector_macs(self, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[bytes]:
        """Signatures of new embeddings."""
        places = itemgetter(*map(columns.index, ("space", "key", "vector", "sentences")))
        return [self.signer.vector(*places(row)) for row in rows]

    def _entry_macs(self, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[bytes]:
        """Signatures of new ledger entries. Their hashes need no key: an import compares by
        them."""
        entries = list(map(itemgetter(*map(columns.index, signed_head.ENTRY)), rows))
        assert self._head is not None
        self._head.seq, self._head.hash, *_ = entries[-1]
        return [self.signer.entry(*entry) for entry in entries]


@functools.cache
def _places(names: tuple[str, ...], columns: tuple[str, ...]) -> list[int] | None:
    """Positions of columns among others; None when one is missing."""
    return [columns.index(name) for name in names] if set(names) <= set(columns) else None
