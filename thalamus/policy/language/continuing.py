"""A message that only goes on with the one before: "and a cat too", after "We have a dog called Bo."."""

from __future__ import annotations

import re

from thalamus.policy.language.clauses import clauses

LONGEST = 6  # words of what is added
LEAST = 5  # words of the earlier message up to what it names, at most
_ADDS = re.compile(
    r"(?:and|plus|und|y|e|et)\s+(?P<more>[^,;.!?]+?)(?P<too>\s+(?:too|as\s+well|also|auch|también|aussi|também))?[\s.!]*$",
    re.I,
)
_THING = re.compile(
    r"(?:an?|one|two|three|four|five|some|\d+|ein(?:e[nmr]?)?|zwei|drei|vier|una?|dos|tres|cuatro|une?|des|deux|trois|quatre|uma?|"
    r"dois|duas|três|quatro)\s+\S",
    re.I,
)
_BEHIND = re.compile(
    r"(?P<prep>in|on|at|to|with|of|de|du|con|en|avec|com|em|mit|bei|in)\s+\S", re.I
)


def goes_on(message: str) -> bool:
    """Whether a message may go on with the one before it."""
    return _ADDS.match(" ".join(message.split())) is not None


def in_full(earlier: str, message: str) -> str | None:
    """What a message adds to the earlier one, with the beginning of that: "We have a cat". None
    where it is no such addition, or has no place there."""
    adds = _ADDS.match(" ".join(message.split()))
    stated = [clause for clause in clauses(earlier) if clause.states]
    if adds is None or not stated or len(adds["more"].split()) > LONGEST:
        return None
    more, before = adds["more"], stated[0].text
    behind = _BEHIND.match(more)
    pattern = rf"\b{behind['prep']}\s" if behind else rf"\b{_THING.pattern}"
    place = re.search(pattern, before, re.I)
    if place is None or not (behind or _THING.match(more)) or not (adds["too"] or not behind):
        return None
    begin = before[: place.start()].strip()
    return f"{begin} {more}" if begin and len(begin.split()) <= LEAST else None
