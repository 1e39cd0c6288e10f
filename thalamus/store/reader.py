"""Reading of a store: rows and records by statements in SQL."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, TypeVar

from thalamus.records import Record
from thalamus.records.kinds import kind_of
from thalamus.records.ownership import Owner
from thalamus.store.rows import decoded, every
from thalamus.store.tables import AMONG

if TYPE_CHECKING:
    from thalamus.store.encryption.cipher import Cipher
    from thalamus.store.spellings import Spellings
    from thalamus.store.tables import Tables


R = TypeVar("R", bound=Record)


class Reader:
    """Reading of a store or in a unit of work, whose own writes are visible. The statements about a
    subject are in its module (``facts``, ``memories`` …), which is given a reader."""

    def __init__(self, tables: Tables, owner: Owner = Owner()) -> None:
        self.tables = tables
        self.owner = owner

    def guard(self) -> AbstractContextManager[None]:
        return nullcontext()

    def reading_cipher(self) -> Cipher | None:
        return None

    def hash(self, record: Any, plain: bytes) -> bytes:
        """Hash of a record's words as stored; for words to be encrypted, one that cannot be used to
        confirm a guess."""
        cipher = self.reading_cipher()
        subject = cipher.subject(record) if cipher is not None else None
        return cipher.hash(subject, plain) if cipher is not None and subject else plain

    def open(self, record: Any) -> Any:
        from thalamus.store.encryption.cipher import opened  # not needed by searches

        return opened(record, self.reading_cipher())

    def by_id(self, kind: type[R], id: str | None) -> R | None:
        """The record of a kind with this id."""
        found = self.by_ids(kind, [id] if id else [])
        return found[0] if found else None

    def by_ids(self, kind: type[R], ids: Collection[str]) -> list[R]:
        """Records of a kind with these ids, in any order."""
        table = kind_of(kind).name
        sql = f"SELECT * FROM {table} WHERE id {AMONG}"
        return self.read(kind, sql, [*ids]) if ids else []

    def each(self, kind: type[R], *, plain: bool = False) -> Iterator[R]:
        """The records of a kind in storage order, read in steps; with ``plain`` without encrypted
        ones."""
        hidden = f"SELECT id FROM encrypted WHERE kind = '{kind_of(kind).name}'"
        with self.guard():
            found = every(self.tables, kind, f"id NOT IN ({hidden})" if plain else "true")
            yield from map(self.open, found)

    def has(self, kind: type[Record], id: str | None) -> bool:
        """True if there is a record of a kind with this id."""
        return bool(self.existing(kind, [id])) if id else False

    def existing(self, kind: type[Record], ids: Collection[str]) -> list[str]:
        """Those of the ids that a record of a kind has."""
        table = kind_of(kind).name
        sql = f"SELECT id FROM {table} WHERE id {AMONG}"
        return [row[0] for row in self.fetch(sql, [*ids])] if ids else []

    def keys(self, kind: type[Record], ids: Collection[str]) -> dict[str, int]:
        """Keys of records of a kind, by id."""
        sql = f"SELECT id, key FROM {kind_of(kind).name} WHERE id {AMONG}"
        return {row[0]: row[1] for row in self.fetch(sql, [*ids])} if ids else {}

    def key(self, kind: type[Record], id: str) -> int | None:
        """Key of a record; None when there is none with this id."""
        return self.keys(kind, [id]).get(id)

    def count(self, kind: type[Record]) -> int:
        """Number of records of a kind."""
        return int(self.fetch(f"SELECT count(*) FROM {kind_of(kind).name}")[0][0])

    def fetch(self, sql: str, *values: Any) -> list[Any]:
        """Rows of a query; see ``tables.Tables.fetch``."""
        with self.guard():
            return self.tables.fetch(sql, *values)

    def stream(self, sql: str, *values: Any) -> Iterator[Any]:
        """Iterates over the rows of a query, which are not all in memory; see ``fetch``."""
        with self.guard():
            yield from self.tables.execute(sql, *values)

    def fetch_each(self, *queries: tuple[Any, ...]) -> list[list[Any]]:
        """Rows of several queries; see ``tables.Tables.fetch_each``."""
        with self.guard():
            return self.tables.fetch_each(*queries)

    def read(self, kind: type[R], sql: str, *values: Any) -> list[R]:
        """Records of a kind, from rows with all columns of its table. Encrypted ones are decrypted
        if the key is available, else their content is ``HIDDEN``."""
        return [self.open(record) for record in decoded(kind, self.fetch(sql, *values))]

    @property
    def spellings(self) -> Spellings:
        """Spellings of names in a store of an older version."""
        with self.guard():
            return self.tables.spellings

    def value(self, name: str) -> str | None:
        """A store-wide value; None when it is not set."""
        return self.values(name).get(name)

    def values(self, *names: str) -> dict[str, str]:
        """Some store-wide values, without those that are not set."""
        found = self.fetch(f"SELECT name, value FROM meta WHERE name {AMONG}", names)
        return {row[0]: row[1] for row in found if row[1] is not None}


# records in plain text that must be encrypted because these ids are personal, with their kinds
PlainSources = Callable[[Reader, Iterable[str]], dict[str, str]]
