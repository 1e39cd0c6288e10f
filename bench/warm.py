"""Thalamus measured inside one process, through its Python API. Prints one JSON object.

    python warm.py calls DATASET MANY SECONDS FIRST   questions, single stores, whole turns
    python warm.py memory DATASET                     resident memory after one question, and warm
    python warm.py recall DATASET                     the vector search against an exact one
    python warm.py isotropic SIZE DIMENSION QUESTIONS the same on pure noise, in a store made here
    python warm.py embed TEXT                         a question's vector by the configured model
    python warm.py cli STATUS-FILE ARGUMENTS…         the command line, then its peak memory

The store is the configured one (``THALAMUS_HOME``).
"""

from __future__ import annotations

import json
import sys
import time
from array import array
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import dataset
from contender import AT_LEAST, K, timed
from processes import status

FIRST = 100  # questions of a warm-up, and
WARM_UP = 5.0  # seconds after which it ends


def calls(folder: str, many: str, seconds: str, first: str) -> dict[str, Any]:
    """Milliseconds of ``retrieve``, ``remember`` of one record and ``run_turn``."""
    from msgspec import structs

    from thalamus import Thalamus
    from thalamus.records import Memory
    from thalamus.store.values import Vector

    data, count, limit = Path(folder), int(many), float(seconds)
    asked = [(q["text"], Vector(dataset.MODEL, v.tobytes())) for q, v in _questions(data)]
    records = [json.loads(line) for line in (data / "extra.jsonl").open("rb")][int(first) :]
    for record in records:
        del record["record"]
    with Thalamus(model="scripted") as thalamus:
        warm_up(lambda q: thalamus.recall(q[0], vector=q[1], limit=K), asked)
        query = timed(
            limit,
            [lambda q=q: thalamus.recall(q[0], vector=q[1], limit=K) for q in asked[:count]],
        )
        memories = [Memory(**record) for record in records[:count]]
        insert = timed(limit, [lambda m=m: thalamus.remember([m]) for m in memories])
        thalamus.engine = structs.replace(
            thalamus.engine, models=ScriptedModels(len(asked[0][1].data) // 4)
        )
        before = thalamus.database.counts()["memory"]
        decide = timed(limit, [lambda m=m: _decided(thalamus, m) for m in records[count:][:count]])
        if thalamus.database.counts()["memory"] - before < len(decide) // 2:
            raise SystemExit("of the decided memories few were added")
        thalamus.turn("Hello.")
        said = [f"What do you know about {text}?" for text, _ in asked[:count]]
        turn = timed(limit, [lambda s=s: thalamus.turn(s) for s in said])
        first, free = answers(thalamus, said, limit)
        if thalamus.failures:
            raise SystemExit(f"{thalamus.failures[0]}")
    return {
        "query": query,
        "insert": insert,
        "decide": decide,
        "turn": turn,
        "first": first,
        "free": free,
    }


def answers(thalamus: Any, said: Sequence[str], seconds: float) -> tuple[list[float], list[float]]:
    """Milliseconds from a message to the first token of its answer, and from the last token until
    a chat could ask for the next message: the model itself takes no time."""
    heard: list[float] = []
    thalamus.events.bind("on_token", lambda _: heard.append(time.perf_counter()))
    first, free = [], []
    give_up = time.perf_counter() + seconds
    for message in said:
        if len(first) >= AT_LEAST and time.perf_counter() > give_up:
            break
        heard.clear()
        begun = time.perf_counter()
        thalamus.answer_turn(message)
        first.append((heard[0] - begun) * 1000)
        free.append((time.perf_counter() - heard[-1]) * 1000)
        for _ in thalamus.finish_turns():  # as a chat does while the user reads and writes
            pass
    return first, free


def warm_up(ask: Callable[[Any], Any], asked: Sequence[Any]) -> None:
    """Asks some questions first: after these a process has opened the HNSW index."""
    give_up = time.perf_counter() + WARM_UP
    for question in asked[-FIRST:]:
        if time.perf_counter() > give_up:
            break
        ask(question)


def _decided(thalamus: Any, record: dict[str, Any]) -> None:
    """Stores one memory of a reflection: scored, compared with its neighbours, decided."""
    from thalamus.records import Memory, Provenance, Reflection

    said = Provenance(quote=record["content"])
    made = Memory(**record, provenance=said)
    thalamus.remember([Reflection(memories_to_store=[made])])


class ScriptedModels:
    """The scripted chat model, and an embedder whose vectors fit the store's (random ones)."""

    name = dataset.MODEL

    def __init__(self, dimension: int) -> None:
        from thalamus.models.scripted import ScriptedChat

        self._chat = ScriptedChat()
        self._dimension = dimension

    def chat(self, role: str) -> Any:
        return self._chat

    def check_ability(self, role: str, what: str, find_out: Callable[[], bool]) -> bool:
        return find_out()

    def embedder(self) -> ScriptedModels:
        return self

    def dimension(self) -> int:
        return self._dimension

    def embed(self, texts: list[str], kind: str) -> list[bytes]:
        import zlib

        import numpy as np

        drawn = [np.random.default_rng(zlib.crc32(text.encode())) for text in texts]
        rows = [draw.standard_normal(self._dimension) for draw in drawn]
        return [(row / np.linalg.norm(row)).astype("<f4").tobytes() for row in rows]


def memory(folder: str) -> dict[str, Any]:
    """Peak, private and mapped kilobytes after one question and after many, while the store is
    still open."""
    from thalamus import Thalamus
    from thalamus.store.values import Vector

    asked = [(q["text"], Vector(dataset.MODEL, v.tobytes())) for q, v in _questions(Path(folder))]
    with Thalamus() as thalamus:
        thalamus.recall(asked[0][0], vector=asked[0][1], limit=K)
        one = status()
        warm_up(lambda q: thalamus.recall(q[0], vector=q[1], limit=K), asked)
        return {"one": one, "many": status()}


def recall(folder: str) -> dict[str, Any]:
    """recall@10 of the vector search over the questions of the dataset."""
    import numpy as np

    questions = _questions(Path(folder))
    vectors = np.stack([np.frombuffer(vector, dtype="<f4") for _, vector in questions])
    flat = np.memmap(Path(folder) / "vectors.f32", dtype="<f4", mode="r")
    return _recall(flat.reshape(-1, vectors.shape[1]), vectors)


def isotropic(size: str, dimension: str, questions: str) -> dict[str, Any]:
    """The same for vectors without any structure; they are stored here first."""
    import numpy as np

    from thalamus import Thalamus
    from thalamus.records import Memory

    count, width = int(size), int(dimension)
    matrix = np.empty((count, width), "<f4")
    with Thalamus() as thalamus:
        for start in range(0, count, dataset.BLOCK):
            block = start // dataset.BLOCK
            rows = dataset.vectors(block, min(dataset.BLOCK, count - start), width, "isotropic")
            matrix[start : start + len(rows)] = rows
            batch = [
                Memory(
                    id=dataset.name_of(start + n),
                    content=f"Point {start + n}",
                    embedding=row.tolist(),
                    embedding_model=dataset.MODEL,
                )
                for n, row in enumerate(rows)
            ]
            for first in range(0, len(batch), 1000):
                thalamus.remember(batch[first : first + 1000])
    chosen = np.random.default_rng(dataset.SEED).integers(0, count, int(questions))
    return _recall(matrix, dataset.perturbed(matrix[chosen].astype(float), 1).astype("<f4"))


def _recall(matrix: Any, questions: Any) -> dict[str, Any]:
    """The share of the exact ten nearest (float32, numpy) that the store's search returns, for
    each question. Rows that the store got later, beyond the matrix, do not count."""
    import numpy as np

    from thalamus import Thalamus
    from thalamus.store.values import Filter, Vector

    shares = []
    best = min(K, len(matrix))
    with Thalamus() as thalamus:

        def search(question: Any) -> list[Any]:
            packed = Vector(dataset.MODEL, np.ascontiguousarray(question, "<f4").tobytes())
            return thalamus.database.search([], packed, Filter(), best).vector

        warm_up(search, questions)
        for question in questions:
            near = matrix @ question
            exact = np.argpartition(near, -best)[-best:]
            hits = search(question)
            wanted = {dataset.name_of(int(row)) for row in exact}
            shares.append(len(wanted & {hit.entry.id for hit in hits}) / best)
    return {"recall": shares}


def embed(text: str) -> dict[str, Any]:
    """The vector as ``--embedding @FILE`` reads it."""
    from thalamus import Thalamus

    with Thalamus() as thalamus:
        model = thalamus.engine.models.embedder()
        assert model is not None
        vector = array("f", model.embed([text], "query")[0])
        return {"embedding": vector.tolist(), "embedding_model": model.name}


def cli(path: str, *arguments: str) -> None:
    """Runs the command line as it is; how it ends is how this process ends."""
    from thalamus.cli import main

    sys.argv = ["thalamus", *arguments]
    try:
        main()
    finally:
        Path(path).write_text(json.dumps(status()))


def _questions(data: Path) -> list[tuple[dict[str, Any], array]]:
    questions = json.loads((data / "questions.json").read_bytes())
    return [(question, array("f", question["embedding"])) for question in questions]


if __name__ == "__main__":
    verb, *arguments = sys.argv[1:]
    made = {f.__name__: f for f in (calls, memory, recall, isotropic, embed, cli)}[verb](*arguments)
    if made is not None:
        print(json.dumps(made))
