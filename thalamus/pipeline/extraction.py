"""What the grammar finds in a turn, as memories and facts. No model is asked."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from datetime import tzinfo
from typing import TYPE_CHECKING, Any

from thalamus.clock import format_time, parse_time
from thalamus.memory.core_memories import persona_for
from thalamus.memory.dialogue import turn_before
from thalamus.memory.entities import asked_entity
from thalamus.policy import fact_dates
from thalamus.policy.entities import USER, object_name, subject_name
from thalamus.policy.language.corrections.ellipsis import complete, may_continue
from thalamus.policy.language.departures import (
    DEPARTED,
    departs_from,
    finished,
    may_depart,
    who_died,
)
from thalamus.policy.language.languages import lexicon
from thalamus.policy.language.reading import (
    Reading,
    Remembered,
    names_in,
    read,
    relations_in,
)
from thalamus.policy.language.statements import Known, Statement, own_things
from thalamus.policy.language.third_person import object_of
from thalamus.policy.language.vocabulary.relations import ANIMALS
from thalamus.policy.persona import with_marks
from thalamus.policy.retention import rule_for
from thalamus.records import Fact, Memory, Provenance, Turn
from thalamus.storage.protocol import Filter
from thalamus.text.local_time import local_date, midnight
from thalamus.text.tokens import content_words, share_found, words

if TYPE_CHECKING:
    from thalamus.context import Context
    from thalamus.policy.language.clauses import Clause
    from thalamus.storage.protocol import Store

# "my friend" need not be the one friend who is known
_SEVERAL = frozenset(
    "friend best_friend colleague neighbour cousin uncle aunt grandmother grandfather child pet"
    " teacher doctor flatmate nephew niece grandson granddaughter sibling".split()
)


def read_turn(turn: Turn, context: Context, text: str | None = None) -> Reading:
    """The turn's message read by the grammar, which is given what the store knows of it.
    ``text`` is read in place of the message: the part of it that is not a correction."""
    text = _in_full(turn, context) if text is None else text
    return _with_departures(read(text, already_known(text, turn, context)), turn, context)


def _with_departures(reading: Reading, turn: Turn, context: Context) -> Reading:
    """The reading with what is over because the user left it, a job, a home, a choir that is
    known, or because an animal of theirs died. What the grammar alone took it for is left out."""
    leaving = [clause for clause in reading.clauses if may_depart(clause)]
    dead = [(clause, name) for clause in reading.clauses if (name := who_died(clause))]
    done = [(clause, thing) for clause in reading.clauses if (thing := finished(clause))]
    opened = context.open_store(False) if leaving or dead or done else None
    if opened is None:
        return reading
    known = opened.facts(Filter(user=turn.user, agent=turn.agent), USER)
    ended = [(clause, fact) for clause in leaving for fact in _left(clause, known)]
    ended += [(clause, fact) for clause, thing in done for fact in _projects(thing, known)]
    ended += [
        (clause, fact)
        for clause, name in dead
        for fact in known
        if fact.predicate in ANIMALS and fact.object.casefold() == name.casefold()
    ]
    over = [
        Statement(USER, fact.predicate, fact.object, clause, over=True) for clause, fact in ended
    ]
    told = [statement.clause for statement in over]
    kept = [item for item in reading.statements if not (item.over and item.clause in told)]
    rest = [clause for clause in reading.open if clause not in told]
    return replace(reading, statements=[*kept, *over], open=rest)


def _left(clause: Clause, known: Sequence[Fact]) -> list[Fact]:
    """What a clause says that the user left: by its name, or as "the club" where there is one."""
    may_end = [fact for fact in known if fact.predicate in DEPARTED]
    named = [fact for fact in may_end if departs_from(clause, fact.object, fact.predicate)]
    if named:
        return named
    meant = [
        fact
        for fact in may_end
        if any(departs_from(clause, thing, fact.predicate) for thing in _things_of(fact))
    ]
    return meant if len(meant) == 1 else []


def _projects(thing: str, known: Sequence[Fact]) -> list[Fact]:
    """The project that is meant by a thing: the one that is called so, or "the boat" where only one
    is a boat."""
    said = content_words(thing)
    found = [
        fact
        for fact in known
        if fact.predicate == "current_project"
        and said
        and share_found(said, words(fact.object)) == 1
    ]
    return found if len(found) == 1 else []


def _in_full(turn: Turn, context: Context) -> str:
    """The message, completed where it only adds something to the one before ("and a cat too")."""
    opened = context.open_store(False) if may_continue(turn.message) else None
    before = turn_before(turn, context, opened) if opened is not None else None
    return (complete(before.message, turn.message) if before else None) or turn.message


def already_known(text: str, turn: Turn, context: Context) -> Known:
    """What the store knows of the people and things that a text speaks of."""
    opened = context.open_store(False)
    if opened is None:
        return Known()
    names, relations = names_in(text), relations_in(text)
    own = " the " in f" {text.casefold()}"
    if not (names or relations or own):
        return Known()
    where = Filter(user=turn.user, agent=turn.agent)
    mine = opened.facts(where, USER)
    return Known(
        names=_known_names(names, mine, where, opened),
        people=_only_ones(mine, relations),
        things={thing for fact in mine for thing in _things_of(fact)} if own else (),
    )


def _known_names(
    names: Sequence[str], mine: Sequence[Fact], where: Filter, opened: Store
) -> list[str]:
    """Of some names those that belong to people and things which facts are about already."""
    objects = {fact.object.casefold() for fact in mine}
    known = []
    for name in names:
        entity = asked_entity(opened, where.user, name)
        if name.casefold() in objects or opened.facts(where, entity, history=True):
            known.append(name)
    return known


def _things_of(fact: Fact) -> Iterator[str]:
    return own_things(fact.predicate, fact.object, fact.quote or "")


def _only_ones(mine: Sequence[Fact], relations: Container[str]) -> dict[str, str]:
    """The names of the user's people by their relation, where there is one of it."""
    found: dict[str, list[str]] = {}
    for fact in mine:
        if fact.predicate in relations and fact.predicate not in _SEVERAL:
            found.setdefault(fact.predicate, []).append(fact.object)
    return {relation: people[0] for relation, people in found.items() if len(people) == 1}


