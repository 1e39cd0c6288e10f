"""reflect: finds what is worth keeping of a turn.

Rules come first: what plain language says plainly is found by the grammar, without a model. A model
is asked only about the rest, and none of its proposals is believed unchecked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from msgspec import structs

from thalamus.context import Context, issue, skip, step
from thalamus.errors import ThalamusError
from thalamus.memory.dialogue import turn_before
from thalamus.memory.facts import registry
from thalamus.memory.structured_output import StructuredReply, request_record, request_with_retry
from thalamus.models.protocol import Message
from thalamus.pipeline import extraction
from thalamus.pipeline.claims import CheckedReflection, can_tell_yes, check_claims
from thalamus.pipeline.corrections import CorrectedReflection, correct, rewrite
from thalamus.pipeline.extraction import read_turn
from thalamus.policy import grounding
from thalamus.policy.entities import object_name, subject_name
from thalamus.policy.language.corrections.unmatched import strip_remarks
from thalamus.policy.language.persona import addressed
from thalamus.policy.language.reading import Reading, leans_on_answer
from thalamus.policy.language.statements import counts_named
from thalamus.policy.language.topic_words import is_topic
from thalamus.policy.persona import PERSONA_TYPES
from thalamus.policy.predicates import Registry
from thalamus.policy.prompts import fence
from thalamus.policy.reply_parsing import (
    OFFERED_TYPES,
    REFLECTION_SCHEMA,
    FactReply,
    MemoryReply,
    ReflectionReply,
    parse_facts,
)
from thalamus.policy.retention import rule_for
from thalamus.records import Fact, Memory, Provenance, Reflection, Turn, Verdict
from thalamus.text.tokens import share_found, words

if TYPE_CHECKING:
    from thalamus.policy.language.clauses import Clause
    from thalamus.policy.language.statements import Statement

R = TypeVar("R", Memory, Fact)
LINES = "Reply with lines such as: user | likes | tea. When there is no fact, reply: nothing"
LONGEST_BEFORE = 600  # characters of an earlier answer that a message depends on
# what only the grammar finds: a model takes any name for the user's, and any number for an age
BY_GRAMMAR = frozenset("name nickname age born_on birthday due_on phone email address".split())
LIKING = frozenset(("likes", "dislikes", "prefers"))


def reflect(turn: Turn, context: Context) -> Turn:
    """Puts ``reflection`` on the record: what the grammar finds, what the message corrects, and
    what a model finds in addition. Every proposal of the model is checked against the clauses of
    the message, and then once more by the model itself.

    The model is asked only where the message states something that the grammar turned into no
    fact. A reply that cannot be used even at the second try leaves what the grammar found, and an
    issue; the raw text goes into the ledger.
    """
    tick = context.clock.tick()
    if not (context.config.enable_reflection and context.use_memory):
        return skip(turn, context, "reflect", "disabled")
    corrected = correct(turn, context)
    text = corrected.rest if corrected is not None else _without_remarks(turn)
    reading = read_turn(turn, context, text)
    reflection = Reflection(
        turn=turn.id,
        memories_to_store=extraction.memories(reading, turn, context),
        facts=extraction.facts(reading, turn, context),
    )
    if corrected is not None:
        return _reflected(turn, context, tick, _with_corrections(reflection, corrected))
    if context.config.model_for("reflect") in context.down:
        return _reflected(turn, context, tick, reflection)
    rewritten = _try_rewrite(turn, context)
    if rewritten is not None:
        memories, facts = rewritten
        reflection = structs.replace(reflection, memories_to_store=memories, facts=facts)
        return _reflected(turn, context, tick, reflection)
    before = _answer_before(turn, context)
    if not (before or reading.open or reading.unread) or not _can_judge(context):
        return _reflected(turn, context, tick, reflection)
    return _with_model(turn, context, tick, reflection, reading, before)


def judge(
    reply: ReflectionReply, turn: Turn, context: Context, reading: Reading, before: str = ""
) -> tuple[Reflection, list[Fact]]:
    """What of a model's reply may be kept, each refusal with its reason, and the facts that may be
    meant although no word says them. What the grammar found in the same clause is not repeated.

    ``before``: the assistant's earlier answer, when the message depends on it.
    """
    grounds = grounding.TurnText(
        message=turn.message,
        answer=before,
        evidence=[item.text for item in turn.evidence],
    )
    reflection = Reflection(turn=turn.id)
    _judge_memories(reply, turn, context, reading, grounds, reflection)
    return reflection, _judge_facts(reply, turn, context, reading, grounds, reflection)


def _judge_memories(
    reply: ReflectionReply,
    turn: Turn,
    context: Context,
    reading: Reading,
    grounds: grounding.TurnText,
    reflection: Reflection,
) -> None:
    """Adds to the reflection the proposed memories that are grounded, and the refusals."""
    examples = context.templates.load("reflect")
    known = [item.content for item in reading.memories]
    for proposal in reply.memories_to_store:
        verdict, trust = grounding.judge(proposal.content, grounds)
        if proposal.type in PERSONA_TYPES and verdict.decision != "refuse":
            proposal, verdict = _of_assistant(proposal, verdict, turn.message)
        if verdict.decision == "refuse":
            reflection.refused.append(_unless_copied(verdict, examples, proposal.content))
        elif any(grounding.within(proposal.content, content) for content in known):
            continue  # the grammar found it, or the model says it twice
        else:
            known.append(proposal.content)
            reflection.memories_to_store.append(_memory(proposal, turn, trust, context))


def _of_assistant(
    proposal: MemoryReply, verdict: Verdict, message: str
) -> tuple[MemoryReply, Verdict]:
    """A proposal about the assistant: refused unless the user says it to the assistant. One about
    the user only has the wrong type."""
    if proposal.content.startswith("The user"):
        return structs.replace(proposal, type="observation"), verdict
    if verdict.rule == "grounded" and addressed(grounding.quote(proposal.content, message)):
        return proposal, verdict
    return proposal, Verdict(
        decision="refuse",
        rule="not_addressed",
        reason="the user did not say it to the assistant",
        content=proposal.content,
    )


def _judge_facts(
    reply: ReflectionReply,
    turn: Turn,
    context: Context,
    reading: Reading,
    grounds: grounding.TurnText,
    reflection: Reflection,
) -> list[Fact]:
    """Adds to the reflection the proposed facts that are grounded, and the refusals. Returns those
    that may be meant although no word says them."""
    examples = context.templates.load("reflect")
    implied: list[Fact] = []
    predicates = registry(context) if reply.facts else Registry()
    for proposal in reply.facts:
        predicate = predicates.name(proposal.predicate)
        by_grammar = (_overlap(proposal, predicate, known) for known in reading.statements)
        if predicate in BY_GRAMMAR or any(by_grammar) or _only_counts(proposal, reading):
            continue
        parts = (proposal.subject, predicate, proposal.object)
        verdict = grounding.judge_fact(*parts, grounds, predicates.said(predicate))
        refused = verdict.decision == "refuse"
        if refused and not grounding.meant_fact(*parts, grounds):
            copied = (proposal.subject, proposal.predicate, proposal.object)
            reflection.refused.append(_unless_copied(verdict, examples, *copied))
            continue
        fact = _fact(proposal, predicate, turn, context, grounds.clauses)
        known_facts = [*reflection.facts, *implied]
        if fact is not None and not any(_same_fact(fact, other) for other in known_facts):
            (implied if refused else reflection.facts).append(fact)
    return implied


def _without_remarks(turn: Turn) -> str | None:
    """The message without remarks around a correction; None when it has none of them."""
    text = strip_remarks(turn.message)
    return text if text != turn.message else None


def _with_corrections(found: Reflection, corrected: CorrectedReflection) -> Reflection:
    """What the message corrects, in place of what the grammar found in the correcting words."""
    memories, facts = found.memories_to_store, found.facts
    return structs.replace(
        found,
        memories_to_store=[
            *corrected.memories,
            *(m for m in memories if not corrected.said & set(words(m.content))),
        ],
        facts=[
            *corrected.facts,
            *(f for f in facts if not any(_same_fact(f, other) for other in corrected.facts)),
        ],
        taken_back=corrected.taken_back,
    )


def _try_rewrite(turn: Turn, context: Context) -> tuple[list[Memory], list[Fact]] | None:
    """What the message corrects in a model's words; nothing when the model fails."""
    try:
        return rewrite(turn, context)
    except ThalamusError as error:
        context.failed("stage reflect", error)
        return None


