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


def asks_what_was(message: str) -> bool:
    """Whether a message may ask for what held once."""
    return _WAS.search(message) is not None
