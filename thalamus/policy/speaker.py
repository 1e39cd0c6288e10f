"""Speakers of statements, and people named in a question.

Memories made from a conversation between people begin with the speaker ("Ana: I moved to Porto"). A
question that names Ana is more likely about her words than about words addressed to her.
"""

from __future__ import annotations

import re

from thalamus.text.tokens import words

_LONGEST_NAME = 40  # characters, with the colon
_SPEAKER = re.compile(r"([^\W\d_][^\n:]*):\s")
_NAME_WORDS = 3  # more words before a colon are a sentence


def speaker(text: str) -> str | None:
    """The speaker's first name in lower case, from "Name: words"; None without a speaker."""
    if ":" not in text[:_LONGEST_NAME]:  # checked for every candidate of a search
        return None
    found = _SPEAKER.match(text)
    name = found.group(1).casefold().split() if found else []
    return name[0] if 0 < len(name) <= _NAME_WORDS else None


def without_speaker(text: str) -> str:
    """The words of "Name: words"; the whole text without a speaker."""
    return text.split(":", 1)[1] if speaker(text) is not None else text


def names(question: str) -> set[str]:
    """Words of a question that may be names, in lower case and without possessive endings."""
    return {re.split("['’]", word)[0] for word in words(question)}
