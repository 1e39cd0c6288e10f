"""Questions for what is over: "where did I live before?", "what did my project use to be?"."""

from __future__ import annotations

import re

_WAS = re.compile(
    r"\bbefore(?=\s*(?:[?.!,]|$)|\s+(?:that|this|now|then|I|we)\b)"
    r"|\b(?:used?\s+to|previous(?:ly)?|former(?:ly)?|earlier|prior|last\s+time|in\s+the\s+past|back\s+then|"
    r"no\s+longer|any\s?more|(?:my|our)\s+(?:old|last|first|ex)\b)"
    r"|\b(?:where|what|who|which(?:\s+\w+)?)\s+(?:did|was|were)\s+(?:I|my|we|our)\b"
    r"|\b(?:früher\w*|vorher\w*|davor|ehemalig\w*|vorig\w*|avant|auparavant|anciens?|anciennes?|"
    r"précédent\w*|antes|anterior\w*|solía\w*|costumava\w*)\b",
    re.I,
)

# the past, in whatever the question asks for
_PAST = re.compile(
    r"\b(?:was|were|did|had|ever|once|last|ago|left|quit|since|happened|changed?|why|"
    r"war(?:en|st)?|hatte\w*|habe\s+ich|letzte\w*|warum|"
    r"étais|avais|ai-je|derni[eè]re?s?|pourquoi|era|eras|fui|tenía|tuve|últim\w+|tinha|tive|por\s+qu[eê])\b",
    re.I,
)


def asks_what_was(message: str) -> bool:
    """Whether a message may ask for what held once."""
    return _WAS.search(message) is not None


def speaks_of_the_past(question: str) -> bool:
    """Whether a question has a word of the past, or asks why something became so: it is not only
    about what holds now."""
    return _PAST.search(question) is not None
