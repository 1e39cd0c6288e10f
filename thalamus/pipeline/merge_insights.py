"""Deep reflection: merges insights about the same concepts into one with their combined strength.

The members are archived and linked with the merged insight. Each merge is a transaction and a batch
of its own, so that one can be undone and the rest stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct, field, structs

from thalamus.errors import MODEL_ERRORS
from thalamus.extract.conclusions import DOUBTED, verify_insight
from thalamus.memory.insights.join_notes import join
from thalamus.memory.insights.lookup import insights
from thalamus.memory.insights.writing import write_merged
from thalamus.memory.structured_output import request_record
from thalamus.memory.undo.batches import archive_insight, note_created
from thalamus.pipeline.crystallize import ROLE
from thalamus.policy import insight_groups as grouping
from thalamus.policy import insights as policy
from thalamus.policy.entities import canonical, key_of
from thalamus.policy.json_schema import object_schema
from thalamus.policy.prompts import fence
from thalamus.policy.summarization import omitted
from thalamus.records import Event, Insight, Link, Verdict
from thalamus.records.reports import Batch, DeepReflection, InsightGroup
from thalamus.store import aliases, batches
from thalamus.store import insights as insight_rows
from thalamus.text.statements import says_within

if TYPE_CHECKING:
    from thalamus.context import Context
    from thalamus.policy.insight_groups import ConceptGroup, Member
    from thalamus.store.base import Store
    from thalamus.store.writer import Writer

ACTION = "reflect"  # action of a batch
MOST_CONCEPTS = 6
SCHEMA = object_schema(content={"type": "string", "minLength": 10, "maxLength": 320})


class GeneralReply(msgspec.Struct):
    """A model's reply with one sentence."""

    content: str


class _Run(Struct):
    """State of one deep reflection over the insights of one owner."""

    context: Context
    store: Store
    dry_run: bool
    known: dict[str, Insight]
    members: list[Member]
    common: frozenset[str]
    report: DeepReflection
    tried: set[frozenset[str]] = field(default_factory=set)


class _General(Struct):
    """A general sentence (``content``) with its verdict and the ``members`` it stands for."""

    content: str
    verdict: Verdict
    members: Sequence[Insight]


def reflect_deeply(context: Context, *, dry_run: bool = False) -> DeepReflection:
    """Merges active insights that share concepts, group by group, until nothing is left to merge;
    running it again changes nothing. With ``dry_run`` no model is called and nothing is stored.

    A group is left alone if the model finds no sentence that its members support. Raises
    ``StoreBusy``, also when another process is reflecting, ``StoreFull``, and the model's errors
    before the first merge; later ones are in the report.
    """
    store = context.store
    user = context.config.user or None
    everything = insights(store, user, status=None)
    active = [one for one in everything if one.status == "active"]
    report = DeepReflection(dry_run=dry_run, strength=sum(one.strength for one in active))
    merging = canonical_names(store, user)
    for owner in sorted({_owner(one) for one in active}):
        own = [one for one in everything if _owner(one) == owner]
        run = _run_of(own, merging, context, report)
        if dry_run:
            _plan(run)
        else:
            with store.exclusive(ACTION):
                _merge_all(run)
    return report


def canonical_names(store: Store, user: str | None) -> dict[str, str]:
    """Names merged into others, by hand or as the user's own name."""
    found = aliases.reaching(store, user)
    return {key_of(alias.name): key_of(alias.target) for alias in found}


def _owner(insight: Insight) -> tuple[str, str]:
    return insight.user or "", insight.agent or ""


