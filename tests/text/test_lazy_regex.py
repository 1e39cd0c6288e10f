from __future__ import annotations

import re

import pytest

from thalamus.text.lazy_regex import lazy_regex


def test_it_finds_what_the_compiled_pattern_finds() -> None:
    digits = lazy_regex(r"(?P<first>\d)\d*")
    assert digits.findall("12 and 3") == ["1", "3"]
    assert [found["first"] for found in digits.finditer("45 6")] == ["4", "6"]
    assert digits.sub("n", "1 or 2") == "n or n"
    assert lazy_regex("ANA", re.IGNORECASE).search("Ana") is not None


def test_an_invalid_pattern_fails_when_it_is_used() -> None:
    invalid = lazy_regex("(")
    with pytest.raises(re.error):
        invalid.search("text")
