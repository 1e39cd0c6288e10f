"""One unit of work: everything between BEGIN and COMMIT."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from msgspec import structs

from thalamus.policy.entities import fold, key_of
from thalamus.policy.vector import dimension
from thalamus.records import Event, Fact, Memory, Plan, Turn
from thalamus.storage.protocol import Vector
from thalamus.storage.sqlite import encryption, facts, jobs, ledger, rows
from thalamus.storage.sqlite.encryption import VECTOR
from thalamus.storage.sqlite.facts import forget_told, resolve_entity
from thalamus.storage.sqlite.fulltext import dependants

if TYPE_CHECKING:
    from thalamus.clock import Clock
    from thalamus.policy.predicates import Registry
    from thalamus.policy.timeline import NoteKind, Repeat
    from thalamus.records import Alias, Batch, Document, Link, Predicate
    from thalamus.storage.protocol import Change, Job
    from thalamus.storage.sqlite.encryption import Cipher
    from thalamus.storage.sqlite.signatures import Signer


R = TypeVar("R", Memory, Fact, Turn)


def sealed_ids(db: sqlite3.Connection, ids: Iterable[str]) -> set[str]:
    """Of these ids those whose content is encrypted."""
    wanted = list(ids)
    found: set[str] = set()
    for start in range(0, len(wanted), 500):
        part = wanted[start : start + 500]
        query = (
            "SELECT id FROM sealed WHERE kind IN ('memory', 'fact', 'turn', 'plan')"
            f" AND id IN ({','.join('?' * len(part))})"
        )
        found |= {row[0] for row in db.execute(query, part)}
    return found


def delete(db: sqlite3.Connection, id: str) -> bool:
    """Deletes a turn, memory or fact in the present transaction; False when there is none.

    The keys of what has to leave the indexes, or to be indexed anew without its words, go into
    the table ``removal``, which the indexes follow.
    """
    for table in ("memory", "fact", "turn"):
        row = db.execute(f"SELECT key FROM {table} WHERE id = ?", (id,)).fetchone()
        if row is None:
            continue
        key = int(row[0])
        changed = [key, *dependants(db, key)]
        db.execute(f"DELETE FROM {table} WHERE key = ?", (key,))
        if table == "fact":
            forget_told(db, key)
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


def set_aside(
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


def derived_from(db: sqlite3.Connection, id: str) -> list[str]:
    """The ids of what was made from this, or is about it."""
    found = db.execute(
        "SELECT source FROM link WHERE target = ?1 AND relation IN"
        " ('derived_from', 'about', 'part_of')"
        " UNION SELECT target FROM link WHERE source = ?1 AND relation = 'merged_into'",
        (id,),
    )
    return [row[0] for row in found]


def sources_of(db: sqlite3.Connection, id: str) -> list[str]:
    """The ids that a thing was made from."""
    found = db.execute(
        "SELECT target FROM link WHERE source = ? AND relation IN ('derived_from', 'part_of')",
        (id,),
    )
    return [row[0] for row in found]


def orphans(db: sqlite3.Connection, id: str) -> list[str]:
    """The ids of what would have no source left without this one, all the way along the links."""
    gone = {id}
    waiting = [id]
    while waiting:
        for other in derived_from(db, waiting.pop()):
            sources = sources_of(db, other)
            if other not in gone and sources and gone.issuperset(sources):
                gone.add(other)
                waiting.append(other)
    return sorted(gone - {id})


CHANGEABLE = "type topic importance scope status expires_at pinned".split()
_FREE = "status = 'active' AND pinned = 0 AND scope <> 'core'"


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
    f"INSERT INTO memory (key,{','.join(_MEMORY_COLUMNS)},quarantine,metadata,provenance,said,"
    f"content_hash) VALUES ({','.join('?' * (len(_MEMORY_COLUMNS) + 6))})"
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
        boxes: Cipher | None = None,
    ) -> None:
        self._db = connection
        self._signer = signer
        self._boxes = boxes
        self._clock = clock
        self._now = clock.stamp()
        self._next_key: int | None = None
        self._spaces: dict[str, tuple[int, int]] = {}
        self._memories: list[tuple[Any, ...]] = []
        self._vectors: list[tuple[int, int, bytes, bytes | None]] = []
        # id and hash of a memory -> its id: of those that wait, and of those that were looked up
        self._waiting: dict[str | bytes, str] = {}
        self._looked_up: dict[str | bytes, str | None] = {}

    def finish(self) -> None:
        """Writes what waits and the key counter; the caller commits."""
        self._flush()
        if self._next_key is not None:
            self._db.execute("UPDATE meta SET value = ? WHERE name = 'next_key'", (self._next_key,))

    def add_turn(self, turn: Turn, vector: Vector | None = None, judged: bool = True) -> bool:
        if self._one("SELECT 1 FROM turn WHERE id = ?", turn.id) is not None:
            return False
        turn, vector = self._seal(turn, vector, surely=not judged)
        names = tuple("id message answer created_at session user agent interrupted ref".split())
        values = [getattr(turn, name) for name in names]
        key = self._insert(
            "turn",
            (*names, "recorded_at", "metadata"),
            [*values, turn.recorded_at or self._now, rows.pack_json(turn.metadata)],
        )
        self._embed(key, vector)
        return True

    def add_memory(self, memory: Memory, vector: Vector | None = None) -> None:
        said, same = self._said(memory), self._content_hash(memory)
        memory, vector = self._seal(memory, vector)
        key = self._new_key()
        self._memories.append(
            (
                key,
                *_of_memory(memory),
                rows.pack_quarantine(memory.quarantine),
                rows.pack_json(memory.metadata),
                rows.pack_provenance(memory.provenance),
                said,
                same,
            )
        )
        self._waiting[memory.id or ""] = self._waiting[said] = memory.id or ""
        self._embed(key, vector)

    def add_fact(self, fact: Fact, vector: Vector | None = None) -> None:
        value = encryption.value_of(fact, self._boxes)
        fact, vector = self._seal(fact, vector)
        values = facts.columns(self._db, fact) | {"value": value}
        key = self._insert("fact", tuple(values), list(values.values()))
        facts.add_told(self._db, key, fact)
        self._embed(key, vector)

    def delete(self, id: str) -> bool:
        self._flush()
        groups = facts.groups_of(self._db, self.registry, [id])
        self._orphan(id)
        gone = delete(self._db, id)
        facts.settle_groups(self._db, self.registry, groups, self._now, self._boxes)
        return gone

    def look_up(self, memories: Sequence[Memory]) -> None:
        for column, names in (
            ("id", [memory.id for memory in memories if memory.id]),
            ("said", [self._said(memory) for memory in memories if not memory.id]),
        ):
            self._looked_up |= dict.fromkeys(names)
            for start in range(0, len(names), 500):
                part = names[start : start + 500]
                marks = ",".join("?" * len(part))
                query = f"SELECT {column}, id FROM memory WHERE {column} IN ({marks})"
                self._looked_up |= dict(self._db.execute(query, part).fetchall())

    def find_memory(self, memory: Memory) -> str | None:
        name = memory.id or self._said(memory)
        if name in self._waiting:
            return self._waiting[name]
        if name in self._looked_up:
            return self._looked_up[name]
        column = "id" if memory.id else "said"
        return self._one(f"SELECT id FROM memory WHERE {column} = ?", name)

    def find_same_content(self, memory: Memory) -> str | None:
        self._flush()
        return self._one(
            "SELECT id FROM memory WHERE content_hash = ? AND status = 'active' LIMIT 1",
            self._content_hash(memory),
        )

    def find_fact(self, fact: Fact) -> str | None:
        if fact.id:
            return self._one("SELECT id FROM fact WHERE id = ?", fact.id)
        about = resolve_entity(self._db, fact.user, fact.subject)[0]
        group = (fact.user, about, [fact.predicate], fold(fact.object))
        said = encryption.alike(self._db, self._boxes, *group)
        return self._one(
            "SELECT id FROM fact WHERE user IS ? AND entity = ? AND predicate = ?"
            f" AND value IN ({','.join('?' * len(said))}) AND agent IS ?"
            " AND stated_from IS ? AND stated_to IS ? AND created_at = ?"
            " AND retired_at IS ? LIMIT 1",
            fact.user,
            about,
            fact.predicate,
            *said,
            fact.agent,
            fact.valid_from,
            fact.valid_to,
            fact.created_at,
            fact.retired_at,
        )

    def add_document(self, document: Document) -> None:
        self._db.execute(
            "INSERT OR REPLACE INTO document (id, sha256, recorded_at, body) VALUES (?,?,?,?)",
            (
                document.id,
                document.sha256,
                document.recorded_at or self._now,
                msgspec.json.encode(document).decode(),
            ),
        )

    def add_link(self, link: Link) -> bool:
        added = self._db.execute(
            "INSERT OR IGNORE INTO link (source, relation, target) VALUES (?,?,?)",
            (link.source, link.relation, link.target),
        )
        return added.rowcount > 0

    def save_plan(self, plan: Plan) -> None:
        plan = self._sealed_plan(plan)
        self._insert(
            "plan",
            ("id", "session", "turn", "created_at", "user", "body"),
            [
                plan.id,
                plan.session,
                plan.turn,
                plan.created_at,
                plan.user,
                msgspec.json.encode(plan).decode(),
            ],
            conflict="OR REPLACE ",
        )

    def add_event(self, event: Event) -> Event:
        return ledger.append(self._db, self._sealed_event(event), self._clock, self._signer)

    def add_vector(self, key: int, vector: Vector) -> None:
        space, size = self._space(vector)
        if dimension(vector.data) != size:
            raise ValueError(
                f"{vector.model} has {size} dimensions in this store, not {dimension(vector.data)}"
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
                (vector.model, dimension(vector.data)),
            )
            row = self._db.execute(
                "SELECT id, dimension FROM space WHERE model = ?", (vector.model,)
            ).fetchone()
            self._spaces[vector.model] = (row[0], row[1])
        return self._spaces[vector.model]

    def _insert(
        self, table: str, names: tuple[str, ...], values: list[Any], conflict: str = ""
    ) -> int:
        key = self._new_key()
        marks = ",".join("?" * (len(names) + 1))
        self._db.execute(
            f"INSERT {conflict}INTO {table} (key,{','.join(names)}) VALUES ({marks})",
            [key, *values],
        )
        return key

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

    def add_job(self, job: Job) -> None:
        jobs.add(self._db, job)

    def take_job(
        self, turn: str | None = None, but: Collection[str] = (), given_up: bool = False
    ) -> Job | None:
        return jobs.take(self._db, self._now, turn, but, given_up)

    def give_back(self, id: str, tried: bool) -> None:
        jobs.give_back(self._db, id, tried)

    def finish_job(self, turn: Turn) -> bool:
        found = jobs.finish(self._db, turn.id)
        if found:
            self._judge_turn(turn)
        return found

    def _one(self, query: str, *values: Any) -> str | None:
        row = self._db.execute(query, values).fetchone()
        return str(row[0]) if row else None

    # -- encrypting what is personal --------------------------------------------------------------

    def sealed(self, ids: Iterable[str]) -> set[str]:
        return sealed_ids(self._db, ids)

    def _seal(
        self, record: R, vector: Vector | None, surely: bool = False
    ) -> tuple[R, Vector | None]:
        """What is personal goes encrypted into a table of its own, its vector too; with ``surely``
        also what may be."""
        subject = self._boxes.subject(record, surely) if self._boxes else None
        if self._boxes is None or subject is None:
            return record, vector
        if isinstance(record, (Memory, Fact)):
            record = structs.replace(record, sensitivity="personal")
        return self._boxes.seal(record, subject, vector), None

    def _judge_turn(self, turn: Turn) -> None:
        """A turn that was kept encrypted until it was known whether it is personal: when it is
        not, its content and its vector go to where those of any other turn are."""
        id = turn.id or ""
        values = self._boxes.content("turn", id) if self._boxes else None
        if self._boxes is None or values is None or self._boxes.subject(turn) is not None:
            return
        vector = values.pop(VECTOR, None)
        key = self._db.execute("SELECT key FROM turn WHERE id = ?", (id,)).fetchone()[0]
        self._db.execute("DELETE FROM sealed WHERE kind = 'turn' AND id = ?", (id,))
        self._db.execute(
            "UPDATE turn SET message = ?, answer = ?, metadata = ? WHERE key = ?",
            (values["message"], values["answer"], rows.pack_json(values["metadata"]), key),
        )
        changed = [key, *dependants(self._db, key)]  # to be indexed anew, with its words
        self._db.executemany("INSERT INTO removal (key) VALUES (?)", [(k,) for k in changed])
        if vector is not None:
            self.add_vector(key, Vector(*vector))

    def _sealed_plan(self, plan: Plan) -> Plan:
        """The plan of a sealed turn is sealed with the same key."""
        subject = self._boxes.key_id("turn", plan.turn) if self._boxes else None
        key = self._boxes.key_of(subject) if self._boxes and subject else None
        return self._boxes.seal_with(key, plan) if self._boxes and key else plan

    def _sealed_event(self, event: Event) -> Event:
        """An entry about a sealed turn, or one in which somebody says why a sealed fact or memory
        is changed, is sealed with the same key."""
        if self._boxes is None:
            return event
        subject = self._boxes.key_id("turn", event.turn)
        if subject and event.name == "stage" and self._is_left(event.turn):
            return event  # what comes before reflection says nothing in words
        if subject is None and event.data.get("reason"):
            subject = self._boxes.key_id("fact", event.data.get("fact"))
        return self._boxes.seal_event(event, subject) if subject else event

    def _is_left(self, turn: str | None) -> bool:
        """Whether a turn was not reflected upon yet."""
        found = self._db.execute("SELECT 1 FROM job WHERE turn = ?", (turn,))
        return found.fetchone() is not None

    def _opened(self, record: Any) -> Any:
        """A record that was read, with its content."""
        from thalamus.storage.sqlite.encryption import opened

        return record if record is None else opened(record, self._boxes)

    def _said(self, memory: Memory) -> bytes:
        return self._hidden(memory, rows.said_hash(memory))

    def _content_hash(self, memory: Memory) -> bytes:
        return self._hidden(memory, rows.content_hash(memory))

    def _hidden(self, memory: Memory, hash: bytes) -> bytes:
        """A hash of sealed words must not tell them to who guesses them."""
        subject = self._boxes.subject(memory) if self._boxes else None
        return self._boxes.hash(subject, hash) if self._boxes and subject else hash

    def _packed_quarantine(self, memory: Memory) -> str | None:
        """Why a memory is in quarantine, for its row: the reason may quote its words, so for an
        encrypted one it is encrypted with them."""
        if not sealed_ids(self._db, [memory.id or ""]):
            return rows.pack_quarantine(memory.quarantine)
        if self._boxes is not None:
            self._boxes.change("memory", memory.id or "", quarantine=memory.quarantine)
        return None

    def _sealed_vector(self, id: str, vector: Vector) -> bool:
        """Puts the vector of a sealed memory into its box; False when it is not sealed."""
        if not sealed_ids(self._db, [id]):
            return False
        if self._boxes is not None:
            self._boxes.change("memory", id, vector=[vector.model, vector.data])
        return True

    # -- facts ------------------------------------------------------------------------------------

    _registry: Registry | None = None

    @property
    def registry(self) -> Registry:
        """The predicates, the user's own among them."""
        if self._registry is None:
            self._registry = facts.registry(self._db)
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
        return facts.repeats(self._db, self.registry, fact, self._boxes)

    def note(self, id: str, kind: NoteKind, at: str) -> list[Change]:
        row = self._db.execute("SELECT key FROM fact WHERE id = ?", (id,)).fetchone()
        if row is None or not facts.add_note(self._db, row[0], kind, at, self._now):
            return []
        return self.settle([id])

    def end_fact(self, id: str, valid_to: str) -> list[Change]:
        return self.note(id, "end", valid_to)

    def retire_fact(self, id: str) -> list[Change] | None:
        return facts.retire(self._db, self.registry, id, self._now, self._boxes)

    def settle(self, ids: Iterable[str]) -> list[Change]:
        groups = facts.groups_of(self._db, self.registry, ids)
        return facts.settle_groups(self._db, self.registry, groups, self._now, self._boxes)

    def mixed(self, ids: Iterable[str]) -> list[str]:
        """Of these facts those whose group has others too."""
        wanted = set(ids)
        found = []
        for id in sorted(wanted):
            for group in facts.groups_of(self._db, self.registry, [id]):
                told = facts.statements(self._db, group, self._boxes)
                keys = [int(statement.fact) for statement in told]
                marks = ",".join("?" * len(keys))
                query = f"SELECT id FROM fact WHERE key IN ({marks})"
                if {row[0] for row in self._db.execute(query, keys)} - wanted:
                    found.append(id)
        return found

    def merge(self, name: str, into: str, owner: str | None) -> list[Change]:
        return facts.merge(self._db, self.registry, name, into, owner, self._now, self._boxes)

    def unmerge(self, name: str, owner: str | None) -> list[Change] | None:
        return facts.unmerge(self._db, self.registry, name, owner, self._now, self._boxes)

    def add_alias(self, alias: Alias) -> bool:
        added = facts.add_alias(self._db, alias, self._now, keep=True)
        if added:
            keys = {key_of(alias.name), key_of(alias.target)}
            facts.reassign(self._db, self.registry, alias.user, keys, self._now, self._boxes)
        return added

    def set_predicate(self, predicate: Predicate) -> list[Change]:
        self._registry = None
        return facts.set_predicate(self._db, predicate, self._now, self._boxes)

    def add_predicate(self, predicate: Predicate) -> bool:
        added = facts.save_predicate(self._db, predicate)
        if added:
            self._registry = None
            facts.set_predicate(self._db, predicate, self._now, self._boxes)
        return added

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
        if vector is not None and not self._sealed_vector(id, vector):
            self.add_vector(key, vector)

    def mark_stale(self, ids: Sequence[str], reason: str | None) -> list[str]:
        self._flush()
        return mark_stale(self._db, ids, reason)

    def derived(self, id: str) -> list[str]:
        return derived_from(self._db, id)

    def quarantined_like(self, memory: Memory) -> str | None:
        self._flush()
        return quarantined_like(self._db, self._content_hash(memory))

    def clear_quarantine(self, now: str) -> int:
        self._flush()
        expired = expired_quarantine(self._db, now)
        return sum(delete(self._db, id) for id in expired)

    def _orphan(self, id: str) -> None:
        """Before a source is deleted: what came from it alone goes into quarantine."""
        for other in orphans(self._db, id):
            from thalamus.policy.admission import quarantine
            from thalamus.policy.reconciliation import REASONS

            found = self.memory(other)
            if found is not None and found.status == "active":
                aside = quarantine(found, "source_deleted", REASONS["source_deleted"], self._now)
                set_aside(self._db, other, self._packed_quarantine(aside), aside.expires_at)

    # -- batches: what can be undone --------------------------------------------------------------

    def begin_batch(self, batch: Batch) -> None:
        self._db.execute(
            "INSERT INTO batch (id, at, action) VALUES (?,?,?)", (batch.id, batch.at, batch.action)
        )

    def retire(self, ids: Sequence[str], batch: str) -> int:
        self._flush()
        done = 0
        for start in range(0, len(ids), 500):
            part = ids[start : start + 500]
            where = f"id IN ({','.join('?' * len(part))}) AND {_FREE}"
            # before the rows change: the indexes let go of their words
            self._db.execute(
                f"INSERT INTO removal (key) SELECT key FROM memory WHERE {where}", part
            )
            query = f"UPDATE memory SET status = 'retired', batch = ? WHERE {where}"
            done += self._db.execute(query, (batch, *part)).rowcount
        return done

    def retire_all(self, ids: Sequence[str], batch: str) -> bool:
        self._flush()
        marks = ",".join("?" * len(ids))
        query = f"SELECT count(*) FROM memory WHERE id IN ({marks}) AND {_FREE}"
        if self._db.execute(query, ids).fetchone()[0] < len(ids):
            return False
        return self.retire(ids, batch) == len(ids)

    def change_memory(self, id: str, fields: Mapping[str, object], batch: str) -> bool:
        self._flush()
        names = [name for name in CHANGEABLE if name in fields]
        if "topic" in names and self.sealed([id]):
            names.remove("topic")  # it is in the box, and does not stand here in plain words
            fields = {name: fields[name] for name in names}
        if not names:
            return False
        query = f"SELECT key, {', '.join(names)} FROM memory WHERE id = ?"
        row = self._db.execute(query, (id,)).fetchone()
        if row is None:
            return False
        before = {name: row[name] for name in names}
        self._set(id, fields)
        self._db.execute(
            "INSERT OR IGNORE INTO batch_item (batch, id, before) VALUES (?,?,?)",
            (batch, id, msgspec.json.encode(before).decode()),
        )
        return True

    def note_made(self, id: str, batch: str) -> None:
        self._db.execute("INSERT OR IGNORE INTO batch_item (batch, id) VALUES (?,?)", (batch, id))

    def changed_by(self, batch: str) -> list[str]:
        query = "SELECT id FROM batch_item WHERE batch = ? AND before IS NOT NULL ORDER BY id"
        return [row[0] for row in self._db.execute(query, (batch,))]

    def undo_batch(self, id: str, at: str) -> dict[str, int]:
        self._flush()
        counts = {"removed": 0, "changed": 0, "restored": 0}
        query = "SELECT id, before FROM batch_item WHERE batch = ?"
        for item, before in self._db.execute(query, (id,)).fetchall():
            if before is None:
                counts["removed"] += self.delete(item)
            else:
                counts["changed"] += self._set(item, msgspec.json.decode(before))
        counts["restored"] = bring_back(self._db, "batch = ? AND status = 'retired'", id)
        self._db.execute("UPDATE batch SET undone_at = ? WHERE id = ?", (at, id))
        self._db.execute("DELETE FROM batch_item WHERE batch = ?", (id,))
        return counts

    def purge(self, batch: str, limit: int) -> int:
        self._flush()
        last = self._number("SELECT coalesce(max(n), 0) FROM removal")
        query = "SELECT id FROM memory WHERE batch = ? AND status = 'retired' LIMIT ?"
        gone = [row[0] for row in self._db.execute(query, (batch, limit)).fetchall()]
        for id in gone:
            query = "SELECT source FROM link WHERE target = ? AND relation = 'derived_from'"
            made = self._db.execute(query, (id,)).fetchall()
            delete(self._db, id)  # what was made of it stays: it was made to take its place
            self._db.executemany(
                "INSERT OR IGNORE INTO link VALUES (?, 'derived_from', ?)",
                [(row[0], id) for row in made],
            )
        # neighbours of several of them need to be indexed anew once only
        self._db.execute(
            "DELETE FROM removal WHERE n > ?1 AND n NOT IN"
            " (SELECT max(n) FROM removal WHERE n > ?1 GROUP BY key)",
            (last,),
        )
        return len(gone)

    def close_batch(self, batch: str, at: str) -> None:
        close_batch(self._db, batch, at)

    def _set(self, id: str, fields: Mapping[str, object]) -> int:
        names = [name for name in CHANGEABLE if name in fields]
        if "status" in fields:
            query = "INSERT INTO removal (key) SELECT key FROM memory WHERE id = ?"
            self._db.execute(query, (id,))
        query = f"UPDATE memory SET {', '.join(f'{name} = ?' for name in names)} WHERE id = ?"
        return self._db.execute(query, [*(fields[name] for name in names), id]).rowcount

    def _number(self, query: str) -> int:
        return int(self._db.execute(query).fetchone()[0])
