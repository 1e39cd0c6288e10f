"""The full-text index: tantivy over the words of every entry, disposable.

Queries are built from words, never parsed: ordinary text is not valid in tantivy's query language.
Rows that are not in the index yet are scored separately (``UnindexedRows``).
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct, json

from thalamus.errors import IndexUnusable
from thalamus.store.bm25 import (
    UnindexedRows,
    Weights,
    common_parts,
    informative,
    terms_of,
    weight_of,
    whole_terms,
)
from thalamus.store.indexes import index_files as manifests
from thalamus.text.analyzer import joined_terms

if TYPE_CHECKING:
    from thalamus.store.indexes.index_files import IndexManifest

T = TypeVar("T")
SELECTIVE = 50  # if at most one key in so many is allowed, the keys are part of the query
LOOKED_UP = 300  # allowed keys up to which each is looked up separately
MOST_EQUALS = 64  # times as many hits are read, so that the newest of equals are among them
HEAP = 50_000_000  # bytes in the writer's memory before it creates a segment

Rows = Iterable[tuple[int, str]]


class _OpenIndex(Struct):
    """The files of one state of the index, open."""

    signature: list[Any]
    searcher: Any
    schema: Any
    totals: tuple[int, float] | None = None  # rows and their average length, once known
    counts: dict[str, int] = {}  # rows by term, as looked up so far


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
        hidden: Set[int] = frozenset(),
    ) -> list[tuple[int, float]]:
        """(key, BM25 score), best first in the index and then best first in ``rest``; weighted as
        if ``rest`` were indexed too, and to be compared as ``bm25.rounded``. ``allowed`` restricts
        the keys; ``hidden`` ones of the index are left out. Raises ``IndexUnusable``."""
        if manifest is None or not manifest.files:
            allowed_keys = None if allowed is None else set(allowed)
            return rest.best(limit, allowed=allowed_keys) if rest is not None else []
        opened = self._opened(manifest)
        return _guarded(lambda: _search_both(opened, words, limit, allowed, rest, hidden))

    def weights(
        self, manifest: IndexManifest | None, rows: UnindexedRows, rest: UnindexedRows | None
    ) -> Weights | None:
        """Weights of further rows, with the index and ``rest``, so that their scores compare with
        the results of ``search``; None for those of their own. Raises ``IndexUnusable``."""
        weights = None if rest is None else rest.weights()
        if manifest is not None and manifest.files:
            opened = self._opened(manifest)
            weights = _guarded(lambda: _weights(opened, rows.terms))
            weights = weights if rest is None else rest.weights(weights)
        return None if weights is None else rows.weights(weights)

    def _opened(self, manifest: IndexManifest) -> _OpenIndex:
        """The files of a manifest, opened once."""
        signature = sorted(manifest.files.items())
        if self._open is None or self._open.signature != signature:
            self._open = self._searcher(manifest)
        return self._open

    def postings(self, manifest: IndexManifest, word: str, limit: int) -> tuple[int, int]:
        """(rows in the index with a word, up to ``limit``; rows with it including removed ones).
        Raises ``IndexUnusable``."""
        opened = self._opened(manifest)
        terms = whole_terms(word)
        live = _guarded(lambda: _search(opened, terms, limit))
        return len(live), max(_counts(opened, terms).values(), default=0)

    def informative_words(self, manifest: IndexManifest, words: Sequence[str]) -> list[str]:
        """See ``bm25.informative``. Raises ``IndexUnusable``."""
        return informative(
            words,
            manifest.entries,
            lambda terms: _guarded(lambda: _counts(self._opened(manifest), terms)),
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
        meta = json.decode((self.folder / "meta.json").read_bytes())
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
    document.add_text("text", joined_terms(text))
    return document


def _search_both(
    opened: _OpenIndex,
    words: Sequence[str],
    limit: int,
    allowed: Sequence[int] | None,
    rest: UnindexedRows | None,
    hidden: Set[int],
) -> list[tuple[int, float]]:
    """Searches the index and the rows outside it, with the weights of both together."""
    boosts, unindexed = {}, []
    if rest is None:
        terms = terms_of(words)
        ignored = _common_parts(opened, terms)
    else:
        terms = rest.terms
        index = _weights(opened, terms)
        weights, ignored = rest.weights(index), index.ignored
        both, own = weights.rarities(terms), index.rarities(terms)
        boosts = {term: both[term] / own[term] for term in terms if term not in ignored}
        unindexed = rest.best(limit, weights, None if allowed is None else set(allowed))
    terms = [term for term in terms if term not in ignored]
    return _search_passing(opened, terms, limit, allowed, boosts, hidden) + unindexed


def _search_passing(
    opened: _OpenIndex,
    terms: Sequence[str],
    limit: int,
    allowed: Sequence[int] | None,
    boosts: Mapping[str, float],
    hidden: Set[int],
) -> list[tuple[int, float]]:
    """The best hits that are allowed and not hidden. A few allowed keys become part of the query.
    With many it is cheaper to read hits until enough of them pass."""
    total = opened.searcher.num_docs
    if allowed is None:
        if not hidden:
            return _search(opened, terms, limit, boosts)
        count, passes = limit + min(limit, len(hidden)), None
    elif len(allowed) * SELECTIVE < total:
        left = [key for key in allowed if key not in hidden]
        return _search(opened, terms, limit, boosts, left) if left else []
    else:
        passes = set(allowed)
        # at least one: the index of a store whose rows are all outside it has none
        count = max(1, limit, limit * 2 * total // max(1, len(passes)))
    while True:
        hits = _search(opened, terms, count, boosts)
        passing = [
            hit for hit in hits if hit[0] not in hidden and (passes is None or hit[0] in passes)
        ]
        if len(passing) >= limit or len(hits) < count:
            return passing
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
    hits = _with_equals(lambda most: searcher.search(query, most, count=False).hits, limit)
    keys = searcher.fast_field_values("key", [address for _, address in hits])
    return list(zip(keys, (score for score, _ in hits), strict=True))


def _with_equals(
    search: Callable[[int], list[tuple[float, Any]]], limit: int
) -> list[tuple[float, Any]]:
    """The best hits, and more than ``limit`` where equals would be cut: tantivy returns the oldest
    of them first, and the newest are wanted."""
    most = limit + 1
    hits = search(most)
    while len(hits) == most and most < limit * MOST_EQUALS and hits[-1][0] >= hits[limit - 1][0]:
        most *= 4
        hits = search(most)
    return hits


def _any_of(schema: Any, keys: Sequence[int]) -> Any:
    """A query for the rows with these keys. For a set of terms tantivy walks through all keys of
    the index, which for a few costs five times as much as looking up each of them."""
    import tantivy

    if len(keys) > LOOKED_UP:
        return tantivy.Query.term_set_query(schema, "key", list(keys))
    each = (tantivy.Query.term_query(schema, "key", key) for key in keys)
    return tantivy.Query.boolean_query([(tantivy.Occur.Should, one) for one in each])


def _counts(opened: _OpenIndex, terms: Sequence[str]) -> dict[str, int]:
    """Number of rows with each term."""
    for term in terms:
        if term not in opened.counts:
            opened.counts[term] = int(opened.searcher.doc_freq("text", term))
    return {term: opened.counts[term] for term in terms}


def _common_parts(opened: _OpenIndex, terms: Sequence[str]) -> frozenset[str]:
    """See ``bm25.common_parts``."""
    rows = opened.searcher.num_docs
    return common_parts(terms, rows, lambda parts: _counts(opened, parts))


def _weights(opened: _OpenIndex, terms: Sequence[str]) -> Weights:
    """Weights of the index."""
    return Weights(*_size(opened, terms), _counts(opened, terms), _common_parts(opened, terms))


def _size(opened: _OpenIndex, terms: Sequence[str]) -> tuple[int, float]:
    """Rows and average length of the index; 0 when that is unknown, because it has none of the
    terms."""
    if opened.totals is None:
        counts = _counts(opened, terms)
        opened.totals = _totals(opened, [term for term in terms if counts[term]])
    return opened.totals or (opened.searcher.num_docs, 0.0)


def _totals(opened: _OpenIndex, terms: Sequence[str]) -> tuple[int, float] | None:
    """Rows and average length, from tantivy's explanation of a row with any of the terms."""
    import tantivy

    searcher = opened.searcher
    for term in terms:
        query = tantivy.Query.term_query(opened.schema, "text", term, "freq")
        if hits := searcher.search(query, 1, count=False).hits:
            weights = _numbers(json.decode(query.explain(searcher, hits[0][1]).to_json()))
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
