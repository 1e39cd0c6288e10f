"""The full-text index: tantivy over the words of every entry, disposable.

Queries are built from words, never parsed: ordinary text is not valid in tantivy's query language.
Rows that are not in the index yet are scored separately (``UnindexedRows``).
"""

from __future__ import annotations

import heapq
import json
import math
import shutil
import sqlite3
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from thalamus.records import DOCUMENT_TYPES
from thalamus.records.kinds import numbered
from thalamus.storage.sqlite import index_files as manifests
from thalamus.text.analyzer import PART, search_terms
from thalamus.text.days import day_in_words

if TYPE_CHECKING:
    from thalamus.storage.sqlite.index_files import IndexManifest


# -- BM25 of unindexed rows -----------------------------------------------------------------------

K1, B = 1.2, 0.75
EXACT = 24  # lengths that tantivy keeps exactly; of longer ones it keeps four binary digits


class Weights(NamedTuple):
    """Collection statistics behind scores: of an index, or of an index and further rows."""

    rows: int  # for an index including removed ones not merged away yet, as in ``counts``
    length: float  # average length of a row in terms; 0 when unknown
    counts: dict[str, int]  # rows that have a term
    ignored: frozenset[str] = frozenset()  # terms that a search leaves out

    def rarity(self, term: str) -> float:
        """Inverse document frequency of a term; 0 for one that is left out."""
        if term in self.ignored:
            return 0.0
        count = self.counts.get(term, 0)
        return math.log(1 + (self.rows - count + 0.5) / (count + 0.5))


class AnalyzedRows:
    """Rows by their terms."""

    def __init__(
        self, rows: Iterable[tuple[int, Counter[str]]] = (), terms: Iterable[str] | None = None
    ) -> None:
        """``rows``: (key, how often the text has each term); ``terms``: the terms to keep."""
        self._only = None if terms is None else set(terms)
        self.postings: dict[str, dict[int, int]] = {}  # term -> key -> occurrences
        self.sizes: dict[int, int] = {}  # length in terms
        self.count = self.total = 0  # of rows, and of their terms
        for key, text in rows:
            self.add(key, text)

    def add(self, key: int, text: Counter[str]) -> None:
        """Adds a row; replaces one with this key."""
        self.remove(key)
        self.sizes[key] = size = text.total()
        self.leave(1, size)
        for term in text if self._only is None else self._only & text.keys():
            self.postings.setdefault(term, {})[key] = text[term]

    def leave(self, count: int, total: int) -> None:
        """Counts rows without any of the terms. ``total``: how many terms they have together."""
        self.count += count
        self.total += total

    def remove(self, key: int) -> None:
        """Removes a row, if present."""
        if key in self.sizes:
            self.leave(-1, -self.sizes.pop(key))
            for found in self.postings.values():
                found.pop(key, None)


class UnindexedRows:
    """Rows outside the index, scanned for ``terms``."""

    def __init__(self, rows: AnalyzedRows, terms: list[str]) -> None:
        self.terms = terms
        often: dict[int, dict[str, int]] = {}
        counts = {}
        for term in terms:
            having = rows.postings.get(term, {})
            counts[term] = len(having)
            for key, count in having.items():
                often.setdefault(key, {})[term] = count
        self._found = [(key, of, kept_length(rows.sizes[key])) for key, of in often.items()]
        length = rows.total / rows.count if rows.count else 0
        self._own = Weights(rows.count, length, counts)

    def with_index(self, index: Weights) -> Weights:
        """Weights as if these rows were indexed, except for the average length: indexed rows are
        scored with the index's average, and rows of one length with the same words must score the
        same on both sides."""
        own = self._own
        counts = {term: own.counts[term] + index.counts.get(term, 0) for term in self.terms}
        length = index.length or own.length
        return Weights(own.rows + index.rows, length, counts, index.ignored)

    def shift(self, index: Weights) -> float:
        """Relative change of an index's average length by these rows, if it is known."""
        own = self._own
        if not own.rows or not index.length:
            return 0.0
        return own.rows / (own.rows + index.rows) * abs(own.length / index.length - 1)

    def best(
        self, limit: int, weights: Weights | None = None, allowed: Set[int] | None = None
    ) -> list[tuple[int, float]]:
        """(key, score), best first, of the rows that have any of the terms; by the rows' own
        weights by default. ``allowed`` restricts the keys."""
        weights = weights or self._own
        rarities = {term: weights.rarity(term) * weight_of(term) for term in self.terms}
        scored = (
            (key, rounded(_score(rarities, often, size / weights.length)))
            for key, often, size in self._found
            if allowed is None or key in allowed
        )
        return heapq.nsmallest(limit, scored, key=lambda hit: (-hit[1], hit[0]))


