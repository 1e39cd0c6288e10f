"""Texts broken between words."""

from __future__ import annotations

import pytest

from thalamus.terminal.tree import Node, lines
from thalamus.text.width import columns, cut, wrapped

pytestmark = pytest.mark.storeless

LINE = "2026-05-08  preference     The user prefers short answers in the morning.  [mem_1m85]"


def test_further_lines_are_indented() -> None:
    assert list(wrapped(LINE, 40)) == [
        "2026-05-08  preference     The user",
        "    prefers short answers in the",
        "    morning.  [mem_1m85]",
    ]
    assert list(wrapped("  1  one two three", 10)) == ["  1  one", "     two", "     three"]
    assert list(wrapped("short", 40)) == ["short"] and list(wrapped("", 40)) == [""]


def test_a_word_that_is_too_long_stays_whole() -> None:
    assert list(wrapped("see mem_1m8593afm6c9tk1zjab7f there", 12, 2)) == [
        "see",
        "  mem_1m8593afm6c9tk1zjab7f",
        "  there",
    ]


@pytest.mark.parametrize("room", [30, 40, 80])
def test_wide_characters_take_two_columns(room: int) -> None:
    text = "吃饭 " * 40
    assert all(columns(line) <= room for line in wrapped(text, room))
    assert "".join(wrapped(text, room)).split() == text.split()


def test_a_tree_keeps_its_guides() -> None:
    root = Node("memory The user moved to Lisbon.  [mem_1]")
    turn = root.add("said in turn turn_1 on 2026-05-08: “I moved to Lisbon in May.”")
    turn.add("answered by a model with a long name")
    root.add("about a fact")
    assert list(lines(root, 34)) == [
        "memory The user moved to Lisbon.",
        "│ [mem_1]",
        "├─ said in turn turn_1 on",
        "│  │ 2026-05-08: “I moved to",
        "│  │ Lisbon in May.”",
        "│  └─ answered by a model with a",
        "│       long name",
        "└─ about a fact",
    ]
    assert list(lines(root))[1].startswith("├─ said in turn turn_1 on 2026-05-08: “I moved")


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("café · “tea” …", 14),
        ("cafe\u0301", 4),
        ("吃饭", 4),
        ("한국", 4),
        ("👩‍👩‍👧", 2),
        ("❤️", 2),
        ("नमस्ते", 4),
    ],
)
def test_columns_are_those_of_a_terminal(text: str, taken: int) -> None:
    assert columns(text) == taken


@pytest.mark.parametrize("room", [1, 2, 5, 6])
def test_a_cut_text_fits(room: int) -> None:
    for text in ("long enough", "日本語日本語", "👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧"):
        assert columns(cut(text, room)) <= room and cut(text, room).endswith("…")
