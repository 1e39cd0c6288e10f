from __future__ import annotations

import sys

import pytest

from thalamus.text import numpy_use
from thalamus.text.numpy_use import ENOUGH, numpy_pays_off


def test_it_pays_off_once_enough_was_computed_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numpy_use, "_computed", 0)
    monkeypatch.delitem(sys.modules, "numpy", raising=False)
    assert not numpy_pays_off(ENOUGH // 2)
    assert not numpy_pays_off(ENOUGH // 2)
    assert numpy_pays_off(1)


def test_it_pays_off_for_many_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numpy_use, "_computed", 0)
    monkeypatch.delitem(sys.modules, "numpy", raising=False)
    assert numpy_pays_off(ENOUGH + 1)


def test_it_is_used_where_it_is_imported() -> None:
    import numpy  # noqa: F401

    assert numpy_pays_off(1)
