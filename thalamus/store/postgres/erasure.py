"""Erasure of deleted rows from the tables of PostgreSQL, and the search for their remains.

A deleted row stays in its page until VACUUM, and the most common values of a column stay in the
planner's statistics until ANALYZE.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thalamus.errors import StoreBusy, ThalamusError
from thalamus.store.description import TABLES
from thalamus.store.erasure import Clean, ErasedContent, Residue, ResidueReport
from thalamus.store.postgres.failures import translated
from thalamus.store.postgres.words import postings
from thalamus.store.residue import MOST, MOST_WORDS, Probes, Remaining, search_outside
from thalamus.text.analyzer import words
from thalamus.text.half_precision import halved

if TYPE_CHECKING:
    from thalamus.store.postgres.bulk import PostgresBulk
    from thalamus.store.postgres.connection import PostgresConnection

Progress = Callable[[str], None]

BEYOND = (
    "WAL, archives, replicas and base backups may hold it; what was encrypted under a destroyed key"
    " cannot be read there."
)
NOT_ALLOWED = (
    "Pages of the tables hold it until autovacuum has cleaned them: this role may not VACUUM. Its"
    " owner may, and from PostgreSQL 17 on a role to which `thalamus store init URL --grant ROLE`"
    " has granted it."
)
# tables of the schema, and whether this role may VACUUM them
_TABLES = (
    "SELECT relname, CASE WHEN current_setting('server_version_num')::int >= 170000"
    " THEN has_table_privilege(oid, 'MAINTAIN') ELSE pg_has_role(relowner, 'USAGE') END"
    " FROM pg_class WHERE relnamespace = current_schema()::regnamespace"
    " AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY relname"
)
ROWS = 500  # searched together


def vacuum(connection: PostgresConnection, timeout: float, progress: Progress) -> dict[str, str]:
    """Rewrites pages, entries of indexes and statistics without what was deleted, where this role
    may; returns the tables where it failed, with the problem. Locks of others are waited for as
    long as ``timeout`` in all."""
    left = {}
    give_up = time.monotonic() + timeout
    for table, allowed in connection.execute(_TABLES).fetchall():
        if not allowed:
            continue
        progress(f"cleaning the table {table}")
        try:
            with (
                translated(connection.place, timeout),
                connection.waiting(give_up - time.monotonic()),
            ):
                connection.execute(f'VACUUM (ANALYZE, INDEX_CLEANUP ON) "{table}"')
        except StoreBusy:
            left[table] = f"others kept it locked for {timeout:g} s"
        except ThalamusError as error:
            left[table] = error.message
    return left


def limits(connection: PostgresConnection) -> list[str]:
    """Places that neither erasure nor the search reaches, in words."""
    allowed = all(row[1] for row in connection.execute(_TABLES).fetchall())
    return [BEYOND] if allowed else [NOT_ALLOWED, BEYOND]


def search(
    rows: PostgresBulk,
    forgotten: ErasedContent,
    outside: Mapping[Path, Clean],
    copies: Iterable[Path],
    progress: Progress,
) -> ResidueReport:
    """Searches all rows of the tenant, its postings, files ``outside`` the store, which are cleaned
    first, and ``copies``."""
    progress("searching for remains")
    probes, report = Probes(forgotten), ResidueReport()
    remaining = Remaining(probes)
    for table in rows.described():
        if not (table.name in TABLES and TABLES[table.name].repeats):
            for part in _parts(rows.each(table)):
                remaining.see(part)
                report.rows += len(part)
    remaining.see([tuple(rows.values().items())])
    report.words = sorted(probes.still)
    probes.leave_out(remaining.common)
    report.probes = len(probes)
    report.found += islice(_derived(rows, forgotten, probes, report), MOST)
    search_outside(outside, copies, probes, partial(_still_embedded, rows), report)
    return report


def _derived(
    rows: PostgresBulk, forgotten: ErasedContent, probes: Probes, report: ResidueReport
) -> Iterator[Residue]:
    """Remains in rows that are derived from others."""
    source = rows.tables.source
    for [name] in _all(rows, f"SELECT name FROM {source('signature')} WHERE name IS NOT NULL"):
        report.rows += 1
        if any(probes.found(name.encode())):
            yield Residue("signature", -1, f"the name of a deleted row, {name}")
    keys = list(forgotten.keys)
    tables = {table: source(table) for table in ("embedding", "posting_text", "about")}
    for table, from_ in (tables | {"posting": postings(source)}).items():
        if found := _count(rows, f"{from_} WHERE key = ANY(?)", keys):
            yield Residue(table, -1, f"{found} rows of deleted entries")
    beginning = f"{source('encrypted')} WHERE substring(ciphertext, 1, 64) = ANY(?)"
    if found := _count(rows, beginning, list(forgotten.vectors)):
        yield Residue("encrypted", -1, f"{found} rows of deleted entries")
    terms = sorted({word for text in probes.names | probes.tokens for word in words(text)})
    query = (
        f"SELECT DISTINCT term FROM {postings(source)} WHERE term = ANY(?)"
        f" AND NOT EXISTS (SELECT FROM {source('entry')} WHERE entry.key = posting.key)"
    )
    for [term] in _all(rows, query, terms[:MOST_WORDS]):
        yield Residue("posting", -1, f"the word {term} without an entry")


def _still_embedded(rows: PostgresBulk, prefix: bytes) -> bool:
    """True when an entry that stays has the same vector, or the same sentence."""
    [half] = halved([prefix[: len(prefix) // 4 * 4]])
    embeddings = rows.tables.execute("SELECT vector, sentences FROM embedding")
    return any(
        bytes(vector).startswith((prefix, half)) or prefix in (sentences or b"")
        for vector, sentences in embeddings
    )


def _parts(rows: Iterator[Any]) -> Iterator[list[Any]]:
    while part := list(islice(rows, ROWS)):
        yield part


def _count(rows: PostgresBulk, source: str, values: list[Any]) -> int:
    return int(_all(rows, f"SELECT count(*) FROM {source}", values)[0][0]) if values else 0


def _all(rows: PostgresBulk, query: str, *values: Any) -> list[Any]:
    return rows.tables.connection.execute(query, values).fetchall()
