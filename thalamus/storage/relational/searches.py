"""Searches by words and by vectors, whatever the database: filters, and encrypted rows."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from thalamus.storage.protocol.values import Filter, Hit, Similarities, Vector
from thalamus.storage.relational.filters import selection, views
from thalamus.storage.relational.store import RelationalStore

if TYPE_CHECKING:
    from thalamus.security.encrypted_search import EncryptedSearch
    from thalamus.storage.relational.similarity import StoreSimilarity

Found = list[tuple[int, float]]  # (key, score), best first
Find = Callable[[int, "list[int] | None"], Found]  # (limit, allowed keys or None for all)
FURTHER = 6  # times as many results are read before a filter is applied inside the search
PART = 100  # encrypted hits whose entries are read at once, until enough pass a filter


class SearchableStore(RelationalStore):
    """Searches over what a driver finds in its indexes."""

    @abstractmethod
    def find_text(
        self, words: Sequence[str], limit: int, keys: Sequence[int] | None = None
    ) -> Found:
        """(key, BM25 score) of the best rows; ``keys`` restricts them."""

    @abstractmethod
    def find_vector(self, vector: Vector, limit: int, keys: Sequence[int] | None = None) -> Found:
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
        return self.search(tokens, None, where, limit)[0]

    def search(
        self,
        tokens: Sequence[str],
        vector: Vector | None,
        where: Filter,
        limit: int,
        *,
        informative: bool = False,
    ) -> tuple[list[Hit], list[Hit]]:
        self._begin_search()
        if informative and tokens:
            with self.guard():
                tokens = self.informative_words(tokens)
        finds: list[Find] = []
        if tokens:
            finds.append(lambda count, keys: self.find_text(tokens, count, keys))
        if vector is not None:
            finds.append(lambda count, keys: self.find_vector(vector, count, keys))
        found = self._search_each(finds, where, limit)
        text = self._text_with_encrypted(found.pop(0), tokens, where, limit) if tokens else []
        if vector is None:
            return text, []
        return text, self._near_with_encrypted(found.pop(), vector, where, limit)

    def _text_with_encrypted(
        self, found: list[Hit], tokens: Sequence[str], where: Filter, limit: int
    ) -> list[Hit]:
        """Results for words with encrypted rows among them."""
        if not self._has_encrypted:
            return found
        # weighted as if they were indexed, because they share one list with indexed rows
        search = self._encrypted_search()
        with self.guard():
            scores = self.encrypted_scores(search.texts(), tokens)
        return self._with_encrypted(found, search, scores, where, limit)

    def _near_with_encrypted(
        self, found: list[Hit], vector: Vector, where: Filter, limit: int
    ) -> list[Hit]:
        """Results for a vector with encrypted rows among them."""
        if not self._has_encrypted:
            return found
        search = self._encrypted_search()
        return self._with_encrypted(found, search, search.cosines(vector), where, limit)

    def _with_encrypted(
        self,
        found: list[Hit],
        search: EncryptedSearch,
        scores: Mapping[int, float],
        where: Filter,
        limit: int,
    ) -> list[Hit]:
        """Merges the results of the indexes with decrypted rows, best first. ``scores``: those of
        the decrypted rows, by key."""
        encrypted = search.ids()
        plain = [hit for hit in found if (hit.entry.record, hit.entry.id) not in encrypted]
        decrypted = self._best_encrypted(scores, where, limit)
        best = sorted([*plain, *decrypted], key=lambda hit: -hit.score)[:limit]
        opened = {entry.key: entry for entry in search.opened([hit.entry for hit in best])}
        return [Hit(opened[hit.entry.key], hit.score) for hit in best if hit.entry.key in opened]

    def _best_encrypted(self, scores: Mapping[int, float], where: Filter, limit: int) -> list[Hit]:
        """The best encrypted rows that pass a filter, not decrypted."""
        found: list[Hit] = []
        keys = sorted(scores, key=lambda key: (-scores[key], key))
        for start in range(0, len(keys), PART):
            part = keys[start : start + PART]
            entries = self._entries_by_key(part, where)
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

    def _search_each(self, finds: Sequence[Find], where: Filter, limit: int) -> list[list[Hit]]:
        """Results of several searches with one filter. Where few rows can pass it, they are listed
        at once, and the entries found are read together."""
        keys = self._listed(where, limit)
        if keys is None:
            return [self._search(find, where, limit) for find in finds]
        with self.guard():
            found = [find(limit, keys) if keys else [] for find in finds]
        every = dict.fromkeys(key for some in found for key, _ in some)
        entries = self._entries_by_key(list(every), where)
        return [
            [Hit(entries[key], score) for key, score in some if key in entries][:limit]
            for some in found
        ]

    def _search(self, find: Find, where: Filter, limit: int) -> list[Hit]:
        """Searches, and when too few results pass the filter, reads more of them if that promises
        enough, and otherwise applies the filter inside the search: listing everything that passes
        it may take longer than both."""
        count = limit + len(where.exclude)
        most = count * FURTHER
        while count <= most:
            hits, found = self._passing(find, count, None, where)
            if len(hits) >= limit or found < count:
                return hits[:limit]
            if len(hits) * most < limit * count:  # too few at this rate
                break
            # half as many again as needed if the filter passes the next ones at the same rate
            count = max(count + 1, min(most, count * limit * 3 // (2 * len(hits))))
        keys = self._keys(where)
        return self._passing(find, limit, keys, where)[0][:limit] if keys else []

    def _listed(self, where: Filter, limit: int) -> list[int] | None:
        """All keys that pass a filter, if it names ids, or the store has few rows of the kinds that
        it selects."""
        if where.ids:
            return self._keys(where)
        if not where.kinds:
            return None
        if not (chosen := views(where)):
            return []
        most = (limit + len(where.exclude)) * FURTHER
        tables = [view.removesuffix("_entry") for view in chosen]
        rows = " UNION ALL ".join(f"SELECT key FROM {self.source(table)}" for table in tables)
        count = f"SELECT count(*), {self._any_encrypted} FROM (SELECT 1 FROM ({rows}) LIMIT ?)"
        passing, values = selection(self.source, "key", chosen, where)
        with self.guard():
            with self._tables.together():
                execute = self._tables.connection.execute
                counted = execute(count, (most,))
                found = execute(f"{passing} LIMIT ?", (*values, most))
            [(counted_rows, encrypted)] = counted.fetchall()
            self._found_encrypted = bool(self._found_encrypted or encrypted)
            return [row[0] for row in found] if counted_rows < most else None

    def _passing(
        self, find: Find, count: int, keys: list[int] | None, where: Filter
    ) -> tuple[list[Hit], int]:
        """Hits among the ``count`` best that pass the filter; and the number of results."""
        with self.guard():
            found = find(count, keys)
        entries = self._entries_by_key([key for key, _ in found], where)
        hits = [Hit(entries[key], score) for key, score in found if key in entries]
        return hits, len(found)
