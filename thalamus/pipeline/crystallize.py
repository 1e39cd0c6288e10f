"""crystallize: states what connects a turn with what was said on other days.

The model reads the island of the turn (``memory.island``) and proposes insights; each is checked
against what it rests on (``extract.conclusions``), and the model is asked whether that plainly says
it. Nothing here is stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec

from thalamus.extract import conclusions
from thalamus.extract.conclusions import DOUBTED, JudgedInsight
from thalamus.extract.second_look import yes_probability
from thalamus.memory.island import Island, island_of
from thalamus.memory.join import join
from thalamus.memory.structured_output import StructuredReply, request_record
from thalamus.policy import insights as policy
from thalamus.policy.json_schema import object_schema
from thalamus.policy.prompts import fence
from thalamus.records import Insight, Issue, Quarantine, Turn, Verdict

if TYPE_CHECKING:
    from thalamus.context import Context
    from thalamus.models.protocol import ChatReply, Role
    from thalamus.policy.insights import SourceText

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
        judged = _judge(proposal, island, context, done)
        if judged.verdict.decision != "refuse":
            named = conclusions.concepts(judged.verdict.content, proposal.concepts, island.about)
            done.insights.append(_insight(judged, named, turn, island))
    return done


def _judge(
    proposal: InsightReply, island: Island, context: Context, done: Crystallized
) -> JudgedInsight:
    """The verdict on a proposal. What its notes do not plainly say is asked for once more in their
    own words: small models choose notes well, and then say more than these do."""
    sources = [item for item in island.items if item.number in proposal.sources]
    judged = judge_twice(proposal.content, sources, context)
    done.verdicts.append(judged.verdict)
    if judged.verdict.rule == DOUBTED:
        joined = join([fence(source.line) for source in sources], context)
        done.replies += joined.replies
        judged = judge_twice(joined.content, sources, context)
        done.verdicts.append(judged.verdict)
    return judged


def judge_twice(content: str, sources: Sequence[SourceText], context: Context) -> JudgedInsight:
    """The verdict on an insight: by where its words come from, and by the model's second look at
    what it rests on. Raises what the model raises."""
    judged = conclusions.judge(content, sources)
    least = context.config.second_look
    if judged.verdict.decision != "add" or least <= 0:
        return judged
    said = "\n".join(fence(source.line) for source in judged.sources)
    claim = fence(judged.verdict.content)
    yes = yes_probability("verify", context, USER_MESSAGE=said, CLAIM=claim)
    return conclusions.decide(judged, yes, least)


def notes(island: Island) -> str:
    """The items as numbered lines, each with its day and who said it."""
    return "\n".join(f"{item.number}. {fence(item.line)}" for item in island.items)


def _insight(judged: JudgedInsight, concepts: list[str], turn: Turn, island: Island) -> Insight:
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
        concepts=concepts,
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
