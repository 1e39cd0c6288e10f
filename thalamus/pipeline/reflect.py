"""reflect: finds what is worth keeping: by rules first, then by a model that is not believed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from msgspec import structs

from thalamus.context import Context, issue, skip, step, turn_before
from thalamus.errors import ThalamusError
from thalamus.memory.facts import registry
from thalamus.memory.structured_output import StructuredReply, request_record, request_with_retry
from thalamus.models.protocol import Message
from thalamus.pipeline import extraction
from thalamus.pipeline.claims import CheckedReflection, can_tell_yes, check_claims
from thalamus.pipeline.corrections import CorrectedReflection, correct, rewrite
from thalamus.pipeline.extraction import read_turn
from thalamus.policy import ground
from thalamus.policy.entities import object_name, subject_name
from thalamus.policy.language.fragments import without_remarks
from thalamus.policy.language.reading import Reading, leans_on_answer
from thalamus.policy.predicates import Registry
from thalamus.policy.prompts import fence
from thalamus.policy.replies import (
    MEMORY_TYPES,
    REFLECTION_SCHEMA,
    FactReply,
    MemoryReply,
    ReflectionReply,
    parse_facts,
)
from thalamus.policy.retention import rule_for
from thalamus.policy.tokens import share_found, words
from thalamus.records import Fact, Memory, Provenance, Reflection, Step, Turn, Verdict

if TYPE_CHECKING:
    from thalamus.policy.language.clauses import Clause
    from thalamus.policy.language.grammar import Statement

R = TypeVar("R", Memory, Fact)
LINES = "Reply with lines such as: user | likes | tea. When there is no fact, reply: nothing"
MOST_BEFORE = 600  # characters of an answer that a message leans on
# what only the grammar finds: a model takes any name for the user's, and any number for an age
BY_GRAMMAR = frozenset("name nickname age born_on birthday phone email address".split())


def reflect(turn: Turn, context: Context) -> Turn:
    """Puts ``reflection`` on the record: what plain language says plainly, found by the grammar,
    and what a model finds besides; every proposal of the model is checked against the clauses of
    the message, and then looked at once more by the model itself.

    The model is asked only where the message states something that the grammar made no fact of.
    A reply that cannot be used even at the second try leaves what the grammar found and an issue;
    the raw text goes into the ledger.
    """
    tick = context.clock.tick()
    if not (context.config.enable_reflection and context.use_memory):
        return skip(turn, context, "reflect", "switched off")
    right = correct(turn, context)
    reading = read_turn(turn, context, right.rest if right is not None else _by_itself(turn))
    reflection = Reflection(
        turn=turn.id,
        memories_to_store=extraction.memories(reading, turn, context),
        facts=extraction.facts(reading, turn, context),
    )
    up = context.config.model_for("reflect") not in context.down
    if right is not None:
        reflection = _with_corrections(reflection, right)
    elif up and (told := _rewrite_or_note(turn, context)) is not None:
        reflection = structs.replace(reflection, memories_to_store=told[0], facts=told[1])
        return _reflected(turn, context, tick, reflection)
    before = _answer_before(turn, context)
    asked: StructuredReply[ReflectionReply] = StructuredReply()
    looked = CheckedReflection()
    wanted = right is None and (before or reading.open or reading.unread)
    if wanted and up and _judges(context):
        asked = _ask_or_note(turn, before, reading, context)
        if asked.value is not None:
            reflection = _labelled(reflection, asked.value)
            proposed, meant = judge(asked.value, turn, context, reading, before)
            loose = [*extraction.loose_facts(reading, turn, context), *meant]
            looked = check_claims(proposed, turn, context, loose)
            reflection = _joined(reflection, looked.reflection)
    return _reflected(turn, context, tick, reflection, asked, looked)


def _by_itself(turn: Turn) -> str | None:
    """The message without what is only said around a correction; None when there is nothing of
    the kind in it."""
    said = without_remarks(turn.message)
    return said if said != turn.message else None


def _reflected(
    turn: Turn,
    context: Context,
    tick: float,
    reflection: Reflection,
    asked: StructuredReply[ReflectionReply] | None = None,
    looked: CheckedReflection | None = None,
) -> Turn:
    asked, looked = asked or StructuredReply(), looked or CheckedReflection()
    return structs.replace(
        turn,
        reflection=reflection,
        issues=[*turn.issues, *asked.issues],
        trace=[*turn.trace, _entry(context, tick, turn, reflection, asked, looked)],
    )


def _judges(context: Context) -> bool:
    """Whether the model can judge what it proposes: one that takes a yes for a no is not asked."""
    try:
        return context.config.second_look <= 0 or can_tell_yes("verify", context)
    except ThalamusError:
        return True  # it is asked, and its failure told, by what follows


def _rewrite_or_note(turn: Turn, context: Context) -> tuple[list[Memory], list[Fact]] | None:
    """What the message corrects in a model's words. A model that fails here corrects nothing."""
    try:
        return rewrite(turn, context)
    except ThalamusError as error:
        context.events.failed("stage reflect", error)
        return None


