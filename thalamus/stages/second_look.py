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

from thalamus.policy.prompts import fence
from thalamus.records import Reflection, Verdict
from thalamus.stages.facts import registry, text_of
from thalamus.stages.sure import sure

if TYPE_CHECKING:
    from thalamus.records import Fact, Turn
    from thalamus.stages.context import Context


SURE = 0.85  # least probability of what no word of the message says outright


@dataclass(frozen=True)
class Looked:
    """What is left of a reflection, and the probability of each claim that was asked about."""

    reflection: Reflection = field(default_factory=Reflection)
    probabilities: list[float] = field(default_factory=list)


def look_again(
    proposed: Reflection, turn: Turn, context: Context, loose: Sequence[Fact] = ()
) -> Looked:
    """Asks the model about each of its proposals; what it finds less probable than
    ``second_look`` is refused. Where it cannot be asked, nothing is. Of the ``loose`` facts, which
    only might be meant, those are taken that it finds probable."""
    least = context.config.second_look
    if least <= 0 or not (proposed.memories_to_store or proposed.facts or loose):
        return Looked(proposed)
    looked = Looked(Reflection(turn=proposed.turn, refused=list(proposed.refused)))
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
            kept.refused.append(_refusal(text_of(fact), found))
    for fact in loose:
        text = predicates.sentence(fact.subject, fact.predicate, fact.object)
        found = _probability(text, looked, turn, context)
        if found is not None and found >= max(least, SURE):
            kept.facts.append(fact)
    return looked


def _probability(text: str, looked: Looked, turn: Turn, context: Context) -> float | None:
    found = sure("verify", context, USER_MESSAGE=fence(turn.message), CLAIM=fence(text))
    if found is not None:
        looked.probabilities.append(round(found, 3))
    return found


def _refusal(text: str, probability: float) -> Verdict:
    reason = f"on a second look the model gives it {probability:.2f}"
    return Verdict(decision="refuse", rule="second_look", reason=reason, content=text)