def _score(rarities: dict[str, float], often: Mapping[str, int], length: float) -> float:
    """BM25 score. ``length``: relative to the average."""
    norm = K1 * (1 - B + B * length)
    return sum(rarities[term] * (K1 + 1) * n / (n + norm) for term, n in often.items())


def rounded(score: float) -> float:
    """A score without the digits in which tantivy's float32 and Python's floats differ: equal
    scores must be ordered by key, indexed or not."""
    if 1 <= score < 100:  # equivalent in half the time, and most scores are of this size
        return round(score, 4 if score < 10 else 3)
    return float(f"{score:.5g}")


def kept_length(length: int) -> int:
    """A length in terms as the index stores it in one byte (Lucene's SmallFloat)."""
    over = length - EXACT
    if over < 0:
        return length
    shift = max(0, over.bit_length() - 4)
    return EXACT + (over >> shift << shift)


# -- the index ------------------------------------------------------------------------------------


T = TypeVar("T")
PART_WEIGHT = 0.3  # of a part of a word, compared with a whole one
SELECTIVE = 50  # if at most one key in so many is allowed, the keys are part of the query
LOOKED_UP = 300  # allowed keys up to which each is looked up separately
MANY_ROWS = 10_000  # rows, from which on a search may ignore common words:
COMMON_SHARE = 10  # those that more than one row in so many has,
COMMON_PART = 50  # and parts of words that more than one row in so many has
LEAST_WORDS = 4  # as long as this many remain
HEAP = 50_000_000  # bytes in the writer's memory before it creates a segment

Rows = Iterable[tuple[int, str]]


class IndexUnusable(Exception):
    """The files on disk are missing, damaged or of another store: rebuild."""


@dataclass
class _OpenIndex:
    """The files of one state of the index, open."""

    signature: list[Any]
    searcher: Any
    schema: Any
    totals: tuple[int, float] | None = None  # rows and their average length, once known
    counts: dict[str, int] = field(default_factory=dict)  # rows by term, as looked up so far


