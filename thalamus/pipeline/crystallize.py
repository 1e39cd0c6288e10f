"""crystallize: states what connects a turn with what was said on other days.

The model reads the island of the turn (``memory.island``) and proposes insights; each is checked
against what it rests on (``policy.insights``). Nothing here is stored.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import structs

from thalamus.memory.island import Island, island_of
from thalamus.memory.join import REWORDED, join
from thalamus.memory.structured_output import StructuredReply, request_record
from thalamus.policy import insights as policy
from thalamus.policy.json_schema import object_schema
from thalamus.policy.prompts import fence
from thalamus.records import Insight, Issue, Quarantine, Turn, Verdict
from thalamus.text.days import day_in_words

if TYPE_CHECKING:
    from thalamus.context import Context
    from thalamus.models.protocol import ChatReply, Role
    from thalamus.policy.insights import Judged, SourceText

ROLE: Role = "crystallize"
LONGEST = 240  # characters of an insight


class InsightReply(msgspec.Struct):
    """One insight as a model proposes it; ``sources`` are numbers of the notes."""

    content: str
    concepts: list[str] = []
    sources: list[int] = []


class InsightsReply(msgspec.Struct):
    """A model's reply."""

    insights: list[InsightReply] = []


# sources first: a model that has chosen them writes about them
INSIGHT_SCHEMA = object_schema(
    sources={
        "type": "array",
        "minItems": 2,
        "maxItems": 6,
        "items": {"type": "integer", "minimum": 1, "maximum": 20},
    },
    concepts={
        "type": "array",
        "minItems": 2,
        "maxItems": 4,
        "items": {"type": "string", "minLength": 2, "maxLength": 40},
    },
    content={"type": "string", "minLength": 10, "maxLength": LONGEST},
)
SCHEMA = object_schema(insights={"type": "array", "maxItems": policy.MOST, "items": INSIGHT_SCHEMA})


@dataclass
class Crystallized:
    """What came of one turn: the ``insights`` that may be kept, quarantined ones among them, and a
    verdict on each proposal. ``asked``: whether the model was."""

    insights: list[Insight] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)
    replies: list[ChatReply] = field(default_factory=list)
    issues: list[Issue] = field(default_factory=list)
    asked: bool = False


def crystallize(turn: Turn, context: Context) -> Crystallized:
    """What connects a stored turn with other days. A model that is known to be too small is not
    asked, and neither is any about a turn that nothing rare connects with another day.

    Raises what the model raises, ``Cancelled``, ``StoreDamaged`` and ``StoreBusy``.
    """
    done = Crystallized()
    store = context.open_store(False)
    if store is None or context.too_small(ROLE):
        return done
    island = island_of(turn, store, context.zone, context.clock.stamp())
    if not island:
        return done
    about = ", ".join(map(fence, island.about))
    messages = context.dialogue(ROLE, ABOUT=about, NOTES=notes(island))
    done.asked = True
    asked: StructuredReply[InsightsReply] = request_record(
        context, ROLE, messages, SCHEMA, InsightsReply
    )
    done.replies, done.issues = asked.replies, asked.issues
    for proposal in asked.value.insights[: policy.MOST] if asked.value is not None else []:
        judged = _judge(proposal, island)
        done.verdicts.append(judged.verdict)
        if judged.verdict.rule in REWORDED:
            proposal = structs.replace(proposal, content=_reworded(proposal, island, context, done))
            judged = _judge(proposal, island)
            done.verdicts.append(judged.verdict)
        if judged.verdict.decision != "refuse":
            done.insights.append(_insight(judged, turn, island))
    return done


def _judge(proposal: InsightReply, island: Island) -> Judged:
    content = " ".join(proposal.content.split())
    return policy.judge_parts(content, proposal.concepts, proposal.sources, island.items)


def _reworded(proposal: InsightReply, island: Island, context: Context, done: Crystallized) -> str:
    """The notes that a proposal names as a sentence in their words; empty when the reply is not
    usable."""
    lines = [_line(item, island) for item in island.items if item.number in proposal.sources]
    joined = join(lines, context)
    done.replies += joined.replies
    return joined.content


def notes(island: Island) -> str:
    """The items as numbered lines: what each says about what they have in common, with its day and
    who said it."""
    return "\n".join(f"{item.number}. {_line(item, island)}" for item in island.items)


def _line(item: SourceText, island: Island) -> str:
    who = {"user": "The user: ", "": ""}.get(item.speaker, f"{item.speaker.capitalize()}: ")
    said = item.stated_about(island.about)
    return f"({day_in_words(item.day)}) {fence(who + policy.timeless(said))}"


def _insight(judged: Judged, turn: Turn, island: Island) -> Insight:
    """The insight with what it rests on: the items that support it, and the memories and facts of
    the same words, so that it loses its support with them."""
    content = judged.verdict.content
    sources: dict[str, float] = {}
    for item in judged.sources:
        sources[item.id] = island.trust.get(item.id, 1.0)
        for entry in island.made.get(item.id, ()):
            if policy.speaks_of(content, entry.text):
                sources[entry.id] = entry.trust
    held = judged.verdict.decision == "quarantine"
    return Insight(
        content=content,
        concepts=list(judged.concepts),
        sources=list(sources),
        trust=min([policy.MOST_TRUST, *sources.values()]),
        status="quarantined" if held else "active",
        quarantine=Quarantine(rule=judged.verdict.rule, reason=judged.verdict.reason)
        if held
        else None,
        session=turn.session,
        user=turn.user,
        agent=turn.agent,
    )


def describe(done: Crystallized) -> dict[str, Any]:
    """What came of a turn, for the ledger: counts and rules, and no words."""
    return {
        "insights": len(done.insights),
        "refused": [verdict.rule for verdict in done.verdicts if verdict.decision == "refuse"],
    }
