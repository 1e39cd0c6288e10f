"""The part of a unit of work that is about facts in time. See ``storage.protocol.Writer``."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from thalamus.policy.entities import key_of
from thalamus.storage.sqlite import entities, facts, own_predicates, rows, telling

if TYPE_CHECKING:
    from thalamus.policy.predicates import Registry
    from thalamus.policy.timeline import NoteKind, Repeat
    from thalamus.records import Alias, Fact, Predicate
    from thalamus.storage.shapes import Change
    from thalamus.storage.sqlite.sealed import Boxes


class FactWriter:
    """Writes in the transaction of the writer that it is part of."""

    _db: sqlite3.Connection
    _now: str
    _boxes: Boxes | None
    _registry: Registry | None = None

    if TYPE_CHECKING:  # another part of it

        def _opened(self, record: Any) -> Any: ...

    @property
    def registry(self) -> Registry:
        """The predicates, the user's own among them."""
        if self._registry is None:
            self._registry = own_predicates.registry(self._db)
        return self._registry

    def fact(self, id: str) -> Fact | None:
        row = self._db.execute("SELECT * FROM fact WHERE id = ?", (id,)).fetchone()
        return None if row is None else facts.with_history(self._db, self._opened(rows.fact(row)))

    def saying_same(self, id: str) -> list[str]:
        query = (
            "SELECT other.id FROM fact AS one JOIN fact AS other ON other.user IS one.user"
            " AND other.entity = one.entity AND other.predicate = one.predicate"
            " AND other.value = one.value WHERE one.id = ? ORDER BY other.key"
        )
        return [row[0] for row in self._db.execute(query, (id,))]

    def repeats(self, fact: Fact) -> Repeat | None:
        return telling.repeats(self._db, self.registry, fact, self._boxes)

    def note(self, id: str, kind: NoteKind, at: str) -> list[Change]:
        row = self._db.execute("SELECT key FROM fact WHERE id = ?", (id,)).fetchone()
        if row is None or not telling.add_note(self._db, row[0], kind, at, self._now):
            return []
        return self.settle([id])

    def end_fact(self, id: str, valid_to: str) -> list[Change]:
        return self.note(id, "end", valid_to)

    def retire_fact(self, id: str) -> list[Change] | None:
        return telling.retire(self._db, self.registry, id, self._now, self._boxes)

    def settle(self, ids: Iterable[str]) -> list[Change]:
        groups = telling.groups_of(self._db, self.registry, ids)
        return telling.settle_groups(self._db, self.registry, groups, self._now, self._boxes)

    def mixed(self, ids: Iterable[str]) -> list[str]:
        """Of these facts those whose group has others too."""
        wanted = set(ids)
        found = []
        for id in sorted(wanted):
            for group in telling.groups_of(self._db, self.registry, [id]):
                told = telling.statements(self._db, group, self._boxes)
                keys = [int(statement.fact) for statement in told]
                marks = ",".join("?" * len(keys))
                query = f"SELECT id FROM fact WHERE key IN ({marks})"
                if {row[0] for row in self._db.execute(query, keys)} - wanted:
                    found.append(id)
        return found

    def merge(self, name: str, into: str, owner: str | None) -> list[Change]:
        return entities.merge(self._db, self.registry, name, into, owner, self._now, self._boxes)

    def unmerge(self, name: str, owner: str | None) -> list[Change] | None:
        return entities.unmerge(self._db, self.registry, name, owner, self._now, self._boxes)

    def add_alias(self, alias: Alias) -> bool:
        added = entities.add_alias(self._db, alias, self._now, keep=True)
        if added:
            keys = {key_of(alias.name), key_of(alias.target)}
            entities.reassign(self._db, self.registry, alias.user, keys, self._now, self._boxes)
        return added

    def set_predicate(self, predicate: Predicate) -> list[Change]:
        self._registry = None
        return own_predicates.set_predicate(self._db, predicate, self._now, self._boxes)

    def add_predicate(self, predicate: Predicate) -> bool:
        added = own_predicates.save_predicate(self._db, predicate)
        if added:
            self._registry = None
            own_predicates.set_predicate(self._db, predicate, self._now, self._boxes)
        return added
