"""A word that was never said finds what says the same: "wedding", "getting married"."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.conftest import Result


@pytest.mark.parametrize(
    ("said", "word", "found"),
    [
        ("I'm getting married on 9 May", "wedding", "getting married"),
        ("I'm getting married on 9 May", "marriage", "getting married"),
        ("I work at Aldi as a cashier", "my job", "work at Aldi"),
        ("I swim every morning", "running", None),
        ("I work at Aldi as a cashier", "boat", None),
        ("We saw Marrakesh and its markets", "wedding", None),  # only a part of "married"
    ],
)
def test_the_same_in_other_words(
    run: Callable[..., Result], said: str, word: str, found: str | None
) -> None:
    run("store", input=json.dumps({"record": "memory", "content": said}))
    shown = run("memory", "search", "--embedder", "none", word).stdout
    assert (found in shown) if found else not shown


def test_the_own_words_of_a_question_come_first(run: Callable[..., Result]) -> None:
    for said in ("I'm getting married on 9 May", "My sister's wedding was in Rome"):
        run("store", input=json.dumps({"record": "memory", "content": said}))
    shown = run("memory", "search", "--embedder", "none", "wedding").stdout
    assert "Rome" in shown
    assert "9 May" not in shown
