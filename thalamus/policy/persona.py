"""The persona: who the assistant is, and how it should speak, as memories say it.

Such a memory is one sentence about the assistant. Most fill a slot that has one value at a time
(the name, the language …): a later value supersedes the earlier one. They come out of the user's
own words (``policy.language.persona``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from thalamus.records import Memory

IDENTITY, MANNER = "assistant_identity", "persona"
PERSONA_TYPES = (IDENTITY, MANNER)
NAME_KEY = "persona"  # the key of ``metadata`` that holds the persona that a memory belongs to
FLAG = "persona_related"  # the key of ``metadata`` that is derived from the type

# what the assistant should do -> the slot that it is a value of
SLOTS = {
    "be formal with the user": "formality",
    "be informal with the user": "formality",
    "keep its answers short": "length",
    "answer in detail": "length",
    "use emojis": "emojis",
    "not use emojis": "emojis",
    "use simple words": "wording",
    "use technical terms": "wording",
    "use slang": "slang",
    "not use slang": "slang",
    "use lists": "lists",
    "not use lists": "lists",
    "ask questions back": "questions",
    "not ask questions back": "questions",
    "make jokes": "humour",
    "not make jokes": "humour",
    "be funny": "humour",
    "be serious": "humour",
    "be direct": "directness",
    "be gentle": "directness",
    "be honest": "honesty",
    "be friendly": "warmth",
    "be neutral": "warmth",
    "be polite": "politeness",
    "be patient": "patience",
    "be encouraging": "encouragement",
    "be sarcastic": "sarcasm",
    "not be sarcastic": "sarcasm",
}
_NAMED = re.compile(r"The assistant is (?P<ended>no longer )?called (?P<value>.+?)\.?$")
_ROLE = re.compile(r"The assistant is (?P<ended>no longer )?(?P<value>(?:the user's|an?) .+?)\.?$")
_DOES = re.compile(r"The assistant (?:should|(?P<ended>no longer has to)) (?P<value>.+?)\.?$")
_LANGUAGE = re.compile(r"answer in (?!detail$)(?P<language>[A-Z]\w+)")
_LIKE = re.compile(r"(?:talk|speak|write|answer) like ")


def is_persona(memory: Memory) -> bool:
    """Whether a memory says who the assistant is or how it should speak."""
    return memory.type in PERSONA_TYPES


def persona_of(metadata: Mapping[str, Any]) -> str | None:
    """The persona that a memory with this metadata belongs to; None for one of all personas."""
    name = metadata.get(NAME_KEY)
    return name if isinstance(name, str) and name else None


def applies(type: str | None, metadata: Mapping[str, Any], persona: str) -> bool:
    """Whether what has this type and metadata stands under a persona (empty: none is chosen)."""
    return type not in PERSONA_TYPES or persona_of(metadata) in (None, persona or None)


def with_marks(memory: Memory, persona: str = "") -> dict[str, Any]:
    """The metadata of a memory with what follows from its type: the flag, which a memory of
    another type loses, and the persona under which it was said if it names none."""
    metadata = memory.metadata
    if not is_persona(memory):
        return {k: v for k, v in metadata.items() if k != FLAG} if FLAG in metadata else metadata
    marks = {FLAG: True}
    if persona and NAME_KEY not in metadata:
        return {**metadata, NAME_KEY: persona, **marks}
    return {**metadata, **marks} if metadata.get(FLAG) is not True else metadata


def slot(content: str) -> tuple[str, str, bool] | None:
    """(slot, value, whether it has ended) of a sentence about the assistant; None for one that
    stands next to any other."""
    for name, pattern in (("name", _NAMED), ("role", _ROLE)):
        found = pattern.match(content)
        if found:
            return name, found["value"].casefold(), found["ended"] is not None
    does = _DOES.match(content)
    if does is None:
        return None
    value, ended = does["value"], does["ended"] is not None
    if _LANGUAGE.match(value):
        return "language", value.casefold(), ended
    known = SLOTS.get(value) or ("voice" if _LIKE.match(value) else None)
    return (known, value, ended) if known else None


def ended(content: str) -> bool:
    """Whether a sentence about the assistant only says that something no longer holds."""
    filled = slot(content)
    return filled is not None and filled[2]


def in_force(memories: Iterable[Memory], persona: str) -> list[Memory]:
    """Of core memories those that stand in the prompt under a persona: its own and those of no
    persona, but for a slot that its own fill."""
    there = [memory for memory in memories if applies(memory.type, memory.metadata, persona)]
    own = {
        filled[0]
        for memory in there
        if is_persona(memory)
        and persona_of(memory.metadata)
        and (filled := slot(memory.content)) is not None
    }
    return [memory for memory in there if not _overridden(memory, own)]


def _overridden(memory: Memory, own: set[str]) -> bool:
    if not own or not is_persona(memory) or persona_of(memory.metadata):
        return False
    filled = slot(memory.content)
    return filled is not None and filled[0] in own


# -- what stands in the prompt ---------------------------------------------------------------------

# a small model does what it is told in plain words, and little of what it would have to work out
_IN_PLAIN_WORDS = {
    "be formal with the user": "Be formal: polite, complete sentences, no slang.",
    "be informal with the user": "Be informal: talk to the user like a friend.",
    "keep its answers short": "Keep your answers short: one or two sentences.",
    "answer in detail": "Answer in detail: several sentences, with reasons.",
    "use simple words": "Use simple words that a child knows.",
}
_SECOND = (
    (re.compile(r"^The assistant is\b"), "You are"),
    (re.compile(r"^The assistant should not\b"), "Do not"),
    (re.compile(r"^The assistant should (never|always)\b"), lambda found: found[1].capitalize()),
    (re.compile(r"^The assistant should (\w)"), lambda found: found[1].upper()),
    (re.compile(r"^The assistant no longer has to\b"), "You no longer have to"),
    (re.compile(r"\bits\b"), "your"),
)


def second_person(content: str) -> str:
    """A sentence about the assistant as the assistant is told it: "You are called Gwen."."""
    does = _DOES.match(content)
    if does is not None and not does["ended"] and does["value"] in _IN_PLAIN_WORDS:
        return _IN_PLAIN_WORDS[does["value"]]
    text = content
    for pattern, spoken in _SECOND:
        text = pattern.sub(spoken, text, count=1)
    return text
