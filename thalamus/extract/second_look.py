"""The second look: asks the model if a claim about a message is clearly right.

The probability of its "yes" separates right claims from wrong ones better than the wording of a
proposal does. (After "P(True)": Kadavath and others, "Language Models (Mostly) Know What They
Know", 2022.) A model that says yes to a plain falsehood is not asked.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

from thalamus.extract.proposals import ProposedFact
from thalamus.extract.verdicts import Checked, Claim
from thalamus.policy.predicates import Registry
from thalamus.policy.prompts import fence

if TYPE_CHECKING:
    from thalamus.context import Context

# least difference between its probability of yes for a plain truth and for a plain falsehood
MARGIN = 0.25
LEAST_YES = 0.6  # least probability of yes at which a claim is right
_EXAMPLE = "My sister Hedda lives in Turin and I love figs."
_NOTES = "- My sister Hedda lives in Turin.\n- I love figs."
# for each prompt: a plainly true case and a plainly false one
_PLAIN = {
    "keep": (
        {"SENTENCE": "My sister Hedda lives in Turin and I love figs."},
        {"SENTENCE": "Could you tell me how figs are dried?"},
    ),
    "verify": (
        {"USER_MESSAGE": _EXAMPLE, "CLAIM": "The user likes figs."},
        {"USER_MESSAGE": _EXAMPLE, "CLAIM": "The user plays the trumpet."},
    ),
    "asks": (
        {"USER_MESSAGE": "Write a short poem about figs."},
        {"USER_MESSAGE": _EXAMPLE},
    ),
    "known": (
        {"NOTES": _NOTES, "USER_MESSAGE": "Where does my sister live?"},
        {"NOTES": _NOTES, "USER_MESSAGE": "What is my shoe size?"},
    ),
}


def probabilities(
    doubted: Iterable[Checked], message: str, registry: Registry, context: Context
) -> dict[Claim, float | None]:
    """Probability that each claim is right, given the ``message`` and the question it affirms; None
    for all where the model cannot be asked. Raises the model's errors."""
    found: dict[Claim, float | None] = {}
    for checked in doubted:
        claim = checked.item
        text = claim.text
        if isinstance(claim, ProposedFact):
            text = _sentence(claim, registry)
        text_before = f"(“{checked.affirmed}”) {message}" if checked.affirmed else message
        found[claim] = yes_probability(
            "verify", context, USER_MESSAGE=fence(" ".join(text_before.split())), CLAIM=fence(text)
        )
    return found


def _sentence(fact: ProposedFact, registry: Registry) -> str:
    """A fact as a sentence, from its predicate's template if there is one."""
    predicate = registry.name(fact.predicate)
    if registry.has_sentence(predicate):
        return registry.sentence(fact.subject, predicate, fact.object)
    who = "The user" if fact.subject == "user" else fact.subject
    return f"{who} – {predicate.replace('_', ' ')} – {fact.object}."


def yes_probability(name: str, context: Context, **values: str) -> float | None:
    """Probability that the model answers yes to the prompt ``name``; None if it cannot be asked
    this way or cannot tell yes from no. Raises the model's errors."""
    if not can_tell_yes(name, context):
        return None
    return context.yes("verify", context.dialogue(name, **values))


def can_tell_yes(name: str, context: Context, strict: bool = False) -> bool:
    """True if the model tells a plain yes from a plain no with the prompt ``name``; one that says
    neither passes unless ``strict``. Tested once per model and prompt, then cached
    (``context.check_ability``). Raises the model's errors."""

    @cache
    def plain() -> list[float | None]:
        return [context.yes("verify", context.dialogue(name, **case)) for case in _PLAIN[name]]

    def tells_apart() -> bool:
        true, false = plain()
        return true is not None and false is not None and true - false >= MARGIN

    template = context.templates.load(name)
    if context.check_ability("verify", f"tells yes {template}", tells_apart):
        return True
    return not strict and context.check_ability(
        "verify", f"says neither {template}", lambda: None in plain()
    )
