"""Signing as a layer: rows that are written through it are signed with the store key.

At the end of a unit of work each changed row gets one signature. A row that was edited outside
Thalamus is never signed by a later change to it: its state before the change is first compared with
its signature.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any

from msgspec import Struct

from thalamus.errors import Tampered
from thalamus.store.conditions import Clause, Where
from thalamus.store.row_access import ColumnInfo, Rows, Selection
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
from thalamus.store.signing.signer import Keys, Signer
from thalamus.store.signing.tables import SignedTable, Version, tables

Name = tuple[Any, ...]  # values that identify a row
Row = tuple[Any, ...]


class _Change(Struct, frozen=True):
    """A new signature; and of a row that is changed, the present one (``previous``) and the digest
    of the row before the change (``was``)."""

    version: Version
    previous: Version
    was: bytes | None = None


class SigningLayer:
    """The rows of a store, signed as they are written. See ``store.protocol.Rows``.

    ``rows``: the layer that writes them; ``folder``: the store's, recorded with the keys;
    ``check_schema``: raises ``Tampered`` when foreign triggers would write rows too; it is given
    the digest of those that were checked before, and returns that of those now.
    """

    def __init__(
        self, rows: Rows, keys: Keys, folder: str, check_schema: Callable[[str | None], str]
    ) -> None:
        self._rows = rows
        self._signatures = Signatures(rows)
        self._keys = keys
        self._folder = folder
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
        self._names: dict[tuple[str, Any], Name] = {}  # of written rows that have an id
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
        self._names = {}
        self._vectors = {}

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
        self._rows.finish()

    def committed(self) -> None:
        """Records the store and its folder with the key, after the commit."""
        store = store_id(self._meta)
        if not self._keys.kept_at(store, self._folder):
            self._keys.remember(store, self._folder)

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

    # -- rows -------------------------------------------------------------------------------------

    def describe(self, table: str) -> list[ColumnInfo]:
        return self._rows.describe(table)

    def source(self, table: str, alias: str = "") -> str:
        return self._rows.source(table, alias)

    def condition(self, where: Where) -> tuple[str, list[Any]]:
        return self._rows.condition(where)

    def select(
        self,
        table: str,
        columns: Sequence[str],
        where: Where | Clause | None = None,
        order: Sequence[str] = (),
        limit: int | None = None,
        group: Sequence[str] = (),
    ) -> list[Any]:
        return self._rows.select(table, columns, where, order, limit, group)

    def select_each(self, selections: Sequence[Selection]) -> list[list[Any]]:
        return self._rows.select_each(selections)

    def each(
        self,
        table: str,
        columns: Sequence[str],
        where: Where | None = None,
        order: Sequence[str] = (),
        limit: int | None = None,
        group: Sequence[str] = (),
    ) -> Iterator[Any]:
        return self._rows.each(table, columns, where, order, limit, group)

    def values(self) -> Mapping[str, str]:
        return self._rows.values()

    def set_value(self, name: str, value: str | None) -> None:
        self._rows.set_value(name, value)

    def chain_end(self, table: str) -> tuple[int, Any] | None:
        return self._rows.chain_end(table)

    def take(self, counter: str, count: int = 1) -> int:
        return self._rows.take(counter, count)

    def numbered(
        self, table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]
    ) -> tuple[Sequence[str], Sequence[Sequence[Any]]]:
        return self._rows.numbered(table, columns, rows)

    def insert(
        self,
        table: str,
        columns: Sequence[str],
        rows: Sequence[Sequence[Any]],
        key: Sequence[str] = (),
        replace: bool = False,
        new: bool = False,
    ) -> int:
        if not rows:
            return 0
        columns, rows = self._rows.numbered(table, columns, rows)
        if table == "embedding":
            columns, rows = self._signed_vectors(columns, rows)
        elif table == "event":
            columns, rows = self._signed_entries(columns, rows)
        signed = self._tables.get(table)
        if signed is None:
            return self._rows.insert(table, columns, rows, key, replace, new)
        if key and not new:
            rows = self._rows_to_write(signed, columns, rows, key, replace)
        count = self._rows.insert(table, columns, rows, key if replace or new else (), replace, new)
        for row in self._complete_rows(signed, columns, rows):
            self._record_after(signed, row)
        return count

    def update(
        self, table: str, fields: Mapping[str, Any], where: Where | Clause, count: int | None = None
    ) -> int:
        if table == "event":
            return self._update_entries(fields, where)
        signed = self._tables.get(table)
        if signed is None or not set(fields) & set(signed.columns):
            return self._rows.update(table, fields, where, count)
        found = self._written(signed, where)
        if not found:
            found = [tuple(row) for row in self._rows.select(table, signed.columns, where)]
        if not found:
            return 0
        self._rows.update(table, fields, where, len(found))
        places = [(place, fields[c]) for place, c in enumerate(signed.columns) if c in fields]
        for row in found:
            self._record_before(signed, row)
            changed = list(row)
            for place, value in places:
                changed[place] = value
            self._record_after(signed, tuple(changed))
        return len(found)

    def _update_entries(self, fields: Mapping[str, Any], where: Where | Clause) -> int:
        """Updates ledger entries, and signs those whose owner changes, unless they were edited."""
        found = self._signatures.signed_entries(where)
        for seq, hash, user, agent, mac in found:
            if mac == self.signer.entry(seq, hash, user, agent):
                owner = fields.get("user", user), fields.get("agent", agent)
                self._signatures.sign_entry(seq, self.signer.entry(seq, hash, *owner))
        return self._rows.update("event", fields, where, len(found))

    def _written(self, table: SignedTable, where: Where | Clause) -> list[Row]:
        """The row with an id, if it was written in this unit of work: it need not be read."""
        id = where.get("id") if isinstance(where, Mapping) and len(where) == 1 else None
        name = self._names.get((table.kind, id)) if isinstance(id, str) else None
        row = self._after[table.kind].get(name) if name is not None else None
        return [row] if row is not None else []

    def delete(self, table: str, where: Where | Clause, count: int | None = None) -> int:
        if table == "embedding":
            for n, space, mac in self._rows.select(table, ("n", "space", "mac"), where):
                self._count(space, -1, n, mac)
        signed = self._tables.get(table)
        if signed is not None:
            found = self._rows.select(table, signed.columns, where)
            if not found:
                return 0
            count = len(found)
            for row in found:
                self._record_before(signed, tuple(row))
        return self._rows.delete(table, where, count)

    # -- changed rows -----------------------------------------------------------------------------

    def _record_before(self, table: SignedTable, row: Row) -> None:
        """Records the state of a row before it is changed or deleted."""
        name = table.name_values(row)
        before = self._before[table.kind]
        if name not in before:
            before[name] = table.digest(self.signer, row)
        self._after[table.kind][name] = None

    def _record_after(self, table: SignedTable, row: Row) -> None:
        """Records the current state of a row."""
        name = table.name_values(row)
        self._before[table.kind].setdefault(name, None)
        self._after[table.kind][name] = row
        if table.keys[-1] == "id":
            self._names[table.kind, name[-1]] = name

    def _rows_to_write(
        self,
        table: SignedTable,
        columns: Sequence[str],
        rows: Sequence[Sequence[Any]],
        key: Sequence[str],
        replace: bool,
    ) -> list[Sequence[Any]]:
        """Rows to be written. Rows that they replace are recorded; without ``replace`` rows that
        exist are left out."""
        places = [columns.index(name) for name in key]
        names = [tuple(row[place] for place in places) for row in rows]
        existing = self._existing_rows(table, key, names)
        if not replace:
            new = dict(zip(reversed(names), reversed(rows), strict=True))  # the first of each name
            return [new[name] for name in dict.fromkeys(names) if name not in existing]
        for name in names:
            if name in existing:
                self._record_before(table, existing[name])
        return [*rows]

    def _existing_rows(
        self, table: SignedTable, key: Sequence[str], names: Sequence[Name]
    ) -> dict[Name, Row]:
        """Existing rows by these values of ``key``: read together where the values differ in one
        column."""
        varying = [n for n, values in enumerate(zip(*names, strict=True)) if len({*values}) > 1]
        if len(varying) > 1:
            wanted = list(dict.fromkeys(names))
            selections = [
                Selection(table.kind, table.columns, dict(zip(key, name, strict=True)))
                for name in wanted
            ]
            found = self._rows.select_each(selections)
            return {name: tuple(rows[0]) for name, rows in zip(wanted, found, strict=True) if rows}
        same: dict[str, Any] = dict(zip(key, names[0], strict=True))
        for n in varying:
            same[key[n]] = [name[n] for name in names]
        places = [table.columns.index(name) for name in key]
        stored = map(tuple, self._rows.select(table.kind, table.columns, same))
        return {tuple(row[place] for place in places): row for row in stored}

    def _complete_rows(
        self, table: SignedTable, columns: Sequence[str], rows: Sequence[Sequence[Any]]
    ) -> Iterator[Row]:
        """Complete rows; missing columns are read."""
        places = _places(tuple(table.columns), tuple(columns))
        if places is not None:
            yield from map(itemgetter(*places), rows)
            return
        keys = [(name, columns.index(name)) for name in table.keys]
        for row in rows:
            named = {name: row[place] for name, place in keys}
            for found in self._rows.select(table.kind, table.columns, named):
                yield tuple(found)

    def _signed_vectors(
        self, columns: Sequence[str], rows: Sequence[Sequence[Any]]
    ) -> tuple[Sequence[str], Sequence[Sequence[Any]]]:
        """Embeddings with their signatures, which are counted."""
        places = _places(("n", "space", "key", "vector", "sentences"), tuple(columns))
        assert places is not None
        sign, values_of = self.signer.vector, itemgetter(*places)
        signed = []
        for row in rows:
            n, space, *rest = values_of(row)
            mac = sign(space, *rest)
            self._count(space, 1, n, mac)
            signed.append((*row, mac))
        return (*columns, "mac"), signed

    def _count(self, space: int, sign: int, n: int, mac: bytes | None) -> None:
        """Counts one embedding more or less; unsigned ones are not counted."""
        if mac is not None:
            count, by = self._vectors.get(space, (0, 0))
            self._vectors[space] = count + sign, by + sign * self.signer.place(n, mac)

    def _signed_entries(
        self, columns: Sequence[str], rows: Sequence[Sequence[Any]]
    ) -> tuple[Sequence[str], Sequence[Sequence[Any]]]:
        """Ledger entries with their signatures. Their hashes need no key: an import compares by
        them."""
        seq, hash, user, agent = map(columns.index, signed_head.ENTRY)
        signed = [
            (*row, self.signer.entry(row[seq], row[hash], row[user], row[agent])) for row in rows
        ]
        assert self._head is not None
        self._head.seq, self._head.hash = rows[-1][seq], rows[-1][hash]
        return (*columns, "mac"), signed


@functools.cache
def _places(names: tuple[str, ...], columns: tuple[str, ...]) -> list[int] | None:
    """Positions of columns among others; None when one is missing."""
    return [columns.index(name) for name in names] if set(names) <= set(columns) else None