class FullText:
    """One folder with a tantivy index and its manifest."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._open: _OpenIndex | None = None

    def apply(self, manifest: IndexManifest, adds: Rows, removed: Sequence[int]) -> None:
        """Adds rows (key, text) and removes keys, then writes the manifest.

        The caller holds the index lock and has set the manifest's watermarks to the state after
        this call. Files that a crash left between the commit and the manifest do not match it and
        are rebuilt, so no key is ever added twice. Raises ``IndexUnusable`` when tantivy refuses
        the files or cannot write.
        """
        import tantivy

        if not manifest.files:
            self.discard()
        self.folder.mkdir(parents=True, exist_ok=True)
        manifest.entries = _guarded(lambda: self._write(tantivy, adds, removed))
        manifest.files = self._describe(manifest.files)
        manifests.save(self.folder, manifest)
        self._open = None

    def search(
        self,
        manifest: IndexManifest | None,
        words: Sequence[str],
        limit: int,
        allowed: Sequence[int] | None = None,
        rest: UnindexedRows | None = None,
    ) -> list[tuple[int, float]]:
        """(key, BM25 score), best first in the index and then best first in ``rest``; weighted as
        if ``rest`` were indexed too. ``allowed`` restricts the keys. Raises ``IndexUnusable``."""
        if manifest is None or not manifest.files:
            allowed_keys = None if allowed is None else set(allowed)
            return rest.best(limit, allowed=allowed_keys) if rest is not None else []
        opened = self._opened(manifest)
        return _guarded(lambda: _search_both(opened, words, limit, allowed, rest))

    def score(
        self, manifest: IndexManifest | None, rows: UnindexedRows, limit: int
    ) -> list[tuple[int, float]]:
        """(key, BM25 score) of rows outside the index, best first: with the weights of the index,
        so that they compare with the results of ``search``. Raises ``IndexUnusable``."""
        if manifest is None or not manifest.files:
            return rows.best(limit)
        opened = self._opened(manifest)
        return _guarded(lambda: rows.best(limit, rows.with_index(_weights(opened, rows.terms))))

    def shift(self, manifest: IndexManifest | None, rest: UnindexedRows) -> float:
        """See ``UnindexedRows.shift``. Raises ``IndexUnusable``."""
        if manifest is None or not manifest.files:
            return 0.0
        opened = self._opened(manifest)
        return _guarded(lambda: rest.shift(_weights(opened, rest.terms)))

    def _opened(self, manifest: IndexManifest) -> _OpenIndex:
        """The files of a manifest, opened once."""
        signature = sorted(manifest.files.items())
        if self._open is None or self._open.signature != signature:
            self._open = self._searcher(manifest)
        return self._open

    def analyzed(self, rows: Rows) -> Iterator[tuple[int, Counter[str]]]:
        """Occurrences of each term in each row (key, text)."""
        return ((key, Counter(search_terms(text))) for key, text in rows)

    def scan(self, rows: AnalyzedRows, words: Sequence[str]) -> UnindexedRows:
        """Rows outside the index, for ``search``."""
        return UnindexedRows(rows, terms_of(words))

    def postings(self, manifest: IndexManifest, word: str, limit: int) -> tuple[int, int]:
        """(rows in the index with a word, up to ``limit``; rows with it including removed ones).
        Raises ``IndexUnusable``."""
        opened = self._opened(manifest)
        terms = _whole(word)
        live = _guarded(lambda: _search(opened, terms, limit))
        return len(live), max(_counts(opened, terms).values(), default=0)

    def informative_words(self, manifest: IndexManifest, words: Sequence[str]) -> list[str]:
        """The words without those that more than a tenth of many rows have, unless hardly any would
        remain; then the rarest. Raises ``IndexUnusable``."""
        if manifest.entries < MANY_ROWS or len(words) <= LEAST_WORDS:
            return list(words)
        opened = self._opened(manifest)
        rows = _guarded(lambda: {word: _rows_with(opened, word) for word in words})
        kept = [word for word in words if rows[word] * COMMON_SHARE <= manifest.entries]
        return (
            kept if len(kept) >= LEAST_WORDS else sorted(words, key=rows.__getitem__)[:LEAST_WORDS]
        )

    def discard(self) -> None:
        """Deletes the files; the next ``apply`` starts from scratch."""
        self._open = None
        shutil.rmtree(self.folder, ignore_errors=True)

    def _searcher(self, manifest: IndexManifest) -> _OpenIndex:
        import tantivy

        if not manifests.readable(self.folder, manifest):
            raise IndexUnusable("its files do not match their checksums")

        def open_it() -> _OpenIndex:
            index = self._index(tantivy)
            index.reload()
            signature = sorted(manifest.files.items())
            return _OpenIndex(signature, index.searcher(), index.schema)

        opened = _guarded(open_it)
        # another process may have deleted them to rebuild, which leaves an empty index open
        if not manifests.intact(self.folder, manifest):
            raise IndexUnusable("its files were replaced while they were opened")
        return opened

    def _index(self, tantivy: Any) -> Any:
        return tantivy.Index(_schema(tantivy), path=str(self.folder), reuse=True)

    def _write(self, tantivy: Any, adds: Rows, removed: Sequence[int]) -> int:
        """Commits; returns the resulting number of documents."""
        index = self._index(tantivy)
        writer = index.writer(HEAP, 1)
        for key in removed:
            # delete_documents_by_term takes a number for a signed one and finds nothing
            writer.delete_documents_by_query(tantivy.Query.term_query(index.schema, "key", key))
        for key, text in adds:
            writer.add_document(_document(tantivy, key, text))
        writer.commit()
        # otherwise every short process would leave one more segment behind
        writer.wait_merging_threads()
        index.reload()
        return int(index.searcher().num_docs)

    def _describe(self, known: dict[str, list[int]]) -> dict[str, list[int]]:
        """Size, time and checksum of every file of the current commit; segments never change."""
        meta = json.loads((self.folder / "meta.json").read_text())
        segments = {segment["segment_id"].replace("-", "") for segment in meta["segments"]}
        files = {}
        for path in sorted(self.folder.iterdir()):
            if path.name != "meta.json" and path.name.split(".")[0] not in segments:
                continue
            size = path.stat().st_size
            before = known.get(path.name)
            if before and before == manifests.file_entry(path, size, before[2]):
                files[path.name] = before
            else:
                files[path.name] = manifests.file_entry(path, size, manifests.checksum(path, size))
        return files


def _schema(tantivy: Any) -> Any:
    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field("key", indexed=True, fast=True)
    # terms of our own analyzer, separated by spaces
    builder.add_text_field("text", tokenizer_name="whitespace", index_option="freq")
    return builder.build()


def _document(tantivy: Any, key: int, text: str) -> Any:
    document = tantivy.Document()
    document.add_unsigned("key", key)
    document.add_text("text", " ".join(search_terms(text)))
    return document


def _search_both(
    opened: _OpenIndex,
    words: Sequence[str],
    limit: int,
    allowed: Sequence[int] | None,
    rest: UnindexedRows | None,
) -> list[tuple[int, float]]:
    """Searches the index and the rows outside it, with the weights of both together."""
    terms = terms_of(words)
    ignored = _common_parts(opened, terms)
    terms = [term for term in terms if term not in ignored]
    boosts, unindexed = {}, []
    if rest is not None:
        index = _weights(opened, rest.terms)
        weights = rest.with_index(index)
        boosts = {term: weights.rarity(term) / index.rarity(term) for term in terms}
        unindexed = rest.best(limit, weights, None if allowed is None else set(allowed))
    if allowed is None:
        hits = _search(opened, terms, limit, boosts)
    else:
        hits = _search_within(opened, terms, limit, allowed, boosts)
    if rest is None:
        return hits
    return [(key, rounded(score)) for key, score in hits] + unindexed


def _search_within(
    opened: _OpenIndex,
    terms: Sequence[str],
    limit: int,
    allowed: Sequence[int],
    boosts: Mapping[str, float],
) -> list[tuple[int, float]]:
    """A few keys become part of the query. With many it is cheaper to read hits until enough of
    them are allowed."""
    total = opened.searcher.num_docs
    if len(allowed) * SELECTIVE < total:
        return _search(opened, terms, limit, boosts, allowed) if allowed else []
    allowed_keys = set(allowed)
    # at least one: the index of a store whose rows are all outside it has none
    count = max(1, limit, limit * 2 * total // max(1, len(allowed_keys)))
    while True:
        hits = _search(opened, terms, count, boosts)
        passing = [hit for hit in hits if hit[0] in allowed_keys]
        if len(passing) >= limit or len(hits) < count:
            return passing[:limit]
        count *= 4


def _search(
    opened: _OpenIndex,
    terms: Sequence[str],
    limit: int,
    boosts: Mapping[str, float] = MappingProxyType({}),
    allowed: Sequence[int] | None = None,
) -> list[tuple[int, float]]:
    """Searches the index. ``boosts``: of terms, other than that of their kind; ``allowed``: only
    these keys."""
    import tantivy

    searcher, schema = opened.searcher, opened.schema
    if not terms or limit < 1:
        return []
    clauses = []
    for term in terms:
        query = tantivy.Query.term_query(schema, "text", term, "freq")
        boost = boosts.get(term, 1.0) * weight_of(term)
        if boost != 1:
            query = tantivy.Query.boost_query(query, boost)
        clauses.append((tantivy.Occur.Should, query))
    query = tantivy.Query.boolean_query(clauses)
    if allowed is not None:
        conditions = (query, tantivy.Query.const_score_query(_any_of(schema, allowed), 0.0))
        query = tantivy.Query.boolean_query([(tantivy.Occur.Must, each) for each in conditions])
    hits = searcher.search(query, limit, count=False).hits
    keys = searcher.fast_field_values("key", [address for _, address in hits])
    return [(int(key), float(score)) for key, (score, _) in zip(keys, hits, strict=True)]


def _any_of(schema: Any, keys: Sequence[int]) -> Any:
    """A query for the rows with these keys. For a set of terms tantivy walks through all keys of
    the index, which for a few costs five times as much as looking up each of them."""
    import tantivy

    if len(keys) > LOOKED_UP:
        return tantivy.Query.term_set_query(schema, "key", list(keys))
    each = (tantivy.Query.term_query(schema, "key", key) for key in keys)
    return tantivy.Query.boolean_query([(tantivy.Occur.Should, one) for one in each])


def terms_of(words: Sequence[str]) -> list[str]:
    """Terms of words, without duplicates."""
    return list(dict.fromkeys(term for word in words for term in search_terms(word)))


def weight_of(term: str) -> float:
    """Weight of a term in a score: less for a part of a word."""
    return PART_WEIGHT if term.startswith(PART) else 1.0


def _whole(word: str) -> list[str]:
    """Terms of a word without those for its parts."""
    return [term for term in terms_of([word]) if not term.startswith(PART)]


def _rows_with(opened: _OpenIndex, word: str) -> int:
    """Number of rows with a word; if it becomes several terms, with the rarest of these."""
    return min(_counts(opened, _whole(word)).values(), default=0)


def _counts(opened: _OpenIndex, terms: Sequence[str]) -> dict[str, int]:
    """Number of rows with each term."""
    for term in terms:
        if term not in opened.counts:
            opened.counts[term] = int(opened.searcher.doc_freq("text", term))
    return {term: opened.counts[term] for term in terms}


def _common_parts(opened: _OpenIndex, terms: Sequence[str]) -> frozenset[str]:
    """Parts of words that very many rows have: they say little, and most of a search would be spent
    on them."""
    rows = opened.searcher.num_docs
    if rows < MANY_ROWS:
        return frozenset()
    counts = _counts(opened, [term for term in terms if term.startswith(PART)])
    return frozenset(term for term, count in counts.items() if count * COMMON_PART > rows)


def _weights(opened: _OpenIndex, terms: Sequence[str]) -> Weights:
    """Weights of the index."""
    counts = _counts(opened, terms)
    if opened.totals is None:
        opened.totals = _totals(opened, [term for term in terms if counts[term]])
    rows, length = opened.totals or (opened.searcher.num_docs, 0.0)
    return Weights(rows, length, counts, _common_parts(opened, terms))


def _totals(opened: _OpenIndex, terms: Sequence[str]) -> tuple[int, float] | None:
    """Rows and average length, from tantivy's explanation of a row with any of the terms."""
    import tantivy

    searcher = opened.searcher
    for term in terms:
        query = tantivy.Query.term_query(opened.schema, "text", term, "freq")
        if hits := searcher.search(query, 1, count=False).hits:
            weights = _numbers(json.loads(query.explain(searcher, hits[0][1]).to_json()))
            # searcher.num_docs leaves out removed rows, doc_freq does not
            return int(weights["N"]), weights["avgdl"]
    return None


