"""Later turns that speak of what a fact says.

Without a capable model an ending is not understood ("I moved out of Cork."), so what the user said
of a fact's object later on is shown next to the fact, and the model reads both. Code does not
decide what it means.
"""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import shorten
from typing import TYPE_CHECKING

from msgspec import Struct, structs

from thalamus.errors import ThalamusError
from thalamus.memory.facts.predicates import packaged_entries
from thalamus.policy.activities import is_activity
from thalamus.policy.evidence_text import user_words
from thalamus.records import Evidence, Fact, ProfileLine
from thalamus.store import links
from thalamus.store.encrypted import is_hidden
from thalamus.store.values import Filter
from thalamus.text.analyzer import words
from thalamus.text.local_time import local_day
from thalamus.text.questions import only_asks
from thalamus.text.tokens import Forms, content_words

if TYPE_CHECKING:
    from thalamus.engine import Engine
    from thalamus.store.base import Store
    from thalamus.store.values import IndexedRow
    from thalamus.turn_run import TurnRun

MOST_READ = 200  # turns that have any of the words
MOST_ADDED = 3  # turns added to the evidence for one question
LONGEST = 160  # characters of a turn next to a fact


class _LaterTurns(Struct):
    """Later turns of a user that speak of facts. ``facts``: ids of those that a piece of evidence
    states, by its id; ``turns``: the later turn of each fact by the fact's id, None if there is
    none."""

    facts: dict[str, list[str]] = {}
    turns: dict[str, IndexedRow | None] = {}


def endings_are_understood(engine: Engine) -> bool:
    """True if a capable model reads each message, which ends the facts that no longer hold."""
    try:
        return not engine.small("reflect")
    except ThalamusError:
        return False


def with_later_words(
    lines: Sequence[ProfileLine], user: str | None, agent: str | None, run: TurnRun
) -> list[ProfileLine]:
    """Lines of the profile, each with what the user said later of its facts."""
    if endings_are_understood(run.engine):
        return list(lines)
    later = _later([id for line in lines for id in line.ids], user, agent, run)
    found = []
    for line in lines:
        turns = {later[id].id: later[id] for id in line.ids if id in later}
        text = line.text + "".join(f" ({_note(turn, run)})" for turn in turns.values())
        found.append(structs.replace(line, text=text))
    return found


def _note(turn: IndexedRow, run: TurnRun) -> str:
    said = shorten(user_words(turn.text), LONGEST, placeholder="…")
    return f"later, on {local_day(turn.created_at, run.zone)}, the user said: “{said}”"


def later_notes(
    evidence: Sequence[Evidence], user: str | None, agent: str | None, run: TurnRun
) -> dict[str, str]:
    """Later words of the user about the facts that the evidence states, by its id."""
    later = _later_of_evidence(evidence, user, agent, run)
    return {id: _note(turns[-1], run) for id, turns in later.items() if turns}


def with_later_turns(
    evidence: Sequence[Evidence], where: Filter, limit: int, run: TurnRun
) -> list[Evidence]:
    """The evidence, at most ``limit``, with the later turns next to what speaks of a fact."""
    from thalamus.memory.recall.search import evidence as as_evidence
    from thalamus.policy.rank import Fused

    later = _later_of_evidence(evidence, where.user, where.agent, run)
    known = {item.id for item in evidence}
    most = len(known) + MOST_ADDED
    found: list[Evidence] = []
    for item in evidence:
        found.append(item)
        for turn in later.get(item.id, ()):
            if turn.id not in known and turn.id not in where.exclude and len(known) < most:
                known.add(turn.id)
                added = as_evidence(turn, Fused(turn.id, item.score), False, "")
                why = "was said later of the same"
                found.append(structs.replace(added, why=why, relevance=item.relevance))
    return found[:limit]