def _answer_before(turn: Turn, context: Context) -> str:
    """The assistant's last answer, when the message makes sense only with it."""
    if not leans_on_answer(turn.message):
        return ""
    opened = context.open_store(False)
    before = turn_before(turn, context, opened) if opened is not None else None
    return (before.answer or "")[:LONGEST_BEFORE] if before is not None else ""


def _can_judge(context: Context) -> bool:
    """Whether the model can judge its own proposals: one that takes a yes for a no is not asked."""
    try:
        return context.config.second_look <= 0 or can_tell_yes("verify", context)
    except ThalamusError:
        return True  # the next call to it reports the failure


def _with_model(
    turn: Turn,
    context: Context,
    tick: float,
    reflection: Reflection,
    reading: Reading,
    before: str,
) -> Turn:
    """The turn with what the grammar found and what is left of a model's proposals."""
    asked = _try_model(turn, before, reading, context)
    if asked.value is None:
        return _reflected(turn, context, tick, reflection, asked)
    proposed, implied = judge(asked.value, turn, context, reading, before)
    loose = [*extraction.loose_facts(reading, turn, context), *implied]
    checked = check_claims(proposed, turn, context, loose)
    reflection = _joined(_marked_personal(reflection, asked.value), checked.reflection)
    return _reflected(turn, context, tick, reflection, asked, checked)