def _numbers(explained: dict[str, Any]) -> dict[str, float]:
    """Named numbers in tantivy's explanation of a score: ``avgdl``, ``N`` and others."""
    found = {explained["description"].split(",")[0]: float(explained["value"])}
    for detail in explained.get("details", ()):
        found |= _numbers(detail)
    return found


def _guarded(action: Callable[[], T]) -> T:
    """Runs native code; its panics (a BaseException) and errors mean that the index is unusable."""
    try:
        return action()
    except (KeyboardInterrupt, SystemExit, GeneratorExit, MemoryError, sqlite3.Error):
        raise
    except BaseException as error:
        raise IndexUnusable(str(error)) from error


# -- the text of an entry: its words, its day, and the preceding utterances -----------------------


CONTEXT = 2  # utterances before
LONGEST = 600  # characters of each of them
SPAN = 500  # keys back that are searched for them, so that the cost is bounded
PAUSE = timedelta(hours=6)  # longer silence begins another conversation

Texts = Iterator[tuple[int, str]]

_MEMORIES = (
    "SELECT key, content, content, created_at, session, user, agent,"
    f" type NOT IN {DOCUMENT_TYPES} AND provenance IS NULL FROM memory WHERE status = 'active'"
)
_TURNS = (
    "SELECT key, message, message || coalesce(char(10) || answer, ''), created_at,"
    " session, user, agent, 1 FROM turn WHERE 1"
)
_OF_OWNER = "AND session = ? AND user IS ? AND agent IS ?"