def memories(reading: Reading, turn: Turn, context: Context) -> list[Memory]:
    """The memories of a reading, each with its clause as quote."""
    return [memory_of(found, turn, context) for found in reading.memories]


def facts(reading: Reading, turn: Turn, context: Context) -> list[Fact]:
    """The facts of a reading, without what is announced for an unknown day."""
    return _facts(reading.statements, turn, context)


def loose_facts(reading: Reading, turn: Turn, context: Context) -> list[Fact]:
    """The facts of a reading that need a model's agreement."""
    return _facts(reading.loose, turn, context)


def _facts(statements: Sequence[Statement], turn: Turn, context: Context) -> list[Fact]:
    pairs = ((statement, fact_of(statement, turn, context)) for statement in statements)
    return [fact for said, fact in pairs if not said.coming or fact.valid_from is not None]


def memory_of(found: Remembered, turn: Turn, context: Context) -> Memory:
    """A memory of what a clause says, with the clause as its quote."""
    memory = Memory(
        content=found.content,
        type=found.type,
        topic=found.topic,
        importance=found.importance,
        scope=rule_for(context.rules(), found.type).scope,
        created_at=turn.created_at,
        session=turn.session,
        user=turn.user,
        agent=turn.agent,
        provenance=Provenance(turn=turn.id, quote=found.clause.text),
    )
    memory.metadata = with_marks(memory, persona_for(turn, context))
    return memory


def fact_of(statement: Statement, turn: Turn, context: Context) -> Fact:
    """A fact of what a clause states, with the dates that the clause gives."""
    clause = statement.clause
    said_at = turn.created_at or context.clock.stamp()
    begin, end = interval(
        clause,
        statement.predicate,
        statement.object,
        said_at,
        context.zone,
        statement.over,
        statement.coming,
    )
    return Fact(
        metadata=precision(clause, begin, end, said_at, context.zone),
        subject=subject_name(statement.subject),
        predicate=statement.predicate,
        object=object_of(object_name(statement.object), statement.subject, clause.language),
        valid_from=begin,
        valid_to=end,
        quote=clause.text,
        created_at=turn.created_at,
        session=turn.session,
        user=turn.user,
        agent=turn.agent,
        provenance=Provenance(turn=turn.id, quote=clause.text),
    )


def precision(
    clause: Clause, begin: str | None, end: str | None, said_at: str, zone: tzinfo
) -> dict[str, Any]:
    """What the metadata of a fact say of how precisely the clause gives its times, by their
    moments: ``{"precision": {"2026-05-01T00:00:00Z": "month"}}``; nothing where it gives days."""
    how = fact_dates.Said(time_words=lexicon(clause.language).time_words)
    words = clause.told if clause.amended else clause.text
    times = [at for at in (begin, end) if at is not None]
    found = fact_dates.precisions(words, local_date(said_at, zone), how) if times else {}
    named = {at: found.get(local_date(at, zone)) for at in times}
    known = {at: name for at, name in named.items() if name is not None}
    return {"precision": known} if known else {}


def interval(
    clause: Clause,
    predicate: str,
    object: str,
    said_at: str,
    zone: tzinfo,
    over: bool = False,
    coming: bool = False,
) -> tuple[str | None, str | None]:
    """Since when and until when (RFC 3339) a fact holds, by the words of its clause.

    ``said_at``: when it was said, and ``zone``: where, for a day is that of the user; ``over``: it
    no longer holds; ``coming``: it is announced.
    """
    if predicate in lexicon(clause.language).kin.values() and not over:
        return None, None  # "my sister Ana had a baby yesterday": she was a sister before
    today = local_date(said_at, zone)
    how = fact_dates.Said(
        tense="coming" if coming else clause.tense,
        over=over,
        time_words=lexicon(clause.language).time_words,
    )
    words = clause.told if clause.amended else clause.text
    dates = fact_dates.dates(words, predicate, object, today, how)
    begin, end = (None if day is None else midnight(day, zone) for day in (dates.begin, dates.end))
    if dates.ended and dates.end == today:
        end = format_time(parse_time(said_at))
    return begin, end