def _run_of(
    own: Sequence[Insight],
    merging: dict[str, str],
    context: Context,
    report: DeepReflection,
) -> _Run:
    """The insights of an owner prepared for grouping. A merged insight has the concepts that at
    least two of its members share."""
    originals = [one for one in own if one.level == 1 and one.status in ("active", "archived")]
    common = grouping.everywhere([one.concepts for one in originals])
    keys = {one.stored_id: _keys(one, merging) for one in own}
    members = []
    for one in own:
        if one.status != "active":
            continue
        concepts = keys[one.stored_id]
        if one.level > 1:
            below = [keys[other.stored_id] for other in own if other.merged_into == one.id]
            concepts = frozenset(
                key for key in concepts if sum(key in found for found in below) >= grouping.LEAST
            )
        members.append(grouping.Member(one.stored_id, concepts, one.strength, one.level))
    known = {one.stored_id: one for one in own}
    return _Run(context, context.store, report.dry_run, known, members, common, report)


def _keys(insight: Insight, merging: dict[str, str]) -> frozenset[str]:
    return policy.concept_keys([canonical(key_of(name), merging) for name in insight.concepts])


def _plan(run: _Run) -> None:
    """Reports the groups of the first round."""
    found = grouping.groups(run.members, run.common)
    for group in found:
        total = sum(member.strength for member in group.members)
        run.report.groups.append(
            InsightGroup(group.concept, list(group.ids), "merged", strength=total)
        )
    run.report.merged += len(found)
    run.report.archived += sum(len(group.ids) for group in found)
    run.report.alone += len(run.members) - sum(len(group.ids) for group in found)


def _merge_all(run: _Run) -> None:
    """Merges groups until every group has been tried."""
    merged = 0
    while found := grouping.groups(run.members, run.common, run.tried):
        for group in found:
            run.tried.add(frozenset(group.ids))
            try:
                one = _merge(group, run)
            except MODEL_ERRORS:
                if not merged:
                    raise
                run.report.groups.append(_left(group, "the model stopped answering"))
                run.report.alone += _alone(run)
                return
            if one is not None:
                merged += 1
    run.report.alone += _alone(run)


def _alone(run: _Run) -> int:
    """Number of active insights in no group."""
    grouped = {id for group in run.report.groups for id in (*group.members, group.insight)}
    return sum(member.id not in grouped for member in run.members)


def _merge(group: ConceptGroup, run: _Run) -> Insight | None:
    """Merges a group, or the members that the merged insight stands for. Returns None, with the
    reason in the report, if the group is left as it is."""
    found = [run.known[id] for id in group.ids]
    general = _containing(found) or _generalized(group, found, run.context)
    if general.verdict.decision != "add":
        run.report.groups.append(_left(group, general.verdict.reason))
        return None
    members = general.members
    group = grouping.part(group, [one.stored_id for one in members])
    merged = _merged(general.content, group, members, run)
    batch = Batch(
        id=run.context.clock.new_id(ACTION, *group.ids, batches.count(run.store)),
        at=run.context.clock.stamp(),
        action=ACTION,
    )

    def archive(writer: Writer, made: Insight) -> bool:
        return _archive(writer, made, members, batch)

    written = write_merged(merged, run.context, archive)
    if written is None:
        run.report.groups.append(_left(group, "a member was changed or refused in the meantime"))
        return None
    run.known[written.stored_id] = written
    left = [member for member in run.members if member.id not in group.ids]
    run.members = [*left, grouping.merged(group, written.stored_id)]
    run.report.merged += 1
    run.report.archived += len(members)
    run.report.groups.append(
        InsightGroup(
            concept=group.concept,
            members=list(group.ids),
            decision="merged",
            insight=written.id,
            content=written.content,
            strength=written.strength,
            batch=batch.id,
        )
    )
    return written


def _archive(writer: Writer, made: Insight, members: Sequence[Insight], batch: Batch) -> bool:
    """Archives the members in the transaction that writes the merged insight. Returns False and
    changes nothing if a member has changed since it was read."""
    for member in members:
        now = insight_rows.state(writer, member.stored_id)
        if now is None or (now.status, now.strength) != ("active", member.strength):
            return False
    batches.add(writer, batch)
    note_created(writer, made.stored_id, batch.id)
    for member in members:
        archive_insight(writer, member.stored_id, made.stored_id, batch.id)
        writer.add(Link(source=member.stored_id, relation="merged_into", target=made.stored_id))
    data = {"batch": batch.id, "insight": made.id, "merged": [member.id for member in members]}
    writer.add_event(Event(name="insights_merged", at=batch.at, data=data))
    return True


