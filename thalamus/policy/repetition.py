"""Cutting the endless repetition that small models fall into."""

from __future__ import annotations

import re

MOST = 2  # times that a sentence may stand in an answer
SHORTEST = 3  # words of a sentence that counts

_SENTENCE = re.compile(r"[^.!?\n。！？]+[.!?。！？]*\s*")


def cut_repetition(text: str) -> str:
    """The text up to where a sentence comes for the third time; code is left alone."""
    if "```" in text:
        return text
    seen: dict[str, int] = {}
    for match in _SENTENCE.finditer(text):
        words = tuple(re.findall(r"\w+", match.group().casefold()))
        if len(words) < SHORTEST:
            continue
        sentence = " ".join(words)
        seen[sentence] = seen.get(sentence, 0) + 1
        if seen[sentence] > MOST:
            return text[: match.start()].rstrip()
    return text
