"""Copying a store to another place, whatever their databases.

The rows are copied as they are, table by table in the order of their keys, from one snapshot of the
source. An interrupted copy continues after the last row of each table.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import zip_longest
from typing import TYPE_CHECKING

import msgspec

from thalamus.errors import BadField, CopyDiffers, StoreDamaged, UsageError
from thalamus.store.base import COUNTED
from thalamus.store.copy_mark import COPY_OF, CopyMark, mark_in
from thalamus.store.maintenance import CopyReport
from thalamus.store.tables import ERASING
from thalamus.text.storable import rejected

if TYPE_CHECKING:
    from thalamus.store.bulk import BulkRows, BulkTable, Row
    from thalamus.store.keys import Keys

ROWS = 2_000  # in one transaction, if they are short
BYTES = 4 << 20
# the target keeps its own values; remains in files of the source are not copied
OWN = ("tenant", "epoch", ERASING, COPY_OF)
Progress = Callable[[int], None]  # called with the number of rows added


def copy_store(
    source: BulkRows,
    target: BulkRows,
    own: Mapping[str, str],
    keys: Keys | None,
    *,
    force: bool = False,
    progress: Progress = lambda _: None,
) -> CopyReport:
    """Copies a snapshot into a target that is empty or an unfinished copy of the same store, with
    ``force`` of any store. ``own``: values of the target that are not copied, such as its tenant.

    Raises ``UsageError`` for a target that holds anything else, and ``CopyDiffers`` when rows or
    signatures (verified with ``keys``) are not those of the source.
    """
    values = source.values()
    report = CopyReport(values["store"])
    mark = CopyMark(values["store"], _state(values), source.place)
    _begin(target, mark, report, force)
    for table in source.described():
        count = copy_table(source, target, table, progress)
        if table.name in COUNTED:
            report.counts[table.name] = count
    target.build()
    whole = copied_values(values, own)
    with target.transaction():
        target.put_values({**whole, COPY_OF: msgspec.json.encode(mark).decode()})
    try:
        compare(source, target, keys)
    except CopyDiffers:
        with target.transaction():  # the next run begins with the first row
            begun = msgspec.structs.replace(mark, state="")
            target.put_values({COPY_OF: msgspec.json.encode(begun).decode()})
        raise
    with target.transaction():
        target.put_values(whole)
    return report


def copy_all(source: BulkRows, target: BulkRows, own: Mapping[str, str]) -> None:
    """Replaces everything in the target with a snapshot, in its transaction or in a file that
    nobody else knows yet."""
    with target.transaction():
        target.clear()
        for table in source.described():
            copy_table(source, target, table)
        target.build()
        target.put_values(copied_values(source.values(), own))


def new_epoch() -> str:
    """An epoch of which no index can remain. Not just the next one: an index of a store whose file
    was deleted may have it."""
    return str(1 + int.from_bytes(os.urandom(4), "big"))


def copied_values(values: Mapping[str, str], own: Mapping[str, str]) -> dict[str, str]:
    """The store-wide values of a copy."""
    return {**{name: value for name, value in values.items() if name not in OWN}, **own}


def copy_table(
    source: BulkRows, target: BulkRows, table: BulkTable, progress: Progress = lambda _: None
) -> int:
    """Copies the missing rows; returns the resulting number of rows."""
    last = target.last(table)
    count = 0
    if last is not None:
        [[count]] = target.tables.fetch(f"SELECT count(*) FROM {table.name}")
        progress(count)
    for part in _parts(source.each(table, last)):
        with target.transaction():
            _insert(target, table, part)
        count += len(part)
        progress(len(part))
    return count


def compare(source: BulkRows, target: BulkRows, keys: Keys | None) -> None:
    """Compares every row of a copy with the source, and the copy with its signatures, if ``keys``
    are given. Raises ``CopyDiffers``."""
    for table in source.described():
        there = target.each(table)
        for row, copied in zip_longest(source.each(table), there):
            if row is None or copied is None or not _same(row, copied):
                key = table.key_of(row if row is not None else copied)
                raise CopyDiffers(target.place, f"{table.name} {' '.join(map(str, key))}")
    if keys is None:
        return
    with target.verification(keys) as verification:
        for finding in verification.of_rows():
            raise CopyDiffers(target.place, f"{finding.table} {finding.id}: {finding.detail}")


def _begin(target: BulkRows, mark: CopyMark, report: CopyReport, force: bool) -> None:
    """Marks the target as the beginning of a copy."""
    with target.transaction():
        begun = mark_in(target.values())
        if begun is None and not target.empty():
            fix = "Copy into an empty one: another folder, or another --tenant."
            raise UsageError(f"There is already a store at {target.place}.", fix=fix)
        if begun is not None and begun.store != mark.store and not force:
            raise UsageError(
                f"There is an unfinished copy of another store, {begun.place}, at {target.place}.",
                fix="Give --force to discard it.",
            )
        if begun is not None and (begun.store, begun.state) == (mark.store, mark.state):
            report.resumed = True
            return
        report.restarted = begun is not None and begun.store == mark.store
        target.clear()
        target.put_values({COPY_OF: msgspec.json.encode(mark).decode()})


def _state(values: Mapping[str, str]) -> str:
    listed = sorted(item for item in values.items() if item[0] not in OWN)
    return hashlib.blake2b(msgspec.msgpack.encode(listed), digest_size=16).hexdigest()


def _parts(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """The rows in groups for one transaction each."""
    part: list[Row] = []
    size = 0
    for row in rows:
        part.append(row)
        size += sum(len(value) for value in row if isinstance(value, (str, bytes)))
        if len(part) >= ROWS or size >= BYTES:
            yield part
            part, size = [], 0
    if part:
        yield part


def _insert(target: BulkRows, table: BulkTable, rows: list[Row]) -> None:
    """Inserts rows. Raises ``StoreDamaged`` naming a row that the database rejects."""
    try:
        target.insert(table, rows)
    except BadField as error:
        bad = next((row for row in rows if rejected(row)), rows[0])
        key = " ".join(map(str, table.key_of(bad)))
        problem = f"it cannot store {table.name} {key}, which {error.args[1]}"
        fix = "Correct or delete it in the source, then run the copy again."
        raise StoreDamaged(target.place, problem, fix=fix) from error


def _same(one: Row, other: Row) -> bool:
    return one == other and [*map(type, one)] == [*map(type, other)]
