"""One unit of work: everything between BEGIN and COMMIT."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import UNSET, UnsetType, structs

from thalamus.records import Document, Event, Fact, Memory, Plan, Turn
from thalamus.records.identity import content_hash, identity_hash
from thalamus.records.kinds import Kind, kind_named, kind_of, numbered
from thalamus.storage.protocol import Vector
from thalamus.storage.relational.rows import KEYS, find, row_of
from thalamus.storage.relational.tables import Tables
from thalamus.storage.sqlite import encryption, facts, ledger, rows
from thalamus.storage.sqlite.encryption import VECTOR
from thalamus.storage.sqlite.fulltext import dependants

if TYPE_CHECKING:
    from thalamus.clock import Clock
    from thalamus.records import Alias, Document, Link, Note, Predicate, Record
    from thalamus.storage.protocol import FactQuery, FactState, Interval, Where
    from thalamus.storage.sqlite.encryption import Cipher
    from thalamus.storage.sqlite.signer import Signer


R = TypeVar("R", Memory, Fact, Turn)


def encrypted_ids(db: sqlite3.Connection, ids: Iterable[str]) -> set[str]:
    """Of these ids those whose content is encrypted."""
    found: set[str] = set()
    for part in rows.in_parts(list(ids)):
        query = (
            "SELECT id FROM encrypted WHERE kind IN ('memory', 'fact', 'turn', 'plan')"
            f" AND id IN ({rows.placeholders(part)})"
        )
        found |= {row[0] for row in db.execute(query, part)}
    return found


def delete(db: sqlite3.Connection, id: str) -> bool:
    """Deletes a turn, memory or fact in the present transaction; False when it is missing.

    The keys of what has to leave the indexes, or to be indexed again without its words, go into
    the table ``removal``, which the indexes sync from.
    """
    for table in ("memory", "fact", "turn"):
        row = db.execute(f"SELECT key FROM {table} WHERE id = ?", (id,)).fetchone()
        if row is None:
            continue
        key = int(row[0])
        changed = [key, *dependants(db, key)]
        db.execute(f"DELETE FROM {table} WHERE key = ?", (key,))
        if table == "fact":
            facts.delete_history(db, key)
        db.execute("DELETE FROM embedding WHERE key = ?", (key,))
        db.execute("DELETE FROM link WHERE source = ?1 OR target = ?1", (id,))
        db.executemany("INSERT INTO removal (key) VALUES (?)", [(k,) for k in changed])
        return True
    return False


def memory_row(db: sqlite3.Connection, id: str) -> Memory | None:
    """The memory with this id, whatever its status."""
    row = db.execute("SELECT * FROM memory WHERE id = ?", (id,)).fetchone()
    return rows.memory(row) if row else None


def reinforce(db: sqlite3.Connection, id: str, gain: float, at: str) -> None:
    """It was said again: strength, how often, and when last. ``at`` never moves it back."""
    db.execute(
        "UPDATE memory SET strength = strength + ?, seen = seen + 1,"
        " seen_at = max(coalesce(seen_at, created_at), ?) WHERE id = ?",
        (gain, at, id),
    )


def set_status(db: sqlite3.Connection, id: str, status: str) -> None:
    """Moves a memory out of (or into) what can be found; the indexes follow through
    ``removal``."""
    row = db.execute("SELECT key, status FROM memory WHERE id = ?", (id,)).fetchone()
    if row is None or row[1] == status:
        return
    db.execute("UPDATE memory SET status = ? WHERE id = ?", (status, id))
    changed = [row[0], *dependants(db, row[0])]
    db.executemany("INSERT INTO removal (key) VALUES (?)", [(key,) for key in changed])


def set_quarantined(
    db: sqlite3.Connection, id: str, quarantine: str | None, expires_at: str | None
) -> None:
    """Puts an active memory into quarantine until it expires; ``quarantine`` says why."""
    set_status(db, id, "quarantined")
    db.execute(
        "UPDATE memory SET quarantine = ?, released = 0, expires_at = ? WHERE id = ?",
        (quarantine, expires_at, id),
    )


def release(db: sqlite3.Connection, id: str, key: int) -> None:
    """Makes a quarantined memory active under a new key: so every index takes it as a new one."""
    db.execute("DELETE FROM embedding WHERE key = (SELECT key FROM memory WHERE id = ?)", (id,))
    db.execute(
        "UPDATE memory SET key = ?, status = 'active', expires_at = NULL, quarantine = NULL,"
        " released = 1 WHERE id = ?",
        (key, id),
    )


def mark_stale(db: sqlite3.Connection, ids: Sequence[str], reason: str | None) -> list[str]:
    """Marks memories (None takes the mark away); returns those that were changed. The first
    reason stays, but for what is said of it: ``[id]`` at its end names what caused the mark."""
    condition = "stale IS NOT NULL" if reason is None else "stale IS NULL AND status = 'active'"
    changed = []
    cause = reason[reason.rfind("[") :] if reason and reason.endswith("]") else None
    for id in ids:
        query = f"UPDATE memory SET stale = ? WHERE id = ? AND {condition}"
        if db.execute(query, (reason, id)).rowcount:
            changed.append(id)
        elif cause:
            query = (
                "UPDATE memory SET stale = ? WHERE id = ? AND stale <> ? AND substr(stale, ?) = ?"
            )
            db.execute(query, (reason, id, reason, -len(cause), cause))
    return changed


def quarantined_like(db: sqlite3.Connection, content_hash: bytes) -> str | None:
    """The id of a quarantined memory with this hash of its owner and content."""
    row = db.execute(
        "SELECT id FROM memory WHERE content_hash = ? AND status = 'quarantined' LIMIT 1",
        (content_hash,),
    ).fetchone()
    return str(row[0]) if row else None


def expired_quarantine(db: sqlite3.Connection, now: str) -> list[str]:
    """The ids of the quarantined memories whose time is over."""
    found = db.execute(
        "SELECT id FROM memory WHERE status <> 'active' AND status = 'quarantined'"
        " AND expires_at <= ?",
        (now,),
    )
    return [row[0] for row in found]


def bring_back(db: sqlite3.Connection, where: str, value: str) -> int:
    """Makes retired memories active again; how many there were."""
    # their words come back to the indexes
    db.execute(f"INSERT INTO removal (key) SELECT key FROM memory WHERE {where}", (value,))
    query = f"UPDATE memory SET status = 'active', batch = NULL WHERE {where}"
    return db.execute(query, (value,)).rowcount


def close_batch(db: sqlite3.Connection, batch: str, at: str) -> None:
    """From now on a batch cannot be undone."""
    db.execute("UPDATE batch SET purged_at = ? WHERE id = ?", (at, batch))
    db.execute("DELETE FROM batch_item WHERE batch = ?", (batch,))


_MEMORY_COLUMNS = (
    "id type topic content importance scope created_at recorded_at session user agent "
    "trust status sensitivity expires_at pinned batch salience strength seen seen_at stale "
    "suspicious released"
).split()
_of_memory = attrgetter(*_MEMORY_COLUMNS)
_INSERT_MEMORY = (
    f"INSERT INTO memory (key,{','.join(_MEMORY_COLUMNS)},quarantine,metadata,provenance,"
    f"identity_hash,content_hash) VALUES ({','.join('?' * (len(_MEMORY_COLUMNS) + 6))})"
)
_INSERT_VECTOR = "INSERT OR IGNORE INTO embedding (space, key, vector, mac) VALUES (?,?,?,?)"


class SqliteWriter:
    """Writes in the transaction that ``connection`` is in. See ``storage.protocol.Writer``.

    Memories and vectors wait for each other, to be written many at a time; whatever could look
    for them here looks at those that wait, or has them written first.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        clock: Clock,
        signer: Signer | None = None,
        cipher: Cipher | None = None,
    ) -> None:
        self._db = connection
        self._signer = signer
        self._cipher = cipher
        self._clock = clock
        self._tables = Tables(connection)
        self.now = clock.stamp()
        self._last_removal = connection.execute("SELECT max(n) FROM removal").fetchone()[0] or 0
        self._next_key: int | None = None
        self._last_identity: tuple[Memory | None, bytes] = (None, b"")
        self._spaces: dict[str, tuple[int, int]] = {}
        self._memories: list[tuple[Any, ...]] = []
        self._vectors: list[tuple[int, int, bytes, bytes | None]] = []
        # id and hash of a memory -> its id: of those that wait, and of those that were looked up
        self._waiting: dict[str | bytes, str] = {}
        self._looked_up: dict[str | bytes, str | None] = {}

    def finish(self) -> None:
        """Writes what waits and the key counter; the caller commits."""
        self._flush()
        # neighbours of several that went need to be indexed again once only
        self._db.execute(
            "DELETE FROM removal WHERE n > ?1 AND n NOT IN"
            " (SELECT max(n) FROM removal WHERE n > ?1 GROUP BY key)",
            (self._last_removal,),
        )
        if self._next_key is not None:
            self._db.execute("UPDATE meta SET value = ? WHERE name = 'next_key'", (self._next_key,))

    def _add_memory(self, memory: Memory, vector: Vector | None) -> bool:
        identity, same = self._identity_hash(memory), self._content_hash(memory)
        memory, vector = self._encrypt(memory, vector)
        key = self._new_key()
        self._memories.append(
            (
                key,
                *_of_memory(memory),
                rows.pack_quarantine(memory.quarantine),
                rows.pack_json(memory.metadata),
                rows.pack_provenance(memory.provenance),
                identity,
                same,
            )
        )
        self._waiting[memory.id or ""] = self._waiting[identity] = memory.id or ""
        self._embed(key, vector)
        return True

    def remove(self, id: str) -> bool:
        self._flush()
        return delete(self._db, id)

    # -- any kind of record -----------------------------------------------------------------------

    def find(
        self,
        kind: type[Any],
        where: Where | None = None,
        order: Sequence[str] = (),
        limit: int | None = None,
    ) -> list[Any]:
        self._flush()
        return [self._opened(record) for record in find(self._tables, kind, where, order, limit)]

    def select(
        self,
        table: str,
        columns: Sequence[str],
        where: Where | None = None,
        order: Sequence[str] = (),
        limit: int | None = None,
        group: Sequence[str] = (),
    ) -> list[Any]:
        self._flush()
        return self._tables.select(table, columns, where, order, limit, group)

    def add(
        self, record: Record, vector: Vector | None = None, *, judged: bool = True, **derived: Any
    ) -> bool:
        if isinstance(record, Memory):
            return self._add_memory(record, vector)
        self._flush()
        kind = kind_of(type(record))
        same = {name: derived.get(name, getattr(record, name, None)) for name in kind.identity}
        if self._tables.select(kind.name, kind.identity[:1], same, limit=1):
            return False
        whole = record
        if isinstance(record, Fact):
            value = derived["value"]
            derived["value"] = encryption.value_of(record, value, self._cipher)
            record, vector = self._encrypt(record, vector, value=value)
        elif isinstance(record, Turn):
            if record.recorded_at is None:
                record = structs.replace(record, recorded_at=self.now)
            record, vector = self._encrypt(record, vector, surely=not judged)
        key = self._write(kind, record, vector, derived)
        if isinstance(whole, Fact):
            facts.add_history(self._db, key, whole)
        return True

    def _write(
        self, kind: Kind, record: Any, vector: Vector | None, derived: dict[str, Any]
    ) -> int:
        if kind.numbered or "key" in kind.derived:
            derived = {**derived, "key": self._new_key()}
        columns, values = row_of(kind, record, derived)
        self._tables.insert(kind.name, columns, [values], key=kind.identity, replace=True)
        key = int(derived.get("key", 0))
        self._embed(key, vector)
        return key

    def put(self, record: Record, **derived: Any) -> None:
        self._flush()
        if isinstance(record, Plan):
            record = self._encrypted_plan(record)
        elif isinstance(record, Document) and record.recorded_at is None:
            record = structs.replace(record, recorded_at=self.now)
        self._write(kind_of(type(record)), record, None, derived)

    def insert(self, table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> int:
        self._flush()
        return self._tables.insert(table, columns, rows, key=KEYS[table])

    def update(self, table: str, fields: Mapping[str, Any], where: Where) -> int:
        self._flush()
        kind = kind_named(table) if table in {kind.name for kind in numbered()} else None
        if kind is not None and set(kind.reindexed) & set(fields):
            keys = [row[0] for row in self._tables.select(table, ("key",), where)]
            if len(keys) == 1:  # of many at once those around them mostly change as well
                keys += dependants(self._db, keys[0])
            self._tables.insert("removal", ("key",), [(key,) for key in keys])
        return self._tables.update(table, fields, where)

    def delete(self, table: str, where: Where) -> int:
        self._flush()
        return self._tables.delete(table, where)

    def renumber(self, id: str) -> int:
        self._flush()
        for kind in numbered():
            for row in self._tables.select(kind.name, ("key",), {"id": id}):
                self._tables.delete("embedding", {"key": row[0]})
                key = self._new_key()
                self._tables.update(kind.name, {"key": key}, {"id": id})
                return key
        raise KeyError(id)

    def hash(self, record: Any, plain: bytes) -> bytes:
        return self._hidden(record, plain)

    def preload(self, memories: Sequence[Memory]) -> None:
        ids = [memory.id for memory in memories if memory.id]
        hashes = [self._identity_hash(memory) for memory in memories if not memory.id]
        for column, names in (("id", ids), ("identity_hash", hashes)):
            self._looked_up |= dict.fromkeys(names)
            for part in rows.in_parts(names):
                marks = rows.placeholders(part)
                query = f"SELECT {column}, id FROM memory WHERE {column} IN ({marks})"
                self._looked_up |= dict(self._db.execute(query, part).fetchall())

    def find_memory(self, memory: Memory) -> str | None:
        name = memory.id or self._identity_hash(memory)
        if name in self._waiting:
            return self._waiting[name]
        if name in self._looked_up:
            return self._looked_up[name]
        column = "id" if memory.id else "identity_hash"
        return self._one(f"SELECT id FROM memory WHERE {column} = ?", name)

    def find_same_content(self, memory: Memory) -> str | None:
        self._flush()
        return self._one(
            "SELECT id FROM memory WHERE content_hash = ? AND status = 'active' LIMIT 1",
            self._content_hash(memory),
        )

    def add_event(self, event: Event) -> Event:
        return ledger.append(self._db, self._encrypted_event(event), self._clock, self._signer)

    def add_vector(self, key: int, vector: Vector) -> None:
        space, size = self._space(vector)
        if vector.dimension != size:
            raise ValueError(
                f"{vector.model} has {size} dimensions in this store, not {vector.dimension}"
            )
        mac = self._signer.vector(space, key, vector.data) if self._signer else None
        self._vectors.append((space, key, vector.data, mac))

    def _embed(self, key: int, vector: Vector | None) -> None:
        if vector is not None:
            self.add_vector(key, vector)

    def _space(self, vector: Vector) -> tuple[int, int]:
        if vector.model not in self._spaces:
            self._db.execute(
                "INSERT OR IGNORE INTO space (model, dimension) VALUES (?,?)",
                (vector.model, vector.dimension),
            )
            row = self._db.execute(
                "SELECT id, dimension FROM space WHERE model = ?", (vector.model,)
            ).fetchone()
            self._spaces[vector.model] = (row[0], row[1])
        return self._spaces[vector.model]

    def _new_key(self) -> int:
        if self._next_key is None:
            row = self._db.execute("SELECT value FROM meta WHERE name = 'next_key'").fetchone()
            self._next_key = int(row[0])
        key = self._next_key
        self._next_key += 1
        return key

    def _flush(self) -> None:
        for query, waiting in ((_INSERT_MEMORY, self._memories), (_INSERT_VECTOR, self._vectors)):
            if waiting:
                self._db.executemany(query, waiting)
                waiting.clear()
        self._waiting.clear()
        self._looked_up.clear()

    def _one(self, query: str, *values: Any) -> str | None:
        row = self._db.execute(query, values).fetchone()
        return str(row[0]) if row else None

    # -- encrypting what is personal --------------------------------------------------------------

    def _encrypt(
        self, record: R, vector: Vector | None, surely: bool = False, value: str | None = None
    ) -> tuple[R, Vector | None]:
        """What is personal goes encrypted into a table of its own, its vector too; with ``surely``
        also what may be."""
        subject = self._cipher.subject(record, surely) if self._cipher else None
        if self._cipher is None or subject is None:
            return record, vector
        if isinstance(record, (Memory, Fact)):
            record = structs.replace(record, sensitivity="personal")
        return self._cipher.encrypt(record, subject, vector, value), None

    def reveal(self, turn: Turn) -> None:
        """Its content and its vector go to where those of any other turn are."""
        id = turn.id or ""
        values = self._cipher.content("turn", id) if self._cipher else None
        if self._cipher is None or values is None or self._cipher.subject(turn) is not None:
            return
        vector = values.pop(VECTOR, None)
        key = self._db.execute("SELECT key FROM turn WHERE id = ?", (id,)).fetchone()[0]
        self._db.execute("DELETE FROM encrypted WHERE kind = 'turn' AND id = ?", (id,))
        self._db.execute(
            "UPDATE turn SET message = ?, answer = ?, metadata = ? WHERE key = ?",
            (values["message"], values["answer"], rows.pack_json(values["metadata"]), key),
        )
        changed = [key, *dependants(self._db, key)]  # to be indexed again, with its words
        self._db.executemany("INSERT INTO removal (key) VALUES (?)", [(k,) for k in changed])
        if vector is not None:
            self.add_vector(key, Vector(*vector))

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
        if subject and event.name == "stage" and self._is_left(event.turn):
            return event  # what comes before reflection says nothing in words
        if subject is None and event.data.get("reason"):
            subject = self._cipher.key_id("fact", event.data.get("fact"))
        return self._cipher.encrypt_event(event, subject) if subject else event

    def _is_left(self, turn: str | None) -> bool:
        """Whether a turn was not reflected upon yet."""
        found = self._db.execute("SELECT 1 FROM job WHERE turn = ?", (turn,))
        return found.fetchone() is not None

    def _opened(self, record: Any) -> Any:
        """A record that was read, with its content."""
        from thalamus.storage.sqlite.encryption import opened

        return record if record is None else opened(record, self._cipher)

    def _identity_hash(self, memory: Memory) -> bytes:
        if self._last_identity[0] is not memory:  # it is looked for before it is added
            self._last_identity = memory, self._hidden(memory, identity_hash(memory))
        return self._last_identity[1]

    def _content_hash(self, memory: Memory) -> bytes:
        return self._hidden(memory, content_hash(memory))

    def _hidden(self, memory: Memory, hash: bytes) -> bytes:
        """A hash of encrypted words must not let anyone confirm a guess."""
        subject = self._cipher.subject(memory) if self._cipher else None
        return self._cipher.hash(subject, hash) if self._cipher and subject else hash

    def _packed_quarantine(self, memory: Memory) -> str | None:
        """Why a memory is in quarantine, for its row: the reason may quote its words, so for an
        encrypted one it is encrypted with them."""
        if not encrypted_ids(self._db, [memory.id or ""]):
            return rows.pack_quarantine(memory.quarantine)
        if self._cipher is not None:
            self._cipher.change("memory", memory.id or "", quarantine=memory.quarantine)
        return None

    def _encrypted_vector(self, id: str, vector: Vector) -> bool:
        """Encrypts the vector of an encrypted memory with it; False when it is not encrypted."""
        if not encrypted_ids(self._db, [id]):
            return False
        if self._cipher is not None:
            self._cipher.change("memory", id, vector=[vector.model, vector.data])
        return True

    # -- facts ------------------------------------------------------------------------------------

    def fact(self, id: str) -> Fact | None:
        row = self._db.execute("SELECT * FROM fact WHERE id = ?", (id,)).fetchone()
        return None if row is None else facts.with_history(self._db, self._opened(rows.fact(row)))

    def fact_states(self, query: FactQuery) -> list[FactState]:
        return facts.states(self._db, self._cipher, query)

    def update_fact(self, key: int, **fields: str | None) -> None:
        facts.update(self._db, key, fields)

    def add_note(self, key: int, note: Note) -> bool:
        return facts.add_note(self._db, key, note)

    def change_beliefs(
        self, key: int, gone: Sequence[Interval], new: Sequence[Interval], at: str
    ) -> None:
        facts.change_beliefs(self._db, key, gone, new, at)

    def rename_predicate(self, old: str, new: str) -> None:
        facts.rename_predicate(self._db, old, new)

    def predicates_in_use(self) -> list[str]:
        return facts.predicates_in_use(self._db)

    def entity_name(self, entity: str, user: str | UnsetType | None = UNSET) -> str | None:
        return facts.entity_name(self._db, entity, user)

    def aliases(
        self, users: Sequence[str | None] | None = None, key: str | None = None
    ) -> list[Alias]:
        return facts.aliases(self._db, users, key)

    def put_alias(self, alias: Alias, key: str, target: str) -> None:
        facts.put_alias(self._db, alias, key, target)

    def delete_alias(self, user: str | None, key: str) -> None:
        facts.delete_alias(self._db, user, key)

    def predicates(self) -> list[Predicate]:
        return facts.predicates(self._db)

    def put_predicate(self, predicate: Predicate) -> None:
        facts.put_predicate(self._db, predicate)

    # -- changing memories ------------------------------------------------------------------------

    def memory(self, id: str) -> Memory | None:
        self._flush()
        found: Memory | None = self._opened(memory_row(self._db, id))
        return found

    def reinforce(self, id: str, gain: float, at: str) -> None:
        self._flush()
        reinforce(self._db, id, gain, at)

    def set_status(self, id: str, status: str) -> None:
        self._flush()
        set_status(self._db, id, status)

    def release(self, memory: Memory, vector: Vector | None = None) -> None:
        self._flush()
        key, id = self._new_key(), memory.id or ""
        self._packed_quarantine(memory)
        release(self._db, id, key)
        if vector is not None and not self._encrypted_vector(id, vector):
            self.add_vector(key, vector)

    def mark_stale(self, ids: Sequence[str], reason: str | None) -> list[str]:
        self._flush()
        return mark_stale(self._db, ids, reason)

    def quarantine(self, memory: Memory) -> None:
        self._flush()
        reason = self._packed_quarantine(memory)
        set_quarantined(self._db, memory.id or "", reason, memory.expires_at)

    def links(self, id: str, relations: Sequence[str] = ()) -> list[Link]:
        return rows.links(self._db, id, relations)

    def quarantined_like(self, memory: Memory) -> str | None:
        self._flush()
        return quarantined_like(self._db, self._content_hash(memory))

    def clear_quarantine(self, now: str) -> int:
        self._flush()
        expired = expired_quarantine(self._db, now)
        return sum(delete(self._db, id) for id in expired)
