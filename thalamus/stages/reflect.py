"""reflect: asks the model what is worth keeping, and believes none of it unchecked."""

from __future__ import annotations

from datetime import UTC, date, datetime

from msgspec import structs

from thalamus.clock import format_time, parse_time
from thalamus.models.protocol import ChatReply, Message
from thalamus.policy import dating, ground
from thalamus.policy.entities import object_name, subject_name
from thalamus.policy.predicates import Registry
from thalamus.policy.prompts import fence
from thalamus.policy.replies import (
    MEMORY_TYPES,
    REFLECTION_SCHEMA,
    FactReply,
    MemoryReply,
    ReflectionReply,
)
from thalamus.policy.retention import rule_for
from thalamus.records import Fact, Memory, Provenance, Reflection, Step, Turn, Verdict
from thalamus.stages.ask import ask_for
from thalamus.stages.context import Context, skip, step
from thalamus.stages.facts import registry


def reflect(turn: Turn, context: Context) -> Turn:
    """Puts ``reflection`` on the record: grounded memories and facts, and what was refused.

    A reply that cannot be used even at the second try leaves an empty reflection and an issue;
    the raw text goes into the ledger.
    """
    tick = context.clock.tick()
    if not (context.config.enable_reflection and context.use_memory):
        return skip(turn, context, "reflect", "switched off")
    prompt = context.templates.fill(
        "reflect",
        NOW=(turn.created_at or context.clock.stamp())[:10],
        TYPES=", ".join(MEMORY_TYPES),
        USER_MESSAGE=fence(turn.message),
        ASSISTANT_ANSWER=fence(turn.answer or "(none)"),
    )
    asked = ask_for(
        context, "reflect", [Message("user", prompt)], REFLECTION_SCHEMA, ReflectionReply
    )
    reflection = Reflection(turn=turn.id)
    if asked.value is not None:
        reflection = judge(asked.value, turn, context)
    return structs.replace(
        turn,
        reflection=reflection,
        issues=[*turn.issues, *asked.issues],
        trace=[*turn.trace, _entry(context, tick, turn, reflection, asked.replies, asked.raw)],
    )


def judge(reply: ReflectionReply, turn: Turn, context: Context) -> Reflection:
    """What of a model's reply may be kept, each refusal with its reason."""
    grounds = ground.Grounds(
        message=turn.message,
        answer=turn.answer or "",
        evidence=[item.text for item in turn.evidence],
    )
    reflection = Reflection(turn=turn.id)
    examples = context.templates.load("reflect")
    for found in reply.memories_to_store:
        verdict, trust = ground.judge(found.content, grounds)
        if verdict.decision == "refuse":
            reflection.refused.append(_unless_copied(verdict, examples, found.content))
        elif any(
            ground.same_content(found.content, known.content)
            for known in reflection.memories_to_store
        ):
            continue  # a model that says a thing twice
        else:
            reflection.memories_to_store.append(_memory(found, turn, trust, context))
    predicates = registry(context) if reply.facts else Registry()
    for statement in reply.facts:
        predicate = predicates.name(statement.predicate)
        verdict = ground.judge_fact(statement.subject, predicate, statement.object, grounds)
        if verdict.decision == "refuse":
            copied = (statement.subject, statement.predicate, statement.object)
            reflection.refused.append(_unless_copied(verdict, examples, *copied))
        else:
            fact = _fact(statement, predicate, turn, context)
            if not any(_same_fact(fact, known) for known in reflection.facts):
                reflection.facts.append(fact)
    return reflection


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


def _fact(found: FactReply, predicate: str, turn: Turn, context: Context) -> Fact:
    quote = ground.quote(f"{found.subject} {found.object}", turn.message)
    said_at = turn.created_at or context.clock.stamp()
    begin, end = _valid(found, predicate, quote, turn.message, said_at)
    return Fact(
        subject=subject_name(found.subject),
        predicate=predicate,
        object=object_name(found.object),
        valid_from=begin,
        valid_to=end,
        quote=quote,
        sensitivity=found.sensitivity,
        created_at=turn.created_at,
        session=turn.session,
        user=turn.user,
        agent=turn.agent,
        provenance=Provenance(turn=turn.id, quote=quote),
    )


def _valid(
    found: FactReply, predicate: str, quote: str, message: str, said_at: str
) -> tuple[str | None, str | None]:
    """Since when and until when a fact holds: by its own words where they are plain, else since
    the date that the model gives. What is no longer so has an end and no beginning."""
    said = parse_time(said_at)
    dates = dating.dates(quote, predicate, found.object, said.date())
    given = _valid_from(found.valid_from, message, said_at)
    end = _midnight(dates.end)
    if dates.ended and dates.end == said.date():
        end = format_time(said)
    if dates.sure:
        return _midnight(dates.begin), end
    begin = given or _midnight(dates.begin)
    if begin and end and parse_time(end) < parse_time(begin):
        begin = None  # the model's date cannot be right
    return begin, end


def _midnight(day: date | None) -> str | None:
    return None if day is None else format_time(datetime(day.year, day.month, day.day, tzinfo=UTC))


def _valid_from(text: str | None, message: str, said_at: str) -> str | None:
    """The date that the model gives, when it is one and has grounds in the message."""
    if not text:
        return None
    try:
        moment = format_time(parse_time(text))
    except ValueError:
        return None
    return moment if ground.dated(moment, message, said_at) else None


def _entry(
    context: Context,
    tick: float,
    turn: Turn,
    reflection: Reflection,
    replies: list[ChatReply],
    raw: list[str],
) -> Step:
    detail: dict[str, object] = {
        "memories": len(reflection.memories_to_store),
        "facts": len(reflection.facts),
        "refused": len(reflection.refused),
    }
    if raw:
        detail["unusable_replies"] = raw
    inputs = [turn.id] if turn.id else []
    return step(context, "reflect", tick, replies=replies, inputs=inputs, detail=detail)


def _same(one: str, other: str) -> bool:
    return " ".join(one.casefold().split()) == " ".join(other.casefold().split())


def _same_fact(one: Fact, other: Fact) -> bool:
    keys = ("subject", "predicate", "object")
    return all(_same(getattr(one, key), getattr(other, key)) for key in keys)
