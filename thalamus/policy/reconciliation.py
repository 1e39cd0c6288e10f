"""What becomes of a new memory: one decision, with a stable rule and its reason in words.

Careful by design: a memory that is true must never get lost. So what is there is closed only where
a new one names it (``memory.reconcile``), or says the same and more. Whatever is unclear is added
as a new memory; what holds at a time is a matter of facts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from thalamus.policy.novelty import Neighbour, likeness
from thalamus.policy.salience import LEAST, small_talk
from thalamus.policy.timeline import moment
from thalamus.records import Decision, Memory, Verdict
from thalamus.text.statements import says_same, says_within, share_said, statement_words

CAME_BACK = 0.6  # likeness from which on what the assistant said is what its prompt held
GAIN = 1.0  # strength that a memory gains when the user says it again
ECHO_GAIN = 0.1  # and when it only came back out of a prompt

# types of memories that Thalamus infers from how often something comes up: what was recalled
# already says as much, and there is nothing that a person could decide
COUNTED = frozenset({"topic_of_interest"})

# Why something was quarantined or left out, without a word of what it said: fit for the ledger
REASONS = {
    "invented": "it names someone or something that is not in the turn",
    "doubted": "the model did not find it right when it was asked again",
    "injection": "it reads like an instruction to the assistant",
    "from_answer": "it is based on an answer that repeated recalled memories",
    "source_deleted": "its source was deleted",
}


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
    shorter = (near.memory for near in _nearest(memory, neighbours))
    fuller = next((old for old in shorter if _fuller(memory, old)), None)
    if fuller is not None and _may_replace(memory, fuller):
        return _verdict("update", "fuller", "it says the same in more detail", fuller.id)
    return _verdict("add", "new", "new")


def _nearest(memory: Memory, neighbours: Sequence[Neighbour]) -> list[Neighbour]:
    """The neighbours, the one that is most like a memory first."""
    return sorted(neighbours, key=lambda near: -likeness(memory.content, near))


def _said_again(
    memory: Memory, grounds: DecisionInput, neighbours: Sequence[Neighbour]
) -> Verdict | None:
    for near in _nearest(memory, neighbours):
        old = near.memory
        if says_same(memory.content, old.content):
            rule = "came_back" if grounds.answered else "said_again"
            return _verdict("reinforce", rule, "already stored", old.id)
        if says_within(memory.content, old.content) and statement_words(memory.content):
            return _verdict("reinforce", "within", "a more detailed memory says it already", old.id)
        if grounds.answered and likeness(memory.content, near) >= CAME_BACK:
            reason = "the assistant repeated what it was told"
            return _verdict("reinforce", "came_back", reason, old.id)
    return None


def _fuller(memory: Memory, old: Memory) -> bool:
    """Whether the new one says what the old one said, and more, of one and the same thing: one
    sentence each, the same beginning. Then the old one is not needed any more."""
    if not says_within(old.content, memory.content) or not statement_words(old.content):
        return False
    begins = statement_words(memory.content)[:1] == statement_words(old.content)[:1]
    kinds = memory.type == old.type or "observation" in (memory.type, old.type)
    return begins and kinds and share_said(old.content, memory.content) == 1


def _may_replace(memory: Memory, old: Memory) -> bool:
    """Only a word that is not earlier, and not less to be believed, takes another's place."""
    return memory.trust >= old.trust and not _earlier(memory, old)


def _earlier(memory: Memory, old: Memory) -> bool:
    return moment(memory.created_at or "") < moment(old.created_at or "")


def _verdict(decision: Decision, rule: str, reason: str, id: str | None = None) -> Verdict:
    return Verdict(decision=decision, rule=rule, reason=reason, id=id)
