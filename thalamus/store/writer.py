"""One unit of work: everything between BEGIN and COMMIT."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol

from msgspec import Struct, structs
from msgspec.structs import astuple

from thalamus.records import Document, Event, Link, Memory, Project, Record, StageLog, Turn
from thalamus.records.kinds import Kind, Owned, identified, kind_named, kind_of, numbered
from thalamus.records.ownership import DEFAULT_USER, Owner, common_owner, names_in
from thalamus.store import ledger
from thalamus.store.reader import Reader
from thalamus.store.rows import KEYS, columns_of, row_of
from thalamus.store.tables import AMONG, SPACE
from thalamus.store.values import Vector
from thalamus.text.half_precision import halved

if TYPE_CHECKING:
    from thalamus.clock import Clock
    from thalamus.store.encryption.cipher import Cipher
    from thalamus.store.reader import PlainSources
    from thalamus.store.tables import Tables
    from thalamus.store.values import NewMemory


class Touched(Struct, frozen=True):
    """Searchable, unencrypted rows that a unit of work added or changed: records by their keys, and
    the keys of changed rows, by kind."""

    added: dict[int, Record]
    changed: dict[str, list[int]]


# called at the end of a unit of work, in its transaction
Follower = Callable[["Writer", Touched], None]
_EMBEDDING_COLUMNS = ("space", "key", "vector", "sentences")
_AMONG = f"id {AMONG}"
_ENCRYPTED = f"SELECT id FROM encrypted WHERE kind = ? AND {_AMONG}"
_ENCRYPTED_ENTRY = """
SELECT '{0}', id FROM {0} WHERE key = ? AND id IN (SELECT id FROM encrypted WHERE kind = '{0}')"""
_OWNERS = f'SELECT id, "user", {{1}} FROM {{0}} WHERE {_AMONG}'
_NO_AGENT = "CAST(NULL AS TEXT)"
_SPACE_OF = f"SELECT {', '.join(SPACE)} FROM space WHERE model = ?"
_SPACE_COLUMNS = ("model", "dimension", "count", "last")
_LEFT_CONCEPTS = """n IN (SELECT value FROM json_each(?))
AND NOT EXISTS (SELECT 1 FROM about WHERE about.concept = concept.n)"""
_EMPTIED = {
    "turn": None,
    "session": None,
    "data": "{}",
    "salt": None,
    "user": DEFAULT_USER,
    "agent": None,
}
_Names = tuple[str | None, str | None]  # user and agent


class RollBack(Exception):
    """Ends the unit of work of a dry run, which suppresses it: nothing stays written."""


class NewRow(Struct, frozen=True):
    """A row to be inserted, its embedding, and the record if nothing of it is encrypted, otherwise
    its ciphertext."""

    key: int
    columns: tuple[str, ...]
    values: tuple[Any, ...]
    vector: Vector | None
    plain: Any | None
    ciphertext: Any | None = None


class TextIndex(Protocol):
    """The full-text index of a database, as far as it is written in a unit of work."""

    def neighbours(self, table: str, key: int) -> list[int]:
        """Keys whose indexed text contains words of the row with this key, before it changes."""
        ...

    def finish(self, added: Mapping[str, int], changed: Sequence[int]) -> None:
        """Called at the end. ``added``: key of the first new row of each kind; ``changed``: keys to
        be indexed again, or removed."""
        ...


class Writer(Reader):
    """One unit of work; ``now`` is the time at which it began; ``rewrote_plain``: rows that were
    stored in plain text before were encrypted, so their words have to be erased from the files.

    Writes in the current transaction.

    ``follow``: called at the end with everything added and changed. ``cipher``: encrypts personal
    records as their rows are made; None without keys. ``plain_sources``: finds the records that
    they were made of, which are encrypted at the end.
    """

    def __init__(
        self,
        tables: Tables,
        clock: Clock,
        index: TextIndex,
        follow: Follower | None = None,
        owner: Owner = Owner(),
        cipher: Cipher | None = None,
        plain_sources: PlainSources | None = None,
    ) -> None:
        super().__init__(tables, owner)
        self.cipher = cipher
        self.plain_sources = plain_sources
        self.added_personal: set[str] = set()  # added records whose sources must be encrypted
        self.added_plain: set[str] = set()  # ids of records that were added in plain text
        self.linked: set[str] = set()  # both ends of added links
        # ids of the keys of added records, None for those in plain text
        self._key_ids: dict[tuple[str, str | None], str | None] = {}
        self._clock = clock
        self._index = index
        self._follow = follow
        self.lag: Exception | None = None  # because of which ``follow`` did not keep up
        self._touched = Touched({}, {})
        self._left_concepts: set[int] = set()  # former ones of entries
        self.now = clock.stamp()
        self._spaces: dict[str, tuple[int, int]] = {}
        self._totals: dict[int, tuple[int, int]] = {}  # of each space before: count and last
        # additions to each space: number of embeddings, and number of the last
        self._counts: dict[int, tuple[int, int]] = {}
        self._added: dict[str, int] = {}  # first new key of each kind
        self._changed: dict[int, None] = {}  # keys to be indexed again
        self._new: set[str] = set()  # ids of added records
        self._owners: dict[str, _Names] = {}  # of added records, by id
        self._links: set[Sequence[Any]] = set()  # added
        self.rewrote_plain = False

    def finish(self) -> None:
        """Writes the dependent data, and the counters; the caller commits."""
        if self._follow is not None and (self._touched.added or self._touched.changed):
            touched, self._touched = self._touched, Touched({}, {})
            self._follow(self, touched)
        if self._left_concepts:
            self.delete("concept", _LEFT_CONCEPTS, self._left_concepts)
            self._left_concepts.clear()
        if self._added or self._changed:
            self._index.finish(self._added, list(self._changed))
            self._added.clear()
            self._changed.clear()
        for space, (more, last) in self._counts.items():
            if (totals := self._totals.pop(space, None)) is None:
                [totals] = self.fetch("SELECT count, last FROM space WHERE id = ?", space)
            count, newest = totals
            fields = {"count": count + more, "last": max(newest, last)}
            self.tables.update("space", fields, "id = ?", space, count=1)
        self._counts.clear()

    # -- store-wide values ------------------------------------------------------------------------

    def set_value(self, name: str, value: str | None) -> None:
        """Sets a store-wide value; None deletes it."""
        self.tables.set_value(name, value)

    def values(self, *names: str) -> dict[str, str]:
        known = self.tables.values()
        return {name: known[name] for name in names if name in known}

    # -- records ----------------------------------------------------------------------------------

    def add(
        self,
        record: Record,
        vector: Vector | None = None,
        *,
        judged: bool = True,
        new: bool = False,
        **derived: Any,
    ) -> bool:
        """Adds a record, with its embedding if it is searchable. ``derived`` has the columns of its
        kind that are not fields: for a fact ``entity`` and ``value``, the keys by which its subject
        and object are compared; and hashes that the caller has computed already (``hash``). Notes
        and beliefs of a fact are added by the caller. False when a record with its identity exists,
        which is left unchanged; for a memory, or with ``new``, the caller must have checked that.

        A turn that was not ``judged``, that is reflected on, is encrypted as if it were personal,
        because that is not known yet (see ``reveal``).
        """
        kind = kind_of(type(record))
        if isinstance(record, Link):
            return self._add_links([(record.source, record.relation, record.target)]) > 0
        if not new and not isinstance(record, Memory):  # which the caller has checked
            same = " AND ".join(f"{name} = ?" for name in kind.identity)
            identity = [derived.get(name, getattr(record, name, None)) for name in kind.identity]
            if self.fetch(f"SELECT 1 FROM {kind.name} WHERE {same}", *identity):
                return False
        record = self._recorded(record)
        self._insert(kind, [self._row(kind, record, vector, derived, judged=judged)])
        return True

    def add_logs(self, logs: Sequence[StageLog]) -> None:
        """Adds many stage logs at once; those that exist are left unchanged."""
        kind = kind_of(StageLog)
        known = self.existing(StageLog, [log.id for log in logs if log.id])
        self._insert(kind, [self._row(kind, log, None, {}) for log in logs if log.id not in known])

    def add_memories(self, memories: Sequence[NewMemory]) -> None:
        """Adds many memories at once; the caller must have checked that they are new."""
        if not memories:
            return
        kind, first = kind_of(Memory), self.tables.take("key", len(memories))
        rows = []
        for key, (memory, vector, identity) in enumerate(memories, first):
            derived: dict[str, Any] = {"key": key}
            if identity is not None:
                derived["identity_hash"] = identity
            rows.append(self._row(kind, memory, vector, derived))
        self._insert(kind, rows)

    def put(self, record: Record, **derived: Any) -> None:
        """Adds a record, or replaces the one with its identity."""
        kind = kind_of(type(record))
        row = self._row(kind, self._recorded(record), None, derived)
        self._insert(kind, [row], replace=True)

    def _recorded(self, record: Any) -> Any:
        """A turn, document or project with the time of its storing."""
        if isinstance(record, (Turn, Document, Project)) and record.recorded_at is None:
            return structs.replace(record, recorded_at=self.now)
        return record

    def _row(
        self,
        kind: Kind,
        record: Any,
        vector: Vector | None,
        derived: dict[str, Any],
        *,
        judged: bool = True,
    ) -> NewRow:
        """The row of a record. An encrypted one is not passed on to ``memory.concepts.derivation``,
        whose output would be plain text."""
        self._add_hashes(kind, record, derived)
        plain, ciphertext = record, None
        if self.cipher is not None and (key := self.cipher.key_for(kind, record, judged)):
            record, ciphertext = self.cipher.encode(record, key, vector, derived, judged=judged)
            plain, vector = None, None
        if "key" not in derived:
            derived["key"] = self.tables.take("key") if kind.has_key else 0
        columns, values = row_of(kind, record, derived)
        return NewRow(derived["key"], columns, values, vector, plain, ciphertext)

    def _add_hashes(self, kind: Kind, record: Any, derived: dict[str, Any]) -> None:
        for name, make in kind.hashes.items():
            if name not in derived:
                derived[name] = self.hash(record, make(record))

    def _insert(self, kind: Kind, rows: Sequence[NewRow], replace: bool = False) -> None:
        """Inserts rows of a kind, and their vectors."""
        if not rows:
            return
        key = kind.identity if replace else ()
        values = [row.values for row in rows]
        self.tables.insert(kind.name, rows[0].columns, values, key=key, replace=replace)
        if not replace and "id" in rows[0].columns:
            place = rows[0].columns.index("id")
            self._new.update(row[place] for row in values)
            self._note_owners(rows[0].columns, values)
        self._embed([(row.key, row.vector) for row in rows if row.vector is not None])
        if kind.numbered:
            self._added.setdefault(kind.name, rows[0].key)
            if self._follow is not None:
                self._touched.added.update({row.key: row.plain for row in rows if row.plain})
        if self.cipher is not None:
            encrypted = [row.ciphertext for row in rows if row.ciphertext is not None]
            self.cipher.put(encrypted, new=not replace)
            if kind.has_id and kind.encrypted and not kind.personal:
                self._note_encrypted(kind, rows)

    def _note_encrypted(self, kind: Kind, rows: Sequence[NewRow]) -> None:
        """Keeps which of these records are encrypted, and the keys of turns."""
        for row in rows:
            id = row.values[row.columns.index("id")]
            if kind.record is Turn:
                self._key_ids["turn", id] = row.ciphertext and row.ciphertext.subject
            elif row.ciphertext is not None:
                self.added_personal.add(id)
            if row.ciphertext is None:
                self.added_plain.add(id)

    def note_key(self, kind: Kind, id: str, key_id: str) -> None:
        """Keeps the id of the key with which a stored record was encrypted."""
        self._key_ids[kind.name, id] = key_id

    def note_changed(self, table: str, keys: Sequence[int]) -> None:
        """Registers rows whose content or visibility to searches has changed."""
        if self._follow is not None and keys:
            self._touched.changed.setdefault(table, []).extend(keys)

    def update(self, table: str, fields: Mapping[str, Any], condition: str, *values: Any) -> int:
        """Sets columns of the rows that meet a condition, in SQL with its ``values``; returns how
        many rows. Encrypted fields of a record are changed in its ciphertext."""
        kind = kind_named(table)
        if kind is None:
            return self.tables.update(table, fields, condition, *values)
        secret = set(kind.encrypted) & set(fields) if self.cipher is not None else set()
        if self.cipher is None or not secret:
            return self._update(kind, fields, condition, *values)
        ids = [row[0] for row in self.fetch(f"SELECT id FROM {table} WHERE {condition}", *values)]
        hidden = {row[0] for row in self.fetch(_ENCRYPTED, table, ids)} if ids else set()
        if not hidden:
            return self._update(kind, fields, condition, *values)
        for id in hidden:
            self.cipher.change(table, id, **{name: fields[name] for name in secret})
        rest = {name: value for name, value in fields.items() if name not in secret}
        if rest:
            self._update(kind, rest, _AMONG, sorted(hidden))
        if plain := [id for id in ids if id not in hidden]:
            self._update(kind, fields, _AMONG, plain)
        return len(ids)

    def _update(self, kind: Kind, fields: Mapping[str, Any], condition: str, *values: Any) -> int:
        """Sets columns, and queues the rows to be indexed again if that is necessary."""
        if kind.numbered and (kind.reindexed | set(kind.texts)) & set(fields):
            found = self.fetch(f"SELECT key FROM {kind.name} WHERE {condition}", *values)
            keys = [row[0] for row in found]
            self.note_changed(kind.name, keys)
            if kind.reindexed & set(fields):
                # many rows include most neighbours
                self._reindex(kind.name, keys, around=len(keys) == 1)
        return self.tables.update(kind.name, columns_of(kind, fields), condition, *values)

    def change(self, kind: type[Record], ids: str | Collection[str], /, **fields: Any) -> int:
        """Sets fields of records of a kind; returns how many. Encrypted fields are changed in the
        record's ciphertext, if its key is available, and are never in its row."""
        ids = [ids] if isinstance(ids, str) else ids
        return self.update(kind_of(kind).name, fields, _AMONG, ids) if ids else 0

    def take(self, counter: str, count: int = 1) -> int:
        """Takes numbers that were never used, and returns the first. ``counter``: a numbered table,
        or ``key``."""
        return self.tables.take(counter, count)

    def insert(self, table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> int:
        if table == "link":
            return self._add_links(rows)
        return self.tables.insert(table, columns, rows, key=KEYS.get(table, ()))

    def _add_links(self, rows: Sequence[Sequence[Any]]) -> int:
        """Inserts links, and returns how many. Those of a record that was added just now are not
        looked up: it has no others."""
        if self.cipher is not None:
            self.linked.update(id for source, _, target in rows for id in (source, target))
        columns = KEYS["link"]
        added: dict[Sequence[Any], None] = {}
        others = []
        for row in rows:
            if row[0] not in self._new and row[2] not in self._new:
                others.append(row)
            elif row not in self._links:
                added[row] = None
        count = self.tables.insert("link", columns, list(added), key=columns, new=True)
        count += self.tables.insert("link", columns, others, key=columns)
        self._links.update(rows)
        return count

    def _forget_added(self) -> None:
        """Lets links be looked up that may have been deleted."""
        self._new.clear()
        self._links.clear()

    def delete(self, table: str, condition: str, *values: Any) -> int:
        """Deletes the rows that meet a condition, in SQL with its ``values``; returns how many."""
        if table == "link":
            self._forget_added()
        return self.tables.delete(table, condition, *values)

    def remove(self, id: str) -> bool:
        """Deletes a record with everything that belongs to it: embeddings, links, rows of other
        tables; False when it is missing. Ledger entries about it stay."""
        self._forget_added()
        for kind in identified():
            key = "key" if kind.has_key else "id"
            for [found] in self.fetch(f"SELECT {key} FROM {kind.name} WHERE id = ?", id):
                if kind.numbered:
                    self._reindex(kind.name, [found], around=True)
                    self._unembed(found)
                    self._touched.added.pop(found, None)
                    self.clear_concepts([found])
                self.delete(kind.name, "id = ?", id)
                for owned in kind.owned:
                    self._remove_owned(owned, id if owned.of == "id" else found)
                if kind.encrypted:
                    self.delete("encrypted", "kind = ? AND id = ?", kind.name, id)
                self.delete("link", "source = ?", id)
                self.delete("link", "target = ?", id)
                return True
        return False

    def _remove_owned(self, owned: Owned, of: Any) -> None:
        """Deletes rows that belong to a record, and their ciphertexts."""
        kind = kind_named(owned.table)
        if kind is not None and kind.encrypted:
            ids = self.fetch(f"SELECT id FROM {owned.table} WHERE {owned.column} = ?", of)
            self.delete("encrypted", f"kind = ? AND {_AMONG}", owned.table, [row[0] for row in ids])
        self.delete(owned.table, f"{owned.column} = ?", of)

    def rename(self, kind: Kind, column: str, ids: Sequence[str], name: str) -> None:
        if kind.body:
            self._rename_bodies(kind, column, ids, name)
            return
        if column == "user" and kind.encrypted and self.cipher is not None:
            for id in ids:
                if (value := self.cipher.give(kind, id, name)) is not None:
                    self._update(kind, {"value": value}, "id = ?", id)
        self.change(kind.record, ids, **{column: name})
        renamed: list[Any] = self.by_ids(kind.record, ids) if kind.hashes else []
        for record in renamed:
            hashes: dict[str, Any] = {}
            self._add_hashes(kind, record, hashes)
            self.change(kind.record, record.id, **hashes)

    def _rename_bodies(self, kind: Kind, column: str, ids: Sequence[str], name: str) -> None:
        keys = self.keys(kind.record, ids) if kind.has_key else {}
        found: list[Any] = self.by_ids(kind.record, ids)
        for record in found:
            renamed = structs.replace(record, **{column: name})
            self.put(renamed, **({"key": keys[record.id]} if keys else {}))

    def renumber(self, id: str) -> int:
        """Gives a record a new key, which is returned, so that every index treats it as new."""
        for kind in numbered():
            for [before] in self.fetch(f"SELECT key FROM {kind.name} WHERE id = ?", id):
                self._unembed(before)
                key = self.tables.take("key")
                self._reindex(kind.name, [before], around=False)
                self._added.setdefault(kind.name, key)
                self.tables.update(kind.name, {"key": key}, "id = ?", id)
                self.tables.note("encrypted")  # a search in it knows rows by their keys
                self._touched.added.pop(before, None)
                self.clear_concepts([before])
                self.note_changed(kind.name, [key])
                for owned in kind.owned:
                    if owned.of == "key":
                        column = owned.column
                        self.update(owned.table, {column: key}, f"{column} = ?", before)
                return key
        raise KeyError(id)

    def empty(self, kind: Kind, id: str, fields: Mapping[str, Any]) -> None:
        """Replaces columns of a row whose words must not stay anywhere else: neither in the indexes
        nor among the concepts or the embeddings."""
        if kind.numbered:
            key = self.keys(kind.record, [id])[id]
            self._reindex(kind.name, [key], around=True)
            self._unembed(key)
            self._touched.added.pop(key, None)
            self.clear_concepts([key])
        self.tables.update(kind.name, columns_of(kind, fields), "id = ?", id)

    def clear_concepts(self, keys: Collection[int]) -> None:
        """Removes the concepts of entries. Those without other entries are deleted when the unit of
        work ends."""
        among = "key IN (SELECT value FROM json_each(?))"
        found = self.fetch(f"SELECT DISTINCT concept FROM about WHERE {among}", keys)
        if found:
            self.delete("about", among, keys)
            self._left_concepts.update(row[0] for row in found)

    def _reindex(self, table: str, keys: Sequence[int], *, around: bool) -> None:
        """Queues rows to be indexed again, or removed from the indexes."""
        self._changed |= dict.fromkeys(keys)
        for key in keys if around else ():
            self._changed |= dict.fromkeys(self._index.neighbours(table, key))

    # -- the ledger -------------------------------------------------------------------------------

    def add_event(self, event: Event, *more: Event) -> Event:
        """Appends entries to the ledger, in this order; returns the first with its ``seq``,
        ``prev`` and ``hash``."""
        events = [event, *more]
        if self.cipher is not None:
            from thalamus.store.encryption.entries import encrypted_entries

            events = encrypted_entries(self, self.cipher, events, self._key_of_turn)
        self._attribute(events)
        return ledger.append(self.tables, events, self._clock)[0]

    def _key_of_turn(self, id: str | None) -> str | None:
        """Id of the key that a turn is encrypted with; None when it is not."""
        if self.cipher is not None and ("turn", id) not in self._key_ids:
            return self.cipher.key_id("turn", id)
        return self._key_ids.get(("turn", id))

    def empty_events(self, numbers: Sequence[int]) -> None:
        """Removes the words from entries of the ledger, whose hashes stay."""
        self.update("event", _EMPTIED, "seq IN (SELECT value FROM json_each(?))", numbers)

    def rename_events(self, column: Literal["user", "agent"], name: str, new: str) -> None:
        """Gives the ledger entries of a user or an agent to another."""
        condition = '"user" = ?' if column == "user" else "agent = ?"
        self.update("event", {column: new}, condition, name)

    # -- owners -----------------------------------------------------------------------------------

    @property
    def acting(self) -> Owner:
        """The owner of the acts of this unit of work, not of its rows: the default user where there
        is none."""
        return Owner(DEFAULT_USER) if self.owner == Owner() else self.owner

    def _note_owners(self, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        """Keeps the owners of added records, for the ledger entries about them."""
        if "user" in columns:
            id, user = columns.index("id"), columns.index("user")
            agent = columns.index("agent") if "agent" in columns else None
            for row in rows:
                self._owners[row[id]] = row[user], None if agent is None else row[agent]

    def _attribute(self, events: Sequence[Event]) -> None:
        """Sets the owners of entries: that of their turn, or else the user of this process, or the
        owner of the records that they name. An exported entry with an owner keeps it."""
        wanted: list[tuple[Event, list[str]]] = []
        for event in events:
            if event.user is not None or event.agent is not None:
                continue
            if event.turn is not None:
                wanted.append((event, [event.turn]))
            elif self.owner.user is None or event.body is not None:
                wanted.append((event, names_in(event.data)))
            else:
                wanted.append((event, []))
        known = self._owners_of({name for _, names in wanted for name in names})
        for event, names in wanted:
            owners = [known[name] for name in names if name in known]
            alone = Owner(DEFAULT_USER) if event.body is not None else self.acting
            event.user, event.agent = astuple(common_owner(owners) if owners else alone)

    def _owners_of(self, ids: Collection[str]) -> dict[str, _Names]:
        """Owners of records with these ids, by id."""
        found = {id: self._owners[id] for id in ids if id in self._owners}
        if not (missing := [id for id in ids if id not in found]):
            return found
        owned = [kind for kind in identified() if "user" in kind.columns]
        parts = [
            _OWNERS.format(kind.name, "agent" if "agent" in kind.columns else _NO_AGENT)
            for kind in owned
        ]
        rows = self.fetch(" UNION ALL ".join(parts), *[missing] * len(parts))
        return found | {id: (user, agent) for id, user, agent in rows}

    # -- embeddings -------------------------------------------------------------------------------

    def put_vector(self, key: int, vector: Vector | None) -> None:
        """Sets the embedding of a stored entry; that of an encrypted one is encrypted with it. None
        deletes the present one, because the content changed."""
        if self.cipher is not None:
            parts = [_ENCRYPTED_ENTRY.format(kind.name) for kind in numbered() if kind.encrypted]
            for name, id in self.fetch(" UNION ALL ".join(parts), *[key] * len(parts)):
                self.cipher.put_vector(name, id, vector)
                return
        if vector is None:
            self._unembed(key)
            return
        space, _ = self._space(vector)
        if not self.fetch("SELECT n FROM embedding WHERE space = ? AND key = ?", space, key):
            self._embed([(key, vector)])

    def _embed(self, vectors: Sequence[tuple[int, Vector]]) -> None:
        """Inserts embeddings of rows, given their keys."""
        rows = []
        stored = halved([vector.data for _, vector in vectors])
        for (key, vector), data in zip(vectors, stored, strict=True):
            space, size = self._space(vector)
            if vector.dimension != size:
                raise ValueError(
                    f"{vector.model} has {size} dimensions in this store, not {vector.dimension}"
                )
            rows.append((space, key, data, vector.sentences or None))
        if not rows:
            return
        names, numbered = self.tables.numbered("embedding", _EMBEDDING_COLUMNS, rows)
        self.tables.insert("embedding", names, numbered)
        for n, space, *_ in numbered:
            more, _ = self._counts.get(space, (0, 0))
            self._counts[space] = more + 1, n

    def _unembed(self, key: int) -> None:
        """Deletes the embeddings of a row."""
        for [space] in self.fetch("SELECT space FROM embedding WHERE key = ?", key):
            more, last = self._counts.get(space, (0, 0))
            self._counts[space] = more - 1, last
        self.delete("embedding", "key = ?", key)

    def _space(self, vector: Vector) -> tuple[int, int]:
        """Number of a model's space, and its dimension."""
        model = vector.model
        if model not in self._spaces:
            self.note_spaces(self.fetch(_SPACE_OF, model))
        if model not in self._spaces:
            self.tables.insert("space", _SPACE_COLUMNS, [(model, vector.dimension, 0, 0)])
            self.note_spaces(self.fetch(_SPACE_OF, model))
        return self._spaces[model]

    def note_spaces(self, rows: Iterable[Sequence[Any]]) -> None:
        """Keeps spaces that were read in this transaction (rows of ``SPACE``)."""
        for model, id, dimension, count, last in rows:
            self._spaces[model] = (id, dimension)
            self._totals[id] = (count, last)

    # -- encryption -------------------------------------------------------------------------------

    def reading_cipher(self) -> Cipher | None:
        return self.cipher

    def reveal(self, turn: Turn) -> None:
        """Stores a turn in plain text that was encrypted until its sensitivity was known; does
        nothing when it is personal or was never encrypted."""
        id = turn.stored_id
        values = self.cipher.content("turn", id) if self.cipher is not None else None
        if self.cipher is None or values is None:
            return
        if self.cipher.subject(turn) is not None:
            self.cipher.change("turn", id, sensitivity="personal")
            return
        self._key_ids.clear()
        vector = values.pop("vector", None)
        self.delete("encrypted", "kind = 'turn' AND id = ?", id)
        kind = kind_of(Turn)
        fields = {name: values[name] for name in kind.encrypted}
        self._update(kind, fields, "id = ?", id)
        if vector is not None:
            self.put_vector(self.keys(Turn, [id])[id], Vector(*vector))
