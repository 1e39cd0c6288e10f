"""Staleness: memories and turns that may be untrue because a fact they state has ended."""

from __future__ import annotations

import re
from datetime import UTC, tzinfo
from typing import TYPE_CHECKING

from thalamus.policy.entities import USER, key_of
from thalamus.text.analyzer import words
from thalamus.text.days import last_day
from thalamus.text.tokens import content_words, share_found

if TYPE_CHECKING:
    from thalamus.records import Fact, Memory

_ID = re.compile(r" \[[\w-]+\]")
# in a reason: the statement was never true
RETRACTED = "was retracted"
CORRECTED = "was corrected"
REPLACED = "said otherwise later"  # it was true once
WITHDRAWN = "was withdrawn"  # of a turn, which is not evidence


def is_about(memory: Memory, fact: Fact) -> bool:
    """True if the memory's words hold the fact's object and subject, and either its predicate or
    the very sentence that the fact was taken from."""
    memory_words = words(memory.content)
    object_words = content_words(fact.object) or words(fact.object)
    if not object_words or share_found(object_words, memory_words) < 1:
        return False
    if key_of(fact.subject) != USER and share_found(words(fact.subject), memory_words) < 1:
        return False
    predicate = content_words(fact.predicate.replace("_", " "))
    if predicate and share_found(predicate, memory_words) > 0:
        return True
    quote = memory.provenance.quote if memory.provenance else None
    return quote is not None and quote == fact.quote


def ended_reason(fact: Fact, moment: str | None = None, zone: tzinfo = UTC) -> str:
    """Reason why records that rest on a fact may be untrue: ``lives_in Lisbon ended 2024-05-01
    [fact_…]``, with the last day in the user's time ``zone``. A retracted fact never held, whatever
    its end."""
    end = None if fact.retired_at else moment or fact.valid_to
    event = f"ended {last_day(end, fact.metadata, zone)}" if end else RETRACTED
    subject = "" if key_of(fact.subject) == USER else f"{fact.subject} "
    return f"{subject}{fact.predicate} {fact.object} {event} [{fact.id}]"


def reason_in_words(reason: str) -> str:
    """The reason without ids."""
    return _ID.sub("", reason)
