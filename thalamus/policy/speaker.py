"""Who said something, and whom a question names.

Memories made from a conversation between people begin with who speaks ("Ana: I moved to Porto");
a question that names Ana is more likely about her words than about what was said to her.
"""

from __future__ import annotations

import re

from thalamus.policy.tokens import words

_SPEAKER = re.compile(r"([^\W\d_][^\n:]{0,39}):\s", re.UNICODE)
_NAME_WORDS = 3  # more before a colon is a sentence


def speaker(text: str) -> str | None:
    """The first name of who speaks, lower-case, in "Name: words"; None without."""
    found = _SPEAKER.match(text)  # plain splitting: every candidate of a search is looked at
    name = found.group(1).casefold().split() if found else []
    return name[0] if 0 < len(name) <= _NAME_WORDS else None


def names(question: str) -> set[str]:
    """The words of a question that may name somebody, lower-case and without possessive endings."""
    return {re.split("['’]", word)[0] for word in words(question)}
