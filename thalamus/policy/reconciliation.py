"""The decision about a new memory, with a stable rule and a reason in words.

It is cautious: a true memory must never get lost. An existing memory is replaced only if a new one
names it (``memory.reconcile``), or repeats it with more detail. Anything unclear is added as a new
memory; which statement holds when is a matter for facts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import structs

from thalamus.policy import injection
from thalamus.policy.novelty import Neighbour, similarity
from thalamus.policy.salience import LEAST, small_talk
from thalamus.policy.speakers import may_replace, outranks, without_client
from thalamus.policy.timeline import moment
from thalamus.records import IMPORTANCES, Decision, Memory, Verdict
from thalamus.text.statements import says_same, says_within, share_said, statement_words

if TYPE_CHECKING:
    from thalamus.records import Memory

CAME_BACK = 0.6  # similarity from which the assistant's words count as repeated from its prompt
GAIN = 1.0  # strength gained when the user says a memory again
ECHO_GAIN = 0.1  # strength gained when a memory is only repeated from a prompt

PROPOSED = "proposed"  # rule of a quarantine that waits for a person to accept it
# reasons for quarantine or refusal without any content, as the ledger needs them
REASONS = {
    "invented": "it names someone or something that is not in the turn",
    "doubted": "the model did not find it right when it was asked again",
    "injection": injection.REASON,
    "from_answer": "it is based on an answer that repeated recalled memories",
    "source_deleted": "its source was deleted",
    PROPOSED: "it would replace what somebody else said; a person decides",
}


# by the field of a memory that names the one to be replaced: rule and reason
REPLACING = {
    "corrects": ("corrected", "the user corrected it"),
    "replaces": ("replaced", "the user said what holds instead"),
}


def decide(
    memory: Memory,
    neighbours: Sequence[Neighbour] = (),
    *,
    named: Sequence[tuple[str, Memory]] = (),
    answered: bool = False,
) -> Verdict:
    """The decision about a memory from a reflection.

    ``neighbours``: similar active memories of the same owner; ``named``: active memories of that
    owner that it is said to replace, each with the field that names it; ``answered``: the memory
    rests on the assistant's words, not the user's. The verdict's ``id`` is the memory that is
    reinforced, updated or superseded.
    """
    disguised = injection.injection_verdict(memory.content)
    if disguised is not None:
        return disguised
    for field, old in named:
        if _earlier(memory, old):  # an import comes later than what it was said before
            return _verdict("ignore", "outdated", "what was said later holds", old.id)
        if may_replace(memory, old):
            return _verdict("supersede", *REPLACING[field], old.id)
        if not answered:
            return _verdict("quarantine", PROPOSED, REASONS[PROPOSED], old.id)
    claims = [n for n in neighbours if outranks(memory.trust, n.memory.trust)]
    known = _repeated(memory, answered, [n for n in neighbours if n not in claims])
    if known is not None:
        return known
    for claim in claims:
        if says_same(memory.content, claim.memory.content):
            reason = "the user says what another program claimed"
            return _verdict("update", "own_words", reason, claim.memory.id)
    if small_talk(memory.content):
        return _verdict("ignore", "small_talk", "small talk")
    salience = memory.salience or 0.0
    if salience < LEAST:
        reason = f"salience {salience:.2f} is below {LEAST}"
        return _verdict("ignore", "too_little", reason)
    shorter = [neighbour for neighbour in neighbours if _fuller(memory, neighbour.memory)]
    if shorter and _may_replace(memory, old := _nearest(memory, shorter)[0].memory):
        return _verdict("update", "fuller", "it says the same in more detail", old.id)
    return _verdict("add", "new", "new")


def _nearest(memory: Memory, neighbours: Iterable[Neighbour]) -> list[Neighbour]:
    """Neighbours by similarity to a memory, the most similar first."""
    return sorted(neighbours, key=lambda neighbour: -similarity(memory.content, neighbour))


def _repeated(memory: Memory, answered: bool, neighbours: Sequence[Neighbour]) -> Verdict | None:
    saying = (n for n in neighbours if answered or says_within(memory.content, n.memory.content))
    for neighbour in _nearest(memory, saying):
        old = neighbour.memory
        if says_same(memory.content, old.content):
            rule = "came_back" if answered else "said_again"
            return _verdict("reinforce", rule, "already stored", old.id)
        if says_within(memory.content, old.content) and statement_words(memory.content):
            return _verdict("reinforce", "within", "a more detailed memory says it already", old.id)
        if answered and similarity(memory.content, neighbour) >= CAME_BACK:
            reason = "the assistant repeated what it was told"
            return _verdict("reinforce", "came_back", reason, old.id)
    return None


def _fuller(memory: Memory, old: Memory) -> bool:
    """True if the new memory repeats the old one with more detail: one sentence each with the same
    beginning. The old one is then redundant."""
    if not says_within(old.content, memory.content) or not statement_words(old.content):
        return False
    begins = statement_words(memory.content)[:1] == statement_words(old.content)[:1]
    kinds = memory.type == old.type or "observation" in (memory.type, old.type)
    return begins and kinds and share_said(old.content, memory.content) == 1


def _may_replace(memory: Memory, old: Memory) -> bool:
    """True if the new memory is neither earlier nor less trusted, so that it may replace the old
    one."""
    return memory.trust >= old.trust and not _earlier(memory, old)


def _earlier(memory: Memory, old: Memory) -> bool:
    return moment(memory.created_at or "") < moment(old.created_at or "")


def _verdict(decision: Decision, rule: str, reason: str, id: str | None = None) -> Verdict:
    return Verdict(decision=decision, rule=rule, reason=reason, id=id)


def merged(memory: Memory, old: Memory) -> Memory:
    """The new memory with the old one's strength and other properties that only the old one has."""
    later = max(filter(None, (memory.seen_at, old.seen_at, memory.created_at)), default=None)
    kind = old.type if memory.type == "observation" else memory.type
    personal = "personal" in (memory.sensitivity, old.sensitivity)
    forever = memory.expires_at is None or old.expires_at is None
    core = old.scope == "core" and memory.trust >= 1
    return structs.replace(
        memory,
        type=kind,
        topic=memory.topic or old.topic,
        importance=max(memory.importance, old.importance, key=IMPORTANCES.index),
        scope="core" if core else memory.scope,
        sensitivity="personal" if personal else memory.sensitivity,
        expires_at=None if forever else max(memory.expires_at or "", old.expires_at or ""),
        salience=max(memory.salience or 0.0, old.salience or 0.0),
        strength=old.strength + 1.0,
        seen=old.seen + 1,
        seen_at=later,
        metadata={**_kept_metadata(memory, old), **memory.metadata},
    )


def _kept_metadata(memory: Memory, old: Memory) -> dict[str, Any]:
    """Metadata that the new memory takes from the old one."""
    return without_client(old.metadata) if outranks(memory.trust, old.trust) else old.metadata
