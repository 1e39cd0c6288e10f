"""Characters that databases reject."""

from __future__ import annotations

import pytest

from thalamus.text.storable import rejected, storable, storable_json

pytestmark = pytest.mark.storeless


def test_they_are_dropped() -> None:
    assert storable("a\0b\ud800c") == "abc"
    assert storable("a\ud83d\ude00b") == "a😀b"  # a whole pair is one character
    assert storable_json({"a\0": ["b\0", {"c": "\udc00"}, 1, None]}) == {
        "a": ["b", {"c": ""}, 1, None]
    }


def test_the_field_of_the_first_is_named() -> None:
    assert rejected({"a": ["b", 1, None, {"c": "d"}]}) is None
    assert rejected({"a": ["b", {"c": "d\0"}]}) == (
        "a[1].c",
        "contains a zero character (\\u0000), which databases reject",
    )
    field, problem = rejected("x\udc00", "message") or ("", "")
    assert (field, problem[:6]) == ("message", "\\udc00")
    assert rejected({"\0": 1}) is not None
