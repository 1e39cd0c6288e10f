"""Texts that wait to be indexed, analyzed once in a process and kept from search to search."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable

from thalamus.storage.sqlite.fulltext import FullText, texts_after, texts_of
from thalamus.storage.sqlite.positions import Positions

MOST = 1000  # rows that are kept; while many are stored, more may wait


class WaitingRows:
    """The rows beyond the watermark of the full-text index, and how often each has each term.

    It follows the tables as the index does: by the last key and the last removal, with which a row
    is looked at again.
    """

    def __init__(self, db: sqlite3.Connection, at: Positions, text: FullText) -> None:
        self._db = db
        self._at = at
        self._text = text
        self._store: object = None
        self._watermark = self._last = self._removals = 0
        self._rows: dict[int, Counter[str]] = {}

    def rows(self, watermark: int) -> Iterable[tuple[int, Counter[str]]] | None:
        """(key, how often the text has each term) of the rows beyond a watermark; None when the
        last key is not beyond it."""
        last = self._at.last_key()
        if last <= watermark:
            return None
        if last - watermark > MOST:
            return self._text.analyzed(texts_after(self._db, watermark))
        self._follow(watermark, last)
        return list(self._rows.items())

    def _follow(self, watermark: int, last: int) -> None:
        # before any text: what is written meanwhile is for the next search
        removals, store = self._at.last_removal(), (self._at.meta("store"), self._at.meta("epoch"))
        if (store, watermark) != (self._store, self._watermark) or removals < self._removals:
            self._store, self._watermark, self._removals = store, watermark, removals
            self._last, self._rows = watermark, {}
        if removals > self._removals:
            changed = [key for key in self._at.removed_since(self._removals) if key > watermark]
            for key in changed:
                self._rows.pop(key, None)
            self._rows.update(self._text.analyzed(texts_of(self._db, changed)))
            self._removals = removals
        if last > self._last:
            new = self._text.analyzed(texts_after(self._db, self._last))
            self._rows.update((key, text) for key, text in new if key <= last)
            self._last = last
