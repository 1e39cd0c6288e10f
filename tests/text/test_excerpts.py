"""The part of a text that speaks of what was searched for."""

from __future__ import annotations

import pytest

from thalamus.text.excerpts import excerpt, marks

pytestmark = pytest.mark.storeless

LONG = "Alpha beta. " * 20 + "The heron stands at the pond in the morning. " + "Gamma delta. " * 20


def test_words_and_their_forms_are_marked() -> None:
    text = "Move the piano; we moved it. Pianos are heavy."
    assert [text[a:b] for a, b in marks(text, ["moved", "piano"])] == [
        "Move",
        "piano",
        "moved",
        "Pianos",
    ]
    assert marks("", ["x"]) == [] == marks("x", [])


def test_a_form_is_marked_that_the_search_finds() -> None:
    text = "Our dogs. Вижу Собаку."
    assert [text[a:b] for a, b in marks(text, ["dog", "собака"])] == ["dogs", "Собаку"]


@pytest.mark.parametrize("most", [20, 40, 160])
def test_around_where_the_words_stand(most: int) -> None:
    found = excerpt(LONG, ["heron", "pond"], most)
    assert len(found) <= most and "heron" in found
    assert found[0] == found[-1] == "…"


@pytest.mark.parametrize(
    ("text", "wanted", "shown"),
    [
        ("short", ["none"], "short"),
        ("two\n  lines", [], "two lines"),
        ("x" * 50, ["y"], "x" * 18 + "…"),
        ("word " * 10 + "end", ["end"], "…word word word end"),
    ],
)
def test_at_either_end(text: str, wanted: list[str], shown: str) -> None:
    assert excerpt(text, wanted, 20) == shown
