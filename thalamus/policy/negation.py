"""Whether a statement denies something: the words that turn it round."""

from __future__ import annotations

import re
from functools import lru_cache

from thalamus.text.tokens import spaced

# Words that turn a statement round; with one of them on one side only, two never say the same
NEGATIONS = frozenset(
    """no not never none neither nor without dont don't doesnt doesn't didnt didn't isnt isn't
    arent aren't wasnt wasn't cant can't cannot won't wouldn't longer stopped stops quit gave
    nicht kein keine keinen nie niemals mehr ohne pas plus jamais sans ne n'est nunca não nao sem
    sin tampoco non mai senza niet geen nooit inte aldrig ikke aldri nie""".split()
)
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


@lru_cache(maxsize=1024)
def negated(content: str) -> bool:
    """Whether a statement denies something."""
    said = {word.casefold().replace("’", "'") for word in _WORD.findall(spaced(content))}
    return bool(said & NEGATIONS)
