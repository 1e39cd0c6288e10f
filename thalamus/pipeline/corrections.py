"""Corrections of what was said before: what is right takes the place of what was wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from msgspec import UNSET, structs

from thalamus.memory.dialogue import turn_before, turns_before
from thalamus.memory.facts import registry
from thalamus.pipeline.extraction import already_known, fact_of, memory_of
from thalamus.policy.language.corrections.contrasts import (
    Correction,
    accept_rewrite,
    apply_correction,
    correction_in,
    kind_of,
    may_correct,
)
from thalamus.policy.language.corrections.in_dialogue import (
    BACK,
    LONGEST,
    answers,
    can_be_amended,
)
from thalamus.policy.language.corrections.previous_message import Amendment, amend
from thalamus.policy.language.corrections.rescheduled import (
    Rescheduled,
    at_new_time,
    rescheduled,
)
from thalamus.policy.language.languages import detect, lexicon
from thalamus.policy.language.reading import Reading, insisted, read
from thalamus.policy.prompts import fence
from thalamus.records import EXCHANGE, Fact, Memory, Provenance, Turn
from thalamus.storage.protocol import Filter
from thalamus.text.tokens import content_words, share_found, words

if TYPE_CHECKING:
    from thalamus.context import Context
    from thalamus.storage.protocol import Store

PutRight = Callable[[str], str | None]  # a sentence as it should be; None if it is not concerned
NEAR = 8  # memories of the conversation that such a correction may be about
FAR = 200  # memories that are searched for what a correction names
# what says little without what it denies
_LEANS = re.compile(r"\b(?:it|one|them|there|es|keine[nrs]?|das|eso|ça|isso)\b", re.I)


@dataclass(frozen=True)
class CorrectedReflection:
    """What a message corrects: memories and facts that name in ``corrects`` the one that they
    replace, and the ids of facts that are taken back. ``rest``: what the message says apart from
    that; None when that is not known, but which words were used (``said``)."""

    memories: list[Memory]
    facts: list[Fact]
    taken_back: list[str] = field(default_factory=list)
    rest: str | None = None
    said: frozenset[str] = frozenset()


def correct(turn: Turn, context: Context) -> CorrectedReflection | None:
    """What the message corrects by the rules; None when it corrects nothing that is stored."""
    opened = context.open_store(False)
    if opened is None:
        return None
    return (
        _amend_recent(turn, opened, context)
        or _reschedule(turn, opened, context)
        or _correct_named(turn, opened, context)
    )


def rewrite(turn: Turn, context: Context) -> tuple[list[Memory], list[Fact]] | None:
    """What a message that sounds like a correction makes of the one before it, in a model's words.

    The earlier message is read again as the model rewrites it, if that keeps it but for something
    of the new one. None when it corrects nothing. Raises what the model raises.
    """
    opened = context.open_store(False) if may_correct(turn.message) else None
    if opened is None:
        return None
    earlier = turn_before(turn, context, opened)
    if earlier is None or len(earlier.message) > LONGEST:
        return None
    messages = context.dialogue(
        "correct", EARLIER=fence(earlier.message), USER_MESSAGE=fence(turn.message)
    )
    text = accept_rewrite(earlier.message, turn.message, context.ask("reflect", messages).text)
    if text is None:
        return None
    return _as_rewritten(earlier, text, turn, opened, context)


def _as_rewritten(
    earlier: Turn, text: str, turn: Turn, opened: Store, context: Context
) -> tuple[list[Memory], list[Fact]] | None:
    """What the rewritten message says in place of what the earlier one did."""
    where = Filter(user=turn.user, agent=turn.agent)
    known = [m for m in opened.memories(where, NEAR) if _turn_of(m) == earlier.id]
    known_facts = _facts_of_turn(earlier, opened.facts(where))
    reading = read(text, already_known(text, turn, context))
    memories = _replacing_memories(known, reading, turn)
    stated = [fact_of(statement, turn, context) for statement in reading.statements]
    facts = _replacing_facts(known_facts, stated, turn)
    return (memories, facts) if memories or facts else None


# Corrections of one of the last messages: "8!", "no, Thursday", "my sister, not my wife".


def _amend_recent(turn: Turn, opened: Store, context: Context) -> CorrectedReflection | None:
    """What the message makes of one of the last messages of the conversation."""
    before = turns_before(turn, context, opened)[-BACK:]
    for number, earlier in enumerate(reversed(before)):
        if not can_be_amended(earlier.message):
            continue
        amendment = amend(earlier.message, turn.message)
        if amendment is None or (number == 0 and answers(turn.message, earlier.answer or "")):
            continue
        since = before[len(before) - 1 - number :]
        return _amend(amendment, since, turn, opened, context)
    return None


def _amend(
    amendment: Amendment, since: Sequence[Turn], turn: Turn, opened: Store, context: Context
) -> CorrectedReflection:
    """What is stored of a message, as it was amended. ``since``: that message and those after it,
    which may have amended it before."""
    where = Filter(user=turn.user, agent=turn.agent)
    ids = {item.id for item in since}
    stored = opened.facts(where)
    known_facts = [fact for item in since for fact in _facts_of_turn(item, stored)]
    known = [m for m in opened.memories(where, NEAR) if _turn_of(m) in ids]
    if amendment.denied is not None:
        return _deny(amendment, known, known_facts, turn, context)
    reading = read(amendment.text, already_known(amendment.text, turn, context))
    memories = _replacing_memories(known, reading, turn)
    if not known:  # what is worth correcting is worth remembering
        worth = reading.memories or [insisted(one) for one in reading.clauses if one.states]
        memories = [memory_of(item, turn, context) for item in worth]
        # nothing was remembered of it but the words themselves
        memories = [structs.replace(memory, corrects=since[0].id or "") for memory in memories]
    stated = [fact_of(statement, turn, context) for statement in reading.statements]
    facts = _replacing_facts(known_facts, stated, turn)
    if amendment.since:
        facts = [_unless_one_valued(fact, context) for fact in facts]
    return CorrectedReflection(memories, facts, rest=amendment.rest)


def _unless_one_valued(fact: Fact, context: Context) -> Fact:
    """A fact that has come true corrects no other: with a one-valued predicate it ends it."""
    one = registry(context).one_valued(fact.predicate)
    return structs.replace(fact, corrects=UNSET, valid_from=None) if one else fact


def _deny(
    amendment: Amendment,
    known: Sequence[Memory],
    known_facts: Sequence[Fact],
    turn: Turn,
    context: Context,
) -> CorrectedReflection:
    """The denial in the place of the memory that it is about. The facts of that memory are taken
    back, but not that a person exists."""
    denied = amendment.denied or ""
    reading = read(denied, [fact.object for fact in known_facts])
    about = max(known, key=lambda m: _shared(denied, m.content), default=None)
    quote = about.provenance.quote if about is not None and about.provenance else None
    kin = set(lexicon(detect(amendment.text).code).kin.values())
    quoted = [fact for fact in known_facts if fact.quote in (quote, None)]
    over = [fact.id for fact in quoted if fact.id and fact.predicate not in kin]
    texts = [memory.content for memory in reading.memories]
    if about is not None and (not texts or _LEANS.search(denied)):
        texts = [f"{about.content.rstrip('.')} – {denied}"]  # "it was cancelled"
    memories = [memory_of(new, turn, context) for new in reading.memories]
    if about is not None and texts:
        memories = [_replacing_memory(about, texts[0], turn), *memories[1:]]
    facts = [fact_of(s, turn, context) for s in reading.statements if s.predicate not in kin]
    return CorrectedReflection(memories, facts, over, amendment.rest)


# Corrections that name what was wrong, however long ago it was said: "Tara is 8, not 7".


def _correct_named(turn: Turn, opened: Store, context: Context) -> CorrectedReflection | None:
    """What is corrected by a message that names what was wrong."""
    correction = correction_in(turn.message)
    if correction is None:
        return None
    if correction.wrong is None and read(correction.right).statements:
        return None  # news that takes the place of no word: "Actually, Ana works at Siemens now"
    correction = _completed(turn, correction, opened, context)
    put_right = partial(_corrected, correction=correction)
    # an object does not name its subject, so whom the correction is about does not count
    of_object = partial(_corrected, correction=replace(correction, about=None))
    found = _memories_with_error(turn, correction, opened)
    memories = [memory for pair in found for memory in _put_right(pair, put_right, turn, context)]
    facts = [
        fact
        for old, _ in found
        for fact in _facts_again(old, put_right, of_object, turn, opened, context)
    ]
    if not memories:
        facts = _facts_without_memory(turn, correction, opened)
    if not memories and not facts:
        return None
    used = frozenset((*words(correction.right), *words(correction.wrong or "")))
    return CorrectedReflection(memories, facts, said=used)


def _reschedule(turn: Turn, opened: Store, context: Context) -> CorrectedReflection | None:
    """What was said of something that a message puts on another day or time, however long ago."""
    moved = rescheduled(turn.message)
    if moved is None:
        return None
    put_right = partial(_put_on_new_time, moved=moved)
    stored = opened.memories(Filter(user=turn.user, agent=turn.agent), FAR)
    known = [memory for memory in stored if not _of_document(memory)]
    found = [(m, text) for m in known if (text := put_right(m.content)) is not None]
    found = _said_rather_than_kept(found)
    memories = [memory for pair in found for memory in _put_right(pair, put_right, turn, context)]
    if not memories:
        return None
    facts = [
        fact
        for old, _ in found
        for fact in _facts_again(old, put_right, put_right, turn, opened, context)
    ]
    return CorrectedReflection(memories, facts, rest=moved.rest)


def _put_on_new_time(text: str, moved: Rescheduled) -> str | None:
    return at_new_time(text, moved)


def _corrected(text: str, correction: Correction) -> str | None:
    return apply_correction(text, correction)


def _put_right(
    found: tuple[Memory, str], put_right: PutRight, turn: Turn, context: Context
) -> list[Memory]:
    """The memories in the place of one that was wrong, given with its corrected text."""
    old, text = found
    if old.type == EXCHANGE:
        return _restated(old, put_right, turn, context)
    return [_replacing_memory(old, text, turn)]


def _completed(turn: Turn, correction: Correction, opened: Store, context: Context) -> Correction:
    """The correction with what was wrong, where only the last statement can tell: "I meant
    hazelnuts" after a sentence with one object."""
    if correction.wrong is not None or kind_of(correction.right) is not None:
        return correction
    before = turn_before(turn, context, opened)
    if before is None:
        return correction
    facts = opened.facts(Filter(user=turn.user, agent=turn.agent, session=turn.session))
    objects = {fact.object for fact in _facts_of_turn(before, facts)}
    if len(objects) != 1:
        return correction
    return Correction(correction.right, objects.pop(), correction.about)


