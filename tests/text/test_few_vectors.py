from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thalamus.text import few_vectors
from thalamus.text.few_vectors import ENOUGH, inner_products, numpy_pays_off

numbers = st.floats(-1, 1)


def test_it_pays_off_once_enough_was_computed_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(few_vectors, "_computed", 0)
    monkeypatch.delitem(sys.modules, "numpy", raising=False)
    assert not numpy_pays_off(ENOUGH // 2)
    assert not numpy_pays_off(ENOUGH // 2)
    assert numpy_pays_off(1)


def test_it_pays_off_for_many_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(few_vectors, "_computed", 0)
    monkeypatch.delitem(sys.modules, "numpy", raising=False)
    assert numpy_pays_off(ENOUGH + 1)


def test_it_is_used_where_it_is_imported() -> None:
    import numpy  # noqa: F401

    assert numpy_pays_off(1)


@given(st.lists(st.tuples(numbers, numbers, numbers)), st.tuples(numbers, numbers, numbers))
def test_inner_products_are_sums_of_products(
    vectors: list[tuple[float, ...]], other: tuple[float, ...]
) -> None:
    found = inner_products(vectors, other)
    wanted = [sum(a * b for a, b in zip(vector, other, strict=True)) for vector in vectors]
    assert found == pytest.approx(wanted, abs=1e-12)