def texts_after(db: sqlite3.Connection, key: int) -> Texts:
    """(key, text) of all live entries with a greater key, each kind sorted by key."""
    for rows in _unspoken():
        yield from db.execute(f"{rows} AND key > ?", (key,))
    for query in (_MEMORIES, _TURNS):
        found = db.execute(f"{query} AND key > ? ORDER BY key", (key,))
        yield from _with_context(db, query, found, key)


def texts_of(db: sqlite3.Connection, keys: Iterable[int]) -> Texts:
    """(key, text) of the live ones among ``keys``."""
    for key in sorted(keys):
        for rows in _unspoken():
            yield from db.execute(f"{rows} AND key = ?", (key,))
        for query in (_MEMORIES, _TURNS):
            found = db.execute(f"{query} AND key = ?", (key,))
            yield from _with_context(db, query, found, key - 1)


def _unspoken() -> list[str]:
    """Rows of the kinds that are indexed without context."""
    return [
        f"SELECT key, search_text FROM {kind.name}_entry WHERE live"
        for kind in numbered()
        if not kind.spoken
    ]


def dependants(db: sqlite3.Connection, key: int) -> list[int]:
    """Keys of the utterances whose indexed text contains words of the one with ``key``, to be
    indexed again when it is deleted. Called before the deletion."""
    found: list[int] = []
    for table in ("memory", "turn"):
        query = (
            f"SELECT later.key FROM {table} AS gone JOIN {table} AS later"
            " ON later.session = gone.session AND later.user IS gone.user"
            " AND later.agent IS gone.agent AND later.key > gone.key AND later.key <= gone.key + ?"
            " WHERE gone.key = ?"
        )
        found += [row[0] for row in db.execute(query, (SPAN, key))]
    return sorted(found)


