"""The search for residue of forgotten words in every byte of every file of a SQLite store, and in
its indexes through their own API."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from thalamus.errors import IndexUnusable
from thalamus.store.description import TABLES
from thalamus.store.erasure import Clean, ErasedContent, Residue, ResidueReport
from thalamus.store.residue import MOST_WORDS, Probes, Remaining, read_file, search_outside
from thalamus.store.sqlite.connection import FILE
from thalamus.store.sqlite.raw_bytes import blocks, blocks_of_database
from thalamus.text.analyzer import words
from thalamus.text.half_precision import halved

if TYPE_CHECKING:
    from thalamus.store.indexes.indexes import Indexes

MOST_ROWS = 20  # rows with such a word that are examined
_DATABASE = frozenset(FILE + ending for ending in ("", "-wal", "-shm", "-journal"))


def search(
    folder: Path,
    db: sqlite3.Connection,
    indexes: Indexes,
    forgotten: ErasedContent,
    elsewhere: tuple[Mapping[Path, Clean], Iterable[Path]],
    progress: Callable[[str], None],
) -> ResidueReport:
    """Searches the store's folder and ``elsewhere``: files outside it, which are cleaned first, and
    copies, which are not touched; and the indexes."""
    outside, copies = elsewhere
    progress("searching for remains")
    probes = Probes(forgotten)
    common = _in_remaining_rows(db, probes)
    is_embedded = partial(_still_embedded, db)
    report = ResidueReport(words=sorted(probes.still))
    probes.leave_out(common)
    report.probes = len(probes)
    # unlike rglob it tolerates a folder that another process removes
    inside = (Path(at, name) for at, _, names in os.walk(folder) for name in names)
    for path in sorted(inside):
        # SQLite's shared memory has page numbers and checksums, which may be letters by chance
        if path.is_file() and path.name != f"{FILE}-shm":
            progress(f"reading {path.name}")
            own = path.parent != folder or _is_own(path.name)
            read = blocks_of_database if path.name in _DATABASE and own else blocks
            read_file(path, probes, is_embedded, report, copy=not own, read=read)
    others = (path for path in copies if folder not in path.absolute().parents)
    search_outside(outside, others, probes, is_embedded, report)
    _check_indexes(indexes, forgotten, probes, report)
    return report


def _is_own(name: str) -> bool:
    return name in _DATABASE or name.endswith((".lock", ".tmp"))


def _in_remaining_rows(db: sqlite3.Connection, probes: Probes) -> set[str]:
    """Probes that also occur in records that were not forgotten."""
    remaining = Remaining(probes)
    tables = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    left_out = {name for name, table in TABLES.items() if table.repeats}
    queries = [f"SELECT * FROM {name}" for name in tables if name not in left_out]
    # of the schema as of every row, values next to each other form other words: "turn", "stage_log"
    for query in (*queries, "SELECT * FROM sqlite_master"):
        cursor = db.execute(query)
        while block := cursor.fetchmany(200):
            remaining.see(block)
    return remaining.common


def _still_embedded(db: sqlite3.Connection, prefix: bytes) -> bool:
    """True when an entry that stays has the same vector, or the same sentence ("You're
    welcome!")."""
    query = (
        "SELECT 1 FROM embedding WHERE substr(vector, 1, ?) = ? OR substr(vector, 1, ?) = ?"
        " OR instr(sentences, ?) > 0 LIMIT 1"
    )
    [half] = halved([prefix[: len(prefix) // 4 * 4]])
    values = (len(prefix), prefix, len(half), half, prefix)
    return db.execute(query, values).fetchone() is not None


# -- the indexes, through their API --------------------------------------------------------------


def _check_indexes(
    indexes: Indexes, forgotten: ErasedContent, probes: Probes, report: ResidueReport
) -> None:
    """Checks that the full-text index has no word without a row and returns no deleted row, and
    that no vector index has the key of one. Under the lock: another process may be rebuilding
    the files."""
    probe_words = sorted({word for text in probes.names | probes.tokens for word in words(text)})
    deleted, folder = set(forgotten.keys), indexes.folder / "fulltext"
    try:
        with indexes.locked():
            for word in probe_words[:MOST_WORDS]:
                live, known = indexes.postings(word, MOST_ROWS)
                if known > live and live < MOST_ROWS:
                    report.found.append(Residue(str(folder), -1, f"{known} postings"))
            for folder, indexed in indexes.indexed_keys():
                if deleted & indexed:
                    description = "the key of a deleted row"
                    report.found.append(Residue(str(folder), -1, description))
    except (OSError, ValueError, IndexUnusable) as error:
        report.found.append(Residue(str(folder), -1, f"cannot be queried: {error}"))
