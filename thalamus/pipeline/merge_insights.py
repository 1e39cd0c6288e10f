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
    from thalamus.policy.insight_groups import ConceptGroup, Member
    from thalamus.store.base import Store
    from thalamus.store.writer import Writer
    from thalamus.turn_run import TurnRun

ACTION = "reflect"  # action of a batch
MOST_CONCEPTS = 6
SCHEMA = object_schema(content={"type": "string", "minLength": 10, "maxLength": 320})


class GeneralReply(msgspec.Struct):
    """A model's reply with one sentence."""

    content: str


class _Merging(Struct):
    """State of one deep reflection over the insights of one owner."""

    run: TurnRun
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


def reflect_deeply(run: TurnRun, *, dry_run: bool = False) -> DeepReflection:
    """Merges active insights that share concepts, group by group, until nothing is left to merge;
    running it again changes nothing. With ``dry_run`` no model is called and nothing is stored.

    A group is left alone if the model finds no sentence that its members support. Raises
    ``StoreBusy``, also when another process is reflecting, ``StoreFull``, and the model's errors
    before the first merge; later ones are in the report.
    """
    store = run.engine.store
    user = run.engine.config.user or None
    everything = insights(store, user, status=None)
    active = [one for one in everything if one.status == "active"]
    report = DeepReflection(dry_run=dry_run, strength=sum(one.strength for one in active))
    merging = canonical_names(store, user)
    for owner in sorted({_owner(one) for one in active}):
        own = [one for one in everything if _owner(one) == owner]
        state = _state_of(own, merging, run, report)
        if dry_run:
            _plan(state)
        else:
            with store.exclusive(ACTION):
                _merge_all(state)
    return report


def canonical_names(store: Store, user: str | None) -> dict[str, str]:
    """Names merged into others, by hand or as the user's own name."""
    found = aliases.reaching(store, user)
    return {key_of(alias.name): key_of(alias.target) for alias in found}


def _owner(insight: Insight) -> tuple[str, str]:
    return insight.user or "", insight.agent or ""


def _state_of(
    own: Sequence[Insight],
    merging: dict[str, str],
    run: TurnRun,
    report: DeepReflection,
) -> _Merging:
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
    return _Merging(run, run.engine.store, report.dry_run, known, members, common, report)


def _keys(insight: Insight, merging: dict[str, str]) -> frozenset[str]:
    return policy.concept_keys([canonical(key_of(name), merging) for name in insight.concepts])


def _plan(state: _Merging) -> None:
    """Reports the groups of the first round."""
    found = grouping.groups(state.members, state.common)
    for group in found:
        total = sum(member.strength for member in group.members)
        state.report.groups.append(
            InsightGroup(group.concept, list(group.ids), "merged", strength=total)
        )
    state.report.merged += len(found)
    state.report.archived += sum(len(group.ids) for group in found)
    state.report.alone += len(state.members) - sum(len(group.ids) for group in found)


def _merge_all(state: _Merging) -> None:
    """Merges groups until every group has been tried."""
    merged = 0
    while found := grouping.groups(state.members, state.common, state.tried):
        for group in found:
            state.tried.add(frozenset(group.ids))
            try:
                one = _merge(group, state)
            except MODEL_ERRORS:
                if not merged:
                    raise
                state.report.groups.append(_left(group, "the model stopped answering"))
                state.report.alone += _alone(state)
                return
            if one is not None:
                merged += 1
    state.report.alone += _alone(state)


def _alone(state: _Merging) -> int:
    """Number of active insights in no group."""
    grouped = {id for group in state.report.groups for id in (*group.members, group.insight)}
    return sum(member.id not in grouped for member in state.members)


def _merge(group: ConceptGroup, state: _Merging) -> Insight | None:
    """Merges a group, or the members that the merged insight stands for. Returns None, with the
    reason in the report, if the group is left as it is."""
    found = [state.known[id] for id in group.ids]
    general = _containing(found) or _generalized(group, found, state.run)
    if general.verdict.decision != "add":
        state.report.groups.append(_left(group, general.verdict.reason))
        return None
    members = general.members
    group = grouping.part(group, [one.stored_id for one in members])
    merged = _merged(general.content, group, members, state)
    batch = Batch(
        id=state.run.engine.clock.new_id(ACTION, *group.ids, batches.count(state.store)),
        at=state.run.engine.clock.stamp(),
        action=ACTION,
    )

    def archive(writer: Writer, made: Insight) -> bool:
        return _archive(writer, made, members, batch)

    written = write_merged(merged, state.run, archive)
    if written is None:
        state.report.groups.append(_left(group, "a member was changed or refused in the meantime"))
        return None
    state.known[written.stored_id] = written
    left = [member for member in state.members if member.id not in group.ids]
    state.members = [*left, grouping.merged(group, written.stored_id)]
    state.report.merged += 1
    state.report.archived += len(members)
    state.report.groups.append(
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


def _generalized(group: ConceptGroup, members: Sequence[Insight], run: TurnRun) -> _General:
    """A model's sentence for a group, with its verdict. If the members do not plainly support it,
    or one of them already says it, the model is asked once more to join their words. A model that
    is too small is not asked. Raises the model's errors."""
    if run.engine.too_small(ROLE):
        refused = Verdict(decision="refuse", rule="too_small", reason="the model is too small")
        return _General("", refused, members)
    lines = [f"{n}. {fence(one.content)}" for n, one in enumerate(members, start=1)]
    about = ", ".join(map(fence, group.common[:2]))
    messages = run.engine.dialogue("generalize", ABOUT=about, NOTES="\n".join(lines))
    reply = request_record(run, ROLE, messages, SCHEMA, GeneralReply)
    if reply.value is None:
        refused = Verdict(decision="refuse", rule="unusable", reason="the reply was not usable")
        return _General("", refused, members)
    general = _judged(reply.value.content, members, run)
    if general.verdict.rule in (DOUBTED, "restated"):
        joined = join([fence(one.content) for one in members], run)
        again = _judged(joined.content, members, run)
        return again if again.verdict.decision == "add" else general
    return general


def _judged(content: str, members: Sequence[Insight], run: TurnRun) -> _General:
    """Verdict on a general sentence, and the members that it holds: their words, names and numbers.
    The others stay as they are."""
    sources = [
        policy.SourceText(number=number, id=one.stored_id, text=one.content, speaker="")
        for number, one in enumerate(members, start=1)
    ]
    verdict = verify_insight(content, sources, run).verdict
    reflected = [
        one
        for one in members
        if policy.restates(content, one.content) and not omitted(content, [one.content])
    ]
    if verdict.decision == "add" and len(reflected) < grouping.LEAST:
        reason = "it covers too few of the members"
        verdict = structs.replace(verdict, decision="refuse", rule="restated", reason=reason)
    return _General(verdict.content, verdict, reflected)


def _merged(
    content: str, group: ConceptGroup, members: Sequence[Insight], state: _Merging
) -> Insight:
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
