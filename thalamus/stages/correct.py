"""Corrections of what was said before: what is right takes the place of what was wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import structs

from thalamus.policy.language.corrections import (
    Correction,
    corrected,
    correction_in,
    kind_of,
    may_correct,
    rewritten,
)
from thalamus.policy.language.reading import read
from thalamus.policy.prompts import fence
from thalamus.policy.tokens import content_words, share_found, words
from thalamus.records import Fact, Memory, Provenance, Turn
from thalamus.stages.context import turn_before
from thalamus.stages.plain import fact_of
from thalamus.storage.shapes import Filter

if TYPE_CHECKING:
    from thalamus.stages.context import Context
    from thalamus.storage.protocol import Store

NEAR = 8  # memories of the conversation that a correction may be about when it names nothing wrong
LONGEST_EARLIER = 300  # characters of a message that a model is asked to correct
FAR = 200  # memories that are looked through for what it names


def correct(turn: Turn, context: Context) -> tuple[list[Memory], list[Fact], Correction] | None:
    """What the message corrects: memories and facts that name in ``corrects`` the one whose place
    they take, and the correction. None when it corrects nothing that is remembered."""
    correction = correction_in(turn.message)
    opened = context.open_store(False) if correction is not None else None
    if correction is None or opened is None:
        return None
    correction = _completed(turn, correction, opened, context)
    said = _said_before(turn, correction, opened)
    memories = [_memory(old, text, turn) for old, text in said]
    facts = [fact for old, _ in said for fact in _facts(old, correction, turn, opened, context)]
    if not memories:
        facts = _bare_facts(turn, correction, opened)
    return (memories, facts, correction) if memories or facts else None


def rewrite(turn: Turn, context: Context) -> tuple[list[Memory], list[Fact]] | None:
    """What a message that sounds like a correction makes of the one before it, in a model's words:
    that message is read again as the model writes it, if it is still the same but for something of
    the new one. None when it corrects nothing."""
    opened = context.open_store(False) if may_correct(turn.message) else None
    if opened is None:
        return None
    earlier = turn_before(turn, context, opened)
    if earlier is None or len(earlier.message) > LONGEST_EARLIER:
        return None
    messages = context.dialogue(
        "correct", EARLIER=fence(earlier.message), USER_MESSAGE=fence(turn.message)
    )
    text = rewritten(earlier.message, turn.message, context.ask("reflect", messages).text)
    if text is None:
        return None
    return _as_rewritten(earlier, text, turn, opened, context)


def _as_rewritten(
    earlier: Turn, text: str, turn: Turn, opened: Store, context: Context
) -> tuple[list[Memory], list[Fact]] | None:
    """What the rewritten message says in place of what the earlier one did."""
    where = Filter(user=turn.user, agent=turn.agent)
    held = [m for m in opened.memories(where, NEAR) if _turn_of(m) == earlier.id]
    facts = _from(earlier, opened.facts(where))
    reading = read(text, [fact.object for fact in facts])
    memories = []
    for new in reading.memories:
        old = max(held, key=lambda m: _shared(m.content, new.content), default=None)
        if old is not None and not _same_words(old.content, new.content):
            held.remove(old)
            memories.append(_memory(old, new.content, turn))
    told = _in_place_of(facts, [fact_of(s, turn, context) for s in reading.statements], turn)
    return (memories, told) if memories or told else None


def _shared(one: str, other: str) -> float:
    return share_found(content_words(one), words(other))


def _same_words(one: str, other: str) -> bool:
    return words(one) == words(other)


def _from(turn: Turn, facts: Sequence[Fact]) -> list[Fact]:
    """Those of the facts that a turn said."""
    return [fact for fact in facts if fact.provenance and fact.provenance.turn == turn.id]


def _completed(turn: Turn, correction: Correction, opened: Store, context: Context) -> Correction:
    """The correction with what was wrong, where only the last statement can tell: "I meant
    hazelnuts" after a sentence with one object."""
    if correction.wrong is not None or kind_of(correction.right) is not None:
        return correction
    before = turn_before(turn, context, opened)
    if before is None:
        return correction
    facts = opened.facts(Filter(user=turn.user, agent=turn.agent, session=turn.session))
    objects = {fact.object for fact in _from(before, facts)}
    if len(objects) != 1:
        return correction
    return Correction(correction.right, objects.pop(), correction.about)


