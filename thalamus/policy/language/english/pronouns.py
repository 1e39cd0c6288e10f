"""What "it" and "them" stand for in a clause that is worth nothing without it: "I can't have
penicillin, I'm allergic to it"."""

from __future__ import annotations

import re

from thalamus.policy.language.patterns import LazyPattern

_ALLERGIC_TO_IT = LazyPattern(
    r"(?P<head>.*\b(?:allergic|intolerant|anaphylactic|hypersensitive)\s+to)\s+(?:it|them|those|that|both)$",
    re.I,
)
_THING = LazyPattern(
    r".*\b(?:(?:cannot|can\s+not|do\s+not|does\s+not|must\s+not|never|not\s+allowed(?:\s+to)?|have\s+to\s+avoid)\s+(?:have|eat|touch|drink|take|use|go\s+near|be\s+around)?"
    r"|avoids?|loves?|likes?|adores?|hates?|stay\s+away\s+from)\s*\b(?:any\s+)?"
    r"(?P<thing>(?!(?:it|them|that|this|those|to|you|me|him|her)\b)[a-z][\w'-]*(?:(?:\s|,\s)[\w'-]+){0,5})$",
    re.I,
)
_PRONOUN_LAST = LazyPattern(r"\b(?:it|them|those|that|both)\W*$", re.I)

_HERE_SAID = LazyPattern(r"\bhere\b", re.I)
# "I live in Galway, I moved here in 2019"
_HERE = LazyPattern(
    r"(?P<head>(?:(?:I|we|he|she|they)\s+)?(?:(?:have|has|had)\s+)?(?:only\s+|just\s+)?(?:moved|came|relocated|emigrated))\s+(?:over\s+)?here\b(?P<rest>.*)",
    re.I,
)
_LIVES = LazyPattern(
    r".*\b(?:live|lives|living)\s+in\s+(?P<thing>(?-i:[A-ZÀ-ÖØ-Þ])[\w'-]*(?:\s+(?-i:[A-ZÀ-ÖØ-Þ])[\w'-]*)*)(?:\s+now)?$",
    re.I,
)


def with_noun(before: str, plain: str) -> str | None:
    """A clause with the noun of the one before it in the place of its pronoun, and the town in the
    place of its "here"; None where it has none that it needs."""
    here = _HERE.fullmatch(plain)
    if here is not None:
        town = _LIVES.fullmatch(before)
        return (
            f"{here['head'].replace('came', 'moved')} to {town['thing']}{here['rest']}"
            if town
            else None
        )
    leaning = _ALLERGIC_TO_IT.fullmatch(plain)
    meant = _THING.fullmatch(before) if leaning is not None else None
    return f"{leaning['head']} {meant['thing']}" if leaning is not None and meant else None


def had_pronoun(text: str, plain: str) -> bool:
    """Whether a clause, as it was said, ends in a pronoun whose noun it has by now, or says
    "here" of a town that it names by now."""
    return any(p.search(text) and not p.search(plain) for p in (_PRONOUN_LAST, _HERE_SAID))
