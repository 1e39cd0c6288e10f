"""What becomes of a sentence about the assistant next to those that are there.

Its words alone do not decide, as they do of other memories: "in French" and "in German" fill one
slot, of which the later value holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from thalamus.policy.novelty import denies, says_same
from thalamus.policy.persona import is_persona, persona_of, slot
from thalamus.policy.timeline import moment
from thalamus.records import Memory, Verdict

if TYPE_CHECKING:
    from thalamus.policy.novelty import Neighbour


def decide(memory: Memory, neighbours: Sequence[Neighbour]) -> Verdict:
    """What becomes of a sentence about the assistant next to those that are there: it is said
    again, it supersedes another value of its slot, it ends one, or it is new."""
    name, filled = persona_of(memory.metadata), slot(memory.content)
    alike = [
        near.memory
        for near in neighbours
        if is_persona(near.memory) and persona_of(near.memory.metadata) == name
    ]
    for old in alike:
        if _same(memory.content, old.content):
            return Verdict(
                decision="reinforce", rule="said_again", reason="already stored", id=old.id
            )
    for old in sorted(alike, key=lambda one: one.scope != "core"):
        against = _against(filled, memory.content, old.content)
        if against is None:
            continue
        if moment(memory.created_at or "") < moment(old.created_at or ""):
            return Verdict(
                decision="add", rule="older", reason="something later is known", id=old.id
            )
        if memory.trust >= old.trust:
            rule, reason = against
            return Verdict(decision="supersede", rule=rule, reason=reason, id=old.id)
    if filled is not None and filled[2]:
        reason = "there is nothing that it would end"
        return Verdict(decision="ignore", rule="nothing_to_end", reason=reason)
    return Verdict(decision="add", rule="new", reason="new")


def _same(content: str, old: str) -> bool:
    filled, theirs = slot(content), slot(old)
    if filled is None or theirs is None:
        return filled is theirs and says_same(content, old)
    return filled == theirs


def _against(
    filled: tuple[str, str, bool] | None, content: str, old: str
) -> tuple[str, str] | None:
    """(rule, reason) by which a sentence takes the place of an old one."""
    theirs = slot(old)
    if filled is None or theirs is None:
        denied = filled is theirs and denies(content, old)
        return ("denied", "it contradicts the same statement") if denied else None
    if filled[0] != theirs[0] or filled[1:] == theirs[1:]:
        return None
    if filled[2]:  # what is over ends only that very value
        same = filled[1] == theirs[1] and not theirs[2]
        return ("ended", f"the user ended it ({filled[0]})") if same else None
    return "other_value", f"{filled[0]} has one value at a time"
