"""Who said something, and whom a question names.

Memories made from a conversation between people begin with who speaks ("Ana: I moved to Porto");
a question that names Ana is more likely about her words than about what was said to her.
"""

from __future__ import annotations

import re

from thalamus.text.tokens import words

_LONGEST_NAME = 40  # characters, with the colon
_SPEAKER = re.compile(r"([^\W\d_][^\n:]*):\s")
_NAME_WORDS = 3  # more before a colon is a sentence


def speaker(text: str) -> str | None:
    """The first name of who speaks, lower-case, in "Name: words"; None without."""
    if ":" not in text[:_LONGEST_NAME]:  # every candidate of a search is looked at
        return None
    found = _SPEAKER.match(text)
    name = found.group(1).casefold().split() if found else []
    return name[0] if 0 < len(name) <= _NAME_WORDS else None


def without_speaker(text: str) -> str:
    """The words of "Name: words"; the text itself where nobody is named."""
    return text.split(":", 1)[1] if speaker(text) is not None else text


def names(question: str) -> set[str]:
    """The words of a question that may name somebody, lower-case and without possessive endings."""
    return {re.split("['’]", word)[0] for word in words(question)}
