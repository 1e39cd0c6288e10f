"""BM25: terms of words and texts, weights of a collection, and scores of rows outside an index."""

from __future__ import annotations

import math
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import partial
from typing import Any

from msgspec import Struct

from thalamus.text.analyzer import PART, search_terms
from thalamus.text.few_vectors import numpy_pays_off

K1, B = 1.2, 0.75
PART_WEIGHT = 0.3  # of a part of a word, compared with a whole one
EXACT = 24  # lengths that are kept exactly; of longer ones four binary digits
MANY_ROWS = 10_000  # rows, from which on a search may ignore common words:
COMMON_SHARE = 10  # those that more than one row in so many has,
COMMON_PART = 50  # and parts of words that more than one row in so many has
LEAST_WORDS = 4  # as long as this many remain
SMALL = 2_000  # postings that are as fast without numpy
FEW_GONE = 100  # former rows that may be more than the present ones
POSTING = 10  # numbers of a vector for which Python takes as long as for a posting

RowsWith = Callable[[Sequence[str]], Mapping[str, int]]


# -- terms ----------------------------------------------------------------------------------------


def analyzed(rows: Iterable[tuple[int, str]]) -> Iterator[tuple[int, list[str]]]:
    """Terms of each row (key, text), as often as it has them."""
    return ((key, search_terms(text)) for key, text in rows)


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
    """Rows by their terms. A row that was replaced or removed leaves its postings behind, until
    most rows are such."""

    def __init__(
        self, rows: Iterable[tuple[int, Sequence[str]]] = (), terms: Iterable[str] | None = None
    ) -> None:
        """``rows``: (key, terms as often as the text has them); ``terms``: those to keep."""
        self._only = None if terms is None else set(terms)
        # places of the rows with a term, as often as they have it
        self._postings: defaultdict[str, array[int]] = defaultdict(partial(array, "i"))
        self._places: dict[int, int] = {}  # by key
        self.gone: set[int] = set()  # places of former rows
        self.keys: list[int] = []  # by place
        self.lengths = array("i")  # of each row in terms, as an index rounds them
        self._sizes = array("i")  # exact lengths
        self.count = self.total = 0  # of rows, and of their terms
        for key, text in rows:
            self.add(key, text)

    def add(self, key: int, text: Sequence[str]) -> None:
        """Adds a row; replaces one with this key. An interrupted call has added nothing."""
        self.remove(key)
        place = len(self.keys)
        del self.lengths[place:], self._sizes[place:]  # of an interrupted call
        self.gone.add(place)
        self.lengths.append(kept_length(len(text)))
        self._sizes.append(len(text))
        self.keys.append(key)
        postings, only = self._postings, self._only
        for term in text if only is None else filter(only.__contains__, text):
            postings[term].append(place)
        self._places[key] = place
        self.leave(1, len(text))
        self.gone.discard(place)

    def leave(self, count: int, total: int) -> None:
        """Counts rows without any of the terms. ``total``: how many terms they have together."""
        self.count += count
        self.total += total

    def remove(self, key: int) -> None:
        """Removes a row, if present."""
        place = self._places.pop(key, None)
        if place is not None:
            self.leave(-1, -self._sizes[place])
            self.gone.add(place)
            if len(self.gone) > FEW_GONE and len(self.gone) > len(self._places):
                self._drop_gone()

    def _drop_gone(self) -> None:
        left = {place: new for new, place in enumerate(sorted(self._places.values()))}
        postings: defaultdict[str, array[int]] = defaultdict(partial(array, "i"))
        for term, places in self._postings.items():
            if kept := [left[place] for place in places if place in left]:
                postings[term] = array("i", kept)
        keys = [self.keys[place] for place in left]
        lengths = array("i", [self.lengths[place] for place in left])
        sizes = array("i", [self._sizes[place] for place in left])
        # together, for the sake of an interrupted call
        self._postings, self.keys, self.lengths, self._sizes = postings, keys, lengths, sizes
        self._places, self.gone = {key: place for place, key in enumerate(keys)}, set()

    def having(self, term: str) -> array[int]:
        """Places of the rows with a term, as often as they have it; also former ones."""
        return self._postings.get(term, array("i"))


