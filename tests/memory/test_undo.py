"""Whatever is changed and undone is as it was before, for every kind of change."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from thalamus import Thalamus
from thalamus.errors import NothingFound, UsageError
from thalamus.memory.insights.lookup import add_insight
from thalamus.memory.retention.prune import PruneOptions
from thalamus.records import Fact, Insight, Memory, WorldOperation
from thalamus.store import ledger
from thalamus.transfer.export import export_lines

NOW = "2026-05-08T13:56:00Z"
KINDS = ("fact", "insight", "memory", "project", "turn")
# of facts, when what was believed: an undo is a change of mind, too
HISTORY = ("beliefs", "notes")


def fill(thalamus: Thalamus) -> None:
    """Something of every kind that can be changed."""
    said = thalamus.turn("I moved to Lisbon in May. I planted a fig there.")
    since = "2026-05-06T00:00:00Z"
    thalamus.facts.add(Fact(subject="user", predicate="lives_in", object="Porto", valid_from=since))
    thalamus.turn("I like green tea. My cat Miso has asthma.")
    old = [f"The heron stood at pond {number}." for number in range(4)]
    at = "2020-01-01T00:00:00Z"
    thalamus.remember(
        [Memory(id="mem_boat", content="The user keeps a boat."),
         Memory(id="mem_core", content="Answer in French.", scope="core"),
         *(Memory(id=f"mem_{n}", content=text, topic="herons", created_at=at, trust=0.3)
           for n, text in enumerate(old))]
    )  # fmt: skip
    with thalamus.database.writing() as writer:
        for id, content in (("ins_a", "Ana sold bowls."), ("ins_b", "Ana sold bowls at the fair.")):
            one = Insight(
                content=content, id=id, concepts=["pottery", "Ana"], sources=[said.id or ""],
                created_at=NOW, recorded_at=NOW,
            )  # fmt: skip
            add_insight(one, None, writer)


def lisbon(thalamus: Thalamus) -> str:
    return next((f.id or "" for f in thalamus.facts.timeline() if f.object == "Lisbon"), "")


def set_world(thalamus: Thalamus, project: str = "Herb Garden") -> None:
    thalamus.projects.apply([WorldOperation(op="set", path="project", value=project)])


CHANGES: dict[str, Callable[[Thalamus], Any]] = {
    "edit": lambda t: t.memories.edit("mem_boat", content="The user keeps two boats."),
    "edit a field": lambda t: t.memories.edit("mem_boat", topic="boats"),
    "pin": lambda t: t.memories.pin("mem_boat"),
    "confirm": lambda t: t.memories.confirm("mem_boat"),
    "promote": lambda t: t.memories.promote("mem_boat"),
    "demote": lambda t: t.memories.demote("mem_core"),
    "end": lambda t: t.facts.end(lisbon(t), "2026-05-05T00:00:00Z"),
    "retract": lambda t: t.facts.retract(lisbon(t)),
    "correct": lambda t: t.facts.correct(lisbon(t), "Lagos"),
    "correct dates": lambda t: t.facts.correct(lisbon(t), valid_from="2026-04-01T00:00:00Z"),
    "reject": lambda t: t.insights.reject("ins_a"),
    "merge": lambda t: t.insights.merge(),
    "prune": lambda t: t.memories.prune(PruneOptions(use_model=False)),
    "prune to a budget": lambda t: t.memories.prune(PruneOptions(most=3, use_model=False)),
    "world": set_world,
    "turn": lambda t: t.turn("I moved to Faro yesterday. I don't like green tea."),
    "turn of topics": lambda t: t.turn("Tell me about chess openings.", flow="routed"),
    "turn of a world": lambda t: t.turn("My project is the balcony.", flow="routed"),
}


# of some: numbers removed, changed back and reactivated
COUNTS = {"edit": (1, 1, 0), "pin": (0, 1, 0), "end": (0, 1, 0), "retract": (0, 1, 0)}
COUNTS |= {"correct": (1, 1, 0), "merge": (1, 2, 0), "reject": (0, 1, 0)}


def state(thalamus: Thalamus) -> dict[str, Any]:
    """What a person sees of the store."""
    records = [json.loads(line) for line in export_lines(thalamus.database)]
    for record in records:
        for name in HISTORY if record["record"] == "fact" else ():
            record.pop(name, None)
    world = thalamus.projects.world()
    return {
        **{
            kind: sorted((r for r in records if r["record"] == kind), key=lambda r: str(r["id"]))
            for kind in KINDS
        },
        "facts": [(f.object, f.valid_from, f.valid_to) for f in thalamus.facts.find()],
        "timeline": sorted(
            (item.at, item.text, str(item.status))
            for item in thalamus.memories.timeline()
            if item.kind != "prune"
        ),
        "world": (world.project, world.goals, world.entities, world.topics),
        "found": sorted(e.id for e in thalamus.recall("heron boat Lisbon tea Ana", limit=30)),
    }  # fmt: skip


def last_change(thalamus: Thalamus, name: str) -> str | None:
    return thalamus.sessions.last_turn() if name.startswith("turn") else None


def tick(thalamus: Thalamus) -> None:
    """An hour passes."""
    assert thalamus.clock.fixed is not None
    thalamus.clock.fixed += timedelta(hours=1)


def test_each_change_that_is_undone_leaves_nothing(thalamus: Thalamus) -> None:
    fill(thalamus)
    before = state(thalamus)
    for name, change in CHANGES.items():
        change(thalamus)
        assert state(thalamus) != before, name
        changed = last_change(thalamus, name)
        entries = list(ledger.entries(thalamus.database))
        undone = thalamus.undo(changed)
        # the ledger names what is undone
        assert changed or undone.change.id in [entry.data.get("batch") for entry in entries], name
        assert state(thalamus) == before, name
        assert undone.change.undone_at == NOW and any(undone.counts.values()), name
        counts = tuple(undone.counts.values())
        assert counts == COUNTS.get(name, counts), name
        [entry] = ledger.last(thalamus.database, 1)
        assert (entry.name, entry.data) == ("undone", undone.event.data), name
        with pytest.raises(NothingFound):
            thalamus.undo(undone.change.id)
    with thalamus.store.verify() as verified:
        assert list(verified.findings()) == []


def test_changes_are_undone_from_the_last_to_the_first(thalamus: Thalamus) -> None:
    fill(thalamus)
    for seed in range(5):
        made_and_undone(thalamus, random.Random(seed).sample(sorted(CHANGES), 4))


def made_and_undone(thalamus: Thalamus, names: list[str]) -> None:
    """Several changes after each other, and each of them undone."""
    states = []
    for name in names:
        before = state(thalamus)
        tick(thalamus)
        try:
            CHANGES[name](thalamus)
        except (NothingFound, UsageError):  # an earlier one left nothing to change
            continue
        if (after := state(thalamus)) != before:
            states.append((name, last_change(thalamus, name), before, after))
    for name, changed, before, after in reversed(states):
        assert state(thalamus) == after, (names, name)
        tick(thalamus)
        thalamus.undo(changed)
        assert state(thalamus) == before, (names, name)
