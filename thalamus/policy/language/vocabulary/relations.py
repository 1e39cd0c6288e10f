"""Relations by their words: those that are over (an ex-wife is no wife, a former boss no boss), and the
people who have animals and relatives of their own ("a friend with a dog")."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from thalamus.policy.language.patterns import LazyPattern

ANIMALS = frozenset("dog cat horse pet parrot rabbit hamster".split())
# the relations that end while both live
_ENDING = frozenset(
    "wife husband partner girlfriend boyfriend fiance boss colleague neighbour flatmate landlord "
    "teacher".split()
)


def with_ended(
    kin: Mapping[str, str], ex: Iterable[str], former: Iterable[str] = ()
) -> dict[str, str]:
    """The words for relations together with those for ended ones: "ex-boss" is ``ex_boss``,
    "former boss" ``former_boss``. ``ex`` and ``former`` are what stands in front of them."""
    ended = {
        f"{before}{word}": f"{stem}_{relation}"
        for stem, words in (("ex", ex), ("former", former))
        for before in words
        for word, relation in kin.items()
        if relation in _ENDING
    }
    return {"ex": "ex_partner", **ended, **kin}


def owners(kin: Mapping[str, str], some: str, mine: str, others: str, have: str) -> LazyPattern:
    """A pattern of somebody who has what follows: "a friend with", "my neighbour who has". Its groups
    ``mine`` and ``kin`` say whose and what that person is; ``name`` is a name. ``some`` are the
    articles, ``others`` are words for people who are nobody's, ``have`` is what says that they have
    something."""
    people = [word for word, of in kin.items() if of not in ANIMALS]
    longest = sorted(people, key=len, reverse=True)
    words = "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in longest)
    return LazyPattern(
        rf"(?<![\w'])(?:(?P<mine>{mine})|{some})\s+(?:[\w-]+\s+){{0,2}}?(?:(?P<kin>{words})|{others})(?:\s+(?P<name>(?-i:[A-ZÀ-ÖØ-Þ])[\w'-]+))?,?\s+"
        rf"(?:{have})\b[^,.;:!?]*$",
        re.I,
    )
