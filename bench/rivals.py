"""Rows of what Thalamus is measured against: bare Python, the bare engines, and peers."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass, field
from pathlib import Path

from dataset import Dataset
from processes import Failed, Run, run
from results import Results
from rounds import Row, say

BENCH = Path(__file__).parent
COMPOSITE = "bare composite"
NUMPY = "bare composite, numpy's scan"
LEAN = "bare composite, fewest imports"
PYTHON = "python -c pass"


@dataclass
class Rival:
    """A contender: ``module`` runs it, ``package`` must import for that."""

    who: str
    module: str
    package: str
    rounds: int = 5
    env: dict[str, str] = field(default_factory=dict)


REFERENCE = Rival(COMPOSITE, "composite", "tantivy", 1_000, {"BENCH_IMPORTS": "all"})
PEERS = {
    "sqlite-vec": Rival("sqlite-vec + FTS5", "with_sqlite_vec", "sqlite_vec"),
    "chromadb": Rival("chromadb", "with_chromadb", "chromadb"),
    "mem0": Rival("mem0, infer=False", "with_mem0", "mem0"),
    "llm": Rival("llm similar", "with_llm", "llm"),
}


class Field:
    """The rivals of one run. ``python``: the interpreter that has the peers; ``budget``: seconds
    that one of them may take to load."""

    def __init__(self, peers: list[str], python: str, budget: float, results: Results) -> None:
        self.python = python
        self.budget = budget
        self.results = results
        self.rivals = [REFERENCE, *(PEERS[name] for name in peers)]
        self._seconds: dict[str, tuple[int, float]] = {}  # the last size and how long it took

    def load(self, work: Path, data: Dataset) -> dict[str, Path]:
        """Loads each; the folders of those that can be asked."""
        loaded = {}
        for rival in self.rivals:
            try:
                self._load(rival, work / f"store-{rival.module}", data)
                loaded[rival.who] = work / f"store-{rival.module}"
            except Failed as error:
                for what in ("load", "retrieve, fresh", "retrieve, warm", "store, fresh"):
                    self.results.add(rival.who, what, data.size, note=str(error))
        return loaded

    def _load(self, rival: Rival, folder: Path, data: Dataset) -> None:
        if not self._imports(rival):
            raise Failed("not installed")
        size, before = self._seconds.get(rival.who, (1, 0.0))
        limit = 86_400.0 if rival is REFERENCE else self.budget
        if before * data.size / size > limit:
            raise Failed("too slow")
        say(f"  loading {rival.who}")
        self._seconds[rival.who] = (data.size, self.budget * 10)  # if it does not come back
        seconds = self._run(rival, "load", folder, data.folder, limit=limit).seconds
        self._seconds[rival.who] = (data.size, seconds)
        self.results.add(rival.who, "load", data.size, [data.size / seconds], "records/s")
        size_on_disk = sum(p.stat().st_size for p in folder.rglob("*") if p.is_file())
        self.results.add(rival.who, "disk: in all", data.size, [size_on_disk / 1e6], "MB")

    def check(self, folders: dict[str, Path], data: Dataset) -> None:
        """Each must find the memory that the question was made of; a note says who does not."""
        wanted = json.loads(data.question(0).read_bytes())["target"]
        for rival in self._loaded(folders):
            try:
                said = self._run(rival, "query", folders[rival.who], data.question(0)).output
            except Failed as error:
                del folders[rival.who]
                self.results.add(rival.who, "retrieve, fresh", data.size, note=str(error))
                continue
            if wanted not in said.split():
                self.results.add(
                    rival.who, "retrieve, fresh", data.size, note="wrong: misses the memory"
                )

    def fresh(self, folders: dict[str, Path], data: Dataset) -> list[Row]:
        """A process for each question and insertion, and bare Python."""
        rows = [Row(PYTHON, "start", self._bare)]
        for rival in self._loaded(folders):
            rows += self._rows(rival, folders[rival.who], data)
        if COMPOSITE in folders:
            numpy = Rival(NUMPY, "composite", "numpy", 1_000, {"BENCH_SCAN": "numpy"})
            lean = Rival(LEAN, "composite", "numpy", 1_000)
            rows.append(self._rows(numpy, folders[COMPOSITE], data)[0])
            rows.append(self._rows(lean, folders[COMPOSITE], data)[1])
        return rows

    def warm(
        self, folders: dict[str, Path], data: Dataset, many: int, seconds: int, first: int
    ) -> None:
        """Questions and insertions within one process each."""
        for rival in self._loaded(folders):
            self._warm(rival, folders[rival.who], data, (many, seconds, first))
        if COMPOSITE in folders:
            numpy = Rival(NUMPY, "composite", "numpy", 1, {"BENCH_SCAN": "numpy"})
            self._warm(numpy, folders[COMPOSITE], data, (many, seconds, -1), False)

    def _warm(
        self,
        rival: Rival,
        folder: Path,
        data: Dataset,
        numbers: tuple[int, int, int],
        both: bool = True,
    ) -> None:
        try:
            said = self._run(rival, "warm", folder, data.folder, *map(str, numbers)).output
        except Failed as error:
            self.results.add(rival.who, "retrieve, warm", data.size, note=str(error))
            return
        found = json.loads(said.splitlines()[-1])
        self.results.add(rival.who, "retrieve, warm", data.size, found["query"])
        if both:
            self.results.add(rival.who, "store, warm", data.size, found["insert"])

    def _rows(self, rival: Rival, folder: Path, data: Dataset) -> list[Row]:
        def query(number: int) -> float:
            return self._run(rival, "query", folder, data.question(number), keep=False).ms

        def insert(number: int) -> float:
            return self._run(rival, "insert", folder, self._record(rival, number, data)).ms

        return [
            Row(rival.who, "retrieve, fresh", query, rival.rounds),
            Row(rival.who, "store, fresh", insert, rival.rounds),
        ]

    def _record(self, rival: Rival, number: int, data: Dataset) -> Path:
        """A record that this folder has not had: the lean composite shares one with the plain."""
        return data.one(number + data.singles * (rival.who == LEAN))

    def _loaded(self, folders: dict[str, Path]) -> list[Rival]:
        return [rival for rival in self.rivals if rival.who in folders]

    def _python(self, rival: Rival) -> str:
        """The composite is measured where Thalamus is."""
        return sys.executable if rival.module == REFERENCE.module else self.python

    def _imports(self, rival: Rival) -> bool:
        code = f"import {rival.package}"
        try:
            run([self._python(rival), "-c", code], env=os.environ, cwd=BENCH)
        except Failed:
            return False
        return True

    def _bare(self, number: int) -> float:
        return run([sys.executable, "-c", "pass"], env=os.environ, cwd=BENCH, keep=False).ms

    def _run(
        self,
        rival: Rival,
        verb: str,
        folder: Path,
        path: Path,
        *rest: str,
        keep: bool = True,
        limit: float = 600.0,
    ) -> Run:
        code = f"import {rival.module}; {rival.module}.main()"
        paths = os.pathsep.join((str(BENCH), str(BENCH / "peers")))
        return run(
            [self._python(rival), "-c", code, verb, str(folder), str(path), *rest],
            env=os.environ | rival.env | {"PYTHONPATH": paths},
            cwd=folder.parent,
            keep=keep,
            limit=limit,
        )
