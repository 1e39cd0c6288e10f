"""The second look: asks the model if a claim about a message is clearly right.

The probability of its "yes" separates right claims from wrong ones better than the wording of a
proposal does. (After "P(True)": Kadavath and others, "Language Models (Mostly) Know What They
Know", 2022.) A model that says yes to a plain falsehood is not asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from thalamus.extract.proposals import ProposedFact
from thalamus.extract.verdicts import Checked, Claim
from thalamus.policy.json_schema import object_schema
from thalamus.policy.predicates import Registry
from thalamus.policy.prompts import fence
from thalamus.policy.reply_parsing import ReplyError, parse

if TYPE_CHECKING:
    from thalamus.turn_run import TurnRun

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


class _Judgement(msgspec.Struct):
    """The model's word on one of several notes, by its number."""

    note: int
    right: Literal["yes", "no"]


class _Judgements(msgspec.Struct):
    """The model's reply about several notes."""

    notes: list[_Judgement]


def probabilities(
    doubted: Sequence[Checked], message: str, registry: Registry, run: TurnRun
) -> dict[Claim, float | None]:
    """Probability that each claim is right, given the ``message`` and the question it affirms; None
    for all where the model cannot be asked. Several are asked about in one call, and those that its
    reply leaves out alone. Raises the model's errors."""
    if not doubted or not can_tell_yes("verify", run):
        return dict.fromkeys((checked.item for checked in doubted), None)
    message = " ".join(message.split())
    texts = [_text(checked.item, registry) for checked in doubted]
    judged = _judged(doubted, texts, message, run) if len(doubted) > 1 else {}
    found: dict[Claim, float | None] = {}
    for number, (checked, text) in enumerate(zip(doubted, texts, strict=True), 1):
        yes = judged.get(number)
        if yes is None:
            said = f"{_affirming(checked)}{message}"
            values = {"USER_MESSAGE": fence(said), "CLAIM": fence(text)}
            yes = run.yes("verify", run.engine.dialogue("verify", **values))
        found[checked.item] = yes
    return found


def _judged(
    doubted: Sequence[Checked], texts: Sequence[str], message: str, run: TurnRun
) -> Mapping[int, float]:
    """1 or 0 for the claims by their numbers, as far as the model's reply has them."""
    numbers = range(1, len(doubted) + 1)
    claims = [
        f"{number}. {fence(_affirming(checked) + text)}"
        for number, checked, text in zip(numbers, doubted, texts, strict=True)
    ]
    messages = run.engine.dialogue(
        "verify_all", USER_MESSAGE=fence(message), CLAIMS="\n".join(claims)
    )
    reply = run.ask("verify", messages, _schema(len(doubted)))
    try:
        notes = parse(reply.text, _Judgements).notes
    except ReplyError:
        return {}
    return {one.note: float(one.right == "yes") for one in notes}


def _schema(count: int) -> dict[str, Any]:
    judgement = object_schema(
        note={"type": "integer", "enum": list(range(1, count + 1))},
        right={"type": "string", "enum": ["yes", "no"]},
    )
    return object_schema(notes={"type": "array", "items": judgement})


def _affirming(checked: Checked) -> str:
    """The assistant's words that a claim rests on, where the message only affirms them."""
    return f"(“{' '.join(checked.affirmed.split())}”) " if checked.affirmed else ""


def _text(claim: Claim, registry: Registry) -> str:
    return _sentence(claim, registry) if isinstance(claim, ProposedFact) else claim.text


def _sentence(fact: ProposedFact, registry: Registry) -> str:
    """A fact as a sentence, from its predicate's template if there is one."""
    predicate = registry.name(fact.predicate)
    if registry.has_sentence(predicate):
        return registry.sentence(fact.subject, predicate, fact.object)
    who = "The user" if fact.subject == "user" else fact.subject
    return f"{who} – {predicate.replace('_', ' ')} – {fact.object}."


def yes_probability(name: str, run: TurnRun, **values: str) -> float | None:
    """Probability that the model answers yes to the prompt ``name``; None if it cannot be asked
    this way or cannot tell yes from no. Raises the model's errors."""
    if not can_tell_yes(name, run):
        return None
    return run.yes("verify", run.engine.dialogue(name, **values))


def can_tell_yes(name: str, run: TurnRun, strict: bool = False) -> bool:
    """True if the model tells a plain yes from a plain no with the prompt ``name``; one that says
    neither passes unless ``strict``. Tested once per model and prompt, then cached
    (``ModelSource.check_ability``). Raises the model's errors."""

    @cache
    def plain() -> list[float | None]:
        return [run.yes("verify", run.engine.dialogue(name, **case)) for case in _PLAIN[name]]

    def tells_apart() -> bool:
        true, false = plain()
        return true is not None and false is not None and true - false >= MARGIN

    template = run.engine.templates.load(name)
    if run.engine.models.check_ability("verify", f"tells yes {template}", tells_apart):
        return True
    return not strict and run.engine.models.check_ability(
        "verify", f"says neither {template}", lambda: None in plain()
    )
