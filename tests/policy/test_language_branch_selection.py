"""Long patterns are cut down to what a text may need, and find what they find whole."""

from __future__ import annotations

import re

import pytest

from thalamus.policy.language.branch_selection import PrunedPattern

TEXTS = (
    "my older sister lives in Leeds",
    "we have two cats and a dog",
    "nothing of it",
    "cat (dog) 12 | half-brother",
    "colour and color",
)


@pytest.mark.parametrize(
    "pattern",
    [
        r"\b(?:cats?|dogs?|goldfish)\b",
        r"(?P<who>my\s+(?:(?:older|younger)\s+)?(?P<kin>sister|brother))\s+(?P<verb>lives|works)",
        r"(?:(one|two|three)\s+)?(cats?|horses?)(?:\s+and\s+(an?|the)\s+(\w+))?",
        r"(?P<a>horse)|(?P<b>cats)|(?P<c>zebra)(?P<d>s)?",
        r"(horse|(?P<x>mule)s)?\s*(?P<y>cats)",
        r"(?!.*horse)(?:two|three)\s+(?=cats|mules)\w+",
        r"(?<!a )(?:dog|mule)|(?<=two )(?:cats|mules)",
        r"[(|]dog[)|]|mule\)|\(horse",
        r"colou?r|colors*",
        r"(?:half|step){0,1}-?(?:brother|sister)",
        r"(?P<q>cat|mule).*(?P=q)|(dog)\W+(\d{1,2})",
        r"(?:zebra|mule)*\s*cats",
    ],
)
def test_a_pruned_pattern_finds_what_the_whole_one_finds(pattern: str) -> None:
    whole, pruned = re.compile(pattern, re.I), PrunedPattern(pattern, re.I)
    for text in (*TEXTS, *reversed(TEXTS)):
        cut = pruned.for_text(text.lower())
        found = [] if cut is None else list(cut.finditer(text))
        expected = list(whole.finditer(text))
        assert [(one.span(), one.groups(), one.groupdict()) for one in found] == [
            (one.span(), one.groups(), one.groupdict()) for one in expected
        ]


def test_comments_of_a_pattern_are_no_words_of_it() -> None:
    pattern = "\\b(?: # zebras | (and mules\n cats? # or\n | horses )\\b"
    cut = PrunedPattern(pattern, re.X).for_text("two cats")
    assert cut is not None and cut.findall("two cats") == ["cats"]


def test_what_cannot_match_is_not_compiled() -> None:
    assert PrunedPattern(r"horses?|(?:mule|zebra)s", 0).for_text("two cats") is None


def test_conditions_are_left_alone() -> None:
    assert not PrunedPattern(r"(a)?(?(1)cat|dog)", 0).understood
