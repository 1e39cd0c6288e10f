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


def with_noun(before: str, plain: str) -> str | None:
    """A clause with the noun of the one before it in the place of its pronoun; None where it has
    none that it needs."""
    leaning = _ALLERGIC_TO_IT.fullmatch(plain)
    meant = _THING.fullmatch(before) if leaning is not None else None
    return f"{leaning['head']} {meant['thing']}" if leaning is not None and meant else None


def had_pronoun(text: str, plain: str) -> bool:
    """Whether a clause, as it was said, ends in a pronoun whose noun it has by now."""
    return _PRONOUN_LAST.search(text) is not None and _PRONOUN_LAST.search(plain) is None
