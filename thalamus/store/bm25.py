"""BM25: terms of words and texts, weights of a collection, and scores of rows outside an index."""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set

from msgspec import Struct

from thalamus.text.analyzer import PART, search_terms

K1, B = 1.2, 0.75
PART_WEIGHT = 0.3  # of a part of a word, compared with a whole one
EXACT = 24  # lengths that are kept exactly; of longer ones four binary digits
MANY_ROWS = 10_000  # rows, from which on a search may ignore common words:
COMMON_SHARE = 10  # those that more than one row in so many has,
COMMON_PART = 50  # and parts of words that more than one row in so many has
LEAST_WORDS = 4  # as long as this many remain

RowsWith = Callable[[Sequence[str]], Mapping[str, int]]


# -- terms ----------------------------------------------------------------------------------------


def analyzed(rows: Iterable[tuple[int, str]]) -> Iterator[tuple[int, Counter[str]]]:
    """Occurrences of each term in each row (key, text)."""
    return ((key, Counter(search_terms(text))) for key, text in rows)


def terms_of(words: Sequence[str]) -> list[str]:
    """Terms of words, without duplicates."""
    return list(dict.fromkeys(search_terms("\n".join(words))))


def whole_terms(word: str) -> list[str]:
    """Terms of a word without those for its parts."""
    return [term for term in terms_of([word]) if not is_part(term)]


def is_part(term: str) -> bool:
    """True for a term that is a part of a word."""
    return term.startswith(PART)


def weight_of(term: str) -> float:
    """Weight of a term in a score: less for a part of a word."""
    return PART_WEIGHT if term.startswith(PART) else 1.0


def common_parts(terms: Iterable[str], rows: int, rows_with: RowsWith) -> frozenset[str]:
    """Parts of words that very many of the rows have: they say little, and most of a search would
    be spent on them. ``rows_with``: counts the rows with each of some terms."""
    if rows < MANY_ROWS:
        return frozenset()
    counts = rows_with([term for term in terms if is_part(term)])
    return frozenset(part for part, count in counts.items() if count * COMMON_PART > rows)


def informative(words: Sequence[str], rows: int, rows_with: RowsWith) -> list[str]:
    """The words without those that more than a tenth of many rows have, unless hardly any would
    remain; then the rarest. ``rows_with``: counts the rows with each of some terms."""
    if rows < MANY_ROWS or len(words) <= LEAST_WORDS:
        return list(words)
    terms = {word: whole_terms(word) for word in words}
    counts = rows_with([term for of_word in terms.values() for term in of_word])
    # of a word that becomes several terms, the rarest of these
    having = {word: min((counts[t] for t in terms[word]), default=0) for word in words}
    kept = [word for word in words if having[word] * COMMON_SHARE <= rows]
    return kept if len(kept) >= LEAST_WORDS else sorted(words, key=having.__getitem__)[:LEAST_WORDS]


# -- scores ---------------------------------------------------------------------------------------


class Weights(Struct, frozen=True):
    """Collection statistics behind scores: of an index, or of an index and further rows."""

    rows: int  # for an index including removed ones not merged away yet, as in ``counts``
    length: float  # average length of a row in terms; 0 when unknown
    counts: dict[str, int]  # rows that have a term
    ignored: frozenset[str] = frozenset()  # terms that a search leaves out

    def rarities(self, terms: Iterable[str]) -> dict[str, float]:
        """Inverse document frequency of each term; 0 for one that is left out."""
        found = {}
        for term in terms:
            count = self.counts.get(term, 0)
            found[term] = math.log(1 + (self.rows - count + 0.5) / (count + 0.5))
        return found | dict.fromkeys(self.ignored & found.keys(), 0.0)


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
    """Rows outside the index, scanned for ``terms``: until these rows change."""

    def __init__(self, rows: AnalyzedRows, terms: list[str]) -> None:
        self.terms = terms
        self._postings = {term: rows.postings.get(term, {}) for term in terms}
        keys = set[int]().union(*self._postings.values())
        self._lengths = {key: kept_length(rows.sizes[key]) for key in keys}
        length = rows.total / rows.count if rows.count else 0
        counts = {term: len(having) for term, having in self._postings.items()}
        self._own = Weights(rows.count, length, counts)

    def weights(self, index: Weights | None = None) -> Weights:
        """Weights of these rows, or as if they were indexed, except for the average length: indexed
        rows are scored with the index's average, and rows of one length with the same words must
        score the same on both sides."""
        own = self._own
        if index is None:
            return own
        counts = {term: own.counts[term] + index.counts.get(term, 0) for term in self.terms}
        length = index.length or own.length
        return Weights(own.rows + index.rows, length, counts, index.ignored)

    def best(
        self, limit: int, weights: Weights | None = None, allowed: Set[int] | None = None
    ) -> list[tuple[int, float]]:
        """(key, score), best first and of equals the newest, of the rows that have any of the
        terms; by the rows' own weights by default. ``allowed`` restricts the keys."""
        weights = weights or self._own
        lengths = self._lengths.items()
        if allowed is not None:
            lengths = {key: length for key, length in lengths if key in allowed}.items()
        norms = {key: K1 * (1 - B + B * (length / weights.length)) for key, length in lengths}
        scores = dict.fromkeys(norms, 0.0)
        for term, rarity in weights.rarities(self.terms).items():
            most = rarity * weight_of(term) * (K1 + 1)
            for key, count in self._postings[term].items() if most else ():
                if key in norms:
                    scores[key] += most * count / (count + norms[key])
        scored = [(rounded(score), key) for key, score in scores.items()]
        return [(key, score) for score, key in heapq.nlargest(limit, scored)]


def rounded(score: float) -> float:
    """A score without the digits in which tantivy's float32 and Python's floats differ: equal
    scores must be ordered by key, indexed or not. The weight of a word that nearly all rows have is
    log(1 + x) of a small x, of which float32 loses all but some decimals."""
    if score < 100:  # equivalent to five digits from 0.1 on, in half the time
        return round(score, 5 if score < 1 else 4 if score < 10 else 3)
    return float(f"{score:.5g}")


def kept_length(length: int) -> int:
    """A length in terms as the index stores it in one byte (Lucene's SmallFloat)."""
    over = length - EXACT
    if over < 0:
        return length
    shift = max(0, over.bit_length() - 4)
    return EXACT + (over >> shift << shift)


class EncryptedWords:
    """The decrypted texts of encrypted rows, which are in no index: kept in memory, where only
    changed ones are analyzed again."""

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
