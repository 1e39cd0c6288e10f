"""Packed vectors of sentences, and the nearest of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thalamus.text.sentence_vectors import DIMENSIONS, nearest, pack

pytestmark = pytest.mark.storeless


def drawn(seed: int, counts: list[int], scale: float) -> list[np.ndarray]:
    draw = np.random.default_rng(seed)
    return [(draw.normal(size=(n, DIMENSIONS)) * scale).astype(np.float32) for n in counts]


@given(
    st.integers(0, 1000),
    st.lists(st.integers(0, 9), max_size=6),
    st.sampled_from([1e-6, 1.0, 1e6]),
    st.sampled_from([DIMENSIONS, 256]),
)
def test_the_nearest_is_as_near_as_before_packing(
    seed: int, counts: list[int], scale: float, dimensions: int
) -> None:
    texts = drawn(seed, counts, scale)
    question = np.random.default_rng(seed + 1).normal(size=dimensions).astype("<f4")
    found = nearest(question.tobytes(), {n: pack(rows) for n, rows in enumerate(texts)})
    assert set(found) == {n for n, count in enumerate(counts) if count}
    asked = question[:DIMENSIONS] / np.linalg.norm(question[:DIMENSIONS])
    for n, cosine in found.items():
        exact = (texts[n] / np.linalg.norm(texts[n], axis=1, keepdims=True)) @ asked
        assert cosine == pytest.approx(exact.max(), abs=0.01)


def test_a_sentence_takes_an_eighth_of_a_whole_vector() -> None:
    [rows] = drawn(1, [7], 1.0)
    assert len(pack(rows)) == 7 * DIMENSIONS


def test_what_has_no_direction_is_left_out() -> None:
    rows = np.zeros((3, DIMENSIONS), np.float32)
    rows[1, 5] = -0.25
    packed = pack(rows)
    assert np.frombuffer(packed, np.int8).tolist() == [0] * 5 + [-127] + [0] * 122
    assert pack(rows[:1]) == pack(rows[:0]) == b""


def test_without_anything_to_compare_there_is_nothing() -> None:
    packed = {"a": pack(np.ones((1, DIMENSIONS), np.float32))}
    long, short = np.ones(256, "<f4").tobytes(), np.ones(64, "<f4").tobytes()
    assert nearest(long, {}) == {} == nearest(long, {"a": b""})
    assert nearest(short, packed) == {}  # of a model that makes none
    assert nearest(np.zeros(256, "<f4").tobytes(), packed) == {}
    assert nearest(long, packed) == {"a": pytest.approx(1.0)}
    assert nearest(long, {"a": packed["a"] + b"torn"}) == {"a": pytest.approx(1.0)}