class UnindexedRows:
    """Rows outside the index, scanned for ``terms``: until these rows change."""

    def __init__(self, rows: AnalyzedRows, terms: list[str]) -> None:
        self.terms = terms
        self._rows = rows
        having = [rows.having(term) for term in terms]
        size = sum(map(len, having))
        self._many = size > SMALL and numpy_pays_off(size * POSTING)
        self._postings: Any  # see the next two
        counts = self._count_many(having) if self._many else self._count_few(having)
        length = rows.total / rows.count if rows.count else 0
        self._own = Weights(rows.count, length, dict(zip(terms, counts, strict=True)))

    def _count_few(self, having: Sequence[array[int]]) -> list[int]:
        """Keeps for each term how often each place has it; returns the number of places."""
        self._postings = [Counter(places) for places in having]
        for places in self._postings if self._rows.gone else ():
            for place in self._rows.gone.intersection(places):
                del places[place]
        return list(map(len, self._postings))

    def _count_many(self, having: Sequence[array[int]]) -> list[int]:
        """The same by numpy: as arrays with the number of a term, a place, and how often."""
        import numpy as np

        places = np.concatenate([np.array(each, np.int64) for each in having])
        numbers = np.repeat(np.arange(len(having)), list(map(len, having)))
        if self._rows.gone:
            live = ~np.isin(places, list(self._rows.gone))
            places, numbers = places[live], numbers[live]
        rows = len(self._rows.keys)
        pairs, often = np.unique(numbers * rows + places, return_counts=True)
        numbers, places = np.divmod(pairs, rows)
        self._postings = numbers, places, often
        counts: list[int] = np.bincount(numbers, minlength=len(having)).tolist()
        return counts

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
        self,
        limit: int,
        weights: Weights | None = None,
        allowed: Set[int] | None = None,
        least: float = 0.0,
    ) -> list[tuple[int, float]]:
        """(key, score), best first and of equals the newest, of the rows that have any of the
        terms and score at least ``least``; by the rows' own weights by default. ``allowed``
        restricts the keys."""
        score = self._score_many if self._many else self._score_few
        found = score(weights or self._own, limit, allowed, unrounded(least))
        scored = [(rounded(score), key) for key, score in found]
        best = sorted([hit for hit in scored if hit[0] >= least], reverse=True)
        return [(key, score) for score, key in best[:limit]]

    def _score_few(
        self, weights: Weights, limit: int, allowed: Set[int] | None, least: float
    ) -> Iterable[tuple[int, float]]:
        """(key, score) of rows, not rounded: at least of the best ``limit``."""
        keys, lengths = self._rows.keys, self._rows.lengths
        places = set[int]().union(*self._postings)
        norms = {place: K1 * (1 - B + B * (lengths[place] / weights.length)) for place in places}
        scores = dict.fromkeys(norms, 0.0)
        for most, having in zip(self._most(weights), self._postings, strict=True):
            for place, count in having.items() if most else ():
                scores[place] += most * count / (count + norms[place])
        found = ((keys[place], score) for place, score in scores.items() if score >= least)
        return found if allowed is None else (hit for hit in found if hit[0] in allowed)

    def _score_many(
        self, weights: Weights, limit: int, allowed: Set[int] | None, least: float
    ) -> Iterable[tuple[int, float]]:
        """The same by numpy."""
        import numpy as np

        numbers, places, often = self._postings
        norms = K1 * (1 - B + B * (np.array(self._rows.lengths)[places] / weights.length))
        scores = np.bincount(
            places, np.array(self._most(weights))[numbers] * often / (often + norms)
        )
        found = np.unique(places)
        found = found[scores[found] >= least]
        if allowed is not None:
            found = found[np.isin(np.array(self._rows.keys)[found], list(allowed))]
        if 0 < limit < len(found):
            cut = unrounded(float(np.partition(scores[found], -limit)[-limit]))
            found = found[scores[found] >= cut]
        keys = map(self._rows.keys.__getitem__, found.tolist())
        return zip(keys, scores[found].tolist(), strict=True)

    def _most(self, weights: Weights) -> list[float]:
        """The most that each term can add to a score."""
        rarities = weights.rarities(self.terms)
        return [rarities[term] * weight_of(term) * (K1 + 1) for term in self.terms]


def rounded(score: float) -> float:
    """A score without the digits in which tantivy's float32 and Python's floats differ: equal
    scores must be ordered by key, indexed or not. The weight of a word that nearly all rows have is
    log(1 + x) of a small x, of which float32 loses all but some decimals."""
    if score < 100:  # equivalent to five digits from 0.1 on, in half the time
        return round(score, 5 if score < 1 else 4 if score < 10 else 3)
    return float(f"{score:.5g}")


def unrounded(least: float) -> float:
    """The least score that may be rounded to this one."""
    return least - max(0.001 * least, 0.00001)


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
        self._searched = False
        self._texts: Mapping[int, str] = {}
        self._rows = AnalyzedRows()

    def scan(self, texts: Mapping[int, str], words: Sequence[str]) -> UnindexedRows:
        """Rows for a search. ``texts``: all of them by key; it, and each that is unchanged, is the
        same object as before. The first search, which is the only one of many processes, keeps
        nothing: that takes longer than finding its words."""
        terms = terms_of(words)
        if not self._searched:
            self._searched = True
            return UnindexedRows(AnalyzedRows(analyzed(texts.items()), terms), terms)
        if texts is not self._texts:
            self._follow(texts)
        return UnindexedRows(self._rows, terms)

    def _follow(self, texts: Mapping[int, str]) -> None:
        for key in self._texts.keys() - texts.keys():
            self._rows.remove(key)
        changed = [row for row in texts.items() if self._texts.get(row[0]) is not row[1]]
        for key, terms in analyzed(changed):
            self._rows.add(key, terms)
        self._texts = texts  # last: who is interrupted begins again