def _left(group: ConceptGroup, reason: str) -> InsightGroup:
    total = sum(member.strength for member in group.members)
    return InsightGroup(group.concept, list(group.ids), "left", reason, strength=total)


def _containing(members: Sequence[Insight]) -> _General | None:
    """The member that contains everything that other members say; such a merge needs no model."""
    for one in members:
        contained = [
            other
            for other in members
            if other is not one and says_within(other.content, one.content)
        ]
        if contained:
            verdict = Verdict(
                decision="add", rule="contained", reason="it contains the other members"
            )
            return _General(one.content, verdict, [one, *contained])
    return None


def _generalized(group: ConceptGroup, members: Sequence[Insight], context: Context) -> _General:
    """A model's sentence for a group, with its verdict. If the members do not plainly support it,
    or one of them already says it, the model is asked once more to join their words. A model that
    is too small is not asked. Raises the model's errors."""
    if context.too_small(ROLE):
        refused = Verdict(decision="refuse", rule="too_small", reason="the model is too small")
        return _General("", refused, members)
    lines = [f"{n}. {fence(one.content)}" for n, one in enumerate(members, start=1)]
    about = ", ".join(map(fence, group.common[:2]))
    messages = context.dialogue("generalize", ABOUT=about, NOTES="\n".join(lines))
    reply = request_record(context, ROLE, messages, SCHEMA, GeneralReply)
    if reply.value is None:
        refused = Verdict(decision="refuse", rule="unusable", reason="the reply was not usable")
        return _General("", refused, members)
    general = _judged(reply.value.content, members, context)
    if general.verdict.rule in (DOUBTED, "restated"):
        joined = join([fence(one.content) for one in members], context)
        again = _judged(joined.content, members, context)
        return again if again.verdict.decision == "add" else general
    return general


def _judged(content: str, members: Sequence[Insight], context: Context) -> _General:
    """Verdict on a general sentence, and the members that it holds: their words, names and numbers.
    The others stay as they are."""
    sources = [
        policy.SourceText(number=number, id=one.stored_id, text=one.content, speaker="")
        for number, one in enumerate(members, start=1)
    ]
    verdict = verify_insight(content, sources, context).verdict
    reflected = [
        one
        for one in members
        if policy.restates(content, one.content) and not omitted(content, [one.content])
    ]
    if verdict.decision == "add" and len(reflected) < grouping.LEAST:
        reason = "it covers too few of the members"
        verdict = structs.replace(verdict, decision="refuse", rule="restated", reason=reason)
    return _General(verdict.content, verdict, reflected)


def _merged(content: str, group: ConceptGroup, members: Sequence[Insight], run: _Run) -> Insight:
    """The merged insight: the strength of its members together, the trust of the least trusted."""
    shown = {key_of(name): name for one in members for name in one.concepts}
    common = [shown.get(key, key) for key in group.common]
    rest = [name for key, name in shown.items() if key not in group.common]
    first = members[0]
    return Insight(
        content=content,
        concepts=[*common, *rest][:MOST_CONCEPTS],
        strength=sum(one.strength for one in members),
        level=max(one.level for one in members) + 1,
        sources=[one.stored_id for one in members],
        trust=min(one.trust for one in members),
        sensitivity="personal"
        if any(one.sensitivity == "personal" for one in members)
        else "normal",
        user=first.user,
        agent=first.agent,
    )


def undo_reflection(found: Sequence[Batch]) -> str | None:
    """Id of the last merge among batches that are sorted newest first."""
    return next((batch.id for batch in found if batch.action == ACTION), None)
