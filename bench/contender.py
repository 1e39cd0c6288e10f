"""What everything that Thalamus is measured against can do, and the four commands that do it.

A contender is a module with a function ``main`` that calls ``serve`` with its class. It runs as
``python -c "import NAME; NAME.main()" VERB FOLDER …``: from compiled bytecode, like an installed
program. Only what starting needs is imported here.

    load FOLDER DATASET        bulk load of texts and vectors (the vectors come as a matrix,
                               so that no contender pays for reading them from JSON)
    insert FOLDER RECORD       one record, durably
    query FOLDER QUESTION      prints the ids of the ten best
    warm FOLDER DATASET MANY SECONDS FIRST
                               questions, then insertions, in one process; prints milliseconds
                               (FIRST: the first record to insert; -1: none)
"""

from __future__ import annotations

import json
import sys
import time
from array import array
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

K = 10
BATCH = 1_000
AT_LEAST = 5  # questions and insertions, however long they take

Item = tuple[str, str, array]  # id, text, vector


class Contender(Protocol):
    """A memory in ``folder``; opened, or made when there is none. ``verb``: what it is for."""

    def __init__(self, folder: Path, dimension: int, verb: str) -> None: ...

    def add(self, items: Sequence[Item]) -> None:
        """Adds a batch; for a single item it is durable on return."""
        ...

    def query(self, text: str, vector: array) -> list[str]:
        """The ids of the ten best."""
        ...

    def close(self) -> None:
        """Ends; whatever the engine does only then is done."""
        ...


def serve(make: Callable[[Path, int, str], Contender]) -> None:
    """Does what the command line says."""
    verb, folder, path, *rest = sys.argv[1:]
    if verb == "load":
        _load(make, Path(folder), Path(path))
    elif verb == "warm":
        _warm(make, Path(folder), Path(path), *map(int, rest))
    else:
        given = json.loads(Path(path).read_bytes())
        vector = array("f", given["embedding"])
        contender = make(Path(folder), len(vector), verb)
        if verb == "insert":
            contender.add([(given["id"], given["content"], vector)])
        else:
            print("\n".join(contender.query(given["text"], vector)))
        contender.close()


def _load(make: Callable[[Path, int, str], Contender], folder: Path, data: Path) -> None:
    dimension = len(json.loads((data / "questions.json").read_bytes())[0]["embedding"])
    folder.mkdir(parents=True)
    contender = make(folder, dimension, "load")
    for batch in _batches(data, dimension):
        contender.add(batch)
    contender.close()


def _batches(data: Path, dimension: int) -> Iterator[list[Item]]:
    batch: list[Item] = []
    with (data / "plain.jsonl").open("rb") as lines, (data / "vectors.f32").open("rb") as matrix:
        for line in lines:
            record = json.loads(line)
            vector = array("f", matrix.read(dimension * 4))
            batch.append((record["id"], record["content"], vector))
            if len(batch) == BATCH:
                yield batch
                batch = []
    if batch:
        yield batch


def _warm(
    make: Callable[[Path, int, str], Contender],
    folder: Path,
    data: Path,
    many: int,
    seconds: int,
    first: int,
) -> None:
    questions = json.loads((data / "questions.json").read_bytes())
    asked = [(q["text"], array("f", q["embedding"])) for q in questions]
    contender = make(folder, len(asked[0][1]), "warm")
    contender.query(*asked[-1])
    query = timed(seconds, [lambda q=q: contender.query(*q) for q in asked[:many]])
    with (data / "extra.jsonl").open("rb") as lines:
        lasting = list(lines)[first : first + many] if first >= 0 else []
    records = [json.loads(line) for line in lasting]
    items = [(r["id"], r["content"], array("f", r["embedding"])) for r in records]
    insert = timed(seconds, [lambda i=i: contender.add([i]) for i in items])
    contender.close()
    print(json.dumps({"query": query, "insert": insert}))


def timed(seconds: float, actions: Sequence[Callable[[], Any]]) -> list[float]:
    """Milliseconds of each action; those beyond ``seconds`` are left out, but five are done."""
    taken: list[float] = []
    give_up = time.perf_counter() + seconds
    for action in actions:
        if len(taken) >= AT_LEAST and time.perf_counter() > give_up:
            break
        begun = time.perf_counter()
        action()
        taken.append((time.perf_counter() - begun) * 1000)
    return taken
