"""Corrections of what was said before: what is right takes the place of what was wrong."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from msgspec import UNSET, structs

from thalamus.context import recent_turns, turn_before
from thalamus.memory.facts import registry
from thalamus.pipeline.extraction import fact_of, memory_of
from thalamus.policy.language.amendments import Amendment, amended, announces
from thalamus.policy.language.corrections import (
    Correction,
    corrected,
    correction_in,
    kind_of,
    may_correct,
    rewritten,
)
from thalamus.policy.language.languages import detect, lexicon
from thalamus.policy.language.reading import Reading, asks_for_value, insisted, read
from thalamus.policy.prompts import fence
from thalamus.policy.tokens import content_words, share_found, words
from thalamus.records import Fact, Memory, Provenance, Turn
from thalamus.storage.protocol import Filter

if TYPE_CHECKING:
    from thalamus.context import Context
    from thalamus.storage.protocol import Store

FEWEST = 2  # words of a message that says something by itself
RECENT = 3  # messages back to which a correction may go that does not name what was wrong
NEAR = 8  # memories of the conversation that a correction may be about when it names nothing wrong
LONGEST_EARLIER = 300  # characters of a message that a model is asked to correct
# what says little without what it denies
_LEANS = re.compile(r"\b(?:it|one|them|there|es|keine[nrs]?|das|eso|ça|isso)\b", re.I)
FAR = 200  # memories that are looked through for what it names


@dataclass(frozen=True)
class CorrectedReflection:
    """What a message corrects: memories and facts that name in ``corrects`` the one whose place
    they take, and the ids of facts that are taken back. ``rest``: what the message says besides;
    None when that is not known, but which words were used (``said``)."""

    memories: list[Memory]
    facts: list[Fact]
    taken_back: list[str] = field(default_factory=list)
    rest: str | None = None
    said: frozenset[str] = frozenset()


def correct(turn: Turn, context: Context) -> CorrectedReflection | None:
    """What the message corrects; None when it corrects nothing that is remembered."""
    opened = context.open_store(False)
    if opened is None:
        return None
    return _amend(turn, opened, context) or _correct_named(turn, opened, context)


def _amend(turn: Turn, opened: Store, context: Context) -> CorrectedReflection | None:
    """What the message makes of one of the last messages of the conversation."""
    before = recent_turns(turn, context, opened)[-RECENT - 1 :]
    for number, earlier in enumerate(reversed(before)):
        corrects = len(earlier.message.split()) < FEWEST or announces(earlier.message)
        if corrects or len(earlier.message) > LONGEST_EARLIER:
            continue  # what it made of another one is held by the records of that
        made = amended(earlier.message, turn.message)
        if made is None or (number == 0 and _answers(turn, earlier)):
            continue
        since = before[len(before) - 1 - number :]
        return _amended(made, since, turn, opened, context)
    return None


def _answers(turn: Turn, earlier: Turn) -> bool:
    """Whether a bare value answers what the assistant has asked."""
    asked = (earlier.answer or "").strip()
    return asks_for_value(asked) and not may_correct(turn.message)


def _amended(
    made: Amendment, since: Sequence[Turn], turn: Turn, opened: Store, context: Context
) -> CorrectedReflection:
    """What is remembered of a message, as it was amended. ``since``: it and those after it, which
    may have amended it before."""
    where = Filter(user=turn.user, agent=turn.agent)
    ids = {item.id for item in since}
    facts = [fact for turn_ in since for fact in _from(turn_, opened.facts(where))]
    held = [m for m in opened.memories(where, NEAR) if _turn_of(m) in ids]
    if made.denied is not None:
        return _denied(made, held, facts, turn, context)
    reading = read(made.text, [fact.object for fact in facts])
    memories = _memories_in_place(held, reading, turn)
    if not held:  # what is worth correcting is worth remembering
        stated = reading.memories or [insisted(one) for one in reading.clauses if one.states]
        memories = [memory_of(item, turn, context) for item in stated]
    told = _in_place_of(facts, [fact_of(s, turn, context) for s in reading.statements], turn)
    if made.since:
        told = [_unless_one_valued(fact, context) for fact in told]
    return CorrectedReflection(memories, told, rest=made.rest)


def _unless_one_valued(fact: Fact, context: Context) -> Fact:
    """A fact that became so takes no other back: what held before it, ended."""
    one = registry(context).one_valued(fact.predicate)
    return structs.replace(fact, corrects=UNSET, valid_from=None) if one else fact


def _denied(
    made: Amendment, held: Sequence[Memory], facts: Sequence[Fact], turn: Turn, context: Context
) -> CorrectedReflection:
    """The denial in the place of the memory that it is about; the facts of that are taken back, but
    not that there is a person."""
    known = [fact.object for fact in facts]
    reading = read(made.denied or "", known)
    about = max(held, key=lambda m: _shared(made.denied or "", m.content), default=None)
    quote = about.provenance.quote if about is not None and about.provenance else None
    kin = set(lexicon(detect(made.text).code).kin.values())
    gone = [fact for fact in facts if fact.quote in (quote, None) and fact.predicate not in kin]
    told_so = [memory.content for memory in reading.memories]
    if about is not None and (not told_so or _LEANS.search(made.denied or "")):
        told_so = [f"{about.content.rstrip('.')} – {made.denied}"]  # "it was cancelled"
    memories = [memory_of(new, turn, context) for new in reading.memories]
    if about is not None and told_so:
        memories = [_memory(about, told_so[0], turn), *memories[1:]]
    told = [fact_of(s, turn, context) for s in reading.statements if s.predicate not in kin]
    return CorrectedReflection(memories, told, [fact.id for fact in gone if fact.id], made.rest)


def _memories_in_place(held: list[Memory], reading: Reading, turn: Turn) -> list[Memory]:
    """The memories of a reading that are not held yet, each with the one whose place it takes."""
    memories = []
    fresh = [
        m for m in reading.memories if not any(_same_words(m.content, h.content) for h in held)
    ]
    kept = [m.content for m in reading.memories]
    left = [h for h in held if not any(_same_words(h.content, content) for content in kept)]
    for new in fresh:
        old = max(left, key=lambda m: _shared(m.content, new.content), default=None)
        if old is not None:
            left.remove(old)
            memories.append(_memory(old, new.content, turn))
    return memories


def _correct_named(turn: Turn, opened: Store, context: Context) -> CorrectedReflection | None:
    """What is corrected by a message that names what was wrong, however long ago it was said."""
    correction = correction_in(turn.message)
    if correction is None:
        return None
    correction = _completed(turn, correction, opened, context)
    said = _said_before(turn, correction, opened)
    memories = [_memory(old, text, turn) for old, text in said]
    facts = [fact for old, _ in said for fact in _facts(old, correction, turn, opened, context)]
    if not memories:
        facts = _bare_facts(turn, correction, opened)
    if not memories and not facts:
        return None
    used = frozenset((*words(correction.right), *words(correction.wrong or "")))
    return CorrectedReflection(memories, facts, said=used)


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
    memories = _memories_in_place(held, reading, turn)
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


def _still_topic(old: Memory, text: str) -> str | None:
    """The topic of a memory, unless it is a word that the correction took out."""
    gone = set(words(old.content)) - set(words(text))
    return None if old.topic is None or gone.intersection(words(old.topic)) else old.topic


def _memory(old: Memory, text: str, turn: Turn) -> Memory:
    return Memory(
        content=text,
        type=old.type,
        topic=_still_topic(old, text),
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