def _memories_with_error(
    turn: Turn, correction: Correction, opened: Store
) -> list[tuple[Memory, str]]:
    """The memories of the newest statement that has what was wrong, each with its corrected
    text."""
    here = opened.memories(Filter(user=turn.user, agent=turn.agent, session=turn.session), NEAR)
    candidates = [memory for memory in here if not _of_document(memory)]
    if correction.wrong is not None:
        known = {memory.id for memory in candidates}
        others = opened.memories(Filter(user=turn.user, agent=turn.agent), FAR)
        candidates += [m for m in others if m.id not in known and not _of_document(m)]
    corrected = [(memory, apply_correction(memory.content, correction)) for memory in candidates]
    found = [(memory, text) for memory, text in corrected if text is not None]
    if correction.about:  # "the report is due on …": rather what was said of the report
        found.sort(key=lambda pair: not _shared(correction.about or "", pair[0].content))
    return _said_rather_than_kept(found)


def _said_rather_than_kept(found: list[tuple[Memory, str]]) -> list[tuple[Memory, str]]:
    """Those of the first one's turn: its memories, or its exchange where there are none."""
    of_turn = [pair for pair in found if _turn_of(pair[0]) == _turn_of(found[0][0])]
    said = [pair for pair in of_turn if pair[0].type != EXCHANGE]
    return said or of_turn


