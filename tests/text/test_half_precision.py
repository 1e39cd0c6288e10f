"""Vectors are stored as float16, and read as float32; those of earlier stores stay as they are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.store.making import memory, open_store
from thalamus.policy.vector import pack, pack_many, unpack
from thalamus.store import embeddings
from thalamus.store import writer as unit_of_work
from thalamus.store.values import Filter, Vector
from thalamus.text.half_precision import halved, widened

WIDTH = 24


def unit_vectors(count: int) -> np.ndarray:
    rows = np.random.default_rng(3).standard_normal((count, WIDTH))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype("<f4")


@pytest.mark.parametrize("count", [1, 64])
def test_cosines_stay(count: int) -> None:
    rows = unit_vectors(count)
    stored = halved([row.tobytes() for row in rows])
    assert {len(vector) for vector in stored} == {2 * WIDTH}
    read = np.frombuffer(b"".join(widened(stored, WIDTH)), "<f4").reshape(count, WIDTH)
    assert np.allclose(read @ rows.T, rows @ rows.T, atol=3e-4)
    assert halved([row.tobytes() for row in read]) == stored


LENGTHS = st.floats(1 - 2**-10, 1 + 2**-10) | st.just(1.0)
COMPONENTS = st.lists(st.floats(-1, 1, width=16), min_size=3, max_size=3)


@given(COMPONENTS.filter(lambda numbers: any(abs(x) > 0.01 for x in numbers)), LENGTHS)
@example([0.99135422706604, 0.123046875, 0.03515625], 0.9995823999)
def test_a_stored_vector_that_is_stored_again_stays_as_it_is(
    numbers: list[float], length: float
) -> None:
    """Whatever its length was: an export that is imported has the same vectors."""
    scale = length / np.linalg.norm(numbers)
    first = pack([x * scale for x in numbers])
    [read] = widened(halved([first]), 3)
    again = unpack(read)
    assert pack(again) == read
    assert pack_many([again] * 64) == [read] * 64
    assert pack_many([unpack(first)] * 64) == [pack(unpack(first))] * 64


@pytest.mark.parametrize("count", [1, 64])
def test_numbers_that_float16_lacks_stay_float32(count: int) -> None:
    rows = unit_vectors(count)
    rows[0, 5] = 70_000
    given = [row.tobytes() for row in rows]
    stored = halved(given)
    assert stored[0] == given[0] and all(len(vector) == 2 * WIDTH for vector in stored[1:])
    assert widened(stored, WIDTH)[0] == given[0]


@pytest.mark.sqlite
def test_a_store_with_float32_vectors_serves_like_a_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = unit_vectors(300)
    store = open_store(tmp_path / "store")
    with monkeypatch.context() as patch, store.writing() as writer:
        patch.setattr(unit_of_work, "halved", lambda vectors: vectors)
        for n, row in enumerate(rows[:200]):
            writer.add(memory(f"n{n}"), Vector("m", row.tobytes()))
    with store.writing() as writer:
        for n, row in enumerate(rows[200:], 200):
            writer.add(memory(f"n{n}"), Vector("m", row.tobytes()))
    sizes = "SELECT length(vector), count(*) FROM embedding GROUP BY 1 ORDER BY 1"
    assert [tuple(row) for row in store.fetch(sizes)] == [(2 * WIDTH, 100), (4 * WIDTH, 200)]
    for number in (7, 250):
        hits = store.search([], Vector("m", rows[number].tobytes()), Filter(), 10).vector
        best = np.argsort(-(rows @ rows[number]))[:10]
        assert [hit.entry.id for hit in hits] == [f"mem_n{n}" for n in best]
        [vector] = embeddings.of(store, [f"mem_n{number}"]).values()
        assert np.allclose(np.frombuffer(vector.data, "<f4"), rows[number], atol=1e-3)
    store.close()


def test_a_stored_vector_is_packed_as_it_is() -> None:
    """An export reads it, and an import packs it again: it must not move by another rounding."""
    given = [-0.22813794016838074, -0.6797037124633789, 0.45095112919807434]
    many = [given, *np.random.default_rng(5).standard_normal((64, 3)).tolist()]
    [read] = widened(halved([pack(given)]), 3)
    assert pack(unpack(read)) == read
    stored = widened(halved([pack(values) for values in many]), 3)
    assert pack_many([unpack(vector) for vector in stored]) == stored
