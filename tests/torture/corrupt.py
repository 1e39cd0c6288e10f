"""Worker: damages one index file after another and compares each answer with a plain scan.

``python -m tests.torture.corrupt FOLDER SEED MODE FIRST LAST``. ``FOLDER`` is what ``prepare``
made. Every case draws from its own seed, so any one can be run alone. Modes:

- ``small``: the index as it is, below the size up to which every checksum is computed on opening;
- ``large``: the same index treated as one above it, where size and time of a file are compared
  first (the damage changes one of them), and with all files that only a large one needs;
- ``silent``: the same, with damage that leaves both as they were. A search may not notice this;
  what is promised is that the thorough check does, and that a rebuilt index is right.
"""

from __future__ import annotations

import os
import random
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from tests.store.making import open_store
from tests.torture.stores import (
    ALL,
    QUESTIONS,
    end_folding,
    fill,
    remove,
    scores,
    settle,
    unhealthy,
    wrong,
)
from thalamus.store.indexes import index_files
from thalamus.store.sqlite.store import SqliteStore
from thalamus.store.values import Filter

NAMES = [f"n{number}" for number in range(300)]
OLD = 180  # how many of them the older generation has
REMOVED = NAMES[5:60:9]  # taken out after the older generation was copied
STAYED = [name for name in NAMES if name not in REMOVED]