def _restated(exchange: Memory, put_right: PutRight, turn: Turn, context: Context) -> list[Memory]:
    """What the corrected words of an exchange say, in its place. It quotes the user, so that its
    own words may not be changed."""
    quote = exchange.provenance.quote if exchange.provenance is not None else None
    text = put_right(quote or "")
    if text is None:
        return []
    reading = read(text, already_known(text, turn, context))
    worth = reading.memories or [insisted(one) for one in reading.clauses if one.states]
    source = Provenance(turn=turn.id, quote=turn.message)
    return [
        structs.replace(
            memory_of(item, turn, context), corrects=exchange.id or "", provenance=source
        )
        for item in worth
    ]


def _facts_again(
    memory: Memory,
    put_right: PutRight,
    of_object: PutRight,
    turn: Turn,
    opened: Store,
    context: Context,
) -> list[Fact]:
    """The facts of the sentence that a memory came from, read again as it should have been."""
    quote = memory.provenance.quote if memory.provenance is not None else None
    if quote is None:
        return []
    where = Filter(user=turn.user, agent=turn.agent)
    known = [fact for fact in opened.facts(where) if fact.quote == quote]
    text = put_right(quote)
    if text is None:
        return []
    reading = read(text, already_known(text, turn, context))
    stated = [fact_of(statement, turn, context) for statement in reading.statements]
    new = _replacing_facts(known, stated, turn)
    replaced = {fact.corrects for fact in new} | {
        other.id for other in known if any(_same(fact, other) for fact in stated)
    }
    return new + [
        _replacing_fact(fact, right, turn)
        for fact in known
        if fact.id not in replaced and (right := of_object(fact.object)) is not None
    ]


