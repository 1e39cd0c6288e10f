"""A second look: the model that proposed something is asked whether it is clearly right.

Asked in a call of its own, with the message and one claim, a small model is a better judge than it
is an author: how probable its "yes" is separates right proposals from wrong ones. (Measured; see
docs/models.md. In the manner of "P(True)": Kadavath and others, "Language Models (Mostly) Know
What They Know", 2022.)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from msgspec import structs

from thalamus.models.protocol import Message
from thalamus.policy.prompts import fence
from thalamus.records import Reflection, Verdict

if TYPE_CHECKING:
    from thalamus.records import Fact, Turn
    from thalamus.stages.context import Context


@dataclass(frozen=True)
class Looked:
    """What is left of a reflection, and the probability of each claim that was asked about."""

    reflection: Reflection = field(default_factory=Reflection)
    probabilities: list[float] = field(default_factory=list)


def look_again(proposed: Reflection, turn: Turn, context: Context) -> Looked:
    """Asks the model about each of its proposals; what it finds less probable than
    ``second_look`` is refused. Where it cannot be asked, nothing is."""
    least = context.config.second_look
    if least <= 0 or not (proposed.memories_to_store or proposed.facts):
        return Looked(proposed)
    looked = Looked(Reflection(turn=proposed.turn, refused=list(proposed.refused)))
    for memory in proposed.memories_to_store:
        refused = _refused(memory.content, least, looked, turn, context)
        if refused is None:
            looked.reflection.memories_to_store.append(memory)
        else:
            looked.reflection.refused.append(refused)
    for fact in proposed.facts:
        refused = _refused(claim(fact), least, looked, turn, context)
        if refused is None:
            looked.reflection.facts.append(fact)
        else:
            content = f"{fact.subject} {fact.predicate} {fact.object}"
            looked.reflection.refused.append(structs.replace(refused, content=content))
    return looked


def claim(fact: Fact) -> str:
    """A fact as a sentence that can be asked about."""
    who = "The user" if fact.subject == "user" else fact.subject
    return f"{who} {fact.predicate.replace('_', ' ')} {fact.object}."


def _refused(
    text: str, least: float, looked: Looked, turn: Turn, context: Context
) -> Verdict | None:
    prompt = context.templates.fill("verify", USER_MESSAGE=fence(turn.message), CLAIM=fence(text))
    found = context.yes("verify", [Message("user", prompt)])
    if found is None:
        return None
    looked.probabilities.append(round(found, 3))
    if found >= least:
        return None
    reason = f"on a second look the model gives it {found:.2f}"
    return Verdict(decision="refuse", rule="second_look", reason=reason, content=text)