def _with_corrections(found: Reflection, right: CorrectedReflection) -> Reflection:
    """What the message corrects, in place of what the grammar made of the words that correct it."""
    return structs.replace(
        found,
        memories_to_store=[
            *right.memories,
            *(m for m in found.memories_to_store if not right.said & set(words(m.content))),
        ],
        facts=[
            *right.facts,
            *(f for f in found.facts if not any(_same_fact(f, g) for g in right.facts)),
        ],
        taken_back=right.taken_back,
    )


def _ask_or_note(
    turn: Turn, before: str, reading: Reading, context: Context
) -> StructuredReply[ReflectionReply]:
    """What the model replies. That it failed is an issue of the turn; what the grammar found
    stays."""
    try:
        if before or reading.unread:
            return _ask(turn, before, context)
        return _ask_for_facts(turn, context)
    except ThalamusError as error:
        context.failures.append(("reflect", error))
        context.events.failed("stage reflect", error)
        return StructuredReply(issues=[issue("reflect", error)])


def _ask(turn: Turn, before: str, context: Context) -> StructuredReply[ReflectionReply]:
    prompt = context.templates.fill(
        "reflect",
        NOW=(turn.created_at or context.clock.stamp())[:10],
        TYPES=", ".join(MEMORY_TYPES),
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
        NOW=(turn.created_at or context.clock.stamp())[:10],
        USER_MESSAGE=fence(turn.message),
    )
    return request_with_retry(context, "reflect", messages, parse_facts, LINES)


def _answer_before(turn: Turn, context: Context) -> str:
    """What the assistant said last, when the message makes sense only with it."""
    if not leans_on_answer(turn.message):
        return ""
    opened = context.open_store(False)
    before = turn_before(turn, context, opened) if opened is not None else None
    return (before.answer or "")[:MOST_BEFORE] if before is not None else ""


def judge(
    reply: ReflectionReply, turn: Turn, context: Context, reading: Reading, before: str = ""
) -> tuple[Reflection, list[Fact]]:
    """What of a model's reply may be kept, each refusal with its reason, and the facts that may be
    meant although no word says them. What the grammar found in the same clause already is not said
    twice."""
    grounds = ground.TurnText(
        message=turn.message,
        answer=before,
        evidence=[item.text for item in turn.evidence],
    )
    reflection = Reflection(turn=turn.id)
    examples = context.templates.load("reflect")
    known = [item.content for item in reading.memories]
    for found in reply.memories_to_store:
        verdict, trust = ground.judge(found.content, grounds)
        if verdict.decision == "refuse":
            reflection.refused.append(_unless_copied(verdict, examples, found.content))
        elif any(ground.within(found.content, content) for content in known):
            continue  # the grammar has it, or the model says it twice
        else:
            known.append(found.content)
            reflection.memories_to_store.append(_memory(found, turn, trust, context))
    meant: list[Fact] = []
    predicates = registry(context) if reply.facts else Registry()
    for statement in reply.facts:
        predicate = predicates.name(statement.predicate)
        if predicate in BY_GRAMMAR or any(
            _overlap(statement, predicate, r) for r in reading.statements
        ):
            continue
        said = predicates.said(predicate)
        verdict = ground.judge_fact(statement.subject, predicate, statement.object, grounds, said)
        loose = verdict.decision == "refuse" and ground.meant_fact(
            statement.subject, predicate, statement.object, grounds
        )
        if verdict.decision == "refuse" and not loose:
            copied = (statement.subject, statement.predicate, statement.object)
            reflection.refused.append(_unless_copied(verdict, examples, *copied))
            continue
        fact = _fact(statement, predicate, turn, context, grounds.clauses)
        known_facts = [*reflection.facts, *meant]
        if fact is not None and not any(_same_fact(fact, other) for other in known_facts):
            (meant if loose else reflection.facts).append(fact)
    return reflection, meant