def prepare(folder: Path) -> None:
    """Makes the store, an earlier generation of its index, and another store like it."""
    store = open_store(folder / "store")
    fill(store, NAMES[:OLD], OLD // 6)
    shutil.copytree(folder / "store" / "index", folder / "older")
    remove(store, REMOVED)
    fill(store, NAMES[OLD:], len(NAMES))
    store.close()  # seven segments: one more, and tantivy merges them all
    other = open_store(folder / "else")
    fill(other, [f"else{number}" for number in range(300)])
    other.close()
    shutil.move(folder / "else" / "index", folder / "other")
    shutil.copytree(folder / "store" / "index", folder / "kept")
    shutil.copy2(folder / "store" / "thalamus.db", folder / "kept.db")


# -- ways to damage ----------------------------------------------------------------------------


def _flip(data: bytearray, draw: random.Random) -> bytes:
    for place in draw.sample(range(len(data) * 8), min(draw.randint(1, 64), len(data) * 8)):
        data[place // 8] ^= 1 << place % 8
    return data


def _zero(data: bytearray, draw: random.Random) -> bytes:
    start = draw.randrange(len(data))
    length = len(data[start : start + draw.choice([1, 64, 512, 4096])])
    data[start : start + length] = bytes(length)
    return data


def _cut(data: bytearray, draw: random.Random) -> bytes:
    return data[: draw.randrange(len(data))]


def _longer(data: bytearray, draw: random.Random) -> bytes:
    return data + draw.randbytes(draw.choice([1, 8, 128, 5000]))


BYTES: dict[str, Callable[[bytearray, random.Random], bytes]] = {
    "flip": _flip,
    "zero": _zero,
    "cut": _cut,
    "longer": _longer,
    "empty": lambda data, draw: b"",
    "noise": lambda data, draw: draw.randbytes(len(data)),
}
COPIES = {"older": "older", "of another store": "other"}
SILENT = ("flip", "zero", "noise")


class Cases:
    """The cases over one prepared folder."""

    def __init__(self, folder: Path, seed: int, mode: str) -> None:
        self.folder, self.seed, self.mode = folder, seed, mode
        self.index = folder / "store" / "index"
        kept = folder / "kept"
        # by what they are: the names of segments are other ones each time
        files = sorted(
            (p for p in kept.rglob("*") if p.is_file()),
            key=lambda p: (p.parent, p.suffix, p.name if not p.suffix else "", p.stat().st_size),
        )
        self.stores: list[SqliteStore] = []
        self.files = [str(p.relative_to(kept)) for p in files]
        folders = sorted(str(p.relative_to(kept)) for p in kept.iterdir() if p.is_dir())
        self.targets = [*self.files, *folders, "."]
        if mode == "silent":
            self.targets = [name for name in self.files if (kept / name).stat().st_size]
        else:
            locks = {"index.lock", "folding.lock"}  # hold nothing
            self.targets = [name for name in self.targets if name not in locks]
        if mode != "small":
            index_files.SMALL = 0
        self._reset()
        store = self._open()
        store.rebuild_indexes()
        self.scores = [scores(store.search_text(q, Filter(), ALL)) for q in QUESTIONS]
        store.close()

    def run(self, case: int) -> None:
        """One case, told before and after."""
        draw = random.Random(f"{self.seed}/{case}")
        target = self.targets[case % len(self.targets)]
        self._reset()
        opened = self._open() if draw.random() < 0.15 else None
        if opened is not None:  # a process that has the index open already
            wrong(opened, draw.sample(STAYED, 1))
        way = self._choose(target, draw)
        stores = self.mode != "silent" and draw.random() < 0.25
        extra = f"{', while open' if opened else ''}{', then store' if stores else ''}"
        print(f"case {case} {target}: {way}{extra}", flush=True)
        try:
            changed = self._damage(target, way, draw)
        except FileNotFoundError:  # folding, in the background, has replaced it
            changed = False
        store = opened or self._open()
        if self.mode == "silent":
            problems = self._judge_silent(store, draw, changed)
        else:
            problems = self._judge(store, draw, stores, case, exact=way != "older")
        if problems:
            print(f"wrong {case} {'; '.join(problems)}", flush=True)
        else:
            print(f"right {case}", flush=True)

    def _reset(self) -> None:
        for store in self.stores:
            store.close()
            if (process := store._upkeep._process) is not None:
                process.wait()
        self.stores.clear()
        end_folding(self.index)
        shutil.rmtree(self.index, ignore_errors=True)
        shutil.copytree(self.folder / "kept", self.index)
        database = self.folder / "store" / "thalamus.db"
        for suffix in ("-wal", "-shm"):
            database.with_name(database.name + suffix).unlink(missing_ok=True)
        shutil.copy2(self.folder / "kept.db", database)

    def _open(self) -> SqliteStore:
        self.stores.append(open_store(self.folder / "store", create=False))
        return self.stores[-1]

    def _choose(self, target: str, draw: random.Random) -> str:
        if target not in self.files:
            return draw.choice(["missing", *COPIES])
        if self.mode == "silent":
            return draw.choice(SILENT)
        if not (self.folder / "kept" / target).stat().st_size:
            return draw.choice(["missing", "longer"])
        return draw.choice([*BYTES, "flip", "missing", *COPIES, "swapped with a neighbour"])

    def _damage(self, target: str, way: str, draw: random.Random) -> bool:
        """Whether the bytes are others than before."""
        path = self.index / target
        if target not in self.files:
            shutil.rmtree(path)
            if way in COPIES:
                shutil.copytree(self.folder / COPIES[way] / target, path)
            return True
        before, status = path.read_bytes(), path.stat()
        path.unlink()  # a new file: truncation in place kills every process that has it mapped
        if way in COPIES:
            source = self._like(self.folder / COPIES[way], target)
            if source is not None:
                shutil.copy2(source, path)
        elif way.startswith("swapped"):
            neighbour = draw.choice([p for p in path.parent.iterdir() if p.is_file()])
            neighbour.rename(path)
            neighbour.write_bytes(before)
        elif way != "missing":
            path.write_bytes(BYTES[way](bytearray(before), draw))
        silent = self.mode == "silent" or (self.mode == "small" and draw.random() < 0.5)
        if silent and path.exists():  # as a failing disk does it
            os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
        return not path.exists() or path.read_bytes() != before

    @staticmethod
    def _like(folder: Path, target: str) -> Path | None:
        """The file of another index that corresponds to ``target``: segments have other names."""
        same = folder / target
        if same.exists():
            return same
        alike = sorted(same.parent.glob(f"*{same.suffix}")) if same.parent.exists() else []
        return alike[0] if alike else None

    def _judge(
        self, store: SqliteStore, draw: random.Random, stores: bool, case: int, *, exact: bool
    ) -> list[str]:
        names = draw.sample(STAYED, 2)
        if stores:
            fill(store, [f"new{case}"])
            names.append(f"new{case}")
        problems = wrong(store, names)
        store.close()  # who had the index open goes on with the files he has: another one mends
        store = self._open()
        problems += wrong(store, names)
        settle(store)
        problems += unhealthy(store)
        found = [scores(store.search_text(q, Filter(), ALL)) for q in QUESTIONS]
        # with a row more, or with rows taken out of an older index, words weigh otherwise, also
        # after a merge, which estimates the lengths of the rest
        if exact and not stores and found != self.scores and self._is_fresh(store):
            problems.append("text: other scores than those of a fresh index")
        store.close()
        return problems

    @staticmethod
    def _is_fresh(store: SqliteStore) -> bool:
        """Whether the full-text index on disk was made in one go."""
        return len(list((store.folder / "index" / "fulltext").glob("*.store"))) == 1 and not list(
            (store.folder / "index" / "fulltext").glob("*.del")
        )

    @staticmethod
    def _judge_silent(store: SqliteStore, draw: random.Random, changed: bool) -> list[str]:
        """Wrong answers are told as such by the summary; what is promised comes after."""
        names = draw.sample(STAYED, 2)
        answers = wrong(store, names)
        noticed = bool(unhealthy(store))
        broken = []
        if answers and not (noticed and changed):
            broken.append(f"BROKEN PROMISE: {answers[0]}, and the thorough check says nothing")
        store.rebuild_indexes()
        again = wrong(store, names) + unhealthy(store)
        store.close()
        broken += [f"BROKEN PROMISE: after a rebuild {problem}" for problem in again]
        return broken + (["unnoticed by the search, seen by doctor"] if answers and noticed else [])


def main(arguments: list[str]) -> None:
    folder, seed, mode, first, last = arguments
    cases = Cases(Path(folder), int(seed), mode)
    for case in range(int(first), int(last)):
        cases.run(case)


if __name__ == "__main__":
    main(sys.argv[1:])
