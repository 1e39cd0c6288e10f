"""Marks of writing that are no part of a memory."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thalamus.text.marks import (
    copied,
    is_list,
    name_without_marks,
    without_invisible,
    without_marks,
)
from thalamus.text.quotes import Span

pytestmark = pytest.mark.storeless


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("- I keep bees", "I keep bees"),
        ("  • I keep bees", "I keep bees"),
        ("* [x] buy a hive", "buy a hive"),
        ("## Bees", "Bees"),
        ("I keep **bees** in _Graz_ and `Linz`.", "I keep bees in Graz and Linz."),
        ("***bees***, ~~wasps~~", "bees, wasps"),
        ("[12.11.26, 20:15:03] Ole Berg: I keep bees", "I keep bees"),
        ("[12 Nov 2026 at 20:15] I keep bees", "I keep bees"),
        ("I ke\u200bep\u00ad \u202abees\u202c\x00", "I keep bees"),
        # what only looks like a mark
        ("3. Mai ist mein Geburtstag", "3. Mai ist mein Geburtstag"),
        ("2 * 3 * 4 = 24", "2 * 3 * 4 = 24"),
        ("*4417, fat fingers", "*4417, fat fingers"),
        ("the file is my_old_notes.txt", "the file is my_old_notes.txt"),
        ("from 7:00 to 8:30", "from 7:00 to 8:30"),
        ("می\u200cروم", "می\u200cروم"),
    ],
)
def test_what_is_said_is_left(text: str, plain: str) -> None:
    assert without_marks(text) == plain


def test_numbers_are_marks_in_a_list_only() -> None:
    assert is_list("1. bees\n2. hens") and not is_list("1. bees")
    assert without_marks("1. bees\n2. hens", numbered=True) == "bees\nhens"


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("Graz 🇦🇹", "Graz"),
        ("**Graz**", "Graz"),
        ("🐝 Maja 👩\u200d🌾❤️", "Maja"),
        ("🍕", "🍕"),
        ("C++", "C++"),
        ("養蜂", "養蜂"),
        ("20 °C", "20 °C"),
    ],
)
def test_a_name_is_without_emoji_around_it(name: str, plain: str) -> None:
    assert name_without_marks(name) == plain


def test_copied_words_are_without_the_marks_around_them() -> None:
    text = "so:\n- I keep **bees and hens**. Fine."
    start = text.index("I keep")
    assert copied(Span(start, text.index("**.")), text) == "I keep bees and hens."
    assert copied(Span(text.index("bees"), text.index("**.")), text) == "bees and hens."


@given(st.text(max_size=60))
def test_any_text_has_a_form_without_marks(text: str) -> None:
    plain = without_marks(text)
    assert without_marks(plain) == plain or len(without_marks(plain)) < len(plain)
    assert len(plain) <= len(text) and without_invisible(plain) == plain
