"""Whether a memory or a turn says what a fact says: then it may be untrue once the fact ended."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, tzinfo
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from thalamus.text.days import as_said
from thalamus.text.local_time import local_day
from thalamus.text.tokens import content_words, share_found, words

if TYPE_CHECKING:
    from thalamus.records import Fact, Memory, Turn

_ID = re.compile(r" \[[\w-]+\]")
# of one fact, as ``ended_reason`` says it: whose it is unless it is the user's, its predicate (most
# have a "_"), its object
_OF_FACT = re.compile(
    r"(?:(?:\S+ ){0,2}?(?P<named>[a-z]+_\w+)|(?:[A-Z]\S* )*(?P<plain>[a-z]\w*)) (?P<object>.+)"
    r" (?:ended (?:about )?\d{4}(?:-\d\d){0,2}|was retracted)$"
)
# in a reason: what is said was never true
RETRACTED = "was retracted"
CORRECTED = "was corrected"
_USER = frozenset({"user", "the user", "i", "me"})


class Ended(NamedTuple):
    """A fact that no longer holds, as a reason names it."""

    predicate: str
    object: str


class Outdated(NamedTuple):
    """What of a conversation no longer holds. ``corrected``: the ids of the exchanges that say what
    was retracted since; ``reasons``: why what the user said in an exchange may no longer be true,
    by its id."""

    corrected: frozenset[str] = frozenset()
    reasons: Mapping[str, str] = MappingProxyType({})


def is_about(memory: Memory, fact: Fact) -> bool:
    """Whether the memory's words hold the fact's object and subject, and either its predicate or
    the very sentence that the fact was taken from."""
    said = words(memory.content)
    wanted = content_words(fact.object) or words(fact.object)
    if not wanted or share_found(wanted, said) < 1:
        return False
    if fact.subject.casefold() not in _USER and share_found(words(fact.subject), said) < 1:
        return False
    predicate = content_words(fact.predicate.replace("_", " "))
    if predicate and share_found(predicate, said) > 0:
        return True
    quote = memory.provenance.quote if memory.provenance else None
    return quote is not None and quote == fact.quote


def ended_reason(fact: Fact, moment: str | None = None, zone: tzinfo = UTC) -> str:
    """Why what rests on a fact may be untrue: ``lives_in Lisbon ended 2024-05-01 [fact_…]``, with
    the day in the user's time ``zone``. What was retracted never held, whatever end it had."""
    end = None if fact.retired_at else moment or fact.valid_to
    day = as_said(local_day(end, zone), end, fact.metadata)
    what = f"ended {day}" if end else RETRACTED
    who = "" if fact.subject.casefold() in _USER else f"{fact.subject} "
    return f"{who}{fact.predicate} {fact.object} {what} [{fact.id}]"


def ended_facts(reason: str) -> list[Ended]:
    """What a reason says has ended or was retracted: (member_of, chess club) of ``member_of chess
    club ended 2026-05-01 [fact_…]``. Empty for a reason that names no fact."""
    parts = (_OF_FACT.match(part) for part in _ID.sub("", reason).split("; "))
    return [
        Ended(found["named"] or found["plain"], found["object"])
        for found in parts
        if found is not None
    ]


def says_what_was_retracted(turn: Turn, facts: Sequence[Fact]) -> bool:
    """Whether the user or the assistant said in a turn, before it was retracted, what a fact says:
    all content words of its object."""
    said = words(f"{turn.message} {turn.answer or ''}")
    when = turn.created_at or ""
    for fact in facts:
        wanted = content_words(fact.object) or words(fact.object)
        later = fact.retired_at is not None and when <= fact.retired_at
        if wanted and later and share_found(wanted, said) == 1:
            return True
    return False


def is_wrong(reason: str | None) -> bool:
    """Whether a reason says that something never was true, not only that it is over."""
    return reason is not None and (RETRACTED in reason or CORRECTED in reason)


def reason_in_words(reason: str) -> str:
    """A reason without the ids."""
    return _ID.sub("", reason)
