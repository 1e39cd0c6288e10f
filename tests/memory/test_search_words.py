"""A word that was never said finds what says the same: "wedding", "getting married"."""

from __future__ import annotations

import json
from collections.abc import Callable

from tests.conftest import Result
from thalamus.api import Thalamus
from thalamus.records import Memory

SAID = [
    "I'm getting married on 9 May",
    "I work at Aldi as a cashier",
    "I swim every morning",
    "We saw Marrakesh and its markets",  # in which "married" is not
]


def test_the_same_in_other_words(thalamus: Thalamus, run: Callable[..., Result]) -> None:
    thalamus.remember([Memory(content=said) for said in SAID])
    thalamus.close()
    for word, found in (
        ("wedding", ["getting married"]),
        ("marriage", ["getting married"]),
        ("my job", ["work at Aldi"]),
        ("running", []),
        ("boat", []),
    ):
        shown = run("memory", "search", "--embedder", "none", word).stdout.splitlines()
        assert len(shown) == len(found), (word, shown)
        assert all(part in line for part, line in zip(found, shown, strict=True)), (word, shown)


def test_the_own_words_of_a_question_come_first(run: Callable[..., Result]) -> None:
    for said in ("I'm getting married on 9 May", "My sister's wedding was in Rome"):
        run("store", input=json.dumps({"record": "memory", "content": said}))
    shown = run("memory", "search", "--embedder", "none", "wedding").stdout
    assert "Rome" in shown
    assert "9 May" not in shown
