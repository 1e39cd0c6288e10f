"""Rows that an index lacks, kept between searches: those after its watermark, and those that were
changed or removed since."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from thalamus.store.bm25 import (
    MANY_ROWS,
    AnalyzedRows,
    UnindexedRows,
    analyzed,
    common_parts,
    is_part,
    terms_of,
)
from thalamus.store.indexed_text import texts_after, texts_of
from thalamus.store.indexes.positions import Marks, Positions
from thalamus.store.tables import Tables
from thalamus.text.analyzer import LETTERS, PART, emoji, fold, has_unspaced

if TYPE_CHECKING:
    from thalamus.store.indexes.flat import Flat
    from thalamus.store.indexes.index_files import IndexManifest

# cached texts and vectors; while many records are stored, more may be pending
MOST, MOST_VECTORS = 5_000, 20_000
# +: scan by n, not by the index over (space, key), which would be read and sorted as a whole
VECTORS_AFTER = "SELECT n, key, vector FROM embedding WHERE +space = ? AND n > ? ORDER BY n"
NUMBERS_OF = """
SELECT n FROM embedding WHERE space = ? AND key IN (SELECT value FROM json_each(?))"""


class PendingTexts:
    """The texts that the full-text index lacks. ``removed``: keys whose texts in the index, if they
    are there, are no longer theirs; set by ``scan``."""

    def __init__(self, rows: Tables, at: Positions) -> None:
        self._tables = rows
        self._at = at
        self._index = ("", 0, 0, 0)  # store, and marks of the index
        self._last = self._removals = 0
        self.removed: set[int] = set()
        self._texts: dict[int, list[str]] = {}  # terms by key
        self._rows = AnalyzedRows()
        self._result: tuple[object, UnindexedRows] | None = None  # (state of the tables, result)

    def scan(self, manifest: IndexManifest | None, words: Sequence[str]) -> UnindexedRows | None:
        """The pending rows, for words; None when there are none."""
        at = self._at.marks()
        watermark, removals = (manifest.watermark, manifest.removals) if manifest else (0, 0)
        index = at.store, at.epoch, watermark, removals
        if at.last_key <= watermark and at.removals <= removals:
            self.removed = set()
            return None
        if not watermark:
            removals = at.removals  # there is nothing to remove from
        if watermark == 0 and at.last_key > MANY_ROWS:
            self.removed = set()
            state: object = (index, at.last_key, at.removals, tuple(words))
            if self._result is None or self._result[0] != state:
                self._result = state, self._scan_all(words)
            return self._result[1]
        if at.last_key - watermark > MOST:
            self.removed = set(self._at.removed_since(removals))
            return self._analyzed(watermark, words)
        self._follow(index, removals, at)
        state = index, at.last_key, at.removals, tuple(words)
        if self._result is None or self._result[0] != state:
            self._result = state, UnindexedRows(self._rows, terms_of(words))
        return self._result[1]

    def _analyzed(self, watermark: int, words: Sequence[str]) -> UnindexedRows:
        """Many rows, of which only those terms are kept."""
        terms = terms_of(words)
        rows = AnalyzedRows(analyzed(texts_after(self._tables, watermark)), terms)
        for key, text in analyzed(texts_of(self._tables, self.removed)):
            rows.add(key, text)
        return UnindexedRows(rows, terms)

    def _follow(self, index: tuple[str, int, int, int], removals: int, at: Marks) -> None:
        """Reads what was added, changed or removed since; ``at`` was read before any text, so that
        later writes are for the next search."""
        if index != self._index or at.removals < self._removals:
            same = self._index[:2] == index[:2] and self._index[2] <= index[2] <= self._last
            self._index, self._removals, self.removed = index, removals, set()
            self._last = self._last if same else index[2]
            later = {key: text for key, text in self._texts.items() if same and key > index[2]}
            self._texts, self._rows = later, AnalyzedRows(later.items())
        if at.last_key > self._last:
            self._add(texts_after(self._tables, self._last), at)
            self._last = at.last_key
        if at.removals > self._removals:
            changed = self._at.removed_since(self._removals)
            self.removed.update(changed)
            for key in changed:
                self._rows.remove(key)
                self._texts.pop(key, None)
            self._add(texts_of(self._tables, changed), at)
            self._removals = at.removals

    def _add(self, texts: Iterable[tuple[int, str]], at: Marks) -> None:
        for key, text in analyzed(texts):
            if key <= at.last_key:
                self._texts[key] = text
                self._rows.add(key, text)

    def _scan_all(self, words: Sequence[str]) -> UnindexedRows:
        """All rows of a large store. Analyzing a text takes ten times as long as reading it, so
        only those with any of the terms are analyzed. Parts of words that very many rows have are
        left out, as in a search of the index."""
        import ahocorasick_rs

        terms = terms_of(words)
        parts = [term.removeprefix(PART) for term in terms if is_part(term)]
        # a stem is the beginning of its forms, except of some (happi)
        whole = dict.fromkeys(map(_beginning, [*words, *(t for t in terms if not is_part(t))]))
        patterns = [*whole, *(part for part in parts if part not in whole)]
        finder = ahocorasick_rs.AhoCorasick(patterns)
        letters = ahocorasick_rs.AhoCorasick([pattern.strip("^$") for pattern in patterns])
        having: list[tuple[int, str, set[int]]] = []
        counts, total, length = Counter[int](), 0, 0
        for key, text in texts_after(self._tables, 0):
            total, length = total + 1, length + len(text)
            folded = fold(text)
            if not letters.find_matches_as_indexes(folded):
                continue
            marked = f"^{'$^'.join(LETTERS.findall(folded))}${''.join(emoji(folded))}"
            matches = finder.find_matches_as_indexes(marked, overlapping=True)
            if found := {pattern for pattern, _, _ in matches}:
                counts.update(found)
                having.append((key, text, found))
        rows_with = {f"{PART}{patterns[n]}": count for n, count in counts.items()}
        common = common_parts(rows_with, total, lambda _: rows_with)
        useless = {n for n in counts if n >= len(whole) and f"{PART}{patterns[n]}" in common}
        texts = [(key, text) for key, text, found in having if found - useless]
        terms = [term for term in terms if term not in common]
        rows = AnalyzedRows(analyzed(texts), terms)
        if texts:  # the others are about as many terms long for their characters
            density = rows.total / sum(len(text) for _, text in texts)
            rows.leave(total - len(texts), round(density * length) - rows.total)
        return UnindexedRows(rows, terms)


def _beginning(word: str) -> str:
    """A word after the mark of its beginning, which it has not in unspaced scripts."""
    return word if has_unspaced(word) or emoji(word) else f"^{word}"


class PendingVectors:
    """The vectors of one space that its index lacks. ``outdated``: places of rows of the index
    whose vectors are gone; set by ``follow``."""

    def __init__(self, tables: Tables, at: Positions, space: int) -> None:
        self._tables = tables
        self._at = at
        self._space = space
        self._index: object = None  # store and files of the index
        self._last = self._removals = 0
        self._more = False  # there are more than are kept
        self._rows: dict[int, tuple[int, bytes]] = {}  # key and stored vector by number
        self._removed: set[int] = set()  # keys
        self.outdated: Any = ()

    def follow(self, manifest: IndexManifest | None, opened: Flat | None) -> None:
        """Reads what was added or removed since. ``opened``: the files of the index."""
        at, last = self._at.marks(), self._at.last_embedding(self._space)
        watermark, removals = (manifest.watermark, manifest.removals) if manifest else (0, 0)
        index = at.store, at.epoch, watermark, removals, id(opened)
        if index != self._index or at.removals < self._removals or last < self._last:
            self._index, self._last = index, watermark
            self._removals = removals if opened is not None else at.removals
            self._rows, self._removed, self.outdated = {}, set(), ()
        if at.removals > self._removals:
            self._drop(self._at.removed_since(self._removals), opened)
            self._removals = at.removals
        self._more = last - watermark > MOST_VECTORS
        if not self._more and last > self._last:
            found = self._tables.fetch(VECTORS_AFTER, self._space, self._last)
            self._rows |= {row[0]: (row[1], row[2]) for row in found if row[0] <= last}
            self._last = last

    def rows(self) -> Iterator[list[tuple[int, bytes]]]:
        """(key, stored vector) of the pending rows, in blocks."""
        yield [*self._rows.values()]
        if self._more:
            found = self._tables.execute(VECTORS_AFTER, self._space, self._last)
            rows = ((row[1], row[2]) for row in found)
            while block := list(islice(rows, MOST_VECTORS)):
                yield block

    def _drop(self, removed: Sequence[int], opened: Flat | None) -> None:
        """Drops the rows of removed keys, unless their vectors are still there."""
        self._removed.update(removed)
        gone = [*self._removed]
        kept = self.numbers(gone)
        rows = self._rows.items()
        self._rows = {n: row for n, row in rows if row[0] not in self._removed or n in kept}
        if opened is not None:
            self.outdated = opened.outdated(gone, kept)

    def numbers(self, keys: Sequence[int]) -> set[int]:
        """Numbers of the vectors of these rows."""
        found = self._tables.fetch(NUMBERS_OF, self._space, keys) if keys else []
        return {row[0] for row in found}
