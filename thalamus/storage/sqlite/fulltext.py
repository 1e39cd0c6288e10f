"""The full-text index: tantivy over the words of every entry, disposable.

Queries are built from words, never parsed: tantivy's query language would trip over ordinary
text. Rows that the index has not seen yet are scored beside it (``bm25``).
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from thalamus.policy.tokens import spaced
from thalamus.storage.sqlite import bm25
from thalamus.storage.sqlite import manifest as manifests

if TYPE_CHECKING:
    from thalamus.storage.sqlite.manifest import Manifest

T = TypeVar("T")
ANALYZER = "thalamus"
LONGEST_TOKEN = 128  # bytes; tantivy's own English analyzer drops words of 40 and more
SELECTIVE = 50  # one in so many keys allowed, or fewer: they are named in the query
HEAP = 50_000_000  # bytes the writer may hold before it makes a segment

Rows = Iterable[tuple[int, str]]


class IndexUnusable(Exception):
    """The files on disk are missing, damaged or of another store: rebuild."""


class FullText:
    """One folder with a tantivy index and its manifest."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._open: tuple[list[Any], Any] | None = None  # the manifest's files, the searcher

    def apply(self, manifest: Manifest, adds: Rows, removed: Sequence[int]) -> None:
        """Adds rows (key, text) and takes keys out; then writes the manifest.

        The caller holds the index lock and has set the manifest's watermarks to what this makes
        true. Files that a crash left between the commit and the manifest do not match it and are
        made anew, so no key is ever added twice. Raises ``IndexUnusable`` when tantivy refuses
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
        manifest: Manifest | None,
        words: Sequence[str],
        limit: int,
        allowed: Sequence[int] | None = None,
        rest: bm25.Rest | None = None,
    ) -> list[tuple[int, float]]:
        """(key, BM25 score), best first in the index and then best first in ``rest``; the words
        weigh as if ``rest`` were indexed too. ``allowed`` restricts the keys. Raises
        ``IndexUnusable``."""
        if manifest is None or not manifest.files:
            only = None if allowed is None else set(allowed)
            return rest.best(limit, allowed=only) if rest is not None else []
        signature = sorted(manifest.files.items())
        if self._open is None or self._open[0] != signature:
            self._open = (signature, self._searcher(manifest))
        opened = self._open[1]
        return _guarded(lambda: _search_both(opened, words, limit, allowed, rest))

    def look_through(self, rows: Rows, words: Sequence[str]) -> bm25.Rest:
        """Rows that are not in the index yet, for ``search``."""
        import tantivy

        analyzer = _analyzer(tantivy)
        tokens = ((key, analyzer.analyze(_searched(text))) for key, text in rows)
        return bm25.Rest(tokens, _terms(analyzer, words))

    def term_count(self, manifest: Manifest, word: str) -> int:
        """How many documents the index has a word's postings of, removed ones too."""
        searcher, _, analyzer = self._searcher(manifest)
        counts = (searcher.doc_freq("text", term) for term in analyzer.analyze(spaced(word)))
        return int(max(counts, default=0))

    def discard(self) -> None:
        """Forgets the files; the next ``apply`` begins anew."""
        self._open = None
        shutil.rmtree(self.folder, ignore_errors=True)

    def _searcher(self, manifest: Manifest) -> Any:
        import tantivy

        if not manifests.readable(self.folder, manifest):
            raise IndexUnusable("its files do not match their checksums")

        def open_it() -> Any:
            index = self._index(tantivy)
            index.reload()
            return index.searcher(), index.schema, _analyzer(tantivy)

        return _guarded(open_it)

    def _index(self, tantivy: Any) -> Any:
        index = tantivy.Index(_schema(tantivy), path=str(self.folder), reuse=True)
        index.register_tokenizer(ANALYZER, _analyzer(tantivy))
        return index

    def _write(self, tantivy: Any, adds: Rows, removed: Sequence[int]) -> int:
        """Commits; returns how many documents there are then."""
        index = self._index(tantivy)
        writer = index.writer(HEAP, 1)
        for key in removed:
            # delete_documents_by_term takes a number for a signed one and finds nothing
            writer.delete_documents_by_query(tantivy.Query.term_query(index.schema, "key", key))
        for key, text in adds:
            writer.add_document(_document(tantivy, key, text))
        writer.commit()
        # without this every short process would leave one more segment behind
        writer.wait_merging_threads()
        index.reload()
        return int(index.searcher().num_docs)

    def _describe(self, known: dict[str, list[int]]) -> dict[str, list[int]]:
        """Size, time and checksum of every file of the present commit; segments never change."""
        meta = json.loads((self.folder / "meta.json").read_text())
        segments = {segment["segment_id"].replace("-", "") for segment in meta["segments"]}
        files = {}
        for path in sorted(self.folder.iterdir()):
            if path.name != "meta.json" and path.name.split(".")[0] not in segments:
                continue
            size = path.stat().st_size
            before = known.get(path.name)
            if before and before == manifests.covered(path, size, before[2]):
                files[path.name] = before
            else:
                files[path.name] = manifests.covered(path, size, manifests.checksum(path, size))
        return files


