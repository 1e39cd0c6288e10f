"""What becomes of a new memory: one decision, with a stable rule and its reason in words.

Careful by design: a memory that is true must never get lost. So what is there is closed only on
clear grounds: the later word of the same or a better source, about the same one-valued attribute
with another value, or the very same statement denied. Whatever is unclear is added as a new memory.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from thalamus.policy.novelty import (
    Neighbour,
    bearing,
    covered,
    denies,
    likeness,
    says_same,
    says_within,
)
from thalamus.policy.salience import LEAST, small_talk
from thalamus.policy.timeline import moment
from thalamus.records import Decision, Memory, Verdict

CAME_BACK = 0.6  # likeness from which on what the assistant said is what its prompt held
GAIN = 1.0  # strength that a memory gains when the user says it again
ECHO_GAIN = 0.1  # and when it only came back out of a prompt

# types of memories that Thalamus infers from how often something comes up: what was recalled
# already says as much, and there is nothing that a person could decide
COUNTED = frozenset({"topic_of_interest"})

# Why something was quarantined or left out, without a word of what it said: fit for the ledger
REASONS = {
    "invented": "it names someone or something that is not in the turn",
    "ungrounded": "its words are not in the turn",
    "opposite": "the message says the opposite",
    "injection": "it reads like an instruction to the assistant",
    "from_answer": "it is based on an answer that repeated recalled memories",
    "source_deleted": "its source was deleted",
}

# Attributes of which one has one value at a time, as they stand in a memory. Only what is: a
# move, a start or a wedding stays true whatever comes after it.
_WHO = r"^(?P<who>[\w'’ -]{2,40}?)"
_NOW, _VALUE = r"(?: now| currently)?", r"(?P<value>.+)"
_FRAMES = [
    (name, re.compile(_WHO + pattern, re.I))
    for name, pattern in (
        ("lives_in", rf"{_NOW} (?:lives?|is living|resides?)(?: now)? in {_VALUE}"),
        ("works_at", rf"{_NOW} (?:works?|is working|is employed) (?:at|for) {_VALUE}"),
        ("works_as", rf"{_NOW} (?:works?|is working) as {_VALUE}"),
        ("name", r"(?:'s name is| is (?:called|named)) (?P<value>.+)"),
        ("age", r" is (?P<value>\d+) years? old"),
        ("phone", r"'s (?:phone|telephone)(?: number)? is (?P<value>.+)"),
        ("email", r"'s e-?mail(?: address)? is (?P<value>.+)"),
    )
]
_TAIL = re.compile(r"\s+(?:now|currently|these days|since|with|because)\b.*$|[.,;!].*$", re.I)
# "in Lisbon in winter", "for Bosch and Siemens": not the one value
_PARTLY = re.compile(
    r"\b(?:and|or|but|in|on|at|when|while|during|part|sometimes|also|half)\b", re.I
)


@dataclass(frozen=True)
class DecisionInput:
    """What a decision rests on besides the memory itself.

    ``injection``: the pattern of an instruction that was found in it; ``answered``: it rests on
    the assistant's words, not on the user's; ``refused``: the rule by which it was refused.
    """

    salience: float
    injection: str | None = None
    answered: bool = False
    refused: str | None = None


def decide(memory: Memory, grounds: DecisionInput, neighbours: Sequence[Neighbour] = ()) -> Verdict:
    """The decision about a memory that came out of a reflection.

    ``neighbours``: what is there already and active, of the same owner. ``id`` of the verdict is
    the neighbour that is reinforced, updated or superseded.
    """
    if grounds.injection:
        return _verdict("quarantine", "injection", f"{REASONS['injection']}: {grounds.injection}")
    if grounds.refused:
        return _verdict("quarantine", grounds.refused, REASONS.get(grounds.refused, ""))
    known = _said_again(memory, grounds, neighbours)
    if known is not None:
        return known
    if small_talk(memory.content):
        return _verdict("ignore", "small_talk", "small talk")
    if grounds.salience < LEAST:
        reason = f"salience {grounds.salience:.2f} is below {LEAST}"
        return _verdict("ignore", "too_little", reason)
    return _against(memory, neighbours) or _verdict("add", "new", "new")


def _said_again(
    memory: Memory, grounds: DecisionInput, neighbours: Sequence[Neighbour]
) -> Verdict | None:
    for near in sorted(neighbours, key=lambda near: -likeness(memory.content, near)):
        old = near.memory
        if says_same(memory.content, old.content):
            rule = "came_back" if grounds.answered else "said_again"
            return _verdict("reinforce", rule, "already stored", old.id)
        if says_within(memory.content, old.content) and bearing(memory.content):
            return _verdict("reinforce", "within", "a more detailed memory says it already", old.id)
        if grounds.answered and likeness(memory.content, near) >= CAME_BACK:
            reason = "the assistant repeated what it was told"
            return _verdict("reinforce", "came_back", reason, old.id)
    return None


def _against(memory: Memory, neighbours: Sequence[Neighbour]) -> Verdict | None:
    """What a memory that is news does to those that are there."""
    for near in sorted(neighbours, key=lambda near: -likeness(memory.content, near)):
        old = near.memory
        contradiction = contradicts(memory.content, old.content)
        if contradiction and not _may_replace(memory, old):
            if _earlier(memory, old):
                reason = "something later is known"
                return _verdict("add", "older", reason, old.id)
            continue
        if contradiction:
            rule, reason = contradiction
            return _verdict("supersede", rule, reason, old.id)
        if _fuller(memory, old) and _may_replace(memory, old):
            return _verdict("update", "fuller", "it says the same in more detail", old.id)
    return None


def contradicts(new: str, old: str) -> tuple[str, str] | None:
    """(rule, reason) when both cannot hold at the same time."""
    mine, theirs = frame(new), frame(old)
    if mine and theirs and mine[:2] == theirs[:2]:
        value, known = bearing(mine[2]), bearing(theirs[2])
        # "Lisbon" and "Lisbon, Portugal" are one place
        if value and known and not set(value) & set(known):
            return "other_value", f"{mine[1]} has one value at a time"
        return None
    if denies(new, old):
        return "denied", "it contradicts the same statement"
    return None


@lru_cache(maxsize=1024)  # each memory is compared with many
def frame(content: str) -> tuple[str, str, str] | None:
    """(who, attribute, value) of a statement about an attribute that has one value at a time."""
    text = " ".join(content.replace("’", "'").split())
    for name, pattern in _FRAMES:
        found = pattern.search(text)
        if found:
            who = found["who"].casefold().removeprefix("the ").strip()
            value = _TAIL.sub("", found["value"]).strip(" .")
            partly = _PARTLY.search(value) or _DENIAL.search(who)
            if value and not partly:
                return who, name, value
    return None


_DENIAL = re.compile(r"\b(?:not|never|no longer|doesn't|didn't|used to|if|wants?|may)\b", re.I)


def _fuller(memory: Memory, old: Memory) -> bool:
    """Whether the new one says what the old one said, and more, of one and the same thing: one
    sentence each, the same beginning. Then the old one is not needed any more."""
    if not says_within(old.content, memory.content) or not bearing(old.content):
        return False
    begins = bearing(memory.content)[:1] == bearing(old.content)[:1]
    kinds = memory.type == old.type or "observation" in (memory.type, old.type)
    return begins and kinds and covered(old.content, memory.content) == 1


def _may_replace(memory: Memory, old: Memory) -> bool:
    """Only a word that is not earlier, and not less to be believed, takes another's place."""
    return memory.trust >= old.trust and not _earlier(memory, old)


def _earlier(memory: Memory, old: Memory) -> bool:
    return moment(memory.created_at or "") < moment(old.created_at or "")


def _verdict(decision: Decision, rule: str, reason: str, id: str | None = None) -> Verdict:
    return Verdict(decision=decision, rule=rule, reason=reason, id=id)
