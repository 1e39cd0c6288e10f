"""Full text in PostgreSQL: the terms of each entry, written in its own transaction.

The terms are those of the full-text index of SQLite (``text.analyzer``), and so are the scores.
A text has a row for each of its terms; many texts that are stored together share the row of a term,
a block, which takes a tenth of the space and of the time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from thalamus.store.bm25 import (
    COMMON_PART,
    K1,
    MANY_ROWS,
    B,
    EncryptedWords,
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
from thalamus.store.indexed_text import dependants, texts_after, texts_of
from thalamus.store.maintenance import IndexState
from thalamus.store.postgres.rows import Column
from thalamus.store.tables import Tables

TABLE_NAMES = ("posting", "posting_block", "posting_text", "corpus")
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
BLOCKS = (
    # postings of texts that were stored together: from this key on, within ``WIDTH``. An entry is
    # the distance of a text's key from it, the size and n, in one number
    """CREATE TABLE posting_block (
        tenant TEXT COLLATE "C" NOT NULL, key BIGINT NOT NULL, term TEXT COLLATE "C" NOT NULL,
        entries BIGINT[] NOT NULL, PRIMARY KEY (tenant, term, key))""",
    # they are rewritten when a text changes, and compressing them took most of that time
    "ALTER TABLE posting_block ALTER COLUMN entries SET STORAGE EXTERNAL",
    "CREATE INDEX posting_block_key ON posting_block (tenant, key)",
    # the terms of each text, as often as it has them, separated by spaces
    """CREATE TABLE posting_text (
        tenant TEXT COLLATE "C" NOT NULL, key BIGINT NOT NULL, length INT NOT NULL,
        size INT NOT NULL, terms TEXT COLLATE "C" NOT NULL, PRIMARY KEY (tenant, key))""",
    "INSERT INTO posting_text (tenant, key, length, size, terms)"
    " SELECT tenant, key, sum(n), max(size), string_agg(repeat(term || ' ', n - 1) || term, ' ')"
    " FROM posting GROUP BY tenant, key",
    "DROP INDEX posting_key",
)
# With it a search read each tenant's blocks once for each term, where the statistics did not know
# the tenant yet
BLOCKS_BY_TERM = ("DROP INDEX posting_block_key",)
BITS = 20  # of n, and of the size
LONGEST = (1 << BITS) - 1  # terms of a text that shares rows
_DISTANCE = f"(entry >> {2 * BITS})"
_SIZE = f"(entry >> {BITS} & {LONGEST})::int"
_N = f"(entry & {LONGEST})::int"
TOGETHER = 500  # texts written by one statement
FEW = 40  # texts up to which each has rows of its own
SPAN = 1024  # keys of a new block
# blocks within so many keys become one when the next keys begin: a search reads fewer rows
MERGED = 4096
WIDTH = MERGED + SPAN

_ADDED = (
    "added AS (SELECT * FROM unnest(?::bigint[], ?::int[], ?::int[], ?::text[])"
    " AS text (key, length, size, terms))"
)
_TEXTS = (
    "text AS (INSERT INTO posting_text (tenant, key, length, size, terms)"
    " SELECT ?, key, length, size, terms FROM added)"
)
# in the order of the primary key a page of it is read once
_ADD = (
    f"WITH {_ADDED}, {_TEXTS} INSERT INTO posting (tenant, key, n, size, term)"
    " SELECT ?, key, count(*), size, term"
    " FROM (SELECT key, size, unnest(string_to_array(terms, ' ')) AS term FROM added) AS of"
    " GROUP BY term, key, size ORDER BY term, key"
)
_ADD_BLOCK = (
    f"WITH {_ADDED}, {_TEXTS} INSERT INTO posting_block (tenant, key, term, entries)"
    " SELECT ?, ?, of.term, of.entries::bigint[]"
    " FROM unnest(string_to_array(?, ' '), string_to_array(?, ' ')) AS of (term, entries)"
)
# the terms are those of the texts in the blocks, so that these are found along the primary key
_MERGE = (
    "WITH block AS (DELETE FROM posting_block WHERE tenant = ? AND term = ANY(ARRAY("
    "SELECT DISTINCT unnest(string_to_array(terms, ' ')) FROM posting_text"
    " WHERE tenant = ? AND key BETWEEN ? AND ?))"
    " AND key BETWEEN ? AND ? RETURNING key, term, entries)"
    " INSERT INTO posting_block (tenant, key, term, entries)"
    f" SELECT ?, ?, term, array_agg(entry + (key - ? << {2 * BITS}))"
    " FROM (SELECT key, term, unnest(entries) AS entry FROM block ORDER BY term, key) AS of"
    " GROUP BY term ORDER BY term"
)
# rows of blocks with any of the texts are rewritten without them
_REMOVE = (
    "WITH text AS (DELETE FROM posting_text WHERE tenant = ? AND key = ANY(?)"
    " RETURNING key, length, terms),"
    # not computed in a condition: row level security keeps such a one from an index
    f" gone AS (SELECT DISTINCT key, key - {WIDTH} AS low, unnest(string_to_array(terms, ' '))"
    " AS term FROM text),"
    " single AS (DELETE FROM posting USING gone WHERE posting.tenant = ?"
    " AND posting.term = gone.term AND posting.key = gone.key),"
    " candidate AS (SELECT DISTINCT block.term, block.key FROM gone, posting_block AS block"
    " WHERE block.tenant = ? AND block.term = gone.term"
    " AND block.key > gone.low AND block.key <= gone.key),"
    " changed AS (DELETE FROM posting_block AS block USING candidate WHERE block.tenant = ?"
    " AND block.term = candidate.term AND block.key = candidate.key AND EXISTS"
    f" (SELECT FROM unnest(entries) AS entry WHERE block.key + {_DISTANCE} = ANY(?))"
    " RETURNING block.term, block.key, entries),"
    " kept AS (INSERT INTO posting_block (tenant, key, term, entries)"
    " SELECT ?, key, term, entries FROM (SELECT key, term, ARRAY(SELECT entry"
    f" FROM unnest(entries) AS entry WHERE key + {_DISTANCE} <> ALL(?)) AS entries FROM changed"
    " OFFSET 0) AS of WHERE cardinality(entries) > 0)"
    " SELECT count(*), coalesce(sum(length), 0)::bigint FROM text"
)
_COUNT = (
    "INSERT INTO corpus (tenant, texts, terms, changes) VALUES (?, ?, ?, 1)"
    " ON CONFLICT (tenant) DO UPDATE SET texts = corpus.texts + excluded.texts,"
    " terms = corpus.terms + excluded.terms, changes = corpus.changes + 1"
)
# parts of words are only counted up to the limit for leaving them out
_WEIGHTS = (
    "SELECT texts, terms, changes, array(SELECT (SELECT count(*) FROM ("
    "SELECT FROM posting WHERE tenant = ? AND posting.term = asked.term"
    f" LIMIT CASE WHEN asked.part AND texts >= {MANY_ROWS} THEN texts / {COMMON_PART} + 1 END"
    ") AS having_it) + (SELECT coalesce(sum(cardinality(entries)), 0) FROM posting_block AS block"
    " WHERE tenant = ? AND block.term = asked.term)"
    " FROM unnest(?::text[], ?::bool[]) WITH ORDINALITY AS asked (term, part, place)"
    " ORDER BY place) FROM corpus WHERE tenant = ?"
)
# real: without the last digits, which depend on the order of the sum
_SCORES = (
    "WITH asked AS (SELECT * FROM unnest(?::text[], ?::float8[]) AS asked (term, rarity)),"
    " scored AS MATERIALIZED (SELECT found.key,"
    " sum(asked.rarity * n / (n + ?::float8 + ?::float8 * size))::real AS score"
    " FROM {} GROUP BY found.key)"
    " (SELECT key, score, true FROM scored ORDER BY score DESC, key DESC LIMIT ?)"
    " UNION ALL SELECT key, score, false FROM scored JOIN unnest(?::bigint[]) AS other (key)"
    " USING (key)"
)
# OFFSET 0: each list of postings is read by itself, along the primary key
_IN_LISTS = (
    "asked CROSS JOIN LATERAL"
    " ((SELECT key, n, size FROM posting WHERE tenant = ? AND posting.term = asked.term{0}"
    f" OFFSET 0) UNION ALL SELECT key, n, size FROM (SELECT key + {_DISTANCE} AS key, {_N} AS n,"
    f" {_SIZE} AS size FROM (SELECT key, unnest(entries) AS entry FROM posting_block AS block"
    " WHERE tenant = ? AND block.term = asked.term OFFSET 0) AS of) AS posting WHERE true{0})"
)
_IN_TEXTS = (
    "asked JOIN (SELECT key, size, of.term, count(*) AS n FROM (SELECT key, size,"
    " unnest(string_to_array(terms, ' ')) AS term FROM posting_text WHERE tenant = ?"
    " AND key = ANY(?)) AS of WHERE of.term = ANY(?) GROUP BY key, size, of.term)"
)
SHORT = 200  # keys among which terms are looked for in each text
COUNTED = 50_000  # terms whose numbers of texts are kept in memory

Found = list[tuple[int, float]]
Texts = Iterable[tuple[int, str]]
Part = list[tuple[int, Counter[str]]]  # keys of texts, and how often each has its terms


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
        if limit < 1 or (keys is not None and not keys):
            return []
        return self._scored(words, limit, keys)[0]

    def find_and_score(
        self, words: Sequence[str], limit: int, others: Sequence[int]
    ) -> tuple[Found, dict[int, float]]:
        """The best texts, and the scores of ``others`` that have any of the words, by key; after a
        search for the same words with its weights, because they are compared with its results."""
        return self._scored(words, limit, None if limit else others, others)

    def _scored(
        self,
        words: Sequence[str],
        limit: int,
        keys: Sequence[int] | None,
        others: Sequence[int] = (),
    ) -> tuple[Found, dict[int, float]]:
        if limit or self._last is None or self._last[0] != tuple(words):
            self._last = tuple(words), self._weights(terms_of(words))
        weights = self._last[1]
        rarities = {
            term: rarity * weight_of(term) * (K1 + 1)
            for term, rarity in weights.rarities(weights.counts).items()
            if weights.counts[term] and term not in weights.ignored
        }
        if not rarities:
            return [], {}
        terms = list(rarities)
        values: list[Any] = [terms, list(rarities.values()), K1 * (1 - B), K1 * B / weights.length]
        if keys is not None and len(keys) <= SHORT:
            source = f"{_IN_TEXTS} AS found USING (term)"
            values += [self._tenant, list(keys), terms]
        else:
            among = "" if keys is None else " AND posting.key = ANY(?)"
            source = f"{_IN_LISTS.format(among)} AS found"
            values += [self._tenant, *([] if keys is None else [list(keys)])] * 2
        found = self._all(_SCORES.format(source), *values, limit, list(others))
        best = [(row[0], row[1]) for row in found if row[2]]
        return best, {row[0]: row[1] for row in found if not row[2]}

    def informative(self, words: Sequence[str]) -> list[str]:
        """See ``bm25.informative``."""
        weights = self._weights(terms_of(words))
        return informative(words, weights.rows, lambda terms: self._weights(terms).counts)

    def encrypted_scores(
        self, texts: Mapping[int, str], words: Sequence[str]
    ) -> Callable[[int, float], Found]:
        """See ``store.base.Store``."""
        found: UnindexedRows = self._encrypted.scan(texts, words)
        weights = found.weights(self._weights(found.terms))
        return lambda limit, least: found.best(limit, weights, least=least)

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
        common = common_parts(found, texts, lambda parts: {part: found[part] for part in parts})
        return Weights(texts, length, found, common)

    def _counted(self, terms: Sequence[str]) -> tuple[tuple[int, ...], dict[str, int]]:
        """(texts, terms and changes of the corpus; texts with each of these terms)."""
        parts = [is_part(term) for term in terms]
        tenant = self._tenant
        found = self._all(_WEIGHTS, tenant, tenant, list(terms), parts, tenant)
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
        new: Texts = () if first is None else texts_after(self._tables, first - 1, added)
        more, longer = self._add(new, texts_of(self._tables, old))
        self._count(more - texts, longer - terms)

    def state(self) -> IndexState:
        """Number of texts, and of live entries without terms."""
        rows, entries = self._tables.connection, self._tables.source("entry")
        [(texts, missing)] = rows.execute(
            "SELECT coalesce(max(texts), 0), (SELECT count(*) FROM"
            f" {entries} WHERE live AND search_text <> '' AND NOT EXISTS (SELECT FROM posting_text"
            " WHERE posting_text.tenant = ? AND posting_text.key = entry.key))"
            " FROM corpus WHERE tenant = ?",
            (self._tenant, self._tenant),
        ).fetchall()
        return IndexState("fulltext", texts, missing, healthy=not missing)

    def rebuild(self) -> None:
        """Rewrites all terms."""
        for table in TABLE_NAMES:
            self._tables.delete(table, "true")
        self._count(*self._add(texts_after(self._tables, 0)))

    def _count(self, texts: int, terms: int) -> None:
        """Changes the totals of the corpus. Earlier counts are dropped: this transaction may be
        rolled back, and another one write the same totals."""
        self._corpus, self._counts = (), {}
        self._tables.connection.execute(_COUNT, (self._tenant, texts, terms))

    def _remove(self, keys: Sequence[int]) -> tuple[int, int]:
        """Deletes the terms of entries; returns how many texts they were, and of how many terms."""
        tenant, keys = self._tenant, list(keys)
        values = (tenant, keys, tenant, tenant, tenant, keys, tenant, keys)
        [(texts, terms)] = self._all(_REMOVE, *values)
        return texts, terms

    def _add(self, new: Texts, old: Texts = ()) -> tuple[int, int]:
        """Writes the terms of texts; returns how many of both. ``old``: with keys that a block may
        be called by, so they are in none."""
        rows, written = list(chain.from_iterable(_parts(old))), []
        for part in _parts(new):
            if len(part) > FEW:
                written.append(self._add_block(part))
            else:
                rows += part
        parts = (rows[start : start + TOGETHER] for start in range(0, len(rows), TOGETHER))
        written += map(self._add_rows, parts)
        return sum(texts for texts, _ in written), sum(terms for _, terms in written)

    def _add_rows(self, part: Part) -> tuple[int, int]:
        texts, lengths = _columns(part)
        self._tables.connection.execute(_ADD, (*texts, self._tenant, self._tenant))
        return len(part), sum(lengths)

    def _add_block(self, part: Part) -> tuple[int, int]:
        texts, lengths = _columns(part)
        first, last = part[0][0], part[-1][0]
        entries: dict[str, list[int]] = {}
        for (key, counts), length in zip(part, lengths, strict=True):
            text = (key - first << BITS | kept_length(length)) << BITS
            for term, n in counts.items():
                entries.setdefault(term, []).append(text | n)
        terms = sorted(entries)  # the order of the primary key
        arrays = " ".join(f"{{{','.join(map(str, entries[term]))}}}" for term in terms)
        values = (*texts, self._tenant, self._tenant, first, " ".join(terms), arrays)
        self._tables.connection.execute(_ADD_BLOCK, values)
        begin = (first - 1) // MERGED * MERGED
        if last >= begin + MERGED:
            tenant = self._tenant
            values = (tenant, tenant, begin, last, begin, first, tenant, begin, begin)
            self._tables.connection.execute(_MERGE, values)
        return len(part), sum(lengths)

    def _all(self, query: str, *values: Any) -> list[Any]:
        return self._tables.connection.execute(query, values).fetchall()


def postings(source: Callable[[str], str]) -> str:
    """SQL of all postings of a tenant, one by one: term, key, n and size. ``source``: see
    ``Tables.source``."""
    return (
        f"(SELECT term, key, n, size FROM {source('posting')}"
        f" UNION ALL SELECT term, key + {_DISTANCE}, {_N}, {_SIZE} FROM"
        f" (SELECT term, key, unnest(entries) AS entry FROM {source('posting_block')}) AS block)"
        " AS posting"
    )


def _parts(texts: Texts) -> Iterator[Part]:
    """The terms of texts, as many as may be a block; a very long one by itself."""
    part: Part = []
    for key, terms in analyzed(texts):
        counts = Counter(terms)
        long = counts.total() > LONGEST
        if part and (long or len(part) == TOGETHER or not 0 < key - part[0][0] < SPAN):
            yield part
            part = []
        if long:
            yield [(key, counts)]
        elif counts:
            part.append((key, counts))
    if part:
        yield part


def _columns(part: Part) -> tuple[list[Column], list[int]]:
    """Columns of ``posting_text``, and the lengths among them."""
    lengths = [counts.total() for _, counts in part]
    sizes = map(kept_length, lengths)
    terms = (" ".join(counts.elements()) for _, counts in part)
    return [Column(key for key, _ in part), *map(Column, (lengths, sizes, terms))], lengths
