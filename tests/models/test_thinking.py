"""Thoughts are kept from the reader, however the reply is cut into pieces."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thalamus.models.thinking import VisibleReply, strip_thinking

BITS = st.sampled_from(
    ["<think>", "</think>", "<th", "ink>", "</", "think>", " ", "\n", "yes", "<"]
)


@pytest.mark.parametrize(
    ("reply", "visible"),
    [
        ("plain", "plain"),
        ("  kept as it is\n", "  kept as it is\n"),
        ("<think>a\nb</think>\n\nyes", "yes"),
        ("\n<think></think> <think>more</think>\nyes", "yes"),
        ("<think>never ended", ""),
        ("<think>x</think>", ""),
        ("the tag <think> in a text</think>", "the tag <think> in a text</think>"),
        ("thoughts of a template\n</think>\n\nyes", "yes"),
        ("one writes </think> at the end", "one writes </think> at the end"),
        ("<thi", "<thi"),
        ("", ""),
    ],
)
def test_strip_thinking(reply, visible):
    assert strip_thinking(reply) == visible


@pytest.mark.parametrize(
    ("reply", "thoughts"),
    [
        ("plain", None),
        ("<think>a\nb</think>\n\nyes", "a\nb"),
        ("\n<think></think> <think>more</think>\nyes", "more"),
        ("<think>one</think><think>two</think>yes", "one\ntwo"),
        ("<think>never ended</thi", "never ended</thi"),
        ("the tag <think> in a text</think>", None),
        ("thoughts of a template\n</think>\n\nyes", "thoughts of a template"),
    ],
)
def test_thoughts_are_kept_apart(reply, thoughts):
    for pieces in ([reply], list(reply)):
        visible = VisibleReply()
        for piece in pieces:
            visible.feed(piece)
        visible.close()
        assert visible.thoughts() == thoughts


def test_thoughts_that_come_apart_are_added_and_can_be_stopped():
    seen = []
    visible = VisibleReply(seen.append)
    visible.think("Well, ")
    visible.think("let me see")
    visible.feed("Yes")
    assert (visible.close(), visible.thoughts()) == ("Yes", "Well, let me see")
    assert seen == ["", "", "Yes"]


@given(st.lists(BITS, max_size=12), st.lists(st.integers(0, 60), max_size=8))
def test_pieces_make_no_difference(bits, cuts):
    text = "".join(bits)
    edges = sorted({0, len(text), *(min(c, len(text)) for c in cuts)})
    whole, cut = [], []
    once, often = VisibleReply(whole.append), VisibleReply(cut.append)
    once.feed(text)
    for start, end in pairwise(edges):
        often.feed(text[start:end])
    assert once.close() == often.close() == strip_thinking(text)
    assert "".join(whole) == "".join(cut)
    assert once.thoughts() == often.thoughts()
