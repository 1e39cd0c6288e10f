"""A second look: the model that proposed something is asked whether it is clearly right.

Asked in a call of its own, with the message and one claim, a small model is a better judge than it
is an author: how probable its "yes" is separates right proposals from wrong ones. (Measured; see
docs/models.md. In the manner of "P(True)": Kadavath and others, "Language Models (Mostly) Know
What They Know", 2022.)
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
_SAID = "My sister Hedda lives in Turin and I love figs."
_NOTES = "- My sister Hedda lives in Turin.\n- I love figs."
# for each prompt: what is plainly so, and what plainly is not
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


# by model, and by the prompt that it was asked with
_TELLS: WeakKeyDictionary[Chat, dict[str, bool]] = WeakKeyDictionary()


def yes_probability(name: str, context: Context, **values: str) -> float | None:
    """The probability that the model says yes to the prompt ``name``; None when it cannot be asked
    this way, or cannot tell yes from no. Raises what the model raises."""
    if not can_tell_yes(name, context):
        return None
    return context.yes("verify", context.dialogue(name, **values))


def can_tell_yes(name: str, context: Context) -> bool:
    """Whether the model tells a plain yes from a plain no; found out once for each model that is
    loaded, whichever engine asks."""
    known = _TELLS.setdefault(context.models.chat("verify"), {})
    template = context.templates.load(name)
    if template not in known:
        so, not_so = (
            context.yes("verify", context.dialogue(name, **case)) for case in _PLAIN[name]
        )
        known[template] = so is None or not_so is None or so - not_so >= MARGIN
    return known[template]


# -- A second look: the model that proposed something is asked whether it is clearly right. --


SURE = 0.85  # least probability of what no word of the message says outright


@dataclass(frozen=True)
class CheckedReflection:
    """What is left of a reflection, and the probability of each claim that was asked about."""

    reflection: Reflection = field(default_factory=Reflection)
    probabilities: list[float] = field(default_factory=list)


def check_claims(
    proposed: Reflection, turn: Turn, context: Context, loose: Sequence[Fact] = ()
) -> CheckedReflection:
    """Asks the model about each of its proposals; what it finds less probable than
    ``second_look`` is refused. Where it cannot be asked, nothing is. Of the ``loose`` facts, which
    only might be meant, those are taken that it finds probable."""
    least = context.config.second_look
    if least <= 0 or not (proposed.memories_to_store or proposed.facts or loose):
        return CheckedReflection(proposed)
    looked = CheckedReflection(Reflection(turn=proposed.turn, refused=list(proposed.refused)))
    kept, predicates = looked.reflection, registry(context)
    for memory in proposed.memories_to_store:
        found = _probability(memory.content, looked, turn, context)
        if found is None or found >= least:
            kept.memories_to_store.append(memory)
        else:
            kept.refused.append(_refusal(memory.content, found))
    for fact in proposed.facts:
        text = predicates.sentence(fact.subject, fact.predicate, fact.object)
        found = _probability(text, looked, turn, context)
        if found is None or found >= least:
            kept.facts.append(fact)
        else:
            kept.refused.append(_refusal(fact_text(fact), found))
    for fact in loose:
        text = predicates.sentence(fact.subject, fact.predicate, fact.object)
        found = _probability(text, looked, turn, context)
        if found is not None and found >= max(least, SURE):
            kept.facts.append(fact)
    return looked


def _probability(
    text: str, looked: CheckedReflection, turn: Turn, context: Context
) -> float | None:
    found = yes_probability("verify", context, USER_MESSAGE=fence(turn.message), CLAIM=fence(text))
    if found is not None:
        looked.probabilities.append(round(found, 3))
    return found


def _refusal(text: str, probability: float) -> Verdict:
    reason = f"the model verified it with probability {probability:.2f} only"
    return Verdict(decision="refuse", rule="second_look", reason=reason, content=text)
