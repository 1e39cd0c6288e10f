"""A store in PostgreSQL: one tenant's rows in tables that its tenants share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from psycopg import errors

from thalamus.clock import Clock, parse_time
from thalamus.errors import NoStore, NoTables
from thalamus.store.base import Best, Store, any_encrypted
from thalamus.store.copy_mark import check_whole
from thalamus.store.description import without
from thalamus.store.entries import ENTRY, condition, entry, views_for
from thalamus.store.maintenance import HnswResult, IndexState, ServerState
from thalamus.store.options import StoreOptions
from thalamus.store.postgres import form, schema
from thalamus.store.postgres.connection import PostgresConnection
from thalamus.store.postgres.failures import translated
from thalamus.store.postgres.pool import shared_pool
from thalamus.store.postgres.tables import Begun, PostgresTables
from thalamus.store.postgres.vectors import Vectors
from thalamus.store.postgres.words import Words, postings
from thalamus.store.tables import ERASING, first_values
from thalamus.store.values import Filter, IndexedRow, Vector

if TYPE_CHECKING:
    from thalamus.records import Event, Record
    from thalamus.store.erasure import Clean, ErasedContent, ResidueReport
    from thalamus.store.keys import Keys
    from thalamus.store.signing.audit import StoreVerification
    from thalamus.store.writer import Writer
    from thalamus.store_url import StoreUrl


class ServerClock(Clock):
    """The time of the server when a unit of work began."""

    def __init__(self, moment: datetime) -> None:
        super().__init__()
        self._moment = moment

    def now(self) -> datetime:
        return self._moment


class PostgresStore(Store):
    """One tenant's store in the database at ``url``."""

    database = "PostgreSQL"
    tables: PostgresTables

    def __init__(self, url: StoreUrl, options: StoreOptions = StoreOptions()) -> None:
        self._options = options
        self._clock = options.clock or Clock()
        pool = shared_pool(url, options.connections)
        self._db = PostgresConnection(pool, options.tenant, options.busy_timeout)
        try:
            with translated(self._db.place, options.busy_timeout):
                self._db.find_form()
        except BaseException:
            self._db.close()
            raise
        self._tenant = self._db.tenant
        self.tables = PostgresTables(self._db, self._tenant)
        self._foreign: str | None = None  # a trigger or rule, when the store was opened
        self._uncleaned: dict[str, str] = {}  # tables, with the problem
        super().__init__(self.tables)
        try:
            self._open(url.schema, options.create)
        except BaseException:
            self._db.close()
            raise

    def _open(self, name: str, create: bool) -> None:
        """Checks the tables and the role; begins the tenant's store if it is missing."""
        with self.guard():
            [found] = self._db.execute(schema.CHECKED, (name,)).fetchall()
            schema.check(found, self.place)
            self._foreign = found[-1]
            values = self.tables.values()
            check_whole(values, self.place)
            if "store" in values:
                return
            if not create:
                raise NoStore(self.place)
            # unless another has just begun it
            self.tables.put_values(first_values(self._tenant), replace=False)

    @property
    def place(self) -> str:
        return self._db.place

    @contextmanager
    def guard(self) -> Iterator[None]:
        try:
            with translated(self._db.place, self._options.busy_timeout):
                yield
        except (NoTables, errors.UndefinedColumn):
            if not self._db.holds:
                [(version,)] = self._db.execute(f"SELECT {schema.VERSION}").fetchall()
                schema.check_not_migrated(version, self.place)
            raise

    def reading(self) -> AbstractContextManager[None]:
        """Nothing: a statement costs one round trip with or without a transaction around it."""
        return nullcontext()

    def _encrypted_state(self) -> object:
        """A value that changes with the keys, and with every write: also this store's own."""
        keys: Any = self._options.keys
        values = self.tables.values()
        changing = {name: value for name, value in values.items() if name in schema.CHANGING}
        return changing, keys.version() if keys else None

    # -- writing ----------------------------------------------------------------------------------

    @contextmanager
    def writing(self, *, wait: bool = True) -> Iterator[Writer]:
        """One transaction; a tenant has one writer at a time."""
        with self._writing(wait) as writer:
            yield writer

    @contextmanager
    def forgetting(self) -> Iterator[Writer]:
        """One transaction, in which rows may be checked again before they are deleted."""
        with self._writing(erasing=True) as writer:
            yield writer
            self.note_erasure(writer)

    @contextmanager
    def _writing(self, wait: bool = True, *, erasing: bool = False) -> Iterator[Writer]:
        try:
            with (
                self.guard(),
                self._unit(wait) as (clock, begun),
                self._unit_of_work(
                    clock, self._words, begun.values, begun.ends, erasing=erasing
                ) as writer,
            ):
                writer.note_spaces(begun.spaces)
                yield writer
        except BaseException:
            self.tables.rolled_back()
            raise
        self._committed(writer, erasing)

    @contextmanager
    def _unit(self, wait: bool = True) -> Iterator[tuple[Clock, Begun]]:
        """One transaction of the tenant's only writer, with its time and the state before it."""
        begin, written = self.tables.begin_writing(wait), self.tables.written
        with self._db.unit(begin, wait, written) as results:
            if (begun := self.tables.begun(results)) is None:
                raise NoStore(self.place)
            check_whole(begun.values, self.place)  # a copy may have begun since it was opened
            yield self._clock_at(begun.now, begun.last), begun

    def _clock_at(self, now: datetime, last: str | None) -> Clock:
        """The server's time, which all hosts share, and never before the last ledger entry. A clock
        that stands still is not replaced."""
        if self._clock.fixed:
            return self._clock
        return ServerClock(now if last is None else max(now, parse_time(last)))

    @contextmanager
    def exclusive(self, task: str, wait: bool = False) -> Iterator[None]:
        """Holds a lock on a connection of its own."""
        with self.guard(), self._db.exclusive(task, wait):
            yield

    def everything(self) -> Iterator[Record]:
        """All records from one snapshot, whatever is written meanwhile."""
        with self.guard(), self._db.snapshot() as connection:
            yield from self._everything(PostgresTables(connection, self._tenant))

    # -- signatures and encryption ----------------------------------------------------------------

    @property
    def _key_place(self) -> str:
        return self.place

    def _check_schema(self, known_digest: str | None) -> str:
        return schema.check_triggers(self._foreign)

    @contextmanager
    def verification(self, keys: Keys, against: str | None = None) -> Iterator[StoreVerification]:
        """A verification of one snapshot of the store. See ``security.store_state``."""
        from thalamus.store.signing import audit

        with self.guard(), self._db.snapshot() as connection:
            rows = PostgresTables(connection, self._tenant)
            yield audit.verify(rows, keys, form.Checks(connection), against)

    def sign_again(self, key: bytes, event: Event) -> str:
        """See ``security.store_state``."""
        from thalamus.store.signing import audit

        with self.guard(), self._unit() as (clock, begun):
            self.tables.begin(begun.values, begun.ends)
            try:
                id = audit.sign_again(self.tables, key, event, clock)
                self.tables.finish()
            finally:
                self.tables.end()
        return id

    def schema_version(self) -> str:
        return str(schema.current())  # no other is opened

    def check(self) -> list[str]:
        from thalamus.store import ledger

        with self.guard():
            return ledger.problems(self.tables) or self._cut_ledger()

    # -- searching --------------------------------------------------------------------------------

    def entries_by_key(self, keys: Sequence[int], where: Filter) -> dict[int, IndexedRow]:
        """Searches all kinds at once, and reads whether anything is encrypted: each statement is a
        round trip."""
        found: dict[int, IndexedRow] = {}
        if not keys or not (views := views_for(where)):
            return found
        passing, values = condition(where, indexed=False)
        among = f"key IN (SELECT value FROM json_each(?)) AND {passing}"
        parts = [f"SELECT {ENTRY}, {any_encrypted()} FROM {view} WHERE {among}" for view in views]
        for row in self.fetch(" UNION ALL ".join(parts), *[keys, *values] * len(parts)):
            *fields, encrypted = row
            self._found_encrypted = self._found_encrypted or encrypted
            found[fields[0]] = entry(fields)
        return found

    @cached_property
    def _words(self) -> Words:
        return Words(self.tables, self._tenant)

    def find_text(
        self, words: Sequence[str], limit: int, keys: Sequence[int] | None = None
    ) -> list[tuple[int, float]]:
        return self._words.find(words, limit, keys)

    def find_and_score(
        self, words: Sequence[str], limit: int, others: Sequence[int]
    ) -> tuple[list[tuple[int, float]], dict[int, float]]:
        return self._words.find_and_score(words, limit, others)

    def informative_words(self, words: Sequence[str]) -> list[str]:
        return self._words.informative(words)

    def encrypted_scores(self, texts: Mapping[int, str], words: Sequence[str]) -> Best:
        return self._words.encrypted_scores(texts, words)

    def committed(self) -> bool:
        return not self._db.holds

    @cached_property
    def _vectors(self) -> Vectors:
        return Vectors(self.tables, self._tenant, self._options.hnsw)

    def find_vector(
        self, vector: Vector, limit: int, keys: Sequence[int] | None = None
    ) -> list[tuple[int, float]]:
        return self._vectors.find(vector, limit, keys)

    def server(self) -> ServerState:
        """The present state of the server."""
        version, vector, now = self.fetch(
            "SELECT current_setting('server_version'),"
            " (SELECT extversion FROM pg_extension WHERE extname = 'vector'), clock_timestamp()"
        )[0]
        with self.guard():
            changes = list(form.findings(self._db))
        return ServerState(f"PostgreSQL {version}, pgvector {vector}", now, changes)

    def index_states(self) -> list[IndexState]:
        with self.guard():
            return [self._words.state(), *self._vectors.states()]

    def rebuild_indexes(self) -> list[IndexState]:
        with self.writing():
            self._words.rebuild()
        return self.index_states()

    def build_hnsw(self, progress: Callable[[int], None]) -> list[HnswResult]:
        with self.guard(), self._db.waiting(None):
            return list(self._vectors.build(progress, again=True))

    def keep_hnsw(self, progress: Callable[[int], None]) -> list[HnswResult]:
        if not self._options.hnsw:
            return []
        with self.guard(), self.exclusive("hnsw"), self._db.waiting(None):
            return list(self._vectors.build(progress, again=False))

    def sizes(self) -> dict[str, int]:
        found = self.fetch(
            "SELECT coalesce(sum(pg_table_size(oid)), 0), coalesce(sum(pg_indexes_size(oid)), 0)"
            " FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace"
        )
        return {"tables": int(found[0][0]), "indexes": int(found[0][1])}

    # -- backups, erasing -------------------------------------------------------------------------

    def backup(self, target: Path) -> None:
        from thalamus.store.postgres.bulk import back_up

        with self.guard():
            back_up(self._db, self._options, target)
        self.note_backup(target)

    def mark(self) -> object:
        """A value that changes with every write."""
        return self._encrypted_state()

    def erase(self, progress: Callable[[str], None]) -> list[str]:
        from thalamus.store.postgres.erasure import vacuum

        with self.guard():
            self._uncleaned = vacuum(self._db, self._options.busy_timeout, progress)
        return [f"the table {table}: {problem}" for table, problem in self._uncleaned.items()]

    def orphans(self) -> dict[str, int]:
        """As of any store, and the number of terms that belong to no text."""
        found = super().orphans()
        texts, terms = self.tables.source("posting_text"), postings(self.tables.source)
        without_text = f"NOT EXISTS (SELECT 1 FROM {texts} WHERE posting_text.key = posting.key)"
        counts = {
            "posting_text": f"{texts} WHERE {without('entry', 'key', 'posting_text.key')}",
            "posting": f"{terms} WHERE {without_text}",
        }
        for table, rows in counts.items():
            if count := int(self.fetch(f"SELECT count(*) FROM {rows}")[0][0]):
                found[table] = count
        return found

    def limits(self) -> list[str]:
        from thalamus.store.postgres.erasure import limits

        with self.guard():
            return limits(self._db)

    def finished(self) -> None:
        """Removes the marker of an unfinished erasure."""
        with self.guard():
            self.tables.set_value(ERASING, None)

    def residue(
        self,
        forgotten: ErasedContent,
        copies: Iterable[Path],
        progress: Callable[[str], None],
        outside: Mapping[Path, Clean] | None = None,
    ) -> ResidueReport:
        from thalamus.store.erasure import Residue
        from thalamus.store.postgres.bulk import PostgresBulk
        from thalamus.store.postgres.erasure import search

        with self.guard():
            rows = PostgresBulk(self._db, self._tenant)
            found = search(rows, forgotten, outside or {}, copies, progress)
        found.found += [Residue(table, -1, "pages not cleaned") for table in self._uncleaned]
        found.limits = self.limits()
        return found

    def close(self) -> None:
        self._erase_rewritten()
        self._db.close()
