"""The bare engines in one script: what a memory written by hand in an afternoon would do.

SQLite (WAL, every commit synced) holds texts and vectors, a plain file the vectors as a matrix for
usearch's exact search, tantivy the full text. No checksums, no filters, no ledger, no recovery: if
the file and the tables come apart it is simply wrong. It is the yardstick for Thalamus's own
overhead, so it is written to be fast.

An insertion needs neither numpy nor usearch. A script that begins with its imports pays for them
all the same; ``BENCH_IMPORTS=all`` does that, and both are measured.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import contender
from contender import Item

CANDIDATES = 50  # per arm
RRF = 60

# One thread of a library that is not used for anything here halves the time of importing numpy.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


class Composite:
    """See ``contender.Contender``."""

    def __init__(self, folder: Path, dimension: int, verb: str) -> None:
        self.folder = folder
        self.dimension = dimension
        self.bulk = verb == "load"
        self.lasting = verb == "warm"  # one process for all: the writer stays open
        self.db = sqlite3.connect(folder / "memory.db", isolation_level=None)
        self.db.execute("PRAGMA synchronous = FULL")
        if self.bulk:
            self.db.execute("PRAGMA journal_mode = WAL")
            self.db.execute(
                "CREATE TABLE memory (key INTEGER PRIMARY KEY, id TEXT UNIQUE, text TEXT,"
                " vector BLOB)"
            )
        self.index = _open_text(folder / "text", self.bulk)
        self.writer: Any = None
        self.searcher: Any = None
        self.matrix: Any = None
        if os.environ.get("BENCH_IMPORTS") == "all":
            import numpy  # noqa: F401
            import usearch.index  # noqa: F401

    def add(self, items: Sequence[Item]) -> None:
        import tantivy

        self.db.execute("BEGIN IMMEDIATE")
        key = self.db.execute("SELECT coalesce(max(key), 0) FROM memory").fetchone()[0] + 1
        data = [vector.tobytes() for _, _, vector in items]
        rows = [(key + n, id, text, data[n]) for n, (id, text, _) in enumerate(items)]
        self.db.executemany("INSERT INTO memory VALUES (?, ?, ?, ?)", rows)
        self.db.execute("COMMIT")
        with (self.folder / "vectors.f32").open("ab") as file:
            file.write(b"".join(data))
        if self.writer is None:
            self.writer = self.index.writer(heap_size=128_000_000 if self.bulk else 15_000_000)
        for row in rows:
            self.writer.add_document(tantivy.Document(key=row[0], text=row[2]))
        if not self.bulk:
            self._commit(last=not self.lasting)

    def query(self, text: str, vector: Any) -> list[str]:
        scores: dict[int, float] = {}
        for found in (self._by_text(text), self._by_vector(vector)):
            for rank, key in enumerate(found, 1):
                scores[key] = scores.get(key, 0.0) + 1 / (RRF + rank)
        best = sorted(scores, key=scores.__getitem__, reverse=True)[: contender.K]
        marks = ",".join("?" * len(best))
        sql = f"SELECT key, id, text FROM memory WHERE key IN ({marks})"
        rows = {row[0]: row[1] for row in self.db.execute(sql, best)}
        return [rows[key] for key in best]

    def close(self) -> None:
        if self.writer is not None:
            self._commit(last=True)
        self.db.close()

    def _commit(self, last: bool) -> None:
        self.writer.commit()
        if last:
            self.writer.wait_merging_threads()
            self.writer = None

    def _by_text(self, text: str) -> list[int]:
        if self.searcher is None:
            self.searcher = self.index.searcher()
        query = self.index.parse_query(text, ["text"])
        hits = self.searcher.search(query, CANDIDATES).hits
        return [self.searcher.doc(address)["key"][0] for _, address in hits]

    def _by_vector(self, vector: Any) -> list[int]:
        import numpy as np

        if self.matrix is None:
            flat = np.memmap(self.folder / "vectors.f32", dtype="<f4", mode="r")
            self.matrix = flat.reshape(-1, self.dimension)
        asked = np.frombuffer(vector, dtype="<f4")
        if os.environ.get("BENCH_SCAN") == "numpy":
            near = self.matrix @ asked
            top = np.argpartition(near, -CANDIDATES)[-CANDIDATES:]
            return [int(row) + 1 for row in top[np.argsort(-near[top])]]
        from usearch.index import search

        limit = min(CANDIDATES, len(self.matrix))
        found = search(self.matrix, asked, limit, "ip", exact=True)
        return [int(row) + 1 for row in found.keys]


def _open_text(folder: Path, create: bool) -> Any:
    import tantivy

    if not create:
        return tantivy.Index.open(str(folder))
    folder.mkdir()
    builder = tantivy.SchemaBuilder()
    builder.add_integer_field("key", stored=True)
    builder.add_text_field("text", stored=False, tokenizer_name="en_stem")
    return tantivy.Index(builder.build(), path=str(folder))


def main() -> None:
    contender.serve(Composite)
