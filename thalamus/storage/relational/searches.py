"""Searches by words and by vectors, whatever the database: filters, and encrypted rows."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from thalamus.storage.protocol.values import Filter, Found, Hit, IndexedRow, Similarities, Vector
from thalamus.storage.relational.bm25 import AnalyzedRows, UnindexedRows, analyzed, terms_of
from thalamus.storage.relational.filters import selection, views
from thalamus.storage.relational.store import RelationalStore

if TYPE_CHECKING:
    from thalamus.security.encrypted_search import EncryptedSearch
    from thalamus.storage.relational.similarity import StoreSimilarity

Scored = list[tuple[int, float]]  # (key, score), best first
Find = Callable[[int, "list[int] | None"], Scored]  # (limit, allowed keys or None for all)
EncryptedScores = Callable[["EncryptedSearch"], Mapping[int, float]]
FURTHER = 6  # times as many results are read before a filter is applied inside the search
PART = 100  # encrypted hits whose entries are read at once, until enough pass a filter


class SearchableStore(RelationalStore):
    """Searches over what a driver finds in its indexes."""

    @abstractmethod
    def find_text(
        self, words: Sequence[str], limit: int, keys: Sequence[int] | None = None
    ) -> Scored:
        """(key, BM25 score) of the best rows; ``keys`` restricts them."""

    @abstractmethod
    def find_and_score(
        self, words: Sequence[str], limit: int, others: Sequence[int]
    ) -> tuple[Scored, dict[int, float]]:
        """(key, BM25 score) of the best rows, and the scores of ``others`` that have any of the
        words, by key."""

    @abstractmethod
    def find_vector(self, vector: Vector, limit: int, keys: Sequence[int] | None = None) -> Scored:
        """(key, cosine) of the nearest rows; ``keys`` restricts them."""

    @abstractmethod
    def informative_words(self, words: Sequence[str]) -> list[str]:
        """The words without those that very many rows have; see ``bm25.informative``."""

    @abstractmethod
    def encrypted_scores(self, texts: Mapping[int, str], words: Sequence[str]) -> dict[int, float]:
        """BM25 scores, comparable with those of ``find_text``, of the decrypted texts of all
        encrypted rows, by key; without rows that have none of the words."""

    @abstractmethod
    def committed(self) -> bool:
        """True when everything that is read has been committed."""

    def search_text(self, tokens: Sequence[str], where: Filter, limit: int) -> list[Hit]:
        return self.search(tokens, None, where, limit).text

    def search(
        self,
        tokens: Sequence[str],
        vector: Vector | None,
        where: Filter,
        limit: int,
        *,
        informative: bool = False,
        scored: bool = True,
    ) -> Found:
        self._begin_search()
        if where.only is not None:
            return self._search_only(tokens, vector, where, limit)
        tokens = self._informative(tokens) if informative else tokens
        count = limit + len(where.exclude)
        if (keys := self._listed(where, count)) is not None:
            count = limit
        best: Scored = []
        nearest: Scored = []
        scores: dict[int, float] = {}
        with self.guard():
            if vector is not None and keys != []:
                nearest = self.find_vector(vector, count, keys)
            if tokens and keys is None:
                others = [key for key, _ in nearest] if scored else []
                best, scores = self.find_and_score(tokens, count, others)
            elif tokens and keys:
                best = self.find_text(tokens, count, keys)
        rows = self.entries_by_key(list(dict(best + nearest)), where)  # those of both once

        def passing(find: Find, found: Scored) -> list[Hit]:
            if keys is not None:
                return _hits(found, rows)[:limit]
            return self._until_enough(find, where, limit, found, rows)

        text, near = [], []
        if tokens:
            text = self._with_encrypted(
                passing(self._by_words(tokens), best), self._word_scores(tokens), where, limit
            )
        if vector is not None:
            near = self._with_encrypted(
                passing(self._by_vector(vector), nearest), self._cosines(vector), where, limit
            )
        if not scored:
            return Found(text, near, {})
        if keys is None or len(best) < count:  # no others have any of the words
            scores = dict.fromkeys((key for key, _ in nearest), 0.0) | scores
        return Found(text, near, self._scores(tokens, text, near, scores))

    def _informative(self, tokens: Sequence[str]) -> Sequence[str]:
        with self.guard():
            return self.informative_words(tokens) if tokens else tokens

    def _search_only(
        self, tokens: Sequence[str], vector: Vector | None, where: Filter, limit: int
    ) -> Found:
        """A search among the entries that a filter names, by their own words alone: the index also
        has the words around them, and counts how rare a word is among all entries."""
        keys = self._keys(where)
        with self.guard():
            having = self.find_text(tokens, len(keys), keys) if tokens and keys else []
            nearest = self.find_vector(vector, limit, keys) if vector is not None and keys else []
        rows = self.entries_by_key(list(dict(having + nearest)), where)
        texts = [(key, rows[key].text) for key, _ in having if key in rows]
        terms = terms_of(tokens)
        scanned = AnalyzedRows(analyzed(texts), terms)
        if texts:  # the others are taken to be as long
            others = len(keys) - scanned.count
            scanned.leave(others, others * scanned.total // scanned.count)
        scores = dict(UnindexedRows(scanned, terms).best(len(texts)))
        text = [Hit(rows[key], scores[key]) for key in [*scores][:limit]]
        near = _hits(nearest, rows)
        found = {hit.entry.key for hit in (*text, *near)}
        return Found(text, near, {key: score for key, score in scores.items() if key in found})

    def _scores(
        self,
        tokens: Sequence[str],
        text: Sequence[Hit],
        nearest: Sequence[Hit],
        known: Mapping[int, float],
    ) -> dict[int, float]:
        """BM25 scores of the hits of both searches, by key. ``known``: of hits that were scored, 0
        for those without any of the words."""
        scores = {hit.entry.key: hit.score for hit in text}
        others = [hit.entry.key for hit in nearest if hit.entry.key not in scores]
        encrypted = self._encrypted_search().keys() if self._has_encrypted else ()
        unknown = [key for key in others if key not in known and key not in encrypted]
        if tokens and unknown:
            with self.guard():
                known = {**known, **self.find_and_score(tokens, 0, unknown)[1]}
        return scores | {key: known[key] for key in others if known.get(key)}

    def _by_words(self, tokens: Sequence[str]) -> Find:
        return lambda count, keys: self.find_text(tokens, count, keys)

    def _by_vector(self, vector: Vector) -> Find:
        return lambda count, keys: self.find_vector(vector, count, keys)

    def _word_scores(self, tokens: Sequence[str]) -> EncryptedScores:
        """Scores of decrypted rows, weighted as if they were indexed, because they share one list
        with indexed rows."""

        def scores(search: EncryptedSearch) -> Mapping[int, float]:
            with self.guard():
                return self.encrypted_scores(search.texts(), tokens)

        return scores

    def _cosines(self, vector: Vector) -> EncryptedScores:
        return lambda search: search.cosines(vector)

    def _with_encrypted(
        self, found: list[Hit], score: EncryptedScores, where: Filter, limit: int
    ) -> list[Hit]:
        """Merges the results of the indexes with decrypted rows, if there are any, best first.
        ``score``: of the decrypted rows, by key."""
        if not self._has_encrypted:
            return found
        search = self._encrypted_search()
        scores = score(search)
        encrypted = search.ids()
        plain = [hit for hit in found if (hit.entry.record, hit.entry.id) not in encrypted]
        if len(plain) >= limit > 0:  # worse ones are not among the best
            least = plain[limit - 1].score
            scores = {key: own for key, own in scores.items() if own >= least}
        decrypted = self._best_encrypted(scores, where, limit)
        opened = {entry.key: entry for entry in search.opened([hit.entry for hit in decrypted])}
        readable = [Hit(opened[h.entry.key], h.score) for h in decrypted if h.entry.key in opened]
        return sorted([*plain, *readable], key=lambda hit: -hit.score)[:limit]

    def _best_encrypted(self, scores: Mapping[int, float], where: Filter, limit: int) -> list[Hit]:
        """The best encrypted rows that pass a filter, not decrypted."""
        found: list[Hit] = []
        keys = sorted(scores, key=lambda key: (-scores[key], -key))
        for start in range(0, len(keys), PART):
            part = keys[start : start + PART]
            entries = self.entries_by_key(part, where)
            found += [Hit(entries[key], scores[key]) for key in part if key in entries]
            if len(found) >= limit:
                break
        return found[:limit]

    @cached_property
    def _similarity(self) -> StoreSimilarity:
        from thalamus.storage.relational.similarity import StoreSimilarity

        return StoreSimilarity(self._tables)

    def similarities(
        self, vector: Vector, keys: Sequence[int], sentences: Sequence[int] = ()
    ) -> Similarities:
        with self.guard():
            found = self._similarity.similarities(
                vector, keys, sentences, committed=self.committed()
            )
            if not self._has_encrypted:
                return found
            decrypted = self._encrypted_search().similarities(vector, keys, sentences)
            return Similarities(
                found.cosines | decrypted.cosines,
                found.mean,
                found.sampled,
                found.sentences | decrypted.sentences,
            )

    def _until_enough(
        self, find: Find, where: Filter, limit: int, found: Scored, rows: Mapping[int, IndexedRow]
    ) -> list[Hit]:
        """The best rows among those ``found`` that pass the filter, which are in ``rows``. When
        they are too few, reads more of them if that promises enough, and otherwise applies the
        filter inside the search: listing everything that passes it may take longer than both."""
        count = limit + len(where.exclude)
        most = count * FURTHER
        while True:
            hits = _hits(found, rows)
            if len(hits) >= limit or len(found) < count:
                return hits[:limit]
            if len(hits) * most < limit * count:  # too few at this rate
                break
            # half as many again as needed if the filter passes the next ones at the same rate
            count = max(count + 1, min(most, count * limit * 3 // (2 * len(hits))))
            if count > most:
                break
            found, rows = self._found(find, count, None, where)
        return self._among(self._keys(where), find, where, limit)

    def _among(self, keys: list[int], find: Find, where: Filter, limit: int) -> list[Hit]:
        """Searches among all rows that pass a filter."""
        return _hits(*self._found(find, limit, keys, where))[:limit] if keys else []

    def _listed(self, where: Filter, count: int) -> list[int] | None:
        """All keys that pass a filter, before a search for ``count`` rows, if it names ids, or the
        store has few rows of the kinds that it selects. Looks for encrypted records too."""
        if where.ids:
            return self._keys(where)
        if not where.kinds:
            return None
        if not (chosen := views(where)):
            return []
        tables = [view.removesuffix("_entry") for view in chosen]
        rows = " UNION ALL ".join(f"SELECT key FROM {self.source(table)}" for table in tables)
        query = f"SELECT count(*), {self._any_encrypted} FROM (SELECT 1 FROM ({rows}) LIMIT ?)"
        passing, values = selection(self, "key", chosen, where)
        most = count * FURTHER
        with self.guard():
            with self._tables.together():
                execute = self._tables.connection.execute
                counted = execute(query, (most,))
                found = execute(f"{passing} LIMIT ?", (*values, most))
            [(selected, encrypted)] = counted.fetchall()
            self._found_encrypted = bool(self._found_encrypted or encrypted)
            return [row[0] for row in found] if selected < most else None

    def _found(
        self, find: Find, count: int, keys: list[int] | None, where: Filter
    ) -> tuple[Scored, dict[int, IndexedRow]]:
        """The ``count`` best rows, and those of them that pass the filter, by key."""
        with self.guard():
            found = find(count, keys)
        return found, self.entries_by_key([key for key, _ in found], where)


def _hits(found: Scored, rows: Mapping[int, IndexedRow]) -> list[Hit]:
    return [Hit(rows[key], score) for key, score in found if key in rows]