def _schema(tantivy: Any) -> Any:
    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field("key", indexed=True, fast=True)
    builder.add_text_field("text", tokenizer_name=ANALYZER, index_option="freq")
    return builder.build()


def _analyzer(tantivy: Any) -> Any:
    filters = tantivy.Filter
    return (
        tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
        .filter(filters.remove_long(LONGEST_TOKEN))
        .filter(filters.lowercase())
        .filter(filters.ascii_fold())
        .filter(filters.stemmer("english"))
        .build()
    )


def _document(tantivy: Any, key: int, text: str) -> Any:
    document = tantivy.Document()
    document.add_unsigned("key", key)
    document.add_text("text", _searched(text))
    return document


def _searched(text: str) -> str:
    return text if text.isascii() else spaced(text)


def _search_both(
    opened: Any,
    words: Sequence[str],
    limit: int,
    allowed: Sequence[int] | None,
    rest: bm25.Rest | None,
) -> list[tuple[int, float]]:
    """In the index, and in the rows beside it, with the weights of both together."""
    boosts, beside = None, []
    if rest is not None:
        index = _weights(opened, rest.terms)
        both = rest.with_index(index)
        boosts = {term: both.rarity(term) / index.rarity(term) for term in rest.terms}
        beside = rest.best(limit, both, None if allowed is None else set(allowed))
    if allowed is None:
        return _search(opened, words, limit, boosts) + beside
    return _search_within(opened, words, limit, allowed, boosts) + beside


def _search_within(
    opened: Any,
    words: Sequence[str],
    limit: int,
    allowed: Sequence[int],
    boosts: dict[str, float] | None,
) -> list[tuple[int, float]]:
    """Few keys become part of the query. Of many it costs less to look through as many hits as
    it takes until enough of them are allowed."""
    total = opened[0].num_docs
    if len(allowed) * SELECTIVE < total:
        return _search(opened, words, limit, boosts, allowed) if allowed else []
    wanted = set(allowed)
    count = limit * 2 * total // max(1, len(wanted))
    while True:
        hits = _search(opened, words, count, boosts)
        passing = [hit for hit in hits if hit[0] in wanted]
        if len(passing) >= limit or len(hits) < count:
            return passing[:limit]
        count *= 4


def _search(
    opened: Any,
    words: Sequence[str],
    limit: int,
    boosts: dict[str, float] | None = None,
    allowed: Sequence[int] | None = None,
) -> list[tuple[int, float]]:
    """``boosts``: of each term; ``allowed``: only these keys."""
    import tantivy

    searcher, schema, analyzer = opened
    terms = _terms(analyzer, words)
    if not terms or limit < 1:
        return []
    clauses = []
    for term in terms:
        query = tantivy.Query.term_query(schema, "text", term, "freq")
        if boosts is not None:
            query = tantivy.Query.boost_query(query, boosts[term])
        clauses.append((tantivy.Occur.Should, query))
    query = tantivy.Query.boolean_query(clauses)
    if allowed is not None:
        keys = tantivy.Query.term_set_query(schema, "key", list(allowed))
        both = (query, tantivy.Query.const_score_query(keys, 0.0))
        query = tantivy.Query.boolean_query([(tantivy.Occur.Must, each) for each in both])
    hits = searcher.search(query, limit, count=False).hits
    keys = searcher.fast_field_values("key", [address for _, address in hits])
    return [(int(key), float(score)) for key, (score, _) in zip(keys, hits, strict=True)]


def _terms(analyzer: Any, words: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(term for word in words for term in analyzer.analyze(spaced(word))))


def _weights(opened: Any, terms: Sequence[str]) -> bm25.Weights:
    """What the scores of the index depend on."""
    import tantivy

    searcher, schema, _ = opened
    counts = {term: int(searcher.doc_freq("text", term)) for term in terms}
    for term in terms:
        query = tantivy.Query.term_query(schema, "text", term, "freq")
        hits = searcher.search(query, 1, count=False).hits if counts[term] else []
        if hits:
            told = _numbers(json.loads(query.explain(searcher, hits[0][1]).to_json()))
            # searcher.num_docs leaves out what was removed, doc_freq does not
            return bm25.Weights(int(told["N"]), told["avgdl"], counts)
    return bm25.Weights(searcher.num_docs, 0, counts)


def _numbers(explained: dict[str, Any]) -> dict[str, float]:
    """What tantivy names in saying how it came to a score: ``avgdl``, ``N`` and others."""
    found = {explained["description"].split(",")[0]: float(explained["value"])}
    for detail in explained.get("details", ()):
        found |= _numbers(detail)
    return found


def _guarded(action: Callable[[], T]) -> T:
    """Runs native code; its panics (a BaseException) and errors mean the index is unusable."""
    try:
        return action()
    except (KeyboardInterrupt, SystemExit, GeneratorExit, MemoryError, sqlite3.Error):
        raise
    except BaseException as error:
        raise IndexUnusable(str(error)) from error
