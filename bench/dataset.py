"""The memories, vectors and questions of the benchmark: seeded, the same on every machine.

Words are invented and drawn by Zipf and Mandelbrot's law, so that some stand in more than half of
the memories and most in few. No question word is a stop word of any engine. Vectors come in two
kinds: *clustered* (like embeddings: 300 centres of unequal size and noise as long as the centre)
and *isotropic* (pure noise: the harder case for anything approximate). A question is a few words
of one memory and that memory's vector with noise.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

MODEL = "bench"  # the name under which the vectors are stored
SEED = 20230508
BLOCK = 10_000  # memories made at a time; each block has a seed of its own
WORDS = 40_000
CENTRES = 300
NOISE = 1.0  # length of the noise around a centre of length 1: neighbours have a cosine of 0.5
PERTURBED = 0.6  # length of the noise between a question and its memory: a cosine of 0.86
EXTRA = 1_000  # memories that are stored one by one while the clock runs
FORMAT = 2  # of the prepared files; raise it when they change
BEGIN = datetime(2021, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Dataset:
    """Prepared files for one size.

    ``records``: JSON lines for ``thalamus store``, vectors included; ``plain``: the same without
    vectors; ``vectors``: the matrix, float32, rows of length 1; ``questions``: a JSON list;
    ``extra``: JSON lines of further records.
    """

    folder: Path
    size: int
    dimension: int
    singles: int

    @property
    def records(self) -> Path:
        return self.folder / "records.jsonl"

    @property
    def plain(self) -> Path:
        return self.folder / "plain.jsonl"

    @property
    def vectors(self) -> Path:
        return self.folder / "vectors.f32"

    @property
    def questions(self) -> Path:
        return self.folder / "questions.json"

    @property
    def extra(self) -> Path:
        return self.folder / "extra.jsonl"

    def question(self, number: int) -> Path:
        """The file with one question: ``text``, ``target`` and the vector as ``embedding``."""
        return self.folder / "single" / f"question-{number}.json"

    def one(self, number: int) -> Path:
        """The file with one further record; there are twice ``singles`` of them."""
        return self.folder / "single" / f"record-{number}.jsonl"


def prepare(root: Path, size: int, dimension: int, questions: int, singles: int) -> Dataset:
    """Makes the files, or finds them made by an earlier run."""
    name = f"v{FORMAT}-{size}x{dimension}-{questions}-{singles}"
    made = Dataset(root / name, size, dimension, singles)
    if not (made.folder / "done").exists():
        shutil.rmtree(made.folder, ignore_errors=True)
        (made.folder / "single").mkdir(parents=True)
        _write(made, questions)
        (made.folder / "done").touch()
    return made


def vectors(block: int, count: int, dimension: int, kind: str = "clustered") -> Any:
    """``count`` rows of a block as float64 of length 1, rounded to the 6 places of the files."""
    import numpy as np

    draw = np.random.default_rng([SEED, 1, block, dimension])
    noise = draw.standard_normal((BLOCK, dimension))[:count]
    if kind == "clustered":
        centres = _unit(np.random.default_rng([SEED, 2]).standard_normal((CENTRES, dimension)))
        weights = 1 / np.arange(10, CENTRES + 10)
        chosen = draw.choice(CENTRES, BLOCK, p=weights / weights.sum())[:count]
        noise = centres[chosen] + NOISE * noise / np.sqrt(dimension)
    return np.round(_unit(noise), 6)


def perturbed(rows: Any, seed: int) -> Any:
    """Vectors near these rows, as a question's is near its memory's."""
    import numpy as np

    draw = np.random.default_rng([SEED, 3, seed])
    noise = draw.standard_normal(rows.shape) / np.sqrt(rows.shape[1])
    return np.round(_unit(rows + PERTURBED * noise), 6)


def texts(block: int, count: int) -> list[str]:
    """``count`` memories of 15 to 35 words."""
    import numpy as np

    draw = np.random.default_rng([SEED, 4, block])
    weights = 1 / (np.arange(WORDS) + 2.7)
    lengths = draw.integers(15, 36, BLOCK)
    drawn = iter(draw.choice(WORDS, int(lengths.sum()), p=weights / weights.sum()).tolist())
    vocabulary = _vocabulary()
    return [" ".join(vocabulary[next(drawn)] for _ in range(n)) for n in lengths.tolist()][:count]


def name_of(number: int) -> str:
    """The id of a memory."""
    return f"m{number:08d}"


def _records(dimension: int, size: int) -> Iterator[tuple[list[dict[str, Any]], Any]]:
    """Blocks of records without vectors, and their vectors."""
    for start in range(0, size, BLOCK):
        count = min(BLOCK, size - start)
        numbers = range(start, start + count)
        batch = [
            {
                "record": "memory",
                "id": name_of(number),
                "content": text,
                "created_at": (BEGIN + timedelta(seconds=100 * number)).isoformat(),
                "session": f"s{number // 20}",
            }
            for number, text in zip(numbers, texts(start // BLOCK, count), strict=True)
        ]
        yield batch, vectors(start // BLOCK, count, dimension)


def _write(made: Dataset, questions: int) -> None:
    """Writes every file. What lies beyond ``size`` becomes the further records."""
    import msgspec
    import numpy as np

    encode = msgspec.json.encode
    chosen = set(np.random.default_rng([SEED, 5]).integers(0, made.size, questions * 4).tolist())
    targets = sorted(chosen)[:: max(1, len(chosen) // questions)][:questions]
    asked: list[tuple[str, int, Any]] = []
    number = 0
    extra: list[bytes] = []
    with (
        made.records.open("wb") as records,
        made.plain.open("wb") as plain,
        made.vectors.open("wb") as matrix,
    ):
        for batch, rows in _records(made.dimension, made.size + EXTRA):
            for record, row in zip(batch, rows, strict=True):
                full = record | {"embedding": row.tolist(), "embedding_model": MODEL}
                if number >= made.size:
                    extra.append(encode(full) + b"\n")
                else:
                    records.write(encode(full) + b"\n")
                    plain.write(encode(record) + b"\n")
                    if targets and number == targets[0]:
                        asked.append((record["content"], targets.pop(0), row))
                number += 1
            matrix.write(_unit(rows)[: max(0, made.size - number + len(batch))].astype("<f4"))
    made.extra.write_bytes(b"".join(extra))
    _write_questions(made, asked)
    for n, line in enumerate(extra[: 2 * made.singles]):
        made.one(n).write_bytes(line)


def _write_questions(made: Dataset, asked: list[tuple[str, Any, Any]]) -> None:
    import numpy as np

    draw = np.random.default_rng([SEED, 6])
    order = draw.permutation(len(asked)).tolist()
    near = perturbed(np.stack([row for _, _, row in asked]), 0)
    found = []
    for place in order:
        content, target, _ = asked[place]
        words = draw.permutation(list(dict.fromkeys(content.split())))[:7].tolist()
        found.append(
            {
                "text": " ".join(words),
                "target": name_of(target),
                "embedding": near[place].tolist(),
                "embedding_model": MODEL,
            }
        )
    made.questions.write_text(json.dumps(found))
    for n in range(made.singles):
        made.question(n).write_text(json.dumps(found[n % len(found)]))


def _unit(rows: Any) -> Any:
    import numpy as np

    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def _vocabulary() -> list[str]:
    """Invented words of two to four syllables."""
    global _WORDS
    if not _WORDS:
        import random

        draw = random.Random(SEED)
        first, last = (
            "b d f g k l m n p r s t v z br dr kl st tr".split(),
            "a e i o u ai ou".split(),
        )
        known: dict[str, None] = {}
        while len(known) < WORDS:
            syllables = range(draw.choice((2, 2, 3, 3, 4)))
            known["".join(draw.choice(first) + draw.choice(last) for _ in syllables)] = None
        _WORDS = list(known)
    return _WORDS


_WORDS: list[str] = []