def _try_model(
    turn: Turn, before: str, reading: Reading, context: Context
) -> StructuredReply[ReflectionReply]:
    """What the model replies. A model that fails is an issue of the turn; what the grammar found
    stays."""
    try:
        if before or reading.unread:
            return _ask_for_all(turn, before, context)
        return _ask_for_facts(turn, context)
    except ThalamusError as error:
        context.failures.append(("reflect", error))
        context.failed("stage reflect", error)
        return StructuredReply(issues=[issue("reflect", error)])


def _ask_for_all(turn: Turn, before: str, context: Context) -> StructuredReply[ReflectionReply]:
    """Memories and facts in JSON, of a message that the grammar cannot read by itself."""
    prompt = context.templates.fill(
        "reflect",
        NOW=context.local_now(turn)[:10],
        TYPES=", ".join(OFFERED_TYPES),
        BEFORE=f"<assistant_before>\n{fence(before)}\n</assistant_before>\n" if before else "",
        USER_MESSAGE=fence(turn.message),
        ASSISTANT_ANSWER=fence(turn.answer or "(none)"),
    )
    return request_record(
        context, "reflect", [Message("user", prompt)], REFLECTION_SCHEMA, ReflectionReply
    )


def _ask_for_facts(turn: Turn, context: Context) -> StructuredReply[ReflectionReply]:
    """Facts in lines, of a message whose memories the grammar finds: small models keep to lines
    better than to JSON, and are quicker."""
    messages = context.dialogue(
        "facts",
        NOW=context.local_now(turn)[:10],
        USER_MESSAGE=fence(turn.message),
    )
    return request_with_retry(context, "reflect", messages, parse_facts, LINES)


def _reflected(
    turn: Turn,
    context: Context,
    tick: float,
    reflection: Reflection,
    asked: StructuredReply[ReflectionReply] | None = None,
    checked: CheckedReflection | None = None,
) -> Turn:
    """The turn with its reflection, and the ledger entry about it."""
    asked, checked = asked or StructuredReply(), checked or CheckedReflection()
    detail: dict[str, object] = {
        "memories": len(reflection.memories_to_store),
        "facts": len(reflection.facts),
        "refused": len(reflection.refused),
    }
    if checked.probabilities:
        detail["second_look"] = checked.probabilities
    if asked.raw:
        detail["unusable_replies"] = asked.raw
    inputs = [turn.id] if turn.id else []
    entry = step(context, "reflect", tick, replies=asked.replies, inputs=inputs, detail=detail)
    return structs.replace(
        turn,
        reflection=reflection,
        issues=[*turn.issues, *asked.issues],
        trace=[*turn.trace, entry],
    )


