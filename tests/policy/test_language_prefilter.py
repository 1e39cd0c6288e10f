"""The words without which a pattern of the grammar cannot match."""

from __future__ import annotations

import re

import pytest

from thalamus.policy.language.patterns import ALL, LazyPattern
from thalamus.policy.language.prefilter import needed_words, table_module


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        (r"I\s+live\s+in", [{"live"}, {"in"}]),
        (r"(?:like|love)s?\s", [{"ike", "ove"}]),
        (r"(?:very\s+)?\w+", []),
        (r"(?:lives|\w+)\s+in\b", [{"in"}]),
        (r"(?=.*kids)\w+", [{"kids"}]),
        (r"(?!.*kids)\w+", []),
        (r"(?i:MOVED)\s+to", [{"moved"}, {"to"}]),
        (r"\d+|years", []),
        (r"(?:ab){2}", [{"ab"}]),
        (r"(?:ab)*cd", [{"cd"}]),
        (
            r"(my (?:aunt|uncle) (?:drives|flies) an?)",
            [{"drives", "flies"}, {"aunt", "uncle"}, {"my "}],
        ),
    ],
)
def test_what_is_needed(pattern: str, words: list[set[str]]) -> None:
    assert [set(found) for found in needed_words(pattern)] == words


def test_the_table_is_that_of_the_patterns_as_they_are() -> None:
    """After a change of a pattern: ``just prefilter-words``."""
    made: dict[str, object] = {}
    exec(table_module(), made)
    from thalamus.policy.language.prefilter_words import NEEDED

    assert made["NEEDED"] == NEEDED


def test_every_pattern_is_right() -> None:
    assert len(ALL) > 1000
    for pattern in ALL:
        assert isinstance(pattern.compiled(), re.Pattern)


def test_a_pattern_that_is_not_in_the_table_matches_all_the_same() -> None:
    pattern = LazyPattern(r"(?P<a>zyzzyva)s?")
    found = pattern.search("two zyzzyvas")
    assert found is not None and found["a"] == "zyzzyva"
    assert pattern.match("none") is None and pattern.fullmatch("zyzzyvas") is not None
    assert pattern.sub("x", "zyzzyva") == "x" and pattern.split("a zyzzyva b")[0] == "a "
    ALL.remove(pattern)