def _labelled(found: Reflection, reply: ReflectionReply) -> Reflection:
    """What the grammar found, personal where the model calls the same personal; the facts of a
    clause go with its memory."""
    private = [m.content for m in reply.memories_to_store if m.sensitivity == "personal"]
    private += [f"{f.subject} {f.object}" for f in reply.facts if f.sensitivity == "personal"]
    if not private:
        return found
    quotes = {
        memory.provenance.quote
        for memory in found.memories_to_store
        if memory.provenance and any(ground.within(text, memory.content) for text in private)
    }
    return structs.replace(
        found,
        memories_to_store=[_private(item, quotes) for item in found.memories_to_store],
        facts=[_private(item, quotes) for item in found.facts],
    )


def _private(item: R, quotes: set[str | None]) -> R:
    """The memory or fact, personal when it was taken from one of these clauses."""
    if item.provenance is None or item.provenance.quote not in quotes:
        return item
    return structs.replace(item, sensitivity="personal")


def _overlap(found: FactReply, predicate: str, known: Statement) -> bool:
    """Whether the grammar made a fact of the same words: then it is the better one."""
    same = share_found(words(found.object), words(known.object)) > 0
    liking = {"likes", "dislikes", "prefers"}
    return same and (predicate == known.predicate or {predicate, known.predicate} <= liking)


def _joined(one: Reflection, other: Reflection) -> Reflection:
    return structs.replace(
        one,
        memories_to_store=[*one.memories_to_store, *other.memories_to_store],
        facts=[*one.facts, *other.facts],
        refused=[*one.refused, *other.refused],
    )


def _unless_copied(verdict: Verdict, examples: str, *parts: str) -> Verdict:
    """A refusal, told apart when a small model only copied an example of its prompt: then there
    is nothing in it to be kept aside."""
    if not all(f'"{part}"' in examples for part in parts):
        return verdict
    reason = "it is an example of the prompt"
    return structs.replace(verdict, rule="example", reason=reason)


def _memory(found: MemoryReply, turn: Turn, trust: float, context: Context) -> Memory:
    scope = rule_for(context.rules(), found.type).scope
    return Memory(
        content=" ".join(found.content.split()),
        type=found.type,
        topic=found.topic,
        importance=found.importance,
        sensitivity=found.sensitivity,
        scope="archival" if scope == "core" and trust < 1 else scope,
        created_at=turn.created_at,
        session=turn.session,
        user=turn.user,
        agent=turn.agent,
        trust=trust,
        provenance=Provenance(turn=turn.id, quote=ground.quote(found.content, turn.message)),
    )


def _fact(
    found: FactReply, predicate: str, turn: Turn, context: Context, clauses: Sequence[Clause]
) -> Fact | None:
    """A proposal as a fact; None for what is only announced, or over without an end that fits."""
    clause = ground.clause_of(found.subject, found.object, clauses)
    if clause is None:
        return None
    said_at = turn.created_at or context.clock.stamp()
    begin, end = extraction.interval(clause, predicate, found.object, said_at)
    if clause.tense == "coming" and begin is None:
        return None
    return Fact(
        subject=subject_name(found.subject),
        predicate=predicate,
        object=object_name(found.object),
        valid_from=begin,
        valid_to=end,
        quote=clause.text,
        sensitivity=found.sensitivity,
        created_at=turn.created_at,
        session=turn.session,
        user=turn.user,
        agent=turn.agent,
        provenance=Provenance(turn=turn.id, quote=clause.text),
    )


def _entry(
    context: Context,
    tick: float,
    turn: Turn,
    reflection: Reflection,
    asked: StructuredReply[ReflectionReply],
    looked: CheckedReflection,
) -> Step:
    detail: dict[str, object] = {
        "memories": len(reflection.memories_to_store),
        "facts": len(reflection.facts),
        "refused": len(reflection.refused),
    }
    if looked.probabilities:
        detail["second_look"] = looked.probabilities
    if asked.raw:
        detail["unusable_replies"] = asked.raw
    inputs = [turn.id] if turn.id else []
    return step(context, "reflect", tick, replies=asked.replies, inputs=inputs, detail=detail)


def _same(one: str, other: str) -> bool:
    return " ".join(one.casefold().split()) == " ".join(other.casefold().split())


def _same_fact(one: Fact, other: Fact) -> bool:
    keys = ("subject", "predicate", "object")
    return all(_same(getattr(one, key), getattr(other, key)) for key in keys)