def _marked_personal(found: Reflection, reply: ReflectionReply) -> Reflection:
    """What the grammar found, personal where the model calls the same personal; the facts of a
    clause go with its memory."""
    personal = [m.content for m in reply.memories_to_store if m.sensitivity == "personal"]
    personal += [f"{f.subject} {f.object}" for f in reply.facts if f.sensitivity == "personal"]
    if not personal:
        return found
    quotes = {
        memory.provenance.quote
        for memory in found.memories_to_store
        if memory.provenance and any(grounding.within(text, memory.content) for text in personal)
    }
    return structs.replace(
        found,
        memories_to_store=[_personal_if(item, quotes) for item in found.memories_to_store],
        facts=[_personal_if(item, quotes) for item in found.facts],
    )


def _personal_if(item: R, quotes: set[str | None]) -> R:
    """The memory or fact, personal when it was taken from one of these clauses."""
    if item.provenance is None or item.provenance.quote not in quotes:
        return item
    return structs.replace(item, sensitivity="personal")


def _joined(one: Reflection, other: Reflection) -> Reflection:
    return structs.replace(
        one,
        memories_to_store=[*one.memories_to_store, *other.memories_to_store],
        facts=[*one.facts, *other.facts],
        refused=[*one.refused, *other.refused],
    )


def _unless_copied(verdict: Verdict, examples: str, *parts: str) -> Verdict:
    """A refusal, with a rule of its own when a small model only copied an example of its prompt:
    then there is nothing in it to quarantine."""
    if not all(f'"{part}"' in examples for part in parts):
        return verdict
    return structs.replace(verdict, rule="example", reason="copied from an example of the prompt")


def _memory(proposal: MemoryReply, turn: Turn, trust: float, context: Context) -> Memory:
    scope = rule_for(context.rules(), proposal.type).scope
    return Memory(
        content=" ".join(proposal.content.split()),
        type=proposal.type,
        topic=proposal.topic if proposal.topic and is_topic(proposal.topic) else None,
        importance=proposal.importance,
        sensitivity=proposal.sensitivity,
        scope="archival" if scope == "core" and trust < 1 else scope,
        created_at=turn.created_at,
        session=turn.session,
        user=turn.user,
        agent=turn.agent,
        trust=trust,
        provenance=Provenance(turn=turn.id, quote=grounding.quote(proposal.content, turn.message)),
    )


def _fact(
    proposal: FactReply, predicate: str, turn: Turn, context: Context, clauses: Sequence[Clause]
) -> Fact | None:
    """A proposal as a fact; None for what is only announced, or over without an end that fits."""
    clause = grounding.clause_of(proposal.subject, proposal.object, clauses)
    if clause is None:
        return None
    said_at = turn.created_at or context.clock.stamp()
    begin, end = extraction.interval(clause, predicate, proposal.object, said_at, context.zone)
    if clause.tense == "coming" and begin is None:
        return None
    return Fact(
        metadata=extraction.precision(clause, begin, end, said_at, context.zone),
        subject=subject_name(proposal.subject),
        predicate=predicate,
        object=object_name(proposal.object),
        valid_from=begin,
        valid_to=end,
        quote=clause.text,
        sensitivity=proposal.sensitivity,
        created_at=turn.created_at,
        session=turn.session,
        user=turn.user,
        agent=turn.agent,
        provenance=Provenance(turn=turn.id, quote=clause.text),
    )


def _overlap(proposal: FactReply, predicate: str, known: Statement) -> bool:
    """Whether the grammar found a fact in the same words: then that is the better one."""
    same_object = share_found(words(proposal.object), words(known.object)) > 0
    # "I have physio on Thursday" is no illness
    planned = predicate == "has_condition" and known.predicate == "plans_to"
    same = predicate == known.predicate or {predicate, known.predicate} <= LIKING
    return same_object and (same or planned)


def _only_counts(proposal: FactReply, reading: Reading) -> bool:
    """Whether a proposal counts those whom the grammar named: "has_pet two cats"."""
    language = reading.clauses[0].language if reading.clauses else "en"
    return counts_named(proposal.object, language, reading.statements)


def _same_fact(one: Fact, other: Fact) -> bool:
    return all(
        " ".join(getattr(one, name).casefold().split())
        == " ".join(getattr(other, name).casefold().split())
        for name in ("subject", "predicate", "object")
    )
