"""Full text in PostgreSQL: the terms of each entry as rows, written in its own transaction.

The terms are those of the full-text index of SQLite (``text.analyzer``), and so are the scores.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, islice
from typing import Any

from thalamus.storage.protocol.maintenance import IndexState
from thalamus.storage.relational.bm25 import (
    COMMON_PART,
    K1,
    MANY_ROWS,
    B,
    UnindexedRows,
    Weights,
    analyzed,
    common_parts,
    informative,
    is_part,
    kept_length,
    terms_of,
    weight_of,
)
from thalamus.storage.relational.encrypted_words import EncryptedWords
from thalamus.storage.relational.indexed_text import dependants, texts_after, texts_of
from thalamus.storage.relational.tables import Tables

TABLES = (
    # a term of an entry's text: n times, in a text of this length (`bm25.kept_length`)
    """CREATE TABLE posting (
        tenant TEXT COLLATE "C" NOT NULL, key BIGINT NOT NULL, n INT NOT NULL, size INT NOT NULL,
        term TEXT COLLATE "C" NOT NULL, PRIMARY KEY (tenant, term, key) INCLUDE (n, size))""",
    "CREATE INDEX posting_key ON posting (tenant, key)",
    # the number of these texts and of their terms; changes counts the writes
    """CREATE TABLE corpus (
        tenant TEXT COLLATE "C" NOT NULL, texts BIGINT NOT NULL, terms BIGINT NOT NULL,
        changes BIGINT NOT NULL, PRIMARY KEY (tenant))""",
)
# terms, and how often a text has each, are separated by spaces; in the order of the primary key a
# page of it is read once
_ADD = (
    "INSERT INTO posting (tenant, key, n, size, term)"
    " SELECT ?, added.key, of.n, added.size, of.term"
    " FROM unnest(?::bigint[], ?::int[], ?::text[], ?::text[]) AS added (key, size, terms, ns),"
    " unnest(string_to_array(terms, ' '), string_to_array(ns, ' ')::int[]) AS of (term, n)"
    " ORDER BY of.term, added.key"
)
_REMOVE = (
    "WITH gone AS (DELETE FROM posting WHERE tenant = ? AND key = ANY(?) RETURNING key, n)"
    " SELECT count(DISTINCT key), coalesce(sum(n), 0)::bigint FROM gone"
)
_COUNT = (
    "INSERT INTO corpus (tenant, texts, terms, changes) VALUES (?, ?, ?, 1)"
    " ON CONFLICT (tenant) DO UPDATE SET texts = corpus.texts + excluded.texts,"
    " terms = corpus.terms + excluded.terms, changes = corpus.changes + 1"
)
# of a part of a word no more than it takes to leave it out are counted
_WEIGHTS = (
    "SELECT texts, terms, changes, array(SELECT (SELECT count(*) FROM ("
    "SELECT FROM posting WHERE tenant = ? AND posting.term = asked.term"
    f" LIMIT CASE WHEN asked.part AND texts >= {MANY_ROWS} THEN texts / {COMMON_PART} + 1 END"
    ") AS having_it) FROM unnest(?::text[], ?::bool[]) WITH ORDINALITY AS asked (term, part, place)"
    " ORDER BY place) FROM corpus WHERE tenant = ?"
)
# OFFSET 0: each list of postings is read by itself, along the primary key; real: without the last
# digits, which depend on the order of the sum
_SCORES = (
    "SELECT p.key, sum(asked.rarity * p.n / (p.n + ?::float8 + ?::float8 * p.size))::real AS score"
    " FROM unnest(?::text[], ?::float8[]) AS asked (term, rarity) CROSS JOIN LATERAL"
    " (SELECT key, n, size FROM posting WHERE tenant = ? AND posting.term = asked.term{} OFFSET 0)"
    " AS p GROUP BY p.key ORDER BY score DESC, p.key LIMIT ?"
)
TOGETHER = 200  # texts written by one statement
COUNTED = 50_000  # terms whose numbers of texts are kept in memory

Found = list[tuple[int, float]]


class Words:
    """The full text of a tenant's entries."""

    def __init__(self, tables: Tables, tenant: str) -> None:
        self._tables = tables
        self._tenant = tenant
        self._encrypted = EncryptedWords()
        self._corpus: tuple[int, ...] = ()  # texts, terms, changes
        self._counts: dict[str, int] = {}  # texts with each term, in that state
        self._last: tuple[tuple[str, ...], Weights] | None = None  # words of a search

    # -- searching --------------------------------------------------------------------------------

    def find(self, words: Sequence[str], limit: int, keys: Sequence[int] | None = None) -> Found:
        """(key, BM25 score) of the best texts; ``keys`` restricts them."""
        weights = self._weights(terms_of(words))
        self._last = tuple(words), weights
        return self._best(weights, limit, keys)

    def scores(self, words: Sequence[str], keys: Sequence[int]) -> dict[int, float]:
        """BM25 scores of texts; after a search for the same words with its weights, because they
        are compared with its results."""
        if self._last is None or self._last[0] != tuple(words):
            return dict(self.find(words, len(keys), keys))
        return dict(self._best(self._last[1], len(keys), keys))

    def _best(self, weights: Weights, limit: int, keys: Sequence[int] | None) -> Found:
        rarities = {
            term: weights.rarity(term) * weight_of(term) * (K1 + 1)
            for term, count in weights.counts.items()
            if count and term not in weights.ignored
        }
        if not rarities or limit < 1 or (keys is not None and not keys):
            return []
        values: list[Any] = [K1 * (1 - B), K1 * B / weights.length]
        values += [list(rarities), list(rarities.values()), self._tenant]
        values += [] if keys is None else [list(keys)]
        query = _SCORES.format("" if keys is None else " AND posting.key = ANY(?)")
        return [(row[0], row[1]) for row in self._all(query, *values, limit)]

    def informative(self, words: Sequence[str]) -> list[str]:
        """See ``bm25.informative``."""
        weights = self._weights(terms_of(words))
        return informative(words, weights.rows, lambda terms: self._weights(terms).counts)

    def encrypted_scores(self, texts: Mapping[int, str], words: Sequence[str]) -> dict[int, float]:
        """See ``searches.SearchableStore.encrypted_scores``."""
        found: UnindexedRows = self._encrypted.scan(texts, words)
        weights = found.with_index(self._weights(found.terms))
        return dict(found.best(len(texts), weights))

    def _weights(self, terms: Sequence[str]) -> Weights:
        """Weights of these terms; their numbers of texts are counted once while nothing changes."""
        unknown = [term for term in terms if term not in self._counts]
        if len(self._counts) + len(unknown) > COUNTED:
            self._counts, unknown = {}, list(terms)
        corpus, counts = self._counted(unknown)
        if corpus != self._corpus:
            others = [term for term in terms if term in self._counts]
            self._corpus, self._counts = corpus, counts
            if others:
                return self._weights(terms)
        self._counts |= counts
        texts, total, _ = corpus
        found = {term: self._counts[term] for term in terms}
        length = total / texts if texts else 0.0
        return Weights(texts, length, found, common_parts(found, texts))

    def _counted(self, terms: Sequence[str]) -> tuple[tuple[int, ...], dict[str, int]]:
        """(texts, terms and changes of the corpus; texts with each of these terms)."""
        parts = [is_part(term) for term in terms]
        found = self._all(_WEIGHTS, self._tenant, list(terms), parts, self._tenant)
        if not found:
            return (0, 0, 0), dict.fromkeys(terms, 0)
        return tuple(found[0][:3]), dict(zip(terms, found[0][3], strict=True))

    # -- writing ----------------------------------------------------------------------------------

    def neighbours(self, table: str, key: int) -> list[int]:
        return dependants(self._tables, table, key)

    def finish(self, added: Mapping[str, int], changed: Sequence[int]) -> None:
        """Replaces the terms of changed entries, and adds those of new ones."""
        first = min(added.values(), default=None)
        old = [key for key in changed if first is None or key < first]
        texts, terms = self._remove(old) if old else (0, 0)
        new = [] if first is None else texts_after(self._tables, first - 1, added)
        more, longer = self._add(chain(texts_of(self._tables, old), new))
        self._count(more - texts, longer - terms)

    def state(self) -> IndexState:
        """Number of texts, and of live entries without terms."""
        rows, entries = self._tables.connection, self._tables.source("entry")
        [(texts, missing)] = rows.execute(
            "SELECT coalesce(max(texts), 0), (SELECT count(*) FROM"
            f" {entries} WHERE live AND search_text <> '' AND NOT EXISTS (SELECT FROM posting"
            " WHERE posting.tenant = ? AND posting.key = entry.key))"
            " FROM corpus WHERE tenant = ?",
            (self._tenant, self._tenant),
        ).fetchall()
        return IndexState("fulltext", texts, missing, healthy=not missing)

    def rebuild(self) -> None:
        """Writes all terms again."""
        self._tables.connection.execute("DELETE FROM posting WHERE tenant = ?", (self._tenant,))
        self._tables.connection.execute("DELETE FROM corpus WHERE tenant = ?", (self._tenant,))
        self._count(*self._add(texts_after(self._tables, 0)))

    def _count(self, texts: int, terms: int) -> None:
        """Changes the totals of the corpus. Earlier counts are dropped: this transaction may be
        rolled back, and another one write the same totals."""
        self._corpus, self._counts = (), {}
        self._tables.connection.execute(_COUNT, (self._tenant, texts, terms))

    def _remove(self, keys: Sequence[int]) -> tuple[int, int]:
        """Deletes the terms of entries; returns how many texts they were, and of how many terms."""
        [(texts, terms)] = self._all(_REMOVE, self._tenant, list(keys))
        return texts, terms

    def _add(self, texts: Iterable[tuple[int, str]]) -> tuple[int, int]:
        """Writes the terms of texts by their keys; returns how many of both."""
        count = length = 0
        found = ((key, counts) for key, counts in analyzed(texts) if counts)
        while part := list(islice(found, TOGETHER)):
            sizes = [counts.total() for _, counts in part]
            columns = (
                [key for key, _ in part],
                [kept_length(size) for size in sizes],
                [" ".join(counts) for _, counts in part],
                [" ".join(map(str, counts.values())) for _, counts in part],
            )
            self._tables.connection.execute(_ADD, (self._tenant, *columns))
            count, length = count + len(part), length + sum(sizes)
        return count, length

    def _all(self, query: str, *values: Any) -> list[Any]:
        return self._tables.connection.execute(query, values).fetchall()
