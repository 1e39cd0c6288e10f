"""Stores for the robustness runs, and the answers that a plain scan of their tables gives.

The scan shares no code with the indexes: SQLite reads every row, Python splits the words, numpy
multiplies the vectors.
"""

from __future__ import annotations

import random
import re
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.store import making
from tests.store.making import AT
from thalamus.locks import exclusive
from thalamus.records import Event
from thalamus.store.indexes.indexes import FEW
from thalamus.store.sqlite.store import SqliteStore
from thalamus.store.values import Filter, Hit, Vector
from thalamus.text.half_precision import widened

MODEL = "m"
DIMENSION = 32
# words that the stemmer leaves apart: a plain comparison then finds what the index must find
WORDS = (
    "alpha beta gamma delta lisbon paris tokyo cat dog bird tree house car boat river snow lamp "
    "bread stone wolf fox piano drum violin tango salt sugar pepper lemon plum grape melon"
).split()
QUESTIONS = [["lisbon"], ["piano", "wolf"], ["salt", "snow", "tokyo"]]
CLOSE = 1e-4  # how far a similarity may be from the scan's: rounding
ALL = 100_000  # a limit that nothing here reaches


def content(name: str) -> str:
    """Nine words, of which the last is ``name``."""
    return " ".join([*random.Random(name).choices(WORDS, k=8), name])


def vector(name: str, model: str = MODEL, dimension: int = DIMENSION) -> Vector:
    return making.vector(name, model, dimension)


def fill(store: SqliteStore, names: list[str], batch: int = 100) -> None:
    """Stores a memory with its vector for each name, and one ledger entry per batch;
    all of it is in the indexes then."""
    for start in range(0, len(names), batch):
        part = names[start : start + batch]
        with store.writing() as writer:
            for name in part:
                writer.add(making.memory(name, content(name)), vector(name))
            writer.add_event(Event(name="stored", at=AT, data={"first": part[0]}))
    making.level(store)


def remove(store: SqliteStore, names: list[str]) -> None:
    """Takes memories out."""
    with store.writing() as writer:
        for name in names:
            assert writer.remove(f"mem_{name}")


# -- the plain scan ----------------------------------------------------------------------------


def scan_text(path: Path, words: list[str]) -> set[str]:
    """The ids of the live entries that contain one of ``words``."""
    wanted = set(words)
    with closing(sqlite3.connect(path, timeout=30)) as connection:
        rows = connection.execute("SELECT id, search_text FROM entry WHERE live")
        return {id for id, text in rows if wanted & set(re.findall(r"\w+", text.lower()))}


def scan_vector(path: Path, query: Vector) -> dict[str, float]:
    """The cosine of every live entry that has a vector of the query's model."""
    import numpy as np

    with closing(sqlite3.connect(path, timeout=30)) as connection:
        rows = connection.execute(
            "SELECT entry.id, vector FROM embedding JOIN space ON space.id = space"
            " JOIN entry ON entry.key = embedding.key WHERE live AND model = ?",
            (query.model,),
        ).fetchall()
    if not rows:
        return {}
    vectors = widened([row[1] for row in rows], query.dimension)
    matrix = np.frombuffer(b"".join(vectors), dtype="<f4").reshape(len(rows), -1)
    scores = matrix.astype(np.float64) @ np.frombuffer(query.data, dtype="<f4").astype(np.float64)
    return {row[0]: float(score) for row, score in zip(rows, scores, strict=True)}


# -- comparing ---------------------------------------------------------------------------------


def wrong_text(store: SqliteStore, words: list[str]) -> str:
    """What is wrong with the answer of the full-text arm; empty when nothing is."""
    ids = [hit.entry.id for hit in store.search_text(words, Filter(), ALL)]
    truth = scan_text(store.path, words)
    if len(ids) != len(set(ids)):
        return f"{words}: an id is found twice"
    if set(ids) != truth:
        missing, strange = sorted(truth - set(ids)), sorted(set(ids) - truth)
        return (
            f"{words}: {len(missing)} of {len(truth)} missing, {len(strange)} that should not be"
            f" there, e.g. {(missing + strange)[0]}"
        )
    return ""


def wrong_vector(store: SqliteStore, query: Vector, limit: int = 10) -> str:
    """The same of the vector arm: the nearest, in order, with their exact cosines. Entries that
    are equally near may stand for each other."""
    hits = store.search([], query, Filter(), limit).vector
    truth = scan_vector(store.path, query)
    best = sorted(truth.values(), reverse=True)[:limit]
    if len({hit.entry.id for hit in hits}) != len(best):
        return f"{len(hits)} found, {len(best)} expected"
    for hit, score in zip(hits, best, strict=True):
        if abs(hit.score - truth.get(hit.entry.id, -9)) > CLOSE or abs(hit.score - score) > CLOSE:
            return f"{hit.entry.id} at {hit.score:.5f}, not {score:.5f}"
    return ""


def wrong(store: SqliteStore, names: list[str], more: list[list[str]] | None = None) -> list[str]:
    """What both arms answer wrongly: asked for single memories and for common words."""
    text = [wrong_text(store, words) for words in [*([n] for n in names), *(more or QUESTIONS)]]
    near = [wrong_vector(store, vector(name)) for name in [*names, "somewhere else"]]
    return [f"text: {w}" for w in text if w] + [f"vector: {w}" for w in near if w]


def scores(hits: list[Hit]) -> dict[str, float]:
    return {hit.entry.id: round(hit.score, 3) for hit in hits}


def settle(store: SqliteStore) -> None:
    """Waits for the processes that fold rows in; one is started where it is needed."""
    give_up = time.monotonic() + 60
    while store._indexes.behind() and time.monotonic() < give_up:
        store._upkeep.check(last=True)
        time.sleep(0.02)
    if (process := store._upkeep._process) is not None:
        process.wait()
    end_folding(store.folder / "index")


def end_folding(index: Path) -> None:
    """Waits for a process that folds rows in, whoever has started it."""
    for lock in index.glob("*.lock"):
        with exclusive(lock):
            pass


def unhealthy(store: SqliteStore) -> list[str]:
    """The indexes that are damaged, or behind by more than may wait; every byte of them checked."""
    return [
        f"{state.name}: {state.note or state.behind}"
        for state in store.index_states()
        if not state.healthy or state.behind > FEW
    ]


def litter(folder: Path) -> list[str]:
    """Temporary files that somebody left. (Lock files stay for ever and are no litter.)"""
    patterns = ("*.tmp", ".tmp*", "*.part", "incoming.db*")
    found: list[Any] = [path for pattern in patterns for path in folder.rglob(pattern)]
    return sorted(str(path.relative_to(folder)) for path in found)