def _later_of_evidence(
    evidence: Sequence[Evidence], user: str | None, agent: str | None, run: TurnRun
) -> dict[str, list[IndexedRow]]:
    """The later turns of the facts that each piece of evidence states, by its id."""
    if not evidence or endings_are_understood(run.engine):
        return {}
    stated = _read(user, agent, run).facts
    if new := [item for item in evidence if item.id not in stated]:
        stated |= {item.id: [] for item in new} | _facts_of(new, run.engine.store)
    ids = sorted({id for item in evidence for id in stated[item.id]})
    later = _later(ids, user, agent, run)
    return {item.id: [later[id] for id in stated[item.id] if id in later] for item in evidence}


def _later(
    facts: Sequence[str], user: str | None, agent: str | None, run: TurnRun
) -> dict[str, IndexedRow]:
    """The later turns of facts, by the fact's id; each is searched for once in a turn."""
    known = _read(user, agent, run).turns
    if new := [id for id in facts if id not in known]:
        where = Filter(user=user, agent=agent, exclude=((run.turn and run.turn.id) or "",))
        with run.engine.store.reading():
            found = later_turns(run.engine.store.by_ids(Fact, new), where, run.engine.store)
        known |= {id: found.get(id) for id in new}
    return {id: turn for id in facts if (turn := known[id]) is not None}


def _read(user: str | None, agent: str | None, run: TurnRun) -> _LaterTurns:
    """The later turns that were read in this run so far."""
    return run.once(("later turns", user, agent), _LaterTurns)


def _facts_of(evidence: Sequence[Evidence], store: Store) -> dict[str, list[str]]:
    """Ids of the facts that each piece of evidence states, by its id."""
    found = {item.id: [item.id] for item in evidence if item.kind == "fact"}
    memories = [item.id for item in evidence if item.kind == "memory"]
    for link in links.outgoing(store, memories, "about"):
        found.setdefault(link.source, []).append(link.target)
    turns = [item.id for item in evidence if item.kind == "turn"]
    for link in links.incoming(store, turns, "derived_from"):
        found.setdefault(link.target, []).append(link.source)
    return found


def later_turns(facts: Sequence[Fact], where: Filter, store: Store) -> dict[str, IndexedRow]:
    """The newest turn of the user after each fact, by the fact's id, that has its object or its
    word for a person: none if the fact was said again in it. A turn that only asks is passed
    over."""
    subjects = {
        fact.stored_id: _Subject(fact)
        for fact in facts
        if not (is_hidden(fact) or fact.retired_at or fact.valid_to)
    }
    wanted = {word for subject in subjects.values() for word in subject.words}
    if not wanted:
        return {}
    since = min(subject.since for subject in subjects.values())
    only = structs.replace(where, kinds=("turn",), since=since or None)
    hits = store.search_text(sorted(wanted), only, MOST_READ)
    turns = sorted(
        (
            hit.entry
            for hit in hits
            if not (is_activity(hit.entry.metadata) or hit.entry.suspicious)
        ),
        key=lambda entry: entry.created_at or "",
        reverse=True,
    )
    forms = {turn.id: Forms(words(user_words(turn.text))) for turn in turns}
    sources: dict[str, set[str]] = {}
    for link in links.outgoing(store, subjects, "derived_from"):
        sources.setdefault(link.source, set()).add(link.target)
    found = {}
    for id, subject in subjects.items():
        for turn in turns:
            if (turn.created_at or "") <= subject.since or turn.id in sources.get(id, ()):
                break
            if subject.is_in(forms[turn.id]) and not only_asks(user_words(turn.text)):
                found[id] = turn
                break
    return found


class _Subject:
    """The words of a fact's object, and the words for the relative or friend that it names."""

    def __init__(self, fact: Fact) -> None:
        self.since = fact.created_at or ""
        self.object = content_words(fact.object) or words(fact.object)
        self.relation = [
            word.casefold()
            for entry in packaged_entries()
            if entry.kin and entry.name == fact.predicate
            for word in entry.words
            if " " not in word
        ]
        self.words = {*self.object, *self.relation}

    def is_in(self, forms: Forms) -> bool:
        """True if a text, by the forms of its words, has the object or the relation."""
        named = bool(self.object) and all(map(forms.has, self.object))
        return named or any(map(forms.has, self.relation))
