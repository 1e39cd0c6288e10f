"""crystallize: finds connections between a turn and what was said on other days.

The model reads the sources related to the turn (``memory.insights.related_sources``) and proposes
insights. Each is checked against its sources (``extract.conclusions``), and the model takes a
second look at whether they support it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct, field

from thalamus.extract import conclusions
from thalamus.extract.conclusions import DOUBTED, JudgedInsight
from thalamus.memory.insights.join_notes import join
from thalamus.memory.insights.related_sources import RelatedSources, related_sources
from thalamus.memory.insights.writing import write_insights
from thalamus.memory.jobs import is_done
from thalamus.memory.structured_output import StructuredReply, request_record
from thalamus.policy import insights as policy
from thalamus.policy.json_schema import object_schema
from thalamus.policy.prompts import fence
from thalamus.records import Insight, Issue, Quarantine, Turn, Verdict
from thalamus.store.jobs import CRYSTALLIZE

if TYPE_CHECKING:
    from thalamus.models.protocol import Role
    from thalamus.turn_run import TurnRun

ROLE: Role = "crystallize"
LONGEST = 240  # characters of an insight


class InsightReply(msgspec.Struct):
    """An insight proposed by a model; ``sources`` are numbers of the notes."""

    content: str
    concepts: list[str] = []
    sources: list[int] = []


class InsightsReply(msgspec.Struct):
    """A model's reply with several insights."""

    insights: list[InsightReply] = []


# sources first: having chosen them, a model writes about them
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


class Crystallized(Struct):
    """Result for one turn: ``insights`` to keep (including quarantined ones) and a verdict on each
    proposal."""

    insights: list[Insight] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)
    issues: list[Issue] = field(default_factory=list)


def crystallize_turn(turn: Turn, run: TurnRun, *, dry_run: bool = False) -> Crystallized:
    """Crystallizes a stored turn, with or without a job, and stores the insights, which are
    returned as they are stored; a turn done before is skipped. With ``dry_run`` nothing is stored.
    Raises what ``crystallize`` and ``write_records`` raise."""
    if is_done(run.engine.store, CRYSTALLIZE, turn.stored_id):
        return Crystallized()
    found = crystallize(turn, run)
    if dry_run:
        return found
    refused = [verdict for verdict in found.verdicts if verdict.decision == "refuse"]
    detail = {"insights": len(found.insights), "refused": [verdict.rule for verdict in refused]}
    decided = write_insights(found.insights, turn, run, detail)
    stored = [insight for insight, v in decided if v.decision in ("add", "quarantine")]
    return Crystallized(stored, [*refused, *(v for _, v in decided)], found.issues)


def crystallize(turn: Turn, run: TurnRun) -> Crystallized:
    """Finds connections between a stored turn and other days. The model is not asked if it is too
    small or if nothing rare connects the turn with another day.

    Raises the model's errors, ``Cancelled``, ``StoreDamaged`` and ``StoreBusy``.
    """
    result = Crystallized()
    store = run.engine.open_store(False)
    if store is None or run.engine.too_small(ROLE):
        return result
    related = related_sources(turn, store, run.zone, run.engine.clock.stamp())
    if not related:
        return result
    about = ", ".join(map(fence, related.about))
    messages = run.engine.dialogue(ROLE, ABOUT=about, NOTES=notes(related))
    reply: StructuredReply[InsightsReply] = request_record(
        run, ROLE, messages, SCHEMA, InsightsReply
    )
    result.issues = reply.issues
    for proposal in reply.value.insights[: policy.MOST] if reply.value is not None else []:
        judged = _judge(proposal, related, run, result)
        if judged.verdict.decision != "refuse":
            concepts = conclusions.concepts(
                judged.verdict.content, proposal.concepts, related.about
            )
            result.insights.append(_insight(judged, concepts, turn, related))
    return result


def _judge(
    proposal: InsightReply, related: RelatedSources, run: TurnRun, result: Crystallized
) -> JudgedInsight:
    """Verdict on a proposal. If its notes do not plainly support it, the model joins the notes in
    their own words: small models choose notes well, but then claim more than these say."""
    sources = [item for item in related.items if item.number in proposal.sources]
    judged = conclusions.verify_insight(proposal.content, sources, run)
    result.verdicts.append(judged.verdict)
    if judged.verdict.rule == DOUBTED:
        joined = join([fence(source.line) for source in sources], run)
        judged = conclusions.verify_insight(joined.content, sources, run)
        result.verdicts.append(judged.verdict)
    return judged


def notes(related: RelatedSources) -> str:
    """The items as numbered lines with date and speaker."""
    return "\n".join(f"{item.number}. {fence(item.line)}" for item in related.items)


def _insight(
    judged: JudgedInsight, concepts: list[str], turn: Turn, related: RelatedSources
) -> Insight:
    """The insight with its sources: the supporting items, and the memories and facts with the same
    words, so that it loses its support with them."""
    content = judged.verdict.content
    sources: dict[str, float] = {}
    for item in judged.sources:
        sources[item.id] = related.trust.get(item.id, 1.0)
        for entry in related.derived.get(item.id, ()):
            if policy.restates(content, entry.text):
                sources[entry.id] = entry.trust
    quarantined = judged.verdict.decision == "quarantine"
    return Insight(
        content=content,
        concepts=concepts,
        sources=list(sources),
        trust=min([policy.MOST_TRUST, *sources.values()]),
        status="quarantined" if quarantined else "active",
        quarantine=Quarantine(rule=judged.verdict.rule, reason=judged.verdict.reason)
        if quarantined
        else None,
        session=turn.session,
        user=turn.user,
        agent=turn.agent,
    )
