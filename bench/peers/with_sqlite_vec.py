"""sqlite-vec beside SQLite's own full text (FTS5) in one file, both searched and fused.

Where Python's own SQLite was built without extensions, the package ``pysqlite3`` stands in.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import contender
from contender import Item

CANDIDATES = 50
RRF = 60


class SqliteVec:
    """See ``contender.Contender``."""

    def __init__(self, folder: Path, dimension: int, verb: str) -> None:
        import sqlite_vec

        driver: Any = sqlite3
        if not hasattr(sqlite3.Connection, "enable_load_extension"):
            import pysqlite3 as driver
        self.db = driver.connect(str(folder / "memory.db"), isolation_level=None)
        self.db.enable_load_extension(True)
        sqlite_vec.load(self.db)
        self.db.execute("PRAGMA synchronous = FULL")
        if verb == "load":
            self.db.execute("PRAGMA journal_mode = WAL")
            self.db.execute("CREATE TABLE memory (key INTEGER PRIMARY KEY, id TEXT UNIQUE)")
            self.db.execute("CREATE VIRTUAL TABLE words USING fts5(text, tokenize='porter')")
            self.db.execute(
                f"CREATE VIRTUAL TABLE near USING vec0(vector float[{dimension}]"
                " distance_metric=cosine)"
            )

    def add(self, items: Sequence[Item]) -> None:
        self.db.execute("BEGIN IMMEDIATE")
        key = self.db.execute("SELECT coalesce(max(key), 0) FROM memory").fetchone()[0] + 1
        keyed = list(enumerate(items, key))
        self.db.executemany("INSERT INTO memory VALUES (?, ?)", [(k, i[0]) for k, i in keyed])
        self.db.executemany(
            "INSERT INTO words (rowid, text) VALUES (?, ?)", [(k, i[1]) for k, i in keyed]
        )
        self.db.executemany(
            "INSERT INTO near (rowid, vector) VALUES (?, ?)",
            [(k, i[2].tobytes()) for k, i in keyed],
        )
        self.db.execute("COMMIT")

    def query(self, text: str, vector: Any) -> list[str]:
        either = " OR ".join(f'"{word}"' for word in text.split())
        arms = (
            ("SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?", either),
            ("SELECT rowid FROM near WHERE vector MATCH ? AND k = ?", vector.tobytes()),
        )
        scores: dict[int, float] = {}
        for sql, asked in arms:
            for rank, row in enumerate(self.db.execute(sql, (asked, CANDIDATES)), 1):
                scores[row[0]] = scores.get(row[0], 0.0) + 1 / (RRF + rank)
        best = sorted(scores, key=scores.__getitem__, reverse=True)[: contender.K]
        sql = "SELECT id, text FROM memory JOIN words ON words.rowid = key WHERE key = ?"
        return [self.db.execute(sql, (key,)).fetchone()[0] for key in best]

    def close(self) -> None:
        self.db.close()


def main() -> None:
    contender.serve(SqliteVec)
