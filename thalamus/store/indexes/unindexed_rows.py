"""Unindexed texts, analyzed once per process and cached between searches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

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

MOST = 1000  # rows cached; while many records are stored, more may be unindexed


class UnindexedTexts:
    """The rows beyond the watermark of the full-text index.

    It is updated like the index: by the last key and the last removal, which also covers rows to be
    analyzed again.
    """

    def __init__(self, rows: Tables, at: Positions) -> None:
        self._tables = rows
        self._at = at
        self._store: object = None
        self._watermark = self._last = self._removals = 0
        self._rows = AnalyzedRows()
        self._result: tuple[object, UnindexedRows] | None = None  # (state of the tables, result)

    def scan(self, watermark: int, words: Sequence[str]) -> UnindexedRows | None:
        """Rows beyond a watermark; None when the last key is not beyond it."""
        at = self._at.marks()
        last = at.last_key
        if last <= watermark:
            return None
        if watermark == 0 and last > MANY_ROWS:
            state: object = ((at.store, at.epoch), 0, last, at.removals, tuple(words))
            if self._result is None or self._result[0] != state:
                self._result = state, self._scan_all(words)
            return self._result[1]
        if last - watermark > MOST:
            rows = analyzed(texts_after(self._tables, watermark))
            terms = terms_of(words)
            return UnindexedRows(AnalyzedRows(rows, terms), terms)
        self._follow(watermark, at)
        state = self._store, self._watermark, self._last, self._removals, tuple(words)
        if self._result is None or self._result[0] != state:
            self._result = state, UnindexedRows(self._rows, terms_of(words))
        return self._result[1]

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

    def _follow(self, watermark: int, at: Marks) -> None:
        last = at.last_key  # read before any text: later writes are for the next search
        removals, store = at.removals, (at.store, at.epoch)
        if (store, watermark) != (self._store, self._watermark) or removals < self._removals:
            self._store, self._watermark, self._removals = store, watermark, removals
            self._last, self._rows = watermark, AnalyzedRows()
        if removals > self._removals:
            changed = [key for key in self._at.removed_since(self._removals) if key > watermark]
            for key in changed:
                self._rows.remove(key)
            self._add(texts_of(self._tables, changed), last)
            self._removals = removals
        if last > self._last:
            self._add(texts_after(self._tables, self._last), last)
            self._last = last

    def _add(self, texts: Iterable[tuple[int, str]], last: int) -> None:
        for key, text in analyzed(texts):
            if key <= last:
                self._rows.add(key, text)


def _beginning(word: str) -> str:
    """A word after the mark of its beginning, which it has not in unspaced scripts."""
    return word if has_unspaced(word) or emoji(word) else f"^{word}"
