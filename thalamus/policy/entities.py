"""Whom or what a fact is about: spellings, the user's own names, and names merged by hand."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

USER = "user"
_SELF = frozenset({"user", "the user", "i", "me", "myself", "speaker", "my", "mine"})


def fold(text: str) -> str:
    """A name without its case, accents and spacing: spellings that agree in it are one."""
    bare = unicodedata.normalize("NFKD", text.casefold())
    return " ".join("".join(c for c in bare if not unicodedata.combining(c)).split())


def subject_name(text: str) -> str:
    """A subject's name on one line; the ways to say "the user" made one."""
    return USER if fold(text) in _SELF else " ".join(text.split()) or text


def key_of(text: str) -> str:
    """The key of a name, before anything was merged."""
    folded = fold(text)
    return USER if folded in _SELF else folded or text


def canonical(key: str, merged: Mapping[str, str]) -> str:
    """Where a key leads when merged names are followed; one that leads to itself stays."""
    seen = {key}
    while (target := merged.get(key)) is not None and target not in seen:
        key = target
        seen.add(key)
    return key
