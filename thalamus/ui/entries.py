"""Entries of the memory browser: one for each memory, fact, insight … that a query finds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, structs
from msgspec.structs import replace

from thalamus.errors import NothingMatches
from thalamus.records import Fact, Instruction, Memory
from thalamus.terminal.choices import unknown, unknown_topic
from thalamus.terminal.lines import interval, is_weak, one_line, persona_of_memory, statement
from thalamus.terminal.local import day
from thalamus.text.analyzer import fold
from thalamus.text.days import as_said
from thalamus.ui.query import KINDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from thalamus.api import Thalamus
    from thalamus.records import Evidence, Insight
    from thalamus.records.base import Mode
    from thalamus.ui.query import Query

MOST = 200  # entries in a list
FOUND = 50  # entries found by a search
_MODES: dict[str, Mode] = {
    "memory": "memory",
    "fact": "facts",
    "turn": "history",
    "document": "document",
    "insight": "all",
}


class Entry(Struct, frozen=True):
    """A line of a list: kind, time, text and remarks."""

    id: str
    kind: str
    when: str
    label: str
    text: str
    marks: str = ""


def entries(thalamus: Thalamus, query: Query) -> list[Entry]:
    """Entries that a query finds: with words the best first, otherwise the newest. Raises
    ``NoStore``, and ``NothingFound`` with the existing values for a filter value that nothing
    has."""
    query = _with_type(thalamus, query)
    for name, listed in _GROUPS.items():
        if name in query.filters:
            return listed(thalamus, query)
    if query.kind == "profile":
        return list(_profile(thalamus))
    if query.words and query.filters.get("status", "active") == "active":
        return _search(thalamus, query)
    return [entry for entry in _listed(thalamus, query) if _has_words(entry, query.words)]


def _with_type(thalamus: Thalamus, query: Query) -> Query:
    """The query with ``type:fact`` replaced by ``kind:fact`` if no memory has that type. Raises
    ``NothingMatches`` for an unknown type, topic or subject."""
    from thalamus.memory.views.counts import memory_types

    type = query.filters.get("type")
    types = memory_types(thalamus.database, thalamus.user) if type is not None else {}
    if type is not None and type not in types:
        if type not in KINDS:
            raise _unknown("No memory has the type", type, [*types, *KINDS])
        others = {name: value for name, value in query.filters.items() if name != "type"}
        query = replace(query, filters=others | {"kind": type})
    if problem := unknown_topic(thalamus, query.filters.get("topic")):
        raise NothingMatches(problem)
    subject = query.filters.get("subject")
    if subject is not None and not thalamus.facts.find(subject, history=True):
        names = dict.fromkeys(name for name, _, _ in thalamus.facts.entities())
        raise _unknown("No fact is about", subject, list(names))
    return query


def _unknown(problem: str, value: str, choices: Sequence[str]) -> NothingMatches:
    return NothingMatches(unknown(problem, value, choices))


def of_record(record: Memory | Fact | Insight) -> Entry:
    """The entry of a record."""
    if isinstance(record, Memory):
        marks: list[str] = [record.scope] if record.scope != "archival" else []
        marks += [f"persona {persona}"] if (persona := persona_of_memory(record)) else []
        marks += ["pinned"] if record.pinned else []
        marks += [record.status] if record.status != "active" else []
        marks += ["no longer so"] if record.stale else []
        text = one_line(record.content)
        when = day(record.created_at)
        return Entry(record.stored_id, "memory", when, record.type, text, ", ".join(marks))
    if isinstance(record, Fact):
        begun = record.valid_from or record.created_at
        # the remark says "since about 2026-06", for which the column has no room
        when = as_said(day(begun), begun, record.metadata).removeprefix("about ")
        return Entry(record.id or "", "fact", when, "fact", statement(record), interval(record))
    strength = f"{record.strength:g}"
    remark = strength if record.status == "active" else f"{strength}, {record.status}"
    when, text = day(record.created_at), one_line(record.content)
    return Entry(record.stored_id, "insight", when, "insight", text, remark)


def _listed(thalamus: Thalamus, query: Query) -> Iterator[Entry]:
    if query.kind == "fact":
        records = thalamus.facts.find(query.filters.get("subject"))
        found = [f for f in records if f.trust >= query.trust]
        yield from map(of_record, found[:MOST])
    elif query.kind == "insight":
        status = query.filters.get("status", "active")
        listed = thalamus.insights.find(status=None if status == "all" else status)
        yield from (of_record(i) for i in listed[:MOST] if i.trust >= query.trust)
    elif query.kind == "turn":
        for id in reversed(thalamus.sessions.last_turns(MOST)):
            turn = thalamus.store.describe(id)
            yield Entry(id, "turn", day(turn.at), "turn", one_line(turn.text), turn.session or "")
    else:
        where = query.where(thalamus)
        listed_memories = thalamus.memories.find(where, limit=MOST)
        yield from (of_record(m) for m in listed_memories if m.trust >= query.trust)


def _search(thalamus: Thalamus, query: Query) -> list[Entry]:
    where, mode = query.where(thalamus), _MODES[query.kind]
    if query.kind == "insight":
        where = structs.replace(where, kinds=("insight",))
    elif query.with_facts:
        where, mode = structs.replace(where, kinds=("memory", "fact")), "all"
    wanted = Instruction(mode=mode, query=query.words, limit=FOUND)
    found = thalamus.recall(query.words, limit=FOUND, instruction=wanted, where=where)
    return [_of_evidence(item) for item in found if item.trust >= query.trust]


def _of_evidence(found: Evidence) -> Entry:
    marks = f"{found.score:.2f}" + (", weak" if is_weak(found) else "")
    marks += ", no longer so" if found.stale else ""
    label = found.kind if found.kind == "fact" else found.type or found.kind
    return Entry(found.id, found.kind, day(found.at), label, one_line(found.text), marks)


def _profile(thalamus: Thalamus) -> Iterator[Entry]:
    for line in thalamus.facts.profile().lines:
        id = line.ids[0] if line.ids else ""
        marks = "" if line.in_prompt else "not in prompts"
        yield Entry(id, "profile", "", line.kind, one_line(line.text), marks)


def _of_project(thalamus: Thalamus, query: Query) -> list[Entry]:
    project = thalamus.projects.get(query.filters["project"])
    linked = thalamus.projects.linked(project)
    found = [Entry(o.id, o.kind, day(o.at), o.kind, one_line(o.text)) for o in linked]
    own = Entry(project.stored_id, "project", day(project.created_at), "project", project.name)
    return [e for e in [own, *found] if _has_words(e, query.words)]


def _of_concept(thalamus: Thalamus, query: Query) -> list[Entry]:
    about = thalamus.memories.concept(query.filters["about"]).entries
    found = [Entry(e.id, e.kind, day(e.at), e.kind, one_line(e.text)) for e in about]
    return [entry for entry in found if _has_words(entry, query.words)]


_GROUPS: dict[str, Callable[[Thalamus, Query], list[Entry]]] = {
    "project": _of_project,
    "about": _of_concept,
}


def _has_words(entry: Entry, words: str) -> bool:
    text = fold(entry.text)
    return all(word in text for word in fold(words).split())
