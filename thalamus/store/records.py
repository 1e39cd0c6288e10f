"""Questions that are the same for every kind of record."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from thalamus.records import Record
from thalamus.records.kinds import kind_of
from thalamus.store.tables import AMONG

if TYPE_CHECKING:
    from thalamus.records.ownership import Owner
    from thalamus.store.reader import Reader
    from thalamus.store.writer import Writer

R = TypeVar("R", bound=Record)

PAGE = 200  # rows in a page
AFTER_ALL = "\U0010ffff"  # after every time
_NAMES = {"user": '"user"', "agent": "agent", "session": "session"}  # columns, in statements
ABOUT = "IN (SELECT key FROM about WHERE concept IN (SELECT n FROM concept WHERE folded = ?))"


# -- reading ---------------------------------------------------------------------------------------


def with_status(reader: Reader, kind: type[R], status: str) -> list[R]:
    """The records of a kind in a status, in the order of storing."""
    sql = f"SELECT * FROM {kind_of(kind).name} WHERE status = ? ORDER BY key"
    return reader.read(kind, sql, status)


def with_identity(reader: Reader, kind: type[R], identity: Sequence[Any]) -> list[R]:
    """The record with these values of the columns that identify it, if there is one."""
    sql = f"SELECT * FROM {kind_of(kind).name} WHERE {_identified(kind)}"
    return reader.read(kind, sql, *identity)


def _identified(kind: type[Record]) -> str:
    return " AND ".join(f"{name} = ?" for name in kind_of(kind).identity)


def any_of(reader: Reader, kind: type[Record]) -> bool:
    """True when there is a record of a kind."""
    return bool(reader.fetch(f"SELECT 1 FROM {kind_of(kind).name} LIMIT 1"))


def ids_by_key(reader: Reader, kind: type[Record], keys: Collection[int]) -> dict[int, str]:
    """Ids of the records of a kind with these keys, by key."""
    sql = f"SELECT key, id FROM {kind_of(kind).name} WHERE key {AMONG}"
    return {row[0]: row[1] for row in reader.fetch(sql, keys)} if keys else {}


def personal(reader: Reader, kind: type[Record]) -> list[str]:
    """Ids of the records of a kind that are marked as personal, or that always are."""
    one = kind_of(kind)
    marked = "" if one.personal else " WHERE sensitivity = 'personal'"
    return [row[0] for row in reader.fetch(f"SELECT id FROM {one.name}{marked}")]


def texts(reader: Reader, kind: type[Record], column: str) -> dict[str, str]:
    """Texts in a column as stored, by id, without rows that have none."""
    sql = f"SELECT id, {column} FROM {kind_of(kind).name} WHERE {column} IS NOT NULL"
    return {row[0]: row[1] for row in reader.fetch(sql)}


# -- names -----------------------------------------------------------------------------------------


def names(
    reader: Reader, kind: type[Record], column: str, name: str | None = None
) -> dict[str | None, int]:
    """Number of records with each ``user``, ``agent`` or ``session`` (the ``column``), as their
    rows spell it; of those with a ``name`` in any spelling, or of all."""
    table, column = kind_of(kind).name, _NAMES[column]
    if name is None:
        found = reader.fetch(f"SELECT {column}, count(*) FROM {table} GROUP BY {column}")
    else:
        of = f"SELECT {column}, count(*) FROM {table} WHERE {column} = ? GROUP BY {column}"
        found = reader.fetch(of, name)
    return {row[0]: int(row[1]) for row in found}


def named(reader: Reader, kind: type[Record], column: str, name: str) -> dict[str, str]:
    """A name as records that have it in any spelling write it in their rows, by id."""
    column = _NAMES[column]
    sql = f"SELECT id, {column} FROM {kind_of(kind).name} WHERE {column} = ?"
    return {row[0]: row[1] for row in reader.fetch(sql, name)}


def rename_session(
    writer: Writer, kind: type[Record], session: str, owner: Owner, name: str
) -> None:
    """Gives the records of a session that an owner reaches the ``name`` of another one."""
    condition, values = "session = ?", [session]
    for column, of in (("user", owner.user), ("agent", owner.agent)):
        if of is not None and column in kind_of(kind).columns:
            condition += f" AND ({_NAMES[column]} = ? OR {_NAMES[column]} IS NULL)"
            values.append(of)
    writer.update(kind_of(kind).name, {"session": name}, condition, *values)


# -- deleting --------------------------------------------------------------------------------------


def delete(writer: Writer, kind: type[Record], ids: Collection[str]) -> int:
    """Deletes records that other rows do not depend on, and their ciphertexts; returns how many.
    The id of a world state is its owner."""
    one = kind_of(kind)
    if one.encrypted:
        writer.delete("encrypted", f"kind = ? AND id {AMONG}", one.name, ids)
    return writer.delete(one.name, f"{one.identity[-1]} {AMONG}", ids)


def delete_identified(writer: Writer, kind: type[Record], identity: Sequence[Any]) -> None:
    """Deletes the record with these values of the columns that identify it."""
    writer.delete(kind_of(kind).name, _identified(kind), *identity)


# -- by time ---------------------------------------------------------------------------------------


def pages(
    reader: Reader,
    kind: type[Record],
    since: str | None,
    until: str | None,
    *,
    concepts: Sequence[str] = (),
    topics: Collection[str] = (),
    encrypted: bool = False,
) -> Iterator[list[str]]:
    """Ids of records, newest first, in pages: of those said (a document: stored) from ``since`` to
    before ``until``. ``concepts``: keys of concepts, of any owner, that they all have; ``topics``:
    one of which a memory has; ``encrypted``: only those whose content is."""
    one = kind_of(kind)
    time = "created_at" if "created_at" in one.columns else "recorded_at"
    key = "key" if one.has_key else "id"
    conditions, values = [f"key {ABOUT}"] * len(concepts), list[Any](concepts)
    if topics:
        conditions.append(f"topic {AMONG}")
        values.append(topics)
    if encrypted:
        conditions.append(f"id IN (SELECT id FROM encrypted WHERE kind = '{one.name}')")
    met = "".join(f"{condition} AND " for condition in conditions)
    found = f"SELECT id, {time}, {key} FROM {one.name} WHERE {met}"
    order = f"ORDER BY {time} DESC, {key} DESC LIMIT ?"
    # not ``(time, key) < (?, ?)``: SQLite would read every row of that time again for each page
    earlier = f"{found}{time} >= ? AND {time} < ? {order}"
    same_time = f"{found}{time} = ? AND {key} < ? {order}"
    before = until or AFTER_ALL
    while True:
        page = reader.fetch(earlier, *values, since or "", before, PAGE)
        if page:
            yield [row[0] for row in page]
        if len(page) < PAGE:
            return
        _, before, last = page[-1]
        while page := reader.fetch(same_time, *values, before, last, PAGE):
            yield [row[0] for row in page]
            last = page[-1][2]
