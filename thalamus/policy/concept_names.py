"""Display names and comparison keys of concepts."""

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
    """Key of a concept: its name without article, case and accents, and in the singular if its last
    word is in lower case."""
    bare = _POSSESSIVE.sub("", " ".join(name.split()))
    bare = _ARTICLE.sub("", bare, count=1)
    folded = fold(bare)
    return _singular(folded) if bare[-1:].islower() and _last(bare).islower() else folded


def canonical_name(name: str) -> str:
    """Display name of a concept: without article, on one line."""
    bare = _POSSESSIVE.sub("", " ".join(name.split()))
    return _ARTICLE.sub("", bare, count=1) if bare[:1].islower() else bare


def _last(name: str) -> str:
    return name.rpartition(" ")[2]


def _singular(folded: str) -> str:
    """The name with its last word in the singular, where that is reasonably certain."""
    if len(folded) < 4 or folded[-1] != "s" or folded.endswith(("ss", "us", "is", "ous", "'s")):
        return folded
    if folded.endswith("ies"):
        return folded[:-3] + "y" if len(_last(folded)) > 4 else folded
    if folded.endswith(("sses", "shes", "ches", "xes", "zzes")):
        return folded[:-2]
    return folded[:-1] if len(_last(folded)) > 3 else folded
