"""Unindexed texts, analyzed once per process and cached between searches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from thalamus.storage.relational.bm25 import AnalyzedRows, UnindexedRows, analyzed, terms_of
from thalamus.storage.relational.indexed_text import texts_after, texts_of
from thalamus.storage.relational.tables import Tables
from thalamus.storage.sqlite.positions import Positions

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
        last = self._at.last_key()
        if last <= watermark:
            return None
        if last - watermark > MOST:
            rows = analyzed(texts_after(self._tables, watermark))
            terms = terms_of(words)
            return UnindexedRows(AnalyzedRows(rows, terms), terms)
        self._follow(watermark, last)
        state = self._store, self._watermark, self._last, self._removals, tuple(words)
        if self._result is None or self._result[0] != state:
            self._result = state, UnindexedRows(self._rows, terms_of(words))
        return self._result[1]

    def _follow(self, watermark: int, last: int) -> None:
        # before any text: later writes are for the next search
        at = self._at.marks()
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
