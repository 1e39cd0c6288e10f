"""The SQLite store: tables, indexes and ledger behind ``storage.protocol.Store``."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import UNSET, UnsetType

from thalamus.clock import Clock
from thalamus.errors import StoreBusy, ThalamusError
from thalamus.records import (
    Alias,
    Document,
    Event,
    Fact,
    Link,
    Memory,
    Plan,
    Predicate,
    Turn,
)
from thalamus.storage.protocol import (
    Filter,
    Hit,
    IndexedRow,
    Similarities,
    Space,
    Vector,
)
from thalamus.storage.relational.rows import find
from thalamus.storage.relational.tables import Tables
from thalamus.storage.sqlite import rows
from thalamus.storage.sqlite.connection import (
    FILE,
    MARKER,
    PAUSE,
    connect,
    empty,
    exclusive,
    exclusive_within,
    open_file,
    primary_code,
    translated,
    writable,
)
from thalamus.storage.sqlite.rows import condition, views

if TYPE_CHECKING:
    from thalamus.policy.erasure import ScanItem
    from thalamus.storage.protocol import (
        Clean,
        ErasedContent,
        Forget,
        HnswResult,
        IndexState,
        ResidueReport,
        SubjectOf,
        Where,
    )
    from thalamus.storage.sqlite.audit import AuditKeys, Verification
    from thalamus.storage.sqlite.encryption import Cipher, EncryptedSearch
    from thalamus.storage.sqlite.index_sync import BackgroundSync
    from thalamus.storage.sqlite.indexes import Indexes
    from thalamus.storage.sqlite.signatures import Head, Keys, TransactionSigner
    from thalamus.storage.sqlite.writer import SqliteWriter


R = TypeVar("R")


# (how many, the keys allowed or None for all) -> (key, score), best first
Find = Callable[[int, "list[int] | None"], list[tuple[int, float]]]
FURTHER = 6  # times as many of the best are looked at before a filter is applied inside


TABLES: tuple[tuple[str, Callable[[sqlite3.Row], Any]], ...] = (
    ("turn", rows.turn),
    ("memory", rows.memory),
    ("fact", rows.fact),
    ("document", rows.document),
    ("plan", rows.plan),
)
_UNEMBEDDED = (
    "FROM entry WHERE live AND NOT EXISTS (SELECT 1 FROM embedding WHERE key = entry.key"
    " AND space = (SELECT id FROM space WHERE model = ?))"
    " AND NOT EXISTS (SELECT 1 FROM encrypted WHERE encrypted.kind = entry.kind"
    " AND encrypted.id = entry.id)"
)
_STATUS = "key IN (SELECT key FROM memory WHERE status = ?)"


BACKUPS = "backups"
Progress = Callable[[str], None]


class SqliteStore:
    """One tenant's store.

    ``folder``: where its files are; ``create``: make it when it is missing (else ``NoStore``);
    ``busy_timeout``: seconds to wait for another process's write; ``keys``: where the store key
    is, without which a signed store can be read and not written; ``subject_of``: whose key
    encrypts what is personal; without it nothing is encrypted.
    """

    def __init__(
        self,
        folder: Path,
        *,
        tenant: str = "default",
        create: bool = False,
        busy_timeout: float = 30.0,
        clock: Clock | None = None,
        keys: Keys | None = None,
        subject_of: SubjectOf | None = None,
    ) -> None:
        self.folder = folder
        self.path = folder / FILE
        self._busy_timeout = busy_timeout
        self._clock = clock or Clock()
        if empty(self.path):
            from thalamus.storage.sqlite.connection import check_not_lost

            check_not_lost(folder, keys)
        self._db = connect(folder, tenant, busy_timeout, create)
        self._opened = _identity(self.path)
        self._sync: BackgroundSync | None = None
        self._store_keys: Any = keys
        self._subject_of = subject_of
        self._transaction_signer: TransactionSigner | None = None
        self._wrote = False

    # -- writing ----------------------------------------------------------------------------------

    @contextmanager
    def writing(self, more: bool = False) -> Iterator[SqliteWriter]:
        """One transaction, durable at the end of the block; then the indexes follow: with
        ``more`` only when they are far behind, else but for the last few rows, which are added
        when the store is closed."""
        from thalamus.storage.sqlite.writer import SqliteWriter

        with self._unit() as signing:
            signer = signing.signer if signing else None
            cipher = self._cipher if signing else None
            writer = SqliteWriter(self._db, self._clock, signer, cipher)
            yield writer
            writer.finish()
        self._wrote = True
        if more or self._sync is not None:
            self._sync_in_background(more)
        if not more:
            self._indexes.sync()

    @contextmanager
    def _unit(self, blank: bool = False) -> Iterator[TransactionSigner | None]:
        """One transaction in which all rows that are written are signed; with ``blank`` the
        signatures of deleted rows no longer name them. None in a store that is not signed."""
        from thalamus.storage.sqlite.signatures import blank_names

        with translated(self.path, self._busy_timeout):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                signing = self._begin_signing()
                yield signing
                if signing is not None:
                    signing.finish()
                if blank:
                    blank_names(self._db)
                self._db.execute("COMMIT")
            except BaseException:
                # a full disk may have ended the transaction already
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
            if signing is not None:
                signing.committed()

    def _begin_signing(self) -> TransactionSigner | None:
        """What signs this unit of work; None in a store that is not signed."""
        from thalamus.storage.sqlite.signatures import TransactionSigner, begin_without

        if self._store_keys is None:
            begin_without(self._db)
            return None
        if self._transaction_signer is None:
            self._transaction_signer = TransactionSigner(self._db, self._store_keys)
        self._transaction_signer.begin()
        return self._transaction_signer

    def _sync_in_background(self, more: bool) -> None:
        """While many are stored another process keeps the indexes in sync."""
        if self._sync is None:
            from thalamus.storage.sqlite.index_sync import BackgroundSync

            self._sync = BackgroundSync(self._db, self.folder, self._indexes)
        if more:
            self._sync.check()
        else:
            self._sync.finish()
            self._sync = None

    def close(self) -> None:
        if self._sync is not None:
            self._sync_in_background(more=False)
        if self._wrote:
            self._wrote = False
            if self._opened == _identity(self.path):
                self._indexes.sync(0)
        self._db.close()

    # -- what is open -----------------------------------------------------------------------------

    @cached_property
    def _indexes(self) -> Indexes:
        from thalamus.storage.sqlite.indexes import Indexes

        return Indexes(self.folder / "index", self._db)

    @cached_property
    def _cipher(self) -> Cipher | None:
        """What opens encrypted content; None without keys."""
        from thalamus.storage.sqlite.encryption import Cipher

        if self._store_keys is None:
            return None
        return Cipher(self._db, self._store_keys, self._subject_of)

    @property
    def _has_encrypted(self) -> bool:
        return bool(self._db.execute("SELECT EXISTS (SELECT 1 FROM encrypted)").fetchone()[0])

    def _open(self, record: R) -> R:
        """A record with what is encrypted of it, as far as its key is here."""
        from thalamus.storage.sqlite.encryption import opened

        found: R = opened(record, self._cipher)
        return found

    def _rows(self, query: str, values: Sequence[Any] = ()) -> list[sqlite3.Row]:
        with translated(self.path, self._busy_timeout):
            return self._db.execute(query, values).fetchall()

    # -- searching --------------------------------------------------------------------------------

    _opened_at: tuple[object, EncryptedSearch] | None = None

    def search_text(self, tokens: Sequence[str], where: Filter, limit: int) -> list[Hit]:
        found = self._search(
            lambda count, keys: self._indexes.search_text(tokens, count, keys), where, limit
        )
        return self._with_encrypted(found, where, limit, tokens=tokens)

    def search_vector(self, vector: Vector, where: Filter, limit: int) -> list[Hit]:
        found = self._search(
            lambda count, keys: self._indexes.search_vector(vector, count, keys), where, limit
        )
        return self._with_encrypted(found, where, limit, vector=vector)

    def _with_encrypted(
        self,
        found: list[Hit],
        where: Filter,
        limit: int,
        tokens: Sequence[str] = (),
        vector: Vector | None = None,
    ) -> list[Hit]:
        """What the indexes found, with what is encrypted and opens here, best first."""
        if not self._has_encrypted:
            return found
        from thalamus.storage.sqlite.encryption import KINDS

        search = self._encrypted_search()
        encrypted = search.ids()
        plain = [hit for hit in found if (KINDS[hit.entry.kind], hit.entry.id) not in encrypted]
        entries = self._entries_by_key(search.keys(), where)
        if vector is not None:
            also = search.by_vector(entries, vector)
        else:  # weighed as if they were in the index, for they stand in one list with what is
            opened = {entry.key: entry for entry in search.opened(list(entries.values()))}
            texts = ((key, entry.text) for key, entry in opened.items())
            scored = self._indexes.score_texts(texts, tokens, limit)
            also = [Hit(opened[key], score) for key, score in scored]
        return sorted([*plain, *also], key=lambda hit: -hit.score)[:limit]

    def _encrypted_search(self) -> EncryptedSearch:
        """What is encrypted, opened; once for each state of the store."""
        from thalamus.storage.sqlite.encryption import EncryptedSearch

        keys = self._store_keys.version() if self._store_keys else None
        state = self._rows("PRAGMA data_version")[0][0], self._db.total_changes, keys
        if self._opened_at is None or self._opened_at[0] != state:
            self._opened_at = state, EncryptedSearch(self._db, self._cipher)
        return self._opened_at[1]

    def similarities(self, vector: Vector, keys: Sequence[int]) -> Similarities:
        from thalamus.storage.sqlite.similarity import similarities as measured

        with translated(self.path, self._busy_timeout):
            found = measured(self._db, vector, keys)
            if self._cipher is None or not self._has_encrypted:
                return found
            from thalamus.storage.sqlite.encryption import cosines

            rest = [key for key in keys if key not in found.cosines]
            also = cosines(self._db, self._cipher, vector, rest)
            return Similarities(found.cosines | also, found.background)

    def _search(self, find: Find, where: Filter, limit: int) -> list[Hit]:
        """Where a filter lets too few of the best through more are looked at, and then it is
        applied inside the search: listing what it lets through may take longer than both."""
        count = limit + len(where.exclude)
        most = count * FURTHER
        while count <= most:
            hits, found = self._passing(find, count, None, where)
            if len(hits) >= limit or found < count:
                return hits[:limit]
            # half as many again as would do if the filter lets the next ones through as well
            wanted = count * limit * 3 // (2 * len(hits)) if hits else most
            count = max(count + 1, min(most, wanted))
        hits, _ = self._passing(find, limit, self._keys(where), where)
        return hits[:limit]

    def _passing(
        self, find: Find, count: int, keys: list[int] | None, where: Filter
    ) -> tuple[list[Hit], int]:
        """Of the ``count`` best the hits that pass the filter; how many were found at all."""
        with translated(self.path, self._busy_timeout):
            found = find(count, keys)
        entries = self._entries_by_key([key for key, _ in found], where)
        hits = [Hit(entries[key], score) for key, score in found if key in entries]
        return hits, len(found)

    def _entries_by_key(self, keys: Sequence[int], where: Filter) -> dict[int, IndexedRow]:
        sql, values = condition(where)
        found = {}
        for part in rows.in_parts(keys):
            marks = rows.placeholders(part)
            query = f"SELECT {rows.ENTRY} FROM entry WHERE key IN ({marks}) AND {sql}"
            for row in self._rows(query, (*part, *values)):
                found[row["key"]] = rows.entry(row)
        return found

    def _keys(self, where: Filter) -> list[int]:
        sql, values = condition(where)
        queries = (f"SELECT key FROM {view} WHERE {sql}" for view in views(where))
        return [row[0] for query in queries for row in self._rows(query, values)]

    def entries(self, where: Filter, limit: int, newest: bool = True) -> list[IndexedRow]:
        sql, values = condition(where)
        order = "DESC" if newest else "ASC"
        found = self._rows(
            f"SELECT {rows.ENTRY} FROM entry WHERE {sql}"
            f" ORDER BY created_at {order}, key {order} LIMIT ?",
            (*values, limit),
        )
        entries = [rows.entry(row) for row in found]
        if not self._has_encrypted:
            return entries
        return self._encrypted_search().opened(entries)

    # -- reading ----------------------------------------------------------------------------------

    def find(
        self,
        kind: type[Any],
        where: Where | None = None,
        order: Sequence[str] = (),
        limit: int | None = None,
    ) -> list[Any]:
        with translated(self.path, self._busy_timeout):
            found = find(Tables(self._db), kind, where, order, limit)
            return [self._open(record) for record in found]

    def select(
        self,
        table: str,
        columns: Sequence[str],
        where: Where | None = None,
        order: Sequence[str] = (),
        limit: int | None = None,
        group: Sequence[str] = (),
    ) -> list[Any]:
        with translated(self.path, self._busy_timeout):
            return Tables(self._db).select(table, columns, where, order, limit, group)

    def spaces(self) -> list[Space]:
        return [Space(*row) for row in self._rows("SELECT model, dimension, count FROM space")]

    def unembedded(self, model: str, limit: int, after: int = 0) -> list[tuple[int, str]]:
        query = f"SELECT key, embed_text {_UNEMBEDDED} AND key > ? ORDER BY key LIMIT ?"
        return [(row[0], row[1]) for row in self._rows(query, (model, after, limit))]

    def count_unembedded(self, model: str) -> int:
        return int(self._rows(f"SELECT count(*) {_UNEMBEDDED}", (model,))[0][0])

    def stale_marks(self, keys: Sequence[int]) -> dict[int, str]:
        found: dict[int, str] = {}
        for part in rows.in_parts(keys):
            marks = rows.placeholders(part)
            query = f"SELECT key, stale FROM memory WHERE stale IS NOT NULL AND key IN ({marks})"
            found |= {row[0]: row[1] for row in self._rows(query, part)}
        return found

    def ended_facts(self, keys: Sequence[int], now: str) -> list[tuple[int, Fact]]:
        from thalamus.storage.sqlite.facts import ended

        with translated(self.path, self._busy_timeout):
            return list(ended(self._db, keys, now))

    def get(self, id: str) -> Turn | Memory | Fact | Document | Plan | None:
        for table, make in TABLES:
            for row in self._rows(f"SELECT * FROM {table} WHERE id = ?", (id,)):
                record: Turn | Memory | Fact | Document | Plan = self._open(make(row))
                return record
        return None

    def complete_id(self, prefix: str) -> list[str]:
        found: list[str] = []
        upper = prefix + "\U0010ffff"
        for table, _ in TABLES:
            query = f"SELECT id FROM {table} WHERE id >= ? AND id < ? LIMIT 10"
            found += [row[0] for row in self._rows(query, (prefix, upper))]
        return sorted(found)[:10]

    def memories(self, where: Filter, limit: int) -> list[Memory]:
        sql, values = condition(where)
        order = "ORDER BY created_at DESC, key DESC"
        if where.status is not None:
            sql = sql.replace("live", "1" if where.status == "all" else _STATUS, 1)
            values = values if where.status == "all" else (where.status, *values)
        core = "scope = 'core' AND" if where.scope == "core" else ""  # of which there is an index
        found = self._rows(
            "SELECT * FROM memory WHERE key IN"
            f" (SELECT key FROM memory_entry WHERE {core} {sql} {order} LIMIT ?) {order}",
            (*values, limit),
        )
        return [self._open(rows.memory(row)) for row in found]

    def facts(self, where: Filter, entity: str | None = None, history: bool = False) -> list[Fact]:
        from thalamus.storage.sqlite.facts import facts, with_history

        with translated(self.path, self._busy_timeout):
            found = [self._open(fact) for fact in facts(self._db, where, entity, history)]
            return [with_history(self._db, fact) for fact in found] if history else found

    def predicates(self) -> list[Predicate]:
        from thalamus.storage.sqlite.facts import predicates

        with translated(self.path, self._busy_timeout):
            return predicates(self._db)

    def entities(self, owner: str | None) -> list[tuple[str, str | None, int]]:
        from thalamus.storage.sqlite.facts import entities

        with translated(self.path, self._busy_timeout):
            return entities(self._db, owner)

    def entity_name(self, entity: str, user: str | UnsetType | None = UNSET) -> str | None:
        from thalamus.storage.sqlite.facts import entity_name

        with translated(self.path, self._busy_timeout):
            return entity_name(self._db, entity, user)

    def aliases(
        self, users: Sequence[str | None] | None = None, key: str | None = None
    ) -> list[Alias]:
        from thalamus.storage.sqlite.facts import aliases

        with translated(self.path, self._busy_timeout):
            return aliases(self._db, users, key)

    def links(self, id: str, relations: Sequence[str] = ()) -> list[Link]:
        with translated(self.path, self._busy_timeout):
            return rows.links(self._db, id, relations)

    def events(self, turn: str | None = None, limit: int | None = None) -> Iterator[Event]:
        from thalamus.storage.sqlite import ledger

        with translated(self.path, self._busy_timeout):
            for event in ledger.read(self._db, turn, limit):
                yield self._open(event)

    def everything(self) -> Iterator[Any]:
        """On a connection of its own: one state of the store, whatever is written meanwhile."""
        from thalamus.storage.sqlite import ledger
        from thalamus.storage.sqlite.facts import aliases, predicates, with_history

        with translated(self.path, self._busy_timeout):
            connection = open_file(self.path, self._busy_timeout)
            try:
                connection.execute("BEGIN")
                # first what decides how facts are read
                yield from predicates(connection)
                yield from aliases(connection, None, None)
                for table, make in TABLES:
                    order = "rowid" if table == "document" else "key"
                    for row in connection.execute(f"SELECT * FROM {table} ORDER BY {order}"):
                        record = self._open(make(row))
                        yield with_history(connection, record) if table == "fact" else record
                query = "SELECT * FROM link ORDER BY source, relation, target"
                for row in connection.execute(query):
                    yield Link(**dict(row))
                for event in ledger.read(connection, None, None):
                    yield self._open(event)
            finally:
                connection.close()

    def vectors_of(self, ids: Iterable[str]) -> Mapping[str, Vector]:
        """Of several models the one whose embedding was made last."""
        query = (
            "SELECT model, vector FROM embedding JOIN space ON space.id = space"
            " WHERE embedding.key = (SELECT key FROM entry WHERE id = ?) ORDER BY n DESC LIMIT 1"
        )
        found = {}
        for id in ids:
            for row in self._rows(query, (id,)):
                found[id] = Vector(row[0], row[1])
            if id not in found and self._cipher is not None:
                vector = self._cipher.vector(id)
                if vector is not None:
                    found[id] = vector
        return found

    @contextmanager
    def exclusive(self, task: str, wait: bool = False) -> Iterator[None]:
        timeout, lock = self._busy_timeout, self.folder / f"{task}.lock"
        with translated(self.path, timeout):
            if wait:
                with exclusive(lock):
                    yield
                return
            with exclusive_within(lock, timeout) as mine:
                if not mine:
                    raise StoreBusy(self.path, f"{timeout:g}")
                yield

    # -- checks, indexes, backups -----------------------------------------------------------------

    def verification(
        self, keys: AuditKeys, against: str | None = None
    ) -> AbstractContextManager[Verification]:
        """A comparison of the store as it is now with what ``keys`` signed; ``against``: a head
        that was kept elsewhere. Raises ``BadKey``, ``NotSigned``, ``UsageError``."""
        from thalamus.storage.sqlite.audit import verification

        return verification(self.path, self._busy_timeout, keys, against)

    def sign_again(self, key: bytes, event: Event) -> str:
        """Signs everything as it is with a key, logs ``event`` and returns the store's id. Raises
        ``StoreBusy``, ``StoreFull``."""
        from thalamus.storage.sqlite.audit import sign_again

        return sign_again(self.path, self._busy_timeout, key, event, self._clock)

    def counts(self) -> dict[str, int]:
        from thalamus.storage.sqlite.backup import COUNTED

        return {table: self._rows(f"SELECT count(*) FROM {table}")[0][0] for table in COUNTED}

    def check(self) -> list[str]:
        from thalamus.storage.sqlite import ledger
        from thalamus.storage.sqlite.backup import quick_check

        with translated(self.path, self._busy_timeout):
            return quick_check(self._db) or ledger.problems(self._db)

    def schema_version(self) -> int:
        """The number of migrations that were applied."""
        return int(self._rows("PRAGMA user_version")[0][0])

    def signed_head(self) -> Head | None:
        """How far the store is signed, and by which key; None when it is not. Raises ``Tampered``
        when that cannot be read."""
        from thalamus.storage.sqlite.signatures import checked_head

        with translated(self.path, self._busy_timeout):
            return checked_head(self._db)

    def count_encrypted(self) -> tuple[int, int]:
        """How many rows are encrypted, and of how many the key is not here."""
        found = self._rows("SELECT subject, count(*) FROM encrypted GROUP BY subject")
        cipher = self._cipher
        closed = sum(count for key, count in found if cipher is None or cipher.key_of(key) is None)
        return sum(count for _, count in found), closed

    def index_states(self) -> list[IndexState]:
        with translated(self.path, self._busy_timeout):
            return self._indexes.states()

    def rebuild_indexes(self) -> list[IndexState]:
        with translated(self.path, self._busy_timeout):
            return self._indexes.rebuild()

    def build_hnsw(self, progress: Callable[[int], None]) -> list[HnswResult]:
        with translated(self.path, self._busy_timeout):
            return self._indexes.build_hnsw(progress)

    def backup(self, target: Path) -> None:
        from thalamus.storage.sqlite.backup import copy_verified

        with translated(target, self._busy_timeout):
            copy_verified(self._db, target)
        self.note_backup(target)

    # -- erasing ----------------------------------------------------------------------------------

    def scan_items(self) -> Iterator[ScanItem]:
        from thalamus.storage.sqlite import erasure

        with translated(self.path, self._busy_timeout):
            yield from erasure.scan_items(self._db, self._cipher)

    def scan_events(self) -> Iterator[ScanItem]:
        from thalamus.storage.sqlite import erasure

        with translated(self.path, self._busy_timeout):
            yield from erasure.scan_events(self._db, self._open)

    def all_links(self) -> Iterator[Link]:
        for row in self._rows("SELECT * FROM link"):
            yield Link(**dict(row))

    def documents(self) -> list[Document]:
        return [rows.document(row) for row in self._rows("SELECT * FROM document")]

    def mark(self) -> tuple[int, ...]:
        """What is another number after somebody wrote."""
        counted = "SELECT (SELECT value FROM meta WHERE name = 'next_key'), max(seq) FROM event"
        found = self._rows(counted)[0]
        return (self._rows("PRAGMA data_version")[0][0], found[0] or 0, found[1] or 0)

    @contextmanager
    def forgetting(self) -> Iterator[tuple[Forget, SqliteWriter]]:
        """One transaction, in which rows may be judged again before they go."""
        from functools import partial

        from thalamus.storage.sqlite.erasure import forget_rows
        from thalamus.storage.sqlite.writer import SqliteWriter

        with translated(self.path, self._busy_timeout):
            self._db.execute("PRAGMA temp_store = MEMORY")  # no journal of theirs on the disk
            try:
                with self._unit(blank=True) as signing:
                    signer, cipher = signing.signer if signing else None, self._cipher
                    writer = SqliteWriter(self._db, self._clock, signer, cipher)
                    forget = partial(
                        forget_rows, self._db, clock=self._clock, signer=signer, cipher=cipher
                    )
                    yield forget, writer
                    writer.finish()
            finally:
                self._db.execute("PRAGMA temp_store = DEFAULT")

    def unfinished(self) -> bool:
        """Whether rows were forgotten and what is left of them in files was not erased yet."""
        return bool(self._rows("SELECT 1 FROM meta WHERE name = ?", (MARKER,)))

    def remind(self) -> None:
        """Says that a forget is not finished, if one is not."""
        try:
            unfinished = self.unfinished()
        except sqlite3.OperationalError:  # a table is gone, which `verify` tells
            return
        if unfinished:
            import logging

            logging.getLogger(__name__).warning(
                "a forget was interrupted, or is under way: what it deleted may still stand in"
                " files of the store; `thalamus forget --finish` does the rest"
            )

    def erase(self, progress: Progress) -> list[str]:
        """Indexes, log and free pages without what was forgotten; what could not be done."""
        left: list[str] = []
        for what, step in (
            ("rebuilding the indexes", self._erase_indexes),
            ("emptying SQLite's log", self._empty_log),
            ("rewriting the database", self._vacuum),
            ("emptying SQLite's log", self._empty_log),
        ):
            progress(what)
            problem = step()
            if problem and problem not in left:
                left.append(problem)
        return left

    def finished(self) -> None:
        """Takes the marker away."""
        with translated(self.path, self._busy_timeout):
            self._db.execute("DELETE FROM meta WHERE name = ?", (MARKER,))
            self._empty_log()

    def residue(
        self,
        forgotten: ErasedContent,
        copies: Iterable[Path],
        progress: Progress,
        outside: Mapping[Path, Clean] | None = None,
    ) -> ResidueReport:
        from thalamus.storage.sqlite.residue import search

        files = (outside or {}, copies)
        with translated(self.path, self._busy_timeout):
            return search(self.folder, self._db, self._indexes, forgotten, files, progress)

    def backups(self) -> list[Path]:
        """Where ``backup`` wrote copies of this store, as far as is known."""
        import json

        row = self._rows("SELECT value FROM meta WHERE name = ?", (BACKUPS,))
        return [Path(name) for name in json.loads(row[0][0])] if row else []

    def note_backup(self, path: Path) -> None:
        """Remembers where a copy is. A store that cannot be written does not."""
        import json

        name = str(path.absolute())
        if writable(self.path) and path.absolute() not in self.backups():
            text = json.dumps([*map(str, self.backups()), name])
            with translated(self.path, self._busy_timeout):
                self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (BACKUPS, text))

    def _erase_indexes(self) -> str:
        """The files are unlinked before new ones are made: also when there is no room for these,
        the words are gone, and the next search makes them."""
        folder = self._indexes.folder
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            with exclusive_within(folder / "index.lock", self._busy_timeout) as mine:
                if not mine:
                    return "the indexes: another process is writing to them"
            self._indexes.rebuild()
        except (OSError, ValueError, sqlite3.Error, ThalamusError) as error:
            return f"the indexes: {error}"
        return ""

    def _empty_log(self) -> str:
        give_up = time.monotonic() + self._busy_timeout
        while True:
            try:
                busy = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
            except sqlite3.Error as error:
                if primary_code(error) not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                    return f"SQLite's log: {error}"
                busy = 1
            if not busy:
                return ""
            if time.monotonic() > give_up:
                return "SQLite's log: another process is reading the store"
            time.sleep(PAUSE)

    def _vacuum(self) -> str:
        try:
            self._db.execute("VACUUM")
        except sqlite3.Error as error:
            return f"the database's free pages: {error}"
        return ""


def _identity(path: Path) -> tuple[int, int] | None:
    """Which file it is, whatever its name; None when it is gone. Another one in its place has
    indexes of its own, and those of a store that was deleted must not come back."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
