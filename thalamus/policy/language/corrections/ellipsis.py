"""A message that only goes on with the one before: "and a cat too", after "We have a dog called Bo."."""

from __future__ import annotations

import re

from thalamus.policy.language.clauses import clauses
from thalamus.policy.language.patterns import LazyPattern
from thalamus.policy.language.reading import read

LONGEST = 6  # words of what is added
LEAST = 5  # words of the earlier message up to what it names, at most
_ADDS = LazyPattern(
    r"(?:(?:oh|yes|yeah|yep|right|ja|genau|stimmt|klar|oui|sí|si|claro|sim|isso|ah|ach)\b[\s,.!]*)*"
    r"(?:and|plus|und|y|e|et)\s+(?P<more>[^,;.!?]+?)(?P<too>\s+(?:too|as\s+well|also|auch|también|aussi|também))?[\s.!]*$",
    re.I,
)
_THING = LazyPattern(
    r"(?:an?|one|two|three|four|five|some|\d+|ein(?:e[nmr]?)?|zwei|drei|vier|una?|dos|tres|cuatro|une?|des|deux|trois|quatre|uma?|"
    r"dois|duas|três|quatro)\s+\S",
    re.I,
)
_LEAD = r"(?:(?:the|an?|le|la|les|l'|un|une|el|los|las|una|os?|as?|um|uma|de[nrms]?|die|das|ein\w*|some|meine?|my)\s+)?"
_MINE = r"(?:I|we|ich|wir|yo|nosotr[oa]s|je|j'|on|nous|eu|a\s+gente)\b|(?:\w+(?:o|amos|emos|imos)|me\s+\w+)\b"
# of what one may like, have or speak several
_MANY = frozenset(
    "likes dislikes prefers speaks plays practises has allergic_to member_of collects drinks eats".split()
)
_SOMEBODY = LazyPattern(
    r"(?:I|we|you|he|she|it|they|ich|wir|du|er|sie|es|yo|tú|él|ella|je|tu|il|elle|eu|você|ele|ela|my|mein\w*|mis?|mon|ma|mes|meus?|minhas?)\b",
    re.I,
)
_BEHIND = LazyPattern(
    r"(?P<prep>in|on|at|to|with|of|de|du|con|en|avec|com|em|mit|bei|in)\s+\S", re.I
)


def may_continue(message: str) -> bool:
    """Whether a message may go on with the one before it."""
    return _ADDS.match(" ".join(message.split())) is not None


def complete(earlier: str, message: str) -> str | None:
    """What a message adds to the earlier one, with the beginning of that: "We have a cat". None
    where it is no such addition, or has no place there."""
    adds = _ADDS.match(" ".join(message.split()))
    stated = [clause for clause in clauses(earlier) if clause.states]
    if adds is None or not stated or len(adds["more"].split()) > LONGEST:
        return None
    more, before = adds["more"], stated[0].text
    behind = _BEHIND.match(more)
    begin = ""
    if behind or _THING.match(more):
        pattern = rf"\b{behind['prep']}\s" if behind else rf"\b{_THING.pattern}"
        place = re.search(pattern, before, re.I)
        begin = before[: place.start()].strip() if place and (adds["too"] or not behind) else ""
    if not begin and adds["too"] and not behind and not _SOMEBODY.match(more):
        begin = _up_to_object(before)
    return f"{begin} {more}" if begin and len(begin.split()) <= LEAST else None


def _up_to_object(stated: str) -> str:
    """A statement up to what it names first: "I speak", of "I speak Polish and English"."""
    if re.match(_MINE, stated, re.I) is None:
        return ""
    objects = [re.escape(s.object) for s in read(stated).statements if s.predicate in _MANY]
    found = (
        re.search(rf"(?<!\w){_LEAD}(?:{'|'.join(objects)})(?!\w)", stated, re.I)
        if objects
        else None
    )
    return stated[: found.start()].strip() if found else ""
