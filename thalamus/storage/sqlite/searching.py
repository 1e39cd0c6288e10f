"""Searching the store, and listing what can be found in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from thalamus.storage.shapes import Entry, Filter, Hit, Likeness, Vector
from thalamus.storage.sqlite import rows
from thalamus.storage.sqlite.database import translated
from thalamus.storage.sqlite.entries import condition, views
from thalamus.storage.sqlite.opened import Opened

if TYPE_CHECKING:
    from thalamus.storage.sqlite.sealed_search import SealedSearch

# (how many, the keys allowed or None for all) -> (key, score), best first
Find = Callable[[int, "list[int] | None"], list[tuple[int, float]]]
FURTHER = 6  # times as many of the best are looked at before a filter is applied inside


class Searching(Opened):
    """Both search arms, with filters."""

    _opened_at: tuple[object, SealedSearch] | None = None

    def search_text(self, tokens: Sequence[str], where: Filter, limit: int) -> list[Hit]:
        found = self._search(
            lambda count, keys: self._indexes.search_text(tokens, count, keys), where, limit
        )
        return self._with_sealed(found, where, limit, tokens=tokens)

    def search_vector(self, vector: Vector, where: Filter, limit: int) -> list[Hit]:
        found = self._search(
            lambda count, keys: self._indexes.search_vector(vector, count, keys), where, limit
        )
        return self._with_sealed(found, where, limit, vector=vector)

    def _with_sealed(
        self,
        found: list[Hit],
        where: Filter,
        limit: int,
        tokens: Sequence[str] = (),
        vector: Vector | None = None,
    ) -> list[Hit]:
        """What the indexes found, with what is sealed and opens here, best first."""
        if not self._has_sealed:
            return found
        from thalamus.storage.sqlite.sealed import KINDS

        search = self._sealed_search()
        sealed = search.ids()
        plain = [hit for hit in found if (KINDS[hit.entry.kind], hit.entry.id) not in sealed]
        entries = self._entries_by_key(search.keys(), where)
        also = search.by_vector(entries, vector) if vector else search.by_words(entries, tokens)
        return sorted([*plain, *also], key=lambda hit: -hit.score)[:limit]

    def _sealed_search(self) -> SealedSearch:
        """What is sealed, opened; once for each state of the store."""
        from thalamus.storage.sqlite.sealed_search import SealedSearch

        keys = self._store_keys.version() if self._store_keys else None
        state = self._rows("PRAGMA data_version")[0][0], self._db.total_changes, keys
        if self._opened_at is None or self._opened_at[0] != state:
            self._opened_at = state, SealedSearch(self._db, self._boxes)
        return self._opened_at[1]

    def likeness(self, vector: Vector, keys: Sequence[int]) -> Likeness:
        from thalamus.storage.sqlite.likeness import likeness

        with translated(self.path, self._busy_timeout):
            found = likeness(self._db, vector, keys)
            if self._boxes is None or not self._has_sealed:
                return found
            from thalamus.storage.sqlite.sealed_search import cosines

            rest = [key for key in keys if key not in found.cosines]
            also = cosines(self._db, self._boxes, vector, rest)
            return Likeness(found.cosines | also, found.background)

    def _search(self, find: Find, where: Filter, limit: int) -> list[Hit]:
        """Where a filter lets too few of the best through more are looked at, and then it is
        applied inside the search: listing what it lets through may take longer than both."""
        count = limit + len(where.exclude)
        most = count * FURTHER
        while count <= most:
            hits, found = self._passing(find, count, None, where)
            if len(hits) >= limit or found < count:
                return hits[:limit]
            # half as many again as would do if the filter lets the next ones through as well
            wanted = count * limit * 3 // (2 * len(hits)) if hits else most
            count = max(count + 1, min(most, wanted))
        hits, _ = self._passing(find, limit, self._keys(where), where)
        return hits[:limit]

    def _passing(
        self, find: Find, count: int, keys: list[int] | None, where: Filter
    ) -> tuple[list[Hit], int]:
        """Of the ``count`` best the hits that pass the filter; how many were found at all."""
        with translated(self.path, self._busy_timeout):
            found = find(count, keys)
        entries = self._entries_by_key([key for key, _ in found], where)
        hits = [Hit(entries[key], score) for key, score in found if key in entries]
        return hits, len(found)

    def _entries_by_key(self, keys: Sequence[int], where: Filter) -> dict[int, Entry]:
        sql, values = condition(where)
        found = {}
        for start in range(0, len(keys), 500):
            part = keys[start : start + 500]
            marks = ",".join("?" * len(part))
            query = f"SELECT {rows.ENTRY} FROM entry WHERE key IN ({marks}) AND {sql}"
            for row in self._rows(query, (*part, *values)):
                found[row["key"]] = rows.entry(row)
        return found

    def _keys(self, where: Filter) -> list[int]:
        sql, values = condition(where)
        queries = (f"SELECT key FROM {view} WHERE {sql}" for view in views(where))
        return [row[0] for query in queries for row in self._rows(query, values)]

    def entries(self, where: Filter, limit: int, newest: bool = True) -> list[Entry]:
        sql, values = condition(where)
        order = "DESC" if newest else "ASC"
        found = self._rows(
            f"SELECT {rows.ENTRY} FROM entry WHERE {sql}"
            f" ORDER BY created_at {order}, key {order} LIMIT ?",
            (*values, limit),
        )
        entries = [rows.entry(row) for row in found]
        if not self._has_sealed:
            return entries
        return self._sealed_search().opened(entries)

    def recalled_for(self, turn: str) -> list[Entry]:
        found = self._rows(
            "SELECT entry.key FROM link JOIN entry ON entry.id = link.source"
            " WHERE link.target = ? AND link.relation = 'evidence_of' ORDER BY entry.key",
            (turn,),
        )
        entries = list(self._entries_by_key([row[0] for row in found], Filter()).values())
        return self._sealed_search().opened(entries) if self._has_sealed else entries
