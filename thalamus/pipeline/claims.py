"""Checking claims: the model that proposed something is asked whether it is clearly right.

Asked in a call of its own, with the message and one claim, a small model judges better than it
proposes: how probable its "yes" is separates right proposals from wrong ones. (Measured; see
docs/models.md. After "P(True)": Kadavath and others, "Language Models (Mostly) Know What They
Know", 2022.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from thalamus.memory.facts import fact_text, registry
from thalamus.policy.prompts import fence
from thalamus.records import Reflection, Verdict

if TYPE_CHECKING:
    from thalamus.context import Context
    from thalamus.models.protocol import Chat
    from thalamus.records import Fact, Turn

MARGIN = 0.25  # least difference between the probabilities of a plain yes and of a plain no
SURE = 0.85  # least probability of a claim that no word of the message says outright
_SAID = "My sister Hedda lives in Turin and I love figs."
_NOTES = "- My sister Hedda lives in Turin.\n- I love figs."
# for each prompt: a claim that is plainly true, and one that is plainly false
_PLAIN = {
    "verify": (
        {"USER_MESSAGE": _SAID, "CLAIM": "The user likes figs."},
        {"USER_MESSAGE": _SAID, "CLAIM": "The user plays the trumpet."},
    ),
    "known": (
        {"NOTES": _NOTES, "USER_MESSAGE": "Where does my sister live?"},
        {"NOTES": _NOTES, "USER_MESSAGE": "What is my shoe size?"},
    ),
}
# whether a model can tell yes from no, by model and by the prompt that it was asked with
_CAN_TELL: WeakKeyDictionary[Chat, dict[str, bool]] = WeakKeyDictionary()


@dataclass(frozen=True)
class CheckedReflection:
    """What is left of a reflection, and the probability of each claim that was checked."""

    reflection: Reflection = field(default_factory=Reflection)
    probabilities: list[float] = field(default_factory=list)


def yes_probability(name: str, context: Context, **values: str) -> float | None:
    """The probability that the model says yes to the prompt ``name``; None when it cannot be asked
    this way, or cannot tell yes from no. Raises what the model raises."""
    if not can_tell_yes(name, context):
        return None
    return context.yes("verify", context.dialogue(name, **values))


def can_tell_yes(name: str, context: Context) -> bool:
    """Whether the model tells a plain yes from a plain no with the prompt ``name``; found out once
    for each loaded model. Raises what the model raises."""
    known = _CAN_TELL.setdefault(context.models.chat("verify"), {})
    template = context.templates.load(name)
    if template not in known:
        true, false = (
            context.yes("verify", context.dialogue(name, **case)) for case in _PLAIN[name]
        )
        known[template] = true is None or false is None or true - false >= MARGIN
    return known[template]


def check_claims(
    proposed: Reflection, turn: Turn, context: Context, loose: Sequence[Fact] = ()
) -> CheckedReflection:
    """Asks the model about each of its proposals; those that it finds less probable than the
    setting ``second_look`` are refused, and none where it cannot be asked. Of the ``loose`` facts,
    which may be meant although no word says them, those are kept that it finds probable. Raises
    what the model raises."""
    least = context.config.second_look
    if least <= 0 or not (proposed.memories_to_store or proposed.facts or loose):
        return CheckedReflection(proposed)
    checked = CheckedReflection(Reflection(turn=proposed.turn, refused=list(proposed.refused)))
    kept, predicates = checked.reflection, registry(context)

    def probability(claim: str) -> float | None:
        values = {"USER_MESSAGE": fence(turn.message), "CLAIM": fence(claim)}
        found = yes_probability("verify", context, **values)
        if found is not None:
            checked.probabilities.append(round(found, 3))
        return found

    for memory in proposed.memories_to_store:
        found = probability(memory.content)
        if found is None or found >= least:
            kept.memories_to_store.append(memory)
        else:
            kept.refused.append(_refusal(memory.content, found))
    for fact in proposed.facts:
        found = probability(predicates.sentence(fact.subject, fact.predicate, fact.object))
        if found is None or found >= least:
            kept.facts.append(fact)
        else:
            kept.refused.append(_refusal(fact_text(fact), found))
    for fact in loose:
        found = probability(predicates.sentence(fact.subject, fact.predicate, fact.object))
        if found is not None and found >= max(least, SURE):
            kept.facts.append(fact)
    return checked


def _refusal(text: str, probability: float) -> Verdict:
    reason = f"the model verified it with probability {probability:.2f} only"
    return Verdict(decision="refuse", rule="second_look", reason=reason, content=text)
