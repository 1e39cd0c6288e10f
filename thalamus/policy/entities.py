"""Entities of facts: spellings, the user's own names, and merged names."""

from __future__ import annotations

import re
from collections.abc import Mapping

from thalamus.text.analyzer import fold
from thalamus.text.lazy_regex import lazy_regex

USER = "user"
_ANY_MORE = lazy_regex(r",?\s+(any\s?more|any longer|at all)[.!]?$", re.IGNORECASE)
_SELF = frozenset({"user", "the user", "i", "me", "myself", "speaker", "my", "mine"})


def subject_name(text: str) -> str:
    """A subject's name on one line, with a single spelling for the user."""
    return USER if fold(text) in _SELF else " ".join(text.split()) or text


def object_name(text: str) -> str:
    """An object on one line, without the "any more" of a denial."""
    name = " ".join(text.split())
    return _ANY_MORE.sub("", name) or name


def key_of(text: str) -> str:
    """Key of a name before merging."""
    folded = fold(text)
    return USER if folded in _SELF else folded or text


def canonical(key: str, merged: Mapping[str, str]) -> str:
    """The key that a key leads to via merged names, stopping before a cycle."""
    seen = {key}
    while (target := merged.get(key)) is not None and target not in seen:
        key = target
        seen.add(key)
    return key