def _said_before(turn: Turn, correction: Correction, opened: Store) -> list[tuple[Memory, str]]:
    """The memories of the newest statement that holds what was wrong, each with how it reads
    when it is corrected."""
    here = opened.memories(Filter(user=turn.user, agent=turn.agent, session=turn.session), NEAR)
    candidates = [memory for memory in here if not _of_document(memory)]
    if correction.wrong is not None:
        known = {memory.id for memory in candidates}
        others = opened.memories(Filter(user=turn.user, agent=turn.agent), FAR)
        candidates += [m for m in others if m.id not in known and not _of_document(m)]
    found: list[tuple[Memory, str]] = []
    for memory in candidates:
        text = corrected(memory.content, correction)
        if text is not None and (not found or _turn_of(memory) == _turn_of(found[0][0])):
            found.append((memory, text))
    return found


def _of_document(memory: Memory) -> bool:
    return memory.provenance is not None and memory.provenance.document is not None


def _turn_of(memory: Memory) -> str | None:
    return memory.provenance.turn if memory.provenance is not None else memory.id


def _memory(old: Memory, text: str, turn: Turn) -> Memory:
    return Memory(
        content=text,
        type=old.type,
        topic=old.topic,
        importance=old.importance,
        scope=old.scope,
        sensitivity=old.sensitivity,
        pinned=old.pinned,
        created_at=turn.created_at,
        session=turn.session,
        user=turn.user,
        agent=turn.agent,
        provenance=Provenance(turn=turn.id, quote=turn.message),
        corrects=old.id or "",
    )


def _facts(
    memory: Memory, correction: Correction, turn: Turn, opened: Store, context: Context
) -> list[Fact]:
    """The facts of the sentence that the memory came from, read again as it should have been."""
    quote = memory.provenance.quote if memory.provenance is not None else None
    if quote is None:
        return []
    where = Filter(user=turn.user, agent=turn.agent)
    old = [fact for fact in opened.facts(where) if fact.quote == quote]
    right = corrected(quote, correction)
    if right is None:
        return []
    new = [fact_of(statement, turn, context) for statement in read(right).statements]
    made = _in_place_of(old, new, turn)
    replaced = {fact.corrects for fact in made} | {
        other.id for other in old if any(_same(fact, other) for fact in new)
    }
    return made + [
        _replaced(fact, correction, turn)
        for fact in old
        if fact.id not in replaced and _holds(fact, correction)
    ]


def _in_place_of(old: Sequence[Fact], new: Sequence[Fact], turn: Turn) -> list[Fact]:
    """The facts of a corrected sentence that are not held already, each with the one that it takes
    the place of."""
    gone = [fact for fact in old if not any(_same(fact, other) for other in new)]
    made = []
    for fact in new:
        same = next((other for other in old if _same(fact, other)), None)
        if same is not None:
            if fact.valid_from not in (None, same.valid_from):  # "no, on Friday"
                made.append(structs.replace(fact, corrects=same.id or "", quote=turn.message))
            continue
        match = next((other for other in gone if _alike(other, fact)), None)
        if match is not None:
            gone.remove(match)
            fact = structs.replace(fact, corrects=match.id or "", valid_from=match.valid_from)
        made.append(structs.replace(fact, quote=turn.message))
    return made


def _bare_facts(turn: Turn, correction: Correction, opened: Store) -> list[Fact]:
    """Facts that no memory says, whose object is what was wrong."""
    if correction.wrong is None:
        return []
    found = opened.facts(Filter(user=turn.user, agent=turn.agent))
    right = [fact for fact in found if fact.object.casefold() == correction.wrong.casefold()]
    return [_replaced(fact, correction, turn) for fact in right] if len(right) == 1 else []


def _replaced(fact: Fact, correction: Correction, turn: Turn) -> Fact:
    return Fact(
        subject=fact.subject,
        predicate=fact.predicate,
        object=corrected(fact.object, correction) or fact.object,
        valid_from=fact.valid_from,
        quote=turn.message,
        sensitivity=fact.sensitivity,
        created_at=turn.created_at,
        session=turn.session,
        user=turn.user,
        agent=turn.agent,
        provenance=Provenance(turn=turn.id, quote=turn.message),
        corrects=fact.id or "",
    )


def _holds(fact: Fact, correction: Correction) -> bool:
    return corrected(fact.object, _of_anyone(correction)) is not None


def _of_anyone(correction: Correction) -> Correction:
    """The correction without whom it is about: an object does not name its subject."""
    return Correction(correction.right, correction.wrong)


def _same(one: Fact, other: Fact) -> bool:
    return (one.subject.casefold(), one.predicate, one.object.casefold()) == (
        other.subject.casefold(),
        other.predicate,
        other.object.casefold(),
    )


def _alike(one: Fact, other: Fact) -> bool:
    """Whether one may stand in the place of the other: it differs in one part only."""
    same = (
        one.subject.casefold() == other.subject.casefold(),
        one.predicate == other.predicate,
        one.object.casefold() == other.object.casefold(),
    )
    return sum(same) >= 2
