"""A store of one tenant, whatever its database."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cached_property, partial
from itertools import islice
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thalamus.records import (
    Document,
    Event,
    Fact,
    Insight,
    Memory,
    Plan,
    Project,
    Record,
    Turn,
    WorldChange,
)
from thalamus.records.kinds import identified, kinds, numbered
from thalamus.store import entries as entry_rows
from thalamus.store import ledger
from thalamus.store.bm25 import AnalyzedRows, UnindexedRows, analyzed, terms_of
from thalamus.store.description import orphaned
from thalamus.store.encryption import contents
from thalamus.store.reader import Reader
from thalamus.store.rows import every
from thalamus.store.tables import (
    AT_ONCE,
    COUNTERS,
    ERASING,
    literal,
)
from thalamus.store.values import Filter, Found, Hit, IndexedRow, Similarities, Vector

if TYPE_CHECKING:
    from thalamus.clock import Clock
    from thalamus.store.encryption.cipher import Cipher
    from thalamus.store.encryption.search import EncryptedSearch
    from thalamus.store.erasure import Clean, ErasedContent, ResidueReport
    from thalamus.store.keys import Keys
    from thalamus.store.maintenance import HnswResult, IndexState, ServerState
    from thalamus.store.options import StoreOptions
    from thalamus.store.signing.audit import StoreVerification
    from thalamus.store.signing.head import Head
    from thalamus.store.signing.writing import RowSigning
    from thalamus.store.similarity import StoreSimilarity
    from thalamus.store.tables import End, Tables
    from thalamus.store.writer import TextIndex, Writer

BACKUPS = "backups"  # name in ``meta``: locations of copies, as JSON
COUNTED = (
    *("turn", "memory", "fact", "document", "plan", "world", "world_change", "link", "embedding"),
    "event",
)


Scored = list[tuple[int, float]]  # (key, score), best first
Find = Callable[[int, "list[int] | None"], Scored]  # (limit, allowed keys or None for all)
Best = Callable[[int, float], Scored]  # (limit, least score) to the best rows
FURTHER = 6  # times as many results are read before a filter is applied inside the search


def any_encrypted() -> str:
    """SQL expression for the existence of encrypted searchable records."""
    names = ", ".join(literal(kind.name) for kind in numbered())
    return f"EXISTS (SELECT 1 FROM encrypted WHERE kind IN ({names}))"


class Store(Reader, ABC):
    """A store of one tenant.

    ``guard``: converts the database's errors to Thalamus's own;
    it is entered around every read.
    """

    _options: StoreOptions

    def __init__(self, tables: Tables) -> None:
        super().__init__(tables, self._options.owner)
        self._encrypted: EncryptedSearch | None = None
        # whether the last search found encrypted records, or one before did; None: not known
        self._found_encrypted: bool | None = None
        self._found_in: Counter[str] = Counter()  # number of entries found in each view
        self._signing: RowSigning | None = None  # once anything was written
        self._rewritten: str | None = None  # mark of an erasure that this process still owes

    @property
    @abstractmethod
    def database(self) -> str:
        """The name of the database: SQLite, PostgreSQL."""

    @property
    @abstractmethod
    def place(self) -> str:
        """The place of the store in words, without a password."""

    @abstractmethod
    def writing(self, *, wait: bool = True) -> AbstractContextManager[Writer]:
        """A unit of work. Raises ``StoreBusy`` or ``StoreFull``, in which case nothing was written.

        ``wait`` false is for dispensable writes that are in no index: it raises ``StoreBusy`` at
        once instead of waiting for another process.
        """

    @abstractmethod
    def reading(self) -> AbstractContextManager[None]:
        """One view of the store for several reads, in which nothing is written. Kept short: while
        it is open, SQLite cannot shorten its log file."""

    @abstractmethod
    def exclusive(self, task: str, wait: bool = False) -> AbstractContextManager[None]:
        """Holds the lock of a task that one process at a time may run. Raises ``StoreBusy``, unless
        it is to ``wait`` for as long as that takes."""

    @abstractmethod
    def everything(self) -> Iterator[Any]:
        """Every record, in an order in which they can be imported."""

    @abstractmethod
    def close(self) -> None:
        """Closes files and releases locks."""

    @abstractmethod
    def guard(self) -> AbstractContextManager[None]: ...

    @abstractmethod
    def _encrypted_state(self) -> object:
        """A value that changes with the keys, and when others write."""

    @property
    @abstractmethod
    def _key_place(self) -> str:
        """The place of the store that is recorded with its keys."""

    @abstractmethod
    def _check_schema(self, known_digest: str | None) -> str:
        """Raises ``Tampered`` when foreign triggers would write rows too. ``known_digest``: of
        those that were checked before; returns that of those now."""

    # -- writing ----------------------------------------------------------------------------------

    @contextmanager
    def _unit_of_work(
        self,
        clock: Clock,
        index: TextIndex,
        values: Mapping[str, str] | None = None,
        ends: Mapping[str, End] | None = None,
        *,
        erasing: bool = False,
    ) -> Iterator[Writer]:
        """A unit of work in the current transaction, complete and signed at the end of the block;
        the caller commits, and then calls ``_committed``. With keys its rows are signed and
        personal records encrypted; without, neither. ``values`` and ``ends``: see ``Tables.begin``.
        With ``erasing`` the signatures of deleted rows no longer name them."""
        from thalamus.store.signing.signatures import Signatures

        self.tables.begin(values, ends)
        try:
            self.tables.keep_spellings()
            signing = self._begin_signing()
            writer = self._writer(clock, index)
            yield writer
            if writer.cipher is not None:
                from thalamus.store.encryption.sources import encrypt_sources

                encrypt_sources(writer)
            writer.finish()
            if signing is not None:
                signing.finish()
            if erasing:
                Signatures(self.tables).blank_names()
            self.tables.finish()
        finally:
            self.tables.end()

    def _begin_signing(self) -> RowSigning | None:
        """Signs the rows that are written from now on; None without keys."""
        keys = self._options.keys
        if keys is None:
            from thalamus.store.signing.head import begin_without
            from thalamus.store.signing.signatures import Signatures

            begin_without(Signatures(self.tables))
            return None
        if self._signing is None:
            from thalamus.store.signing.writing import RowSigning

            keys.upgrade()
            self._signing = RowSigning(self.tables, keys, self._key_place, self._check_schema)
        self._signing.begin()
        return self._signing

    def _writer(self, clock: Clock, index: TextIndex) -> Writer:
        """A unit of work, with encryption if there is a key."""
        from thalamus.store.writer import Writer

        options, keys, cipher = self._options, self._options.keys, None
        if keys is not None:
            from thalamus.store.encryption.cipher import Cipher

            cipher = Cipher(self.tables, keys, options.subject_of)
        return Writer(
            self.tables, clock, index, options.follow, options.owner, cipher, options.plain_sources
        )

    def _committed(self, writer: Writer, erasing: bool) -> None:
        """Called after a unit of work: records the store with its key; what was encrypted in it is
        erased when the store closes."""
        if self._signing is not None:
            self._signing.committed()
        if writer.rewrote_plain and not erasing:
            self._rewritten = writer.now

    @cached_property
    def _cipher(self) -> Cipher | None:
        from thalamus.store.encryption.cipher import Cipher

        keys = self._options.keys
        return None if keys is None else Cipher(self.tables, keys)

    def reading_cipher(self) -> Cipher | None:
        """Cipher for reading; None without keys."""
        return self._cipher

    def signed_head(self) -> Head | None:
        """End of the signatures and the key that made them; None when the store is not signed.
        Raises ``Tampered`` when it cannot be read."""
        from thalamus.store.signing.head import checked_head, read_meta
        from thalamus.store.signing.signatures import Signatures

        with self.guard():
            return checked_head(read_meta(Signatures(self.tables)))

    def server(self) -> ServerState | None:
        """The present state of the database server; None without one."""
        return None

    # -- checks, backups and erasure: the same operations, each database in its own way ------------

    @abstractmethod
    def schema_version(self) -> str:
        """Version of the tables, which grows with each migration."""

    @abstractmethod
    def check(self) -> list[str]:
        """Problems of the tables; empty when they are sound."""

    @abstractmethod
    def sizes(self) -> dict[str, int]:
        """Bytes on disk of the tables and of each index."""

    @abstractmethod
    def index_states(self) -> list[IndexState]:
        """State of each index, its files verified byte by byte."""

    @abstractmethod
    def rebuild_indexes(self) -> list[IndexState]:
        """Rebuilds every index from the tables. HNSW indexes are deleted; ``keep_hnsw`` builds new
        ones."""

    @abstractmethod
    def build_hnsw(self, progress: Callable[[int], None]) -> list[HnswResult]:
        """Builds an HNSW index over the vectors of each model, which takes minutes.

        Keeps those whose recall against a scan is good enough. ``progress`` is called with the
        number of rows added.
        """

    @abstractmethod
    def keep_hnsw(self, progress: Callable[[int], None]) -> list[HnswResult]:
        """Builds or extends HNSW indexes that are missing or cover too little, like the background
        process; does nothing while that is running. Returns the attempts."""

    @abstractmethod
    def verification(
        self, keys: Keys, against: str | None = None
    ) -> AbstractContextManager[StoreVerification]:
        """A comparison of the store's current state with its signatures by ``keys``; ``against``: a
        head kept elsewhere. Raises ``BadKey``, ``NotSigned``, ``UsageError``."""

    @abstractmethod
    def sign_again(self, key: bytes, event: Event) -> str:
        """Signs all rows as they are with a key, logs ``event`` and returns the store's id. Raises
        ``StoreBusy``, ``StoreFull``."""

    @abstractmethod
    def backup(self, target: Path) -> None:
        """Writes a consistent copy of the tables to a file, while others may write."""

    @abstractmethod
    def mark(self) -> object:
        """A value that changes with every write to the store."""

    @abstractmethod
    def forgetting(self) -> AbstractContextManager[Writer]:
        """A unit of work whose deletions can be erased completely: after it the store is
        ``unfinished``. Raises ``StoreBusy`` or ``StoreFull``, in which case nothing was deleted."""

    @abstractmethod
    def erase(self, progress: Callable[[str], None]) -> list[str]:
        """Erases deleted content from the indexes and the files; returns the failures."""

    @abstractmethod
    def finished(self) -> None:
        """Records that nothing remains to be erased."""

    @abstractmethod
    def limits(self) -> list[str]:
        """Places that erasure and the search do not reach, in words."""

    @abstractmethod
    def residue(
        self,
        forgotten: ErasedContent,
        copies: Iterable[Path],
        progress: Callable[[str], None],
        outside: Mapping[Path, Clean] | None = None,
    ) -> ResidueReport:
        """Searches for residue in all files of the store, in those ``outside`` it, which are
        cleaned first, and in ``copies``."""

    # -- records ----------------------------------------------------------------------------------

    def get(
        self, id: str
    ) -> Turn | Memory | Fact | Document | Project | Insight | Plan | WorldChange | None:
        """The record with this id."""
        for kind in identified():
            if (record := self.by_id(kind.record, id)) is not None:
                return record  # type: ignore[return-value]
        return None

    def complete_id(self, prefix: str) -> list[str]:
        """Ids that begin with ``prefix`` (at most 10)."""
        found: list[str] = []
        for kind in identified():
            query = f"SELECT id FROM {kind.name} WHERE id >= ? AND id < ? LIMIT 10"
            found += [row[0] for row in self.fetch(query, prefix, prefix + "\U0010ffff")]
        return sorted(found)[:10]

    def _everything(self, tables: Tables) -> Iterator[Record]:
        """Every record, in an order in which they can be imported."""
        from thalamus.store.facts import with_histories

        for kind in kinds():
            records = map(self.open, every(tables, kind.record))
            if kind.record is not Fact:
                yield from records
                continue
            while part := list(islice(records, AT_ONCE)):
                yield from with_histories(tables, part)
        for row in tables.execute(ledger.EVERY):
            yield self.open(ledger.event_of(row))

    def counts(self) -> dict[str, int]:
        """Number of rows of each kind."""
        more = [kind.name for kind in numbered() if kind.name not in COUNTED]
        tables = (*COUNTED, *more)
        return {table: self.fetch(f"SELECT count(*) FROM {table}")[0][0] for table in tables}

    # -- entries ----------------------------------------------------------------------------------

    def entries(self, where: Filter, limit: int) -> list[IndexedRow]:
        """Entries without a query, newest first."""
        self._begin_search()
        if not (views := entry_rows.views_for(where)):
            return []
        if where.only is not None:
            query, values = entry_rows.newest("key, id, created_at", views, where)
            keys = [row[0] for row in self.fetch(query, *values) if row[1] in where.only][:limit]
            entries_by_key = self.entries_by_key(keys, where)
            return [entries_by_key[key] for key in keys]
        query, values = entry_rows.newest(entry_rows.ENTRY, views, where)
        found = self.fetch(f"{query} LIMIT ?", *values, limit)
        entries = [entry_rows.entry(row) for row in found]
        return self._encrypted_rows().opened(entries) if self._has_encrypted else entries

    def entries_by_key(self, keys: Sequence[int], where: Filter) -> dict[int, IndexedRow]:
        """Looks in the view of the most frequent kind first: a key is in one table only, and found
        keys need not be looked up in the others."""
        condition, values = entry_rows.condition(where, indexed=False)
        among = f"key IN (SELECT value FROM json_each(?)) AND {condition}"
        views = sorted(entry_rows.views_for(where), key=lambda view: -self._found_in[view])
        found: dict[int, IndexedRow] = {}
        left = keys
        for part in (views[:1], views[1:]):
            if not (left and part):
                break
            queries = (f"SELECT {entry_rows.ENTRY} FROM {view} WHERE {among}" for view in part)
            given = [left, *values] * len(part)
            for row in self.fetch(" UNION ALL ".join(queries), *given):
                found[row[0]] = entry = entry_rows.entry(row)
                self._found_in[f"{entry.record}_entry"] += 1
            left = [key for key in left if key not in found]
        return found

    def _keys(self, where: Filter) -> list[int]:
        if not (views := entry_rows.views_for(where)):
            return []
        query, values = entry_rows.selection("key, id", views, where)
        only = where.only
        return [row[0] for row in self.fetch(query, *values) if only is None or row[1] in only]

    def keys_after(self, key: int, limit: int) -> list[tuple[int, str]]:
        """(key, kind of record) of the next entries in storage order."""
        query = "SELECT key, record FROM entry WHERE key > ? ORDER BY key LIMIT ?"
        return [(row[0], row[1]) for row in self.fetch(query, key, limit)]

    def _cut_ledger(self) -> list[str]:
        """Problem when the last ledger entries are missing."""
        last, _ = ledger.end(self)
        written = int(self.value(COUNTERS["event"]) or 1) - 1
        if written <= last:
            return []
        return [f"the ledger ends at entry {last}, but {written} were written"]

    # -- erasure and copies -----------------------------------------------------------------------

    def note_erasure(self, writer: Writer) -> None:
        """Marks the store, in a unit of work: what was deleted is not erased yet."""
        from thalamus.store.erasure import ERASURES  # not needed by readers

        self.tables.set_value(ERASING, writer.now)
        self.tables.set_value(ERASURES, str(int(writer.value(ERASURES) or 0) + 1))

    def _erase_rewritten(self) -> None:
        """Erases the plain words of rows that were encrypted after they were stored."""
        if self._rewritten is None:
            return
        left = self.erase(lambda _: None)
        if not left and self.value(ERASING) == self._rewritten:
            self.finished()
        self._rewritten = None
        if left:
            self.remind()

    def unfinished(self) -> bool:
        """True when something was forgotten and its remains were not erased yet."""
        return bool(self.tables.fetch("SELECT 1 FROM meta WHERE name = ?", ERASING))

    def orphans(self) -> dict[str, int]:
        """Number of rows in each table that are derived from records which do not exist."""
        counts = {
            name: int(self.fetch(f"SELECT count(*) FROM {name} WHERE {condition}")[0][0])
            for name, condition in orphaned()
        }
        return {table: count for table, count in counts.items() if count}

    def remind(self) -> None:
        """Logs a warning about an unfinished erasure, if there is one."""
        if self.unfinished():
            from thalamus.logs import logger

            logger(__name__).warning(
                "a forget was interrupted, or is under way: what it deleted may not be erased yet;"
                " `thalamus forget --finish` does the rest"
            )

    def backups(self) -> list[Path]:
        """Known locations of copies of this store."""
        import json

        text = self.value(BACKUPS)
        return [Path(name) for name in json.loads(text)] if text else []

    def note_backup(self, path: Path) -> None:
        """Records the location of a copy."""
        import json

        if path.absolute() not in self.backups():
            text = json.dumps([*map(str, self.backups()), str(path.absolute())])
            with self.guard():
                self.tables.set_value(BACKUPS, text)

    # -- encrypted rows ---------------------------------------------------------------------------

    def count_encrypted(self) -> tuple[int, int]:
        """(encrypted rows, those of them whose key is missing)."""
        found = contents.count_by_key(self)
        cipher = self.reading_cipher()
        closed = sum(count for key, count in found if cipher is None or cipher.key_of(key) is None)
        return sum(count for _, count in found), closed

    def _begin_search(self) -> None:
        """Lets a search look for encrypted records again, unless there were any before."""
        self._found_encrypted = self._found_encrypted or None

    @property
    def _has_encrypted(self) -> bool:
        """True when any searchable record was encrypted at the last search, or before."""
        if self._found_encrypted is None:
            self._found_encrypted = bool(self.fetch(f"SELECT {any_encrypted()}")[0][0])
        return self._found_encrypted

    def _encrypted_rows(self) -> EncryptedSearch:
        """Encrypted rows, decrypted on demand."""
        from thalamus.store.encryption.search import EncryptedSearch

        if self._encrypted is None:
            self._encrypted = EncryptedSearch(self.tables, self.reading_cipher())
        return self._encrypted

    def _encrypted_search(self) -> EncryptedSearch:
        """Encrypted rows, all of them decrypted, in their current state."""
        search = self._encrypted_rows()
        search.follow(self._encrypted_state())
        return search

    # -- searches ---------------------------------------------------------------------------------

    @abstractmethod
    def find_text(
        self, words: Sequence[str], limit: int, keys: Sequence[int] | None = None
    ) -> Scored:
        """(key, BM25 score) of the best rows; ``keys`` restricts them."""

    @abstractmethod
    def find_and_score(
        self, words: Sequence[str], limit: int, others: Sequence[int]
    ) -> tuple[Scored, dict[int, float]]:
        """(key, BM25 score) of the best rows, and the scores of ``others`` that have any of the
        words, by key."""

    @abstractmethod
    def find_vector(self, vector: Vector, limit: int, keys: Sequence[int] | None = None) -> Scored:
        """(key, cosine) of the nearest rows; ``keys`` restricts them."""

    @abstractmethod
    def informative_words(self, words: Sequence[str]) -> list[str]:
        """The words without those that very many rows have; see ``bm25.informative``."""

    @abstractmethod
    def encrypted_scores(self, texts: Mapping[int, str], words: Sequence[str]) -> Best:
        """(key, BM25 score), comparable with those of ``find_text``, of the best encrypted rows
        with any of the words. ``texts``: the decrypted texts of all, by key."""

    @abstractmethod
    def committed(self) -> bool:
        """True when everything that is read has been committed."""

    def search_text(self, tokens: Sequence[str], where: Filter, limit: int) -> list[Hit]:
        """Full text: the best ``limit`` entries by BM25 for these query tokens."""
        return self.search(tokens, None, where, limit).text

    def search(
        self,
        tokens: Sequence[str],
        vector: Vector | None,
        where: Filter,
        limit: int,
        *,
        informative: bool = False,
        scored: bool = True,
    ) -> Found:
        """The best ``limit`` entries by BM25 for these query tokens, and the ``limit`` nearest ones
        by cosine similarity in the vector's space. The scores are of the entries in the indexes
        alone: an encrypted one that the vector found has none. Without ``scored`` they are left
        out. With ``informative`` a large store may ignore tokens that are too common to be
        informative, which take the longest: for queries made of all words of a text."""
        self._begin_search()
        if where.only is not None:
            return self._search_only(tokens, vector, where, limit)
        tokens = self._informative(tokens) if informative else tokens
        count = limit + len(where.exclude)
        if (keys := self._listed(where, count)) is not None:
            count = limit
        best: Scored = []
        nearest: Scored = []
        scores: dict[int, float] = {}
        with self.guard():
            if vector is not None and keys != []:
                nearest = self.find_vector(vector, count, keys)
            if tokens and keys is None:
                others = [key for key, _ in nearest] if scored else []
                best, scores = self.find_and_score(tokens, count, others)
            elif tokens and keys:
                best = self.find_text(tokens, count, keys)
        rows = self.entries_by_key(list(dict(best + nearest)), where)  # those of both once

        def passing(find: Find, found: Scored) -> list[Hit]:
            if keys is not None:
                return _hits(found, rows)[:limit]
            return self._until_enough(find, where, limit, found, rows)

        text, near = [], []
        if tokens:
            text = self._with_encrypted(
                passing(self._by_words(tokens), best), self._word_scores(tokens), where, limit
            )
        if vector is not None:
            near = self._with_encrypted(
                passing(self._by_vector(vector), nearest), self._cosines(vector), where, limit
            )
        if not scored:
            return Found(text, near, {})
        if keys is None or len(best) < count:  # no others have any of the words
            scores = dict.fromkeys((key for key, _ in nearest), 0.0) | scores
        return Found(text, near, self._scores(tokens, text, near, scores))

    def _informative(self, tokens: Sequence[str]) -> Sequence[str]:
        with self.guard():
            return self.informative_words(tokens) if tokens else tokens

    def _search_only(
        self, tokens: Sequence[str], vector: Vector | None, where: Filter, limit: int
    ) -> Found:
        """A search among the entries that a filter names, by their own words alone: the index also
        has the words around them, and counts how rare a word is among all entries."""
        keys = self._keys(where)
        with self.guard():
            having = self.find_text(tokens, len(keys), keys) if tokens and keys else []
            nearest = self.find_vector(vector, limit, keys) if vector is not None and keys else []
        rows = self.entries_by_key(list(dict(having + nearest)), where)
        texts = [(key, rows[key].text) for key, _ in having if key in rows]
        terms = terms_of(tokens)
        scanned = AnalyzedRows(analyzed(texts), terms)
        if texts:  # the others are taken to be as long
            others = len(keys) - scanned.count
            scanned.leave(others, others * scanned.total // scanned.count)
        scores = dict(UnindexedRows(scanned, terms).best(len(texts)))
        text = [Hit(rows[key], scores[key]) for key in [*scores][:limit]]
        near = _hits(nearest, rows)
        found = {hit.entry.key for hit in (*text, *near)}
        return Found(text, near, {key: score for key, score in scores.items() if key in found})

    def _scores(
        self,
        tokens: Sequence[str],
        text: Sequence[Hit],
        nearest: Sequence[Hit],
        known: Mapping[int, float],
    ) -> dict[int, float]:
        """BM25 scores of the hits of both searches, by key. ``known``: of hits that were scored, 0
        for those without any of the words."""
        scores = {hit.entry.key: hit.score for hit in text}
        others = [hit.entry.key for hit in nearest if hit.entry.key not in scores]
        encrypted = self._encrypted_search().texts if self._has_encrypted else ()
        unknown = [key for key in others if key not in known and key not in encrypted]
        if tokens and unknown:
            with self.guard():
                known = {**known, **self.find_and_score(tokens, 0, unknown)[1]}
        return scores | {key: known[key] for key in others if known.get(key)}

    def _by_words(self, tokens: Sequence[str]) -> Find:
        return lambda count, keys: self.find_text(tokens, count, keys)

    def _by_vector(self, vector: Vector) -> Find:
        return lambda count, keys: self.find_vector(vector, count, keys)

    def _word_scores(self, tokens: Sequence[str]) -> Callable[[EncryptedSearch], Best]:
        """Scores of decrypted rows, weighted as if they were indexed, because they share one list
        with indexed rows."""

        def scores(search: EncryptedSearch) -> Best:
            with self.guard():
                return self.encrypted_scores(search.texts, tokens)

        return scores

    def _cosines(self, vector: Vector) -> Callable[[EncryptedSearch], Best]:
        return lambda search: partial(search.cosines, vector)

    def _with_encrypted(
        self,
        found: list[Hit],
        score: Callable[[EncryptedSearch], Best],
        where: Filter,
        limit: int,
    ) -> list[Hit]:
        """Merges the results of the indexes with decrypted rows, if there are any, best first.
        ``score``: of the decrypted rows."""
        if not self._has_encrypted:
            return found
        search = self._encrypted_search()
        plain = [hit for hit in found if (hit.entry.record, hit.entry.id) not in search.ids]
        # worse ones are not among the best
        least = plain[limit - 1].score if len(plain) >= limit > 0 else -inf
        decrypted = self._best_encrypted(score(search), least, where, limit)
        best = sorted([*plain, *decrypted], key=lambda hit: -hit.score)[:limit]
        hidden = {hit.entry.key for hit in decrypted}
        opened = search.opened([hit.entry for hit in best if hit.entry.key in hidden])
        entries = {entry.key: entry for entry in opened}
        return [
            Hit(entries.get(hit.entry.key, hit.entry), hit.score)
            for hit in best
            if hit.entry.key in entries or hit.entry.key not in hidden
        ]

    def _best_encrypted(self, best: Best, least: float, where: Filter, limit: int) -> list[Hit]:
        """The best encrypted rows that pass a filter, not decrypted."""
        count = max(1, limit)
        while True:
            scored = best(count, least)
            hits = _hits(scored, self.entries_by_key([key for key, _ in scored], where))
            if len(hits) >= limit or len(scored) < count:
                return hits[:limit]
            count *= FURTHER

    @cached_property
    def _similarity(self) -> StoreSimilarity:
        from thalamus.store.similarity import StoreSimilarity

        return StoreSimilarity(self.tables)

    def similarities(
        self, vector: Vector, keys: Sequence[int], sentences: Sequence[int] = ()
    ) -> Similarities:
        """Cosines of the entries with these ``keys``, which were found before, the store's average
        cosine, and the cosine of the nearest sentence of the entries in ``sentences``."""
        with self.guard():
            found = self._similarity.similarities(
                vector, keys, sentences, committed=self.committed()
            )
            if not self._has_encrypted:
                return found
            decrypted = self._encrypted_search().similarities(vector, keys, sentences)
            return Similarities(
                found.cosines | decrypted.cosines,
                found.mean,
                found.sampled,
                found.sentences | decrypted.sentences,
            )

    def _until_enough(
        self, find: Find, where: Filter, limit: int, found: Scored, rows: Mapping[int, IndexedRow]
    ) -> list[Hit]:
        """The best rows among those ``found`` that pass the filter, which are in ``rows``. When
        they are too few, reads more of them if that promises enough, and otherwise applies the
        filter inside the search: listing everything that passes it may take longer than both."""
        count = limit + len(where.exclude)
        most = count * FURTHER
        while True:
            hits = _hits(found, rows)
            if len(hits) >= limit or len(found) < count:
                return hits[:limit]
            if len(hits) * most < limit * count:  # too few at this rate
                break
            # half as many again as needed if the filter passes the next ones at the same rate
            count = max(count + 1, min(most, count * limit * 3 // (2 * len(hits))))
            if count > most:
                break
            found, rows = self._found(find, count, None, where)
        return self._among(self._keys(where), find, where, limit)

    def _among(self, keys: list[int], find: Find, where: Filter, limit: int) -> list[Hit]:
        """Searches among all rows that pass a filter."""
        return _hits(*self._found(find, limit, keys, where))[:limit] if keys else []

    def _listed(self, where: Filter, count: int) -> list[int] | None:
        """All keys that pass a filter, before a search for ``count`` rows, if it names ids, or the
        store has few rows of the kinds that it selects. Looks for encrypted records too."""
        if where.ids:
            return self._keys(where)
        if not where.kinds:
            return None
        if not (views := entry_rows.views_for(where)):
            return []
        tables = [view.removesuffix("_entry") for view in views]
        rows = " UNION ALL ".join(f"SELECT key FROM {table}" for table in tables)
        query = f"SELECT count(*), {any_encrypted()} FROM (SELECT 1 FROM ({rows}) LIMIT ?)"
        passing, values = entry_rows.selection("key", views, where)
        most = count * FURTHER
        with self.guard():
            with self.tables.together():
                counted = self.tables.execute(query, most)
                found = self.tables.execute(f"{passing} LIMIT ?", *values, most)
            [(selected, encrypted)] = counted.fetchall()
            self._found_encrypted = bool(self._found_encrypted or encrypted)
            return [row[0] for row in found] if selected < most else None

    def _found(
        self, find: Find, count: int, keys: list[int] | None, where: Filter
    ) -> tuple[Scored, dict[int, IndexedRow]]:
        """The ``count`` best rows, and those of them that pass the filter, by key."""
        with self.guard():
            found = find(count, keys)
        return found, self.entries_by_key([key for key, _ in found], where)


def _hits(found: Scored, rows: Mapping[int, IndexedRow]) -> list[Hit]:
    return [Hit(rows[key], score) for key, score in found if key in rows]
