"""Common reading implementation of a store and a unit of work."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

from thalamus.records.kinds import kind_of
from thalamus.records.ownership import Owner
from thalamus.storage.relational.records import Records
from thalamus.storage.relational.rows import find

if TYPE_CHECKING:
    from thalamus.security.cipher import Cipher
    from thalamus.storage.protocol.conditions import Where
    from thalamus.storage.protocol.rows import Rows, Selection
    from thalamus.storage.relational.batches import Batches
    from thalamus.storage.relational.concepts import Concepts
    from thalamus.storage.relational.embeddings import Embeddings
    from thalamus.storage.relational.encrypted import EncryptedContents
    from thalamus.storage.relational.events import Events
    from thalamus.storage.relational.facts import Facts
    from thalamus.storage.relational.jobs import Jobs
    from thalamus.storage.relational.links import Links
    from thalamus.storage.relational.memories import Memories
    from thalamus.storage.relational.sessions import Sessions
    from thalamus.storage.relational.spellings import Spellings
    from thalamus.storage.relational.tables import Tables


class RelationalReader:
    """See ``storage.protocol.Reader``, and ``Source`` in ``collection``."""

    def __init__(self, tables: Tables, owner: Owner = Owner()) -> None:
        self._tables = tables
        self.owner = owner

    @property
    def rows(self) -> Rows:
        """The rows to be read."""
        return self._tables

    def guard(self) -> AbstractContextManager[None]:
        return nullcontext()

    def reading_cipher(self) -> Cipher | None:
        return None

    def open(self, record: Any) -> Any:
        from thalamus.security.cipher import opened  # not needed by searches

        return opened(record, self.reading_cipher())

    def find(
        self,
        kind: type[Any],
        where: Where | None = None,
        order: Sequence[str] = (),
        limit: int | None = None,
    ) -> list[Any]:
        with self.guard():
            return [self.open(record) for record in find(self.rows, kind, where, order, limit)]

    def by_id(self, kind: type[Any], id: str | None) -> Any:
        found = self.by_ids(kind, [id] if id else [])
        return found[0] if found else None

    def by_ids(self, kind: type[Any], ids: Collection[str]) -> list[Any]:
        return self.find(kind, {"id": tuple(ids)})

    def select(
        self,
        table: str,
        columns: Sequence[str],
        where: Where | None = None,
        order: Sequence[str] = (),
        limit: int | None = None,
        group: Sequence[str] = (),
    ) -> list[Any]:
        with self.guard():
            return self.rows.select(table, columns, where, order, limit, group)

    def select_each(self, selections: Sequence[Selection]) -> list[list[Any]]:
        with self.guard():
            return self.rows.select_each(selections)

    def query(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        with self.guard():
            return self._tables.connection.execute(query, values).fetchall()

    def source(self, table: str, alias: str = "") -> str:
        return self.rows.source(table, alias)

    @property
    def spellings(self) -> Spellings:
        """Spellings of names in a store of an older version."""
        with self.guard():
            return self._tables.spellings

    def value(self, name: str) -> str | None:
        return self.values(name).get(name)

    def values(self, *names: str) -> dict[str, str]:
        found = self.select("meta", ("name", "value"), {"name": names})
        return {row[0]: row[1] for row in found if row[1] is not None}

    # -- collections ------------------------------------------------------------------------------

    def records(self, kind: type[Any]) -> Records:
        return Records(self, kind_of(kind))

    @property
    def batches(self) -> Batches:
        from thalamus.storage.relational.batches import Batches

        return Batches(self)

    @property
    def concepts(self) -> Concepts:
        from thalamus.storage.relational.concepts import Concepts

        return Concepts(self)

    @property
    def embeddings(self) -> Embeddings:
        from thalamus.storage.relational.embeddings import Embeddings

        return Embeddings(self)

    @property
    def encrypted(self) -> EncryptedContents:
        from thalamus.storage.relational.encrypted import EncryptedContents

        return EncryptedContents(self)

    @property
    def events(self) -> Events:
        from thalamus.storage.relational.events import Events

        return Events(self)

    @property
    def facts(self) -> Facts:
        from thalamus.storage.relational.facts import Facts

        return Facts(self)

    @property
    def jobs(self) -> Jobs:
        from thalamus.storage.relational.jobs import Jobs

        return Jobs(self)

    @property
    def links(self) -> Links:
        from thalamus.storage.relational.links import Links

        return Links(self)

    @property
    def memories(self) -> Memories:
        from thalamus.storage.relational.memories import Memories

        return Memories(self)

    @property
    def sessions(self) -> Sessions:
        from thalamus.storage.relational.sessions import Sessions

        return Sessions(self)
