"""Words of encrypted rows: not in any index, analyzed once per process and kept in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from thalamus.storage.relational.bm25 import AnalyzedRows, UnindexedRows, analyzed, terms_of


class EncryptedWords:
    """The decrypted texts of encrypted rows; only changed ones are analyzed again."""

    def __init__(self) -> None:
        self._texts: dict[int, str] = {}
        self._rows = AnalyzedRows()

    def scan(self, texts: Mapping[int, str], words: Sequence[str]) -> UnindexedRows:
        """Rows for a search. ``texts``: all of them by key; an unchanged one is the same object as
        before."""
        for key in self._texts.keys() - texts.keys():
            self._rows.remove(key)
        changed = [row for row in texts.items() if self._texts.get(row[0]) is not row[1]]
        for key, terms in analyzed(changed):
            self._rows.add(key, terms)
        self._texts = dict(texts)
        return UnindexedRows(self._rows, terms_of(words))