def _with_context(
    db: sqlite3.Connection, query: str, rows: Iterable[sqlite3.Row], start: int
) -> Texts:
    """Rows of a query as (key, text). ``start``: earlier utterances are not among the rows, and are
    read for each conversation that continues from there."""
    conversations = _Conversations()
    for key, words, text, at, session, user, agent, spoken in rows:
        parts = [text, day_in_words(at)]
        if spoken and session is not None:
            owner = (session, user, agent)
            if key - SPAN < start and owner not in conversations:
                for k, w, a in reversed(_last_said(db, query, owner, key - SPAN, start)):
                    conversations.before(owner, k, a, w)
            parts += conversations.before(owner, key, at, words)
        yield key, "\n".join(parts)


def _last_said(
    db: sqlite3.Connection, query: str, owner: tuple[Any, ...], after: int, to: int
) -> list[tuple[int, str, str]]:
    """(key, words, time) of the last utterances of a conversation between two keys, latest first;
    reads only these."""
    found: list[tuple[int, str, str]] = []
    rows = db.execute(
        f"{query} {_OF_OWNER} AND key > ? AND key <= ? ORDER BY key DESC", (*owner, after, to)
    )
    for key, words, _, at, *_, uttered in rows:
        if uttered:
            found.append((key, words, at))
        if len(found) == CONTEXT:
            break
    return found


class _Conversations:
    """The last utterances of each conversation."""

    def __init__(self) -> None:
        self._last: dict[tuple[str | None, ...], deque[tuple[int, str, str]]] = {}

    def __contains__(self, owner: tuple[str | None, ...]) -> bool:
        return owner in self._last

    def before(self, owner: tuple[str | None, ...], key: int, at: str, words: str) -> list[str]:
        """Utterances just before in this conversation; adds ``words`` to it."""
        last = self._last.get(owner)
        if last is None:
            if len(self._last) > 2 * SPAN:
                self._forget(key)
            last = self._last[owner] = deque(maxlen=CONTEXT)
        found = [w for k, a, w in last if k > key - SPAN and _same_conversation(a, at)]
        last.append((key, at, words[:LONGEST]))
        return found

    def _forget(self, key: int) -> None:
        """Drops conversations that cannot be continued any more."""
        self._last = {o: last for o, last in self._last.items() if last[-1][0] > key - SPAN}


def _same_conversation(one: str, other: str) -> bool:
    """True when two moments (ISO 8601) are close enough to belong to one conversation."""
    if one == other:
        return True
    try:
        distance = datetime.fromisoformat(other) - datetime.fromisoformat(one)
    except (ValueError, TypeError):
        return False
    return abs(distance) <= PAUSE
