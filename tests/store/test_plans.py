"""The plans of the queries behind what people do: rows are found by an index."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from msgspec import structs

from thalamus import Thalamus
from thalamus.records import Fact, Link, Memory, Turn
from thalamus.store import links, memories
from thalamus.store.values import Filter

TABLES = "memory|fact|turn|event|link|fact_interval|f|i"  # f and i are facts and their intervals
# figures over whole tables, and the last statement of each type and topic
WHOLE = ("SELECT count(*) FROM link", "GROUP BY source", "GROUP BY type, topic")
PARTIAL = ("memory_stale", "memory_inactive")  # indexes of few rows

OPERATIONS: dict[str, Callable[[Thalamus], object]] = {
    "turn": lambda thalamus: thalamus.turn("My dog Rex sleeps in Porto."),
    "retrieve": lambda thalamus: thalamus.recall("Where are the bees?"),
    "retrieve in a session": lambda thalamus: thalamus.recall("bees", where=Filter(session="s1")),
    "retrieve without a query": lambda thalamus: thalamus.database.entries(OWNED, 10),
    "store a memory": lambda thalamus: thalamus.remember([Memory(content="Rex likes bones.")]),
    "store a fact": lambda thalamus: thalamus.remember([fact("user", "owns", "a boat")]),
    "store a turn": lambda thalamus: thalamus.remember([Turn(message="Hello again.")]),
    "facts": lambda thalamus: thalamus.facts.find(),
    "facts about a subject": lambda thalamus: thalamus.facts.find("user"),
    "facts with history": lambda thalamus: thalamus.facts.timeline("user"),
    "memory list": lambda thalamus: thalamus.memories.find(),
    "memory list --topic": lambda thalamus: thalamus.memories.find(Filter(topic="t3")),
    "memory list --status": lambda thalamus: thalamus.memories.find(Filter(status="quarantined")),
    "timeline": lambda thalamus: thalamus.memories.timeline(),
    "concepts": lambda thalamus: thalamus.memories.concepts(),
    "session list": lambda thalamus: thalamus.sessions.find(),
    "session show": lambda thalamus: thalamus.sessions.turns("s1"),
    "undo --list": lambda thalamus: thalamus.store.batches(undoable=True),
    "why": lambda thalamus: thalamus.why("mem_1"),
    "trace": lambda thalamus: thalamus.sessions.trace("turn_1"),
    "prune": lambda thalamus: list(thalamus.memories.would_prune()),
    "stats": lambda thalamus: thalamus.store.stats(),
}
OWNED = Filter(user="ana", agent="helper")


def fact(subject: str, predicate: str, object: str) -> Fact:
    return Fact(subject=subject, predicate=predicate, object=object)


@pytest.fixture
def filled(thalamus: Thalamus) -> Iterator[Thalamus]:
    """A store with some of everything, of a user with an agent."""
    thalamus.config = structs.replace(thalamus.config, user="ana", agent="helper")
    thalamus.remember([fact(f"friend {n}", "likes", "tea") for n in range(5)])
    thalamus.remember(
        [
            Memory(id=f"mem_{n}", content=f"Ana keeps bees in house {n}.", topic=f"t{n % 5}")
            for n in range(20)
        ]
    )
    thalamus.remember(
        [Turn(id=f"turn_{n}", message=f"I live in Porto {n}.", session="s1") for n in range(5)]
    )
    with thalamus.database.writing() as writer:
        links.add(writer, [Link(source="mem_1", relation="derived_from", target="turn_1")])
    yield thalamus


def scans(plan: list[str], query: str) -> list[str]:
    """Steps that read a whole table, though they need not. Reading an index in its order up to a
    limit, or only its entries, does not."""
    if "WHERE false" in query or any(text in query for text in WHOLE):
        return []
    limited = "LIMIT" in query and not any("TEMP B-TREE FOR ORDER BY" in step for step in plan)
    found = [step for step in plan if re.match(rf"SCAN ({TABLES})\b", step)]
    indexed = ("COVERING INDEX", *PARTIAL)
    return [step for step in found if not limited and not any(word in step for word in indexed)]


@pytest.mark.sqlite
@pytest.mark.parametrize("name", OPERATIONS)
def test_no_operation_reads_a_whole_table(filled: Thalamus, name: str) -> None:
    connection = filled.database._db
    queries: list[str] = []
    connection.set_trace_callback(queries.append)
    OPERATIONS[name](filled)
    connection.set_trace_callback(None)
    selections = [one for one in queries if re.match(r"\s*(SELECT|UPDATE|DELETE)", one)]
    assert selections
    for query in selections:
        plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {query}")]
        assert not scans(plan, query), query


@pytest.mark.sqlite
def test_the_newest_memories_of_an_owner_are_read_along_an_index(filled: Thalamus) -> None:
    connection = filled.database._db
    queries: list[str] = []
    connection.set_trace_callback(queries.append)
    found = memories.read(filled.database, OWNED, 3)
    connection.set_trace_callback(None)
    assert [memory.id for memory in found] == ["mem_19", "mem_18", "mem_17"]
    query = next(one for one in queries if re.match(r"\s*SELECT", one))
    plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {query}")]
    assert sum("memory_owner (user=? AND agent=?)" in step for step in plan) == 4
    assert not any("TEMP B-TREE" in step for step in plan)


@pytest.mark.sqlite
def test_entries_are_looked_up_by_key_and_not_by_owner(filled: Thalamus) -> None:
    connection = filled.database._db
    queries: list[str] = []
    connection.set_trace_callback(queries.append)
    assert len(filled.database.entries_by_key(list(range(1, 200)), OWNED)) > 20
    connection.set_trace_callback(None)
    views = [query for query in queries if "_entry" in query]
    assert views
    for query in views:
        steps = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {query}")]
        tables = [one for one in steps if one.startswith(("SCAN", "SEARCH"))]
        tables = [one for one in tables if "json_each" not in one]
        assert all("key=?" in step or "rowid=?" in step for step in tables), query
