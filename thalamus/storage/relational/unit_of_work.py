"""One unit of work: everything between BEGIN and COMMIT."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import structs

from thalamus.records import Document, Event, Fact, Memory, Plan, Record, Turn
from thalamus.records.kinds import Kind, kind_named, kind_of, kinds, numbered
from thalamus.storage import ledger
from thalamus.storage.protocol import Among, Vector
from thalamus.storage.relational.reader import RelationalReader
from thalamus.storage.relational.rows import KEYS, columns_of, row_of

if TYPE_CHECKING:
    from thalamus.clock import Clock
    from thalamus.security.encryption import Cipher
    from thalamus.storage.protocol import Rows, Where

# what is to be indexed again, given the keys of rows: those that go or change, and those around
Neighbours = Callable[[int], list[int]]
_SPACE_COLUMNS = ("model", "dimension", "count", "last")


class UnitOfWork(RelationalReader):
    """Writes in the present transaction. See ``storage.protocol.Writer``.

    ``neighbours``: gives the keys whose indexed text holds words of the row with a key; without it
    the database has no indexes that follow. Memories and vectors wait for each other, to be written
    many at a time; before anything is read they are written.
    """

    def __init__(
        self,
        rows: Rows,
        clock: Clock,
        cipher: Cipher | None = None,
        neighbours: Neighbours | None = None,
    ) -> None:
        super().__init__(rows, cipher)
        self._clock = clock
        self._neighbours = neighbours
        self.now = clock.stamp()
        self._next_key: int | None = None
        self._spaces: dict[str, tuple[int, int]] = {}
        # what is added to a space: how many embeddings, and the number of the last
        self._counts: dict[int, tuple[int, int]] = {}
        self._waiting: list[tuple[Any, ...]] = []
        self._columns: tuple[str, ...] = ()
        self._vectors: list[tuple[int, int, bytes]] = []
        self._changed: dict[int, None] = {}  # the keys of what has to be indexed again

    def finish(self) -> None:
        """Writes what waits and the counters; the caller commits."""
        self._flush()
        if self._changed:
            self._rows.insert("removal", ("key",), [(key,) for key in self._changed])
            self._changed.clear()
        for space, (more, last) in self._counts.items():
            columns = ("count", "last")
            [(count, newest)] = self._rows.select("space", columns, {"id": space})
            fields = {"count": count + more, "last": max(newest, last)}
            self._rows.update("space", fields, {"id": space})
        self._counts.clear()
        if self._next_key is not None:
            self._rows.update("meta", {"value": self._next_key}, {"name": "next_key"})

    def _seen(self) -> Rows:
        self._flush()
        return self._rows

    # -- records ----------------------------------------------------------------------------------

    def add(
        self, record: Record, vector: Vector | None = None, *, judged: bool = True, **derived: Any
    ) -> bool:
        kind = kind_of(type(record))
        if isinstance(record, Memory):
            self._write(kind, record, vector, derived)
            return True
        same = {name: derived.get(name, getattr(record, name, None)) for name in kind.identity}
        if self.select(kind.name, kind.identity[:1], same, limit=1):
            return False
        self._write(kind, self._recorded(record), vector, derived, surely=not judged)
        return True

    def put(self, record: Record, **derived: Any) -> None:
        self._flush()
        self._write(kind_of(type(record)), self._recorded(record), None, derived, replace=True)

    def _recorded(self, record: Any) -> Any:
        """A turn or document with the time at which the store learned it."""
        if isinstance(record, (Turn, Document)) and record.recorded_at is None:
            return structs.replace(record, recorded_at=self.now)
        return record

    def _write(
        self,
        kind: Kind,
        record: Any,
        vector: Vector | None,
        derived: dict[str, Any],
        *,
        surely: bool = False,
        replace: bool = False,
    ) -> None:
        for name, make in kind.hashes.items():
            if name not in derived:
                derived[name] = self.hash(record, make(record))
        if self._cipher is not None and kind.encrypted:
            record, vector = self._encrypt(kind, record, vector, derived, surely)
        if kind.numbered or "key" in kind.derived:
            derived["key"] = self._new_key()
        columns, row = row_of(kind, record, derived)
        if isinstance(record, Memory):
            self._columns = columns
            self._waiting.append(row)
        else:
            key = kind.identity if replace else ()
            self._rows.insert(kind.name, columns, [row], key=key, replace=replace)
        if vector is not None:
            self._embed(derived["key"], vector)

    def update(self, table: str, fields: Mapping[str, Any], where: Where) -> int:
        self._flush()
        kind = next((kind for kind in kinds() if kind.name == table), None)
        if kind is None:
            return self._rows.update(table, fields, where)
        if kind.numbered and kind.reindexed & set(fields):
            keys = [row[0] for row in self._rows.select(table, ("key",), where)]
            self._reindex(keys, around=len(keys) == 1)  # of many most of those around change too
        columns = columns_of(kind, fields)
        secret = set(kind.encrypted) & set(fields)
        if not secret:
            return self._rows.update(table, columns, where)
        return self._update_secret(kind, fields, columns, secret, where)

    def _update_secret(
        self,
        kind: Kind,
        fields: Mapping[str, Any],
        columns: Mapping[str, Any],
        secret: set[str],
        where: Where,
    ) -> int:
        """The same where some of the rows may be encrypted: their fields change in there."""
        ids = [row[0] for row in self._rows.select(kind.name, ("id",), where)]
        named = {"kind": kind.name, "id": ids}
        hidden = {row[0] for row in self._rows.select("encrypted", ("id",), named)}
        changes = {name: fields[name] for name in secret}
        if self._cipher is not None:
            for id in hidden:
                self._cipher.change(kind.name, id, **changes)
        rest = {name: value for name, value in columns.items() if name not in secret}
        if hidden and rest:
            self._rows.update(kind.name, rest, {"id": sorted(hidden)})
        plain = [id for id in ids if id not in hidden]
        if plain:
            self._rows.update(kind.name, columns, {"id": plain})
        return len(ids)

    def insert(self, table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> int:
        self._flush()
        return self._rows.insert(table, columns, rows, key=KEYS.get(table, ()))

    def delete(self, table: str, where: Where) -> int:
        self._flush()
        return self._rows.delete(table, where)

    def remove(self, id: str) -> bool:
        self._flush()
        for kind in kinds():
            if kind.identity != ("id",):
                continue
            has_key = kind.numbered or "key" in kind.derived
            for row in self._rows.select(kind.name, ("key" if has_key else "id",), {"id": id}):
                if kind.numbered:
                    self._reindex([row[0]], around=True)
                    self._unembed(row[0])
                self._rows.delete(kind.name, {"id": id})
                for owned in kind.owned:
                    of = id if owned.of == "id" else row[0]
                    self._rows.delete(owned.table, {owned.column: of})
                if kind.encrypted:
                    self._rows.delete("encrypted", {"kind": kind.name, "id": id})
                self._rows.delete("link", {"source": id})
                self._rows.delete("link", {"target": id})
                return True
        return False

    def renumber(self, id: str) -> int:
        self._flush()
        for kind in numbered():
            for row in self._rows.select(kind.name, ("key",), {"id": id}):
                self._unembed(row[0])
                key = self._new_key()
                self._rows.update(kind.name, {"key": key}, {"id": id})
                for owned in kind.owned:
                    if owned.of == "key":
                        self._rows.update(owned.table, {owned.column: key}, {owned.column: row[0]})
                return key
        raise KeyError(id)

    def _new_key(self) -> int:
        if self._next_key is None:
            self._next_key = int(self._rows.select("meta", ("value",), {"name": "next_key"})[0][0])
        key = self._next_key
        self._next_key += 1
        return key

    def _reindex(self, keys: Sequence[int], *, around: bool) -> None:
        """Has rows indexed again, or taken out of the indexes."""
        if self._neighbours is None:
            return
        self._changed |= dict.fromkeys(keys)
        for key in keys if around else ():
            self._changed |= dict.fromkeys(self._neighbours(key))

    def _flush(self) -> None:
        if self._waiting:
            rows, self._waiting = self._waiting, []
            self._rows.insert("memory", self._columns, rows)
        if self._vectors:
            vectors, self._vectors = self._vectors, []
            names: Sequence[str] = ("space", "key", "vector")
            names, made = self._rows.numbered("embedding", names, vectors)
            self._rows.insert("embedding", names, made)
            for n, space, _, _ in made:
                more, _ = self._counts.get(space, (0, 0))
                self._counts[space] = more + 1, n

    # -- the ledger -------------------------------------------------------------------------------

    def add_event(self, event: Event) -> Event:
        self._flush()
        return ledger.append(self._rows, self._encrypted_event(event), self._clock)

    # -- embeddings -------------------------------------------------------------------------------

    def add_vector(self, key: int, vector: Vector) -> None:
        if self._cipher is not None and (found := self._encrypted_row(key)) is not None:
            self._cipher.change(*found, vector=[vector.model, vector.data])
            return
        space, _ = self._space(vector)
        if not self.select("embedding", ("n",), {"space": space, "key": key}, limit=1):
            self._embed(key, vector)

    def _encrypted_row(self, key: int) -> tuple[str, str] | None:
        """The kind and id of the row with this key, if it is encrypted."""
        for kind in numbered():
            hidden = Among("encrypted", "id", {"kind": kind.name})
            for row in self.select(kind.name, ("id",), {"key": key, "id": hidden}):
                return kind.name, row[0]
        return None

    def _embed(self, key: int, vector: Vector) -> None:
        space, size = self._space(vector)
        if vector.dimension != size:
            raise ValueError(
                f"{vector.model} has {size} dimensions in this store, not {vector.dimension}"
            )
        self._vectors.append((space, key, vector.data))

    def _unembed(self, key: int) -> None:
        """Deletes the embeddings of a row."""
        for row in self._rows.select("embedding", ("space",), {"key": key}):
            more, last = self._counts.get(row[0], (0, 0))
            self._counts[row[0]] = more - 1, last
        self._rows.delete("embedding", {"key": key})

    def _space(self, vector: Vector) -> tuple[int, int]:
        """The number of a model's space, and its dimension."""
        if vector.model not in self._spaces:
            row = (vector.model, vector.dimension, 0, 0)
            self._rows.insert("space", _SPACE_COLUMNS, [row], key=("model",))
            where = {"model": vector.model}
            [(id, size)] = self._rows.select("space", ("id", "dimension"), where)
            self._spaces[vector.model] = (id, size)
        return self._spaces[vector.model]

    # -- encrypting what is personal --------------------------------------------------------------

    def _encrypt(
        self,
        kind: Kind,
        record: Any,
        vector: Vector | None,
        derived: dict[str, Any],
        surely: bool,
    ) -> tuple[Any, Vector | None]:
        """What is personal goes encrypted into a table of its own, its vector too; with ``surely``
        also what may be."""
        assert self._cipher is not None
        if isinstance(record, Plan):
            return self._encrypted_plan(record), None
        subject = self._cipher.subject(record, surely)
        if subject is None:
            return record, vector
        value = derived.get("value")
        if isinstance(record, Fact):
            derived["value"] = self._cipher.value_of(record, str(value))
        if "sensitivity" in kind.columns:
            record = structs.replace(record, sensitivity="personal")
        return self._cipher.encrypt(record, subject, vector, value), None

    def reveal(self, turn: Turn) -> None:
        id = turn.id or ""
        values = self._cipher.content("turn", id) if self._cipher else None
        if self._cipher is None or values is None or self._cipher.subject(turn) is not None:
            return
        vector = values.pop("vector", None)
        self.delete("encrypted", {"kind": "turn", "id": id})
        names = kind_named("turn").encrypted
        self.update("turn", {name: values[name] for name in names}, {"id": id})
        if vector is not None:
            self._embed(self.select("turn", ("key",), {"id": id})[0][0], Vector(*vector))

    def _encrypted_plan(self, plan: Plan) -> Plan:
        """The plan of an encrypted turn is encrypted with the same key."""
        subject = self._cipher.key_id("turn", plan.turn) if self._cipher else None
        key = self._cipher.key_of(subject) if self._cipher and subject else None
        return self._cipher.encrypt_with(key, plan) if self._cipher and key else plan

    def _encrypted_event(self, event: Event) -> Event:
        """An entry about an encrypted turn, or with the reason why an encrypted fact or memory is
        changed, is encrypted with the same key."""
        if self._cipher is None:
            return event
        subject = self._cipher.key_id("turn", event.turn)
        if subject and event.name == "stage" and self.select("job", ("n",), {"turn": event.turn}):
            return event  # what comes before reflection says nothing in words
        if subject is None and event.data.get("reason"):
            subject = self._cipher.key_id("fact", event.data.get("fact"))
        return self._cipher.encrypt_event(event, subject) if subject else event

    def hash(self, record: Any, plain: bytes) -> bytes:
        subject = self._cipher.subject(record) if self._cipher else None
        return self._cipher.hash(subject, plain) if self._cipher and subject else plain
