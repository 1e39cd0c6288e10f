"""Validation and limits of retrieval instructions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct, structs

from thalamus.records import Instruction, Scope, Verdict
from thalamus.text.analyzer import fold
from thalamus.text.statements import share_said, statement_words

MOST_PLANNED = 5  # instructions executed in addition to the message's own
MOST_RESULTS = 10  # per instruction of a model's plan
SUBJECT_WORDS = 12  # of the session's subject in an instruction


class Vocabulary(Struct, frozen=True):
    """Filters that a plan can use: types, topics and scopes of the active memories, the most
    frequent first."""

    types: Sequence[str] = ()
    topics: Sequence[str] = ()
    scopes: Sequence[Scope] = ()


class CheckedPlan(Struct):
    """The instructions of a plan to execute, and a verdict on each rejected part."""

    instructions: list[Instruction] = []
    verdicts: list[Verdict] = []


def check_plan(
    instructions: Sequence[Instruction], dialogue: str, vocabulary: Vocabulary
) -> CheckedPlan:
    """Validates a model's plan. A query must share a word with ``dialogue``, since small models
    copy the prompt's example; types, topic and scope must exist in the store."""
    checked = CheckedPlan()
    for number, item in enumerate(instructions, start=1):
        kept, verdicts = _filters(item, number, vocabulary)
        checked.verdicts += verdicts
        wanted = statement_words(item.query)
        if wanted and not share_said(item.query, dialogue):
            reason = "its query shares no word with the conversation"
            checked.verdicts.append(refused(number, "not_said", reason))
            continue
        if not wanted and not narrows(kept):
            reason = "it has neither a query nor a filter"
            checked.verdicts.append(refused(number, "empty", reason))
            continue
        if item.limit > MOST_RESULTS:
            reason = f"it gets {MOST_RESULTS} results at most"
            checked.verdicts.append(refused(number, "limit", reason))
        checked.instructions.append(
            structs.replace(
                kept, query=kept.query if wanted else "", limit=min(item.limit, MOST_RESULTS)
            )
        )
    return checked


def _filters(
    item: Instruction, number: int, vocabulary: Vocabulary
) -> tuple[Instruction, list[Verdict]]:
    """The instruction with only the filters that match any memory; an unknown topic becomes a word
    of the query."""
    verdicts = []
    types = [name for name in item.types if name in vocabulary.types]
    for name in item.types:
        if name not in types:
            verdicts.append(refused(number, "unknown_type", _unknown("type", name)))
    topics = {fold(topic): topic for topic in vocabulary.topics}
    query, topic = item.query.strip(), topics.get(fold(item.topic or ""))
    if item.topic and topic is None:
        query = f"{query} {item.topic}".strip()
        verdicts.append(refused(number, "unknown_topic", _unknown("topic", item.topic)))
    scope = item.scope if item.scope in vocabulary.scopes else None
    if item.scope and scope is None:
        verdicts.append(refused(number, "unknown_scope", _unknown("scope", item.scope)))
    kept = structs.replace(item, query=query, types=types, topic=topic, scope=scope)
    return kept, verdicts


def _unknown(what: str, name: str) -> str:
    return f"no memory has the {what} {name!r}"


def subject_instruction(subject: Sequence[str]) -> Instruction | None:
    """Instruction for the open subject of a session; None if there is none."""
    query = " ".join(subject[:SUBJECT_WORDS])
    return Instruction(mode="all", query=query) if query else None


def project_instructions(names: Iterable[str]) -> list[Instruction]:
    """Instructions for the active projects."""
    return [Instruction(mode="all", query=name, limit=3) for name in names if name.strip()]


def with_standing(standing: Iterable[Instruction], planned: CheckedPlan) -> CheckedPlan:
    """The plan with the standing instructions before its own."""
    kept, verdicts = first_of([*standing, *planned.instructions])
    return CheckedPlan(kept, [*planned.verdicts, *verdicts])


def problem_of(instruction: Instruction) -> tuple[str, str] | None:
    """(field, problem) of an instruction without any criterion; None if it can be executed. An
    empty query lists everything that its filters match."""
    if instruction.query.strip() or narrows(instruction):
        return None
    return "query", "is empty, and no types, topic, scope, since or until narrow the search"


def narrows(instruction: Instruction) -> bool:
    """True if an instruction has a filter, so that it needs no query."""
    item = instruction
    return bool(item.types or item.topic or item.scope or item.since or item.until)


def first_of(instructions: Iterable[Instruction]) -> tuple[list[Instruction], list[Verdict]]:
    """The first ``MOST_PLANNED`` distinct instructions, and a verdict on each of the others."""
    distinct: list[Instruction] = []
    for item in instructions:
        if item not in distinct:
            distinct.append(item)
    return distinct[:MOST_PLANNED], [
        refused(number, "too_many", f"only {MOST_PLANNED} instructions are executed")
        for number in range(MOST_PLANNED + 1, len(distinct) + 1)
    ]


def refused(number: int, rule: str, reason: str) -> Verdict:
    """The verdict on an instruction, or on a part of it; ``number`` counts from 1."""
    return Verdict(decision="refuse", rule=rule, reason=f"instruction {number}: {reason}")


def without(instructions: Sequence[Instruction], own: Instruction) -> list[Instruction]:
    """The instructions without the message's own, which a turn keeps after `retrieve`."""
    return [item for item in instructions if (item.mode, item.query) != (own.mode, own.query)]
