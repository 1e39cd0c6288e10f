"""Removal of endless repetitions, which small models fall into."""

from __future__ import annotations

import re

from thalamus.text.lazy_regex import lazy_regex

MOST = 2  # occurrences of a sentence in an answer
SHORTEST = 3  # words of a sentence that counts

_SENTENCE = lazy_regex(r"[^.!?\n。！？]+[.!?。！？]*\s*")


def cut_repetition(text: str) -> str:
    """The text up to the third occurrence of a sentence; text with code is left alone."""
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