def _facts_without_memory(turn: Turn, correction: Correction, opened: Store) -> list[Fact]:
    """The one fact whose object is what was wrong, where no memory says it."""
    if correction.wrong is None:
        return []
    wrong = correction.wrong.casefold()
    found = opened.facts(Filter(user=turn.user, agent=turn.agent))
    same = [fact for fact in found if fact.object.casefold() == wrong]
    if len(same) != 1:
        return []
    right = apply_correction(same[0].object, correction) or same[0].object
    return [_replacing_fact(same[0], right, turn)]


# What replaces what.


def _replacing_memories(known: list[Memory], reading: Reading, turn: Turn) -> list[Memory]:
    """The memories of a reading that are not known yet, each with the one that it replaces."""
    new = [m for m in reading.memories if not any(_same_words(m.content, k.content) for k in known)]
    kept = [m.content for m in reading.memories]
    left = [k for k in known if not any(_same_words(k.content, content) for content in kept)]
    memories = []
    for memory in new:
        old = max(left, key=lambda m: _shared(m.content, memory.content), default=None)
        if old is not None:
            left.remove(old)
            memories.append(_replacing_memory(old, memory.content, turn))
    return memories


def _replacing_memory(old: Memory, text: str, turn: Turn) -> Memory:
    return Memory(
        content=text,
        type=old.type,
        topic=_same_topic(old, text),
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


def _same_topic(old: Memory, text: str) -> str | None:
    """The topic of a memory, unless it is a word that the correction took out."""
    gone = set(words(old.content)) - set(words(text))
    return None if old.topic is None or gone.intersection(words(old.topic)) else old.topic


def _replacing_facts(known: Sequence[Fact], stated: Sequence[Fact], turn: Turn) -> list[Fact]:
    """The facts of a corrected sentence that are not known yet, each with the one that it
    replaces."""
    left = [fact for fact in known if not any(_same(fact, other) for other in stated)]
    facts = []
    for fact in stated:
        same = next((other for other in known if _same(fact, other)), None)
        if same is not None:
            if fact.valid_from not in (None, same.valid_from):  # "no, on Friday"
                facts.append(structs.replace(fact, corrects=same.id or "", quote=turn.message))
            continue
        old = next((other for other in left if _replaceable(other, fact)), None)
        if old is not None:
            left.remove(old)
            fact = structs.replace(fact, corrects=old.id or "", valid_from=old.valid_from)
        facts.append(structs.replace(fact, quote=turn.message))
    return facts


def _replacing_fact(old: Fact, right: str, turn: Turn) -> Fact:
    return Fact(
        subject=old.subject,
        predicate=old.predicate,
        object=right,
        valid_from=old.valid_from,
        quote=turn.message,
        sensitivity=old.sensitivity,
        created_at=turn.created_at,
        session=turn.session,
        user=turn.user,
        agent=turn.agent,
        provenance=Provenance(turn=turn.id, quote=turn.message),
        corrects=old.id or "",
    )


def _same(one: Fact, other: Fact) -> bool:
    return all(_same_parts(one, other))


def _replaceable(one: Fact, other: Fact) -> bool:
    """Whether one may replace the other: they differ in one part only."""
    return sum(_same_parts(one, other)) >= 2


def _same_parts(one: Fact, other: Fact) -> tuple[bool, bool, bool]:
    return (
        one.subject.casefold() == other.subject.casefold(),
        one.predicate == other.predicate,
        one.object.casefold() == other.object.casefold(),
    )


def _same_words(one: str, other: str) -> bool:
    return words(one) == words(other)


def _shared(one: str, other: str) -> float:
    return share_found(content_words(one), words(other))


def _facts_of_turn(turn: Turn, facts: Sequence[Fact]) -> list[Fact]:
    return [fact for fact in facts if fact.provenance and fact.provenance.turn == turn.id]


def _turn_of(memory: Memory) -> str | None:
    return memory.provenance.turn if memory.provenance is not None else memory.id


def _of_document(memory: Memory) -> bool:
    return memory.provenance is not None and memory.provenance.document is not None
