"""New facts against old: which predicates have one value at a time, and when an old one ends."""

from __future__ import annotations

import re
from collections.abc import Sequence

from thalamus.records import Fact

# Predicates of which a subject has one at a time. All others may have many.
ONE_VALUED = frozenset(
    """lives_in works_at works_as name born_on born_in age married_to email phone nationality
    native_language timezone job_title employer home_town current_project""".split()
)
_SPELLINGS = {
    "live_in": "lives_in",
    "moved_to": "lives_in",
    "work_at": "works_at",
    "works_for": "works_at",
    "work_for": "works_at",
    "employed_by": "works_at",
    "work_as": "works_as",
    "is_called": "name",
    "is_named": "name",
    "has_name": "name",
    "like": "likes",
    "loves": "likes",
    "enjoys": "likes",
    "prefer": "prefers",
    "hates": "dislikes",
    "speak": "speaks",
}
_SELF = frozenset({"user", "the user", "i", "me", "myself", "speaker"})


def predicate_name(text: str) -> str:
    """A predicate in snake_case, common spellings made one."""
    name = re.sub(r"[^\w]+", "_", text.strip().lower()).strip("_")
    return _SPELLINGS.get(name, name)


def subject_name(text: str) -> str:
    """A subject's name; the ways to say "the user" made one."""
    name = " ".join(text.split())
    return "user" if name.casefold() in _SELF else name


def starts(fact: Fact) -> str:
    """When a fact began to hold, as far as is known."""
    return fact.valid_from or fact.created_at or fact.recorded_at or ""


def same(one: Fact, other: Fact) -> bool:
    """Whether two facts of one subject and predicate say the same."""
    return " ".join(one.object.casefold().split()) == " ".join(other.object.casefold().split())


def repeats(fact: Fact, known: Sequence[Fact]) -> Fact | None:
    """The known fact that already says this about this time, if any."""
    for other in known:
        later = starts(fact) >= starts(other)
        holds = other.valid_to is None or starts(fact) < other.valid_to
        if same(fact, other) and holds and (later or fact.valid_from is None):
            return other
    return None


def ends(fact: Fact, known: Sequence[Fact]) -> list[tuple[Fact, str]]:
    """(fact, valid_to) for the facts whose end follows from ``fact`` being new.

    Only a one-valued predicate ends anything. The facts are put in the order of the world,
    whatever the order of their arrival: the one before ends when this one begins, and this one,
    when it is older news, ends when the next one begins.
    """
    if fact.predicate not in ONE_VALUED:
        return []
    closed = []
    before = [f for f in known if starts(f) <= starts(fact) and not same(f, fact)]
    if before:
        last = max(before, key=starts)
        if last.valid_to is None or last.valid_to > starts(fact):
            closed.append((last, starts(fact)))
    after = [starts(f) for f in known if starts(f) > starts(fact) and not same(f, fact)]
    if after and (fact.valid_to is None or fact.valid_to > min(after)):
        closed.append((fact, min(after)))
    return closed
