"""The names of concepts: how they are shown, and what they are compared by."""

from __future__ import annotations

import re

from thalamus.policy.entities import fold

_ARTICLE = re.compile(
    r"^(?:the|an?|my|our|his|her|their|your|some|der|die|das|eine?n?|el|la|los|las|une?|le|les|o|os"
    r"|uma?)\s+(?=\S)",
    re.I,
)
_POSSESSIVE = re.compile(r"['’]s$")


def concept_key(name: str) -> str:
    """What a concept is compared by: its name without article, case, accents and, where its last
    word is written in lower case, without the ending of the plural."""
    bare = _POSSESSIVE.sub("", " ".join(name.split()))
    bare = _ARTICLE.sub("", bare, count=1)
    folded = fold(bare)
    return _singular(folded) if bare[-1:].islower() and _last(bare).islower() else folded


def canonical_name(name: str) -> str:
    """A name as it is shown: without its article, on one line."""
    bare = _POSSESSIVE.sub("", " ".join(name.split()))
    return _ARTICLE.sub("", bare, count=1) if bare[:1].islower() else bare


def _last(name: str) -> str:
    return name.rpartition(" ")[2]


def _singular(folded: str) -> str:
    """The last word without its plural ending, where that is sure enough."""
    if len(folded) < 4 or folded[-1] != "s" or folded.endswith(("ss", "us", "is", "ous", "'s")):
        return folded
    if folded.endswith("ies"):
        return folded[:-3] + "y" if len(_last(folded)) > 4 else folded
    if folded.endswith(("sses", "shes", "ches", "xes", "zzes")):
        return folded[:-2]
    return folded[:-1] if len(_last(folded)) > 3 else folded
