"""What the user writes about the assistant by hand, as sentences to remember: in the words of the
rules where they read it, else in the user's own."""

from __future__ import annotations

import re
from collections.abc import Iterator

from thalamus.policy.language.persona import persona_statements
from thalamus.policy.persona import IDENTITY, MANNER
from thalamus.text.tokens import sentences

LONGEST = 300  # characters of one sentence: each stands in every prompt
_YOU_ARE = re.compile(r"(?:you are|you're|you’re)\s+(?P<rest>.+)", re.I | re.S)
_ARTICLE = re.compile(r"(?:an?|the|my)\s", re.I)
_ORDER = re.compile(
    r"(?:be|speak|talk|write|answer|reply|use|keep|avoid|act|behave|explain|give|ask|never|always|"
    r"do not|don't|don’t)\b",
    re.I,
)


def told_by_hand(text: str) -> Iterator[tuple[str, str, str]]:
    """(sentence to remember, type of memory, words that say it) of each sentence of a text."""
    for said in sentences(text):
        found = persona_statements(said)
        if found:
            yield from ((one.content, one.type, said) for one in found)
        else:
            yield (*_in_own_words(said.strip(" .!")), said)


def _in_own_words(said: str) -> tuple[str, str]:
    you_are = _YOU_ARE.fullmatch(said)
    if you_are is not None:
        return f"The assistant is {you_are['rest']}.", IDENTITY
    if _ARTICLE.match(said):
        return f"The assistant is {_lowered(said)}.", IDENTITY
    if _ORDER.match(said):
        return f"The assistant should {_lowered(said)}.", MANNER
    return f"The assistant should follow this: {said}.", MANNER


def _lowered(said: str) -> str:
    return said[:1].lower() + said[1:]
