"""The manifest of a project: what is in it, how long it is, and that it is always the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import NOW, Result
from tests.memory.test_world import engine, operation
from thalamus.api import Thalamus
from thalamus.errors import NothingFound
from thalamus.policy.manifest import manifest_lines
from thalamus.policy.prompt_budget import estimate_tokens
from thalamus.records import Document, Fact, Memory, Project, Turn

Run = Callable[..., Result]


def fill(thalamus: Thalamus) -> None:
    for name in ("Herb Garden", "Novel"):
        thalamus.projects.add(Project(name=name, description=f"about the {name.lower()}"))
    thalamus.remember(
        [
            Turn(id="turn_1", message="Hello.", session="tuesday", created_at="2026-05-05"),
            Turn(id="turn_2", message="Again.", session="tuesday", created_at="2026-05-05"),
            Turn(id="turn_3", message="Hi.", session="friday", created_at="2026-05-08"),
            Memory(id="mem_1", content="The herb garden needs six pots.", created_at="2026-05-01"),
            Memory(id="mem_2", content="The herb garden faces south.", created_at="2026-05-02"),
            Memory(id="mem_3", content="The user likes green tea.", created_at="2026-05-03"),
            Memory(content="The herb garden is wet.", expires_at="2026-06-01"),
            Memory(content="The user wants to eat fresh basil.", type="goal"),
            Fact(subject="Herb Garden", predicate="has", object="basil", valid_from="2026-05-01"),
            Fact(subject="Herb Garden", predicate="costs", object="much", valid_to="2026-05-02"),
            Fact(subject="Ana", predicate="likes", object="tea"),
        ]
    )
    with thalamus.database.writing() as writer:
        writer.put(Document(path="a.md", title="Soil", status="ingested", id="doc_a", sha256="1"))
    thalamus.projects.link("Herb Garden", ["doc_a"])
    thalamus.projects.apply(
        [
            operation("set", "project", "herb garden"),
            operation("append", "goals", "plant basil"),
            operation("merge", "topics", ["herbs"]),
        ]
    )


def test_it_says_what_is_known_of_the_present_project(thalamus: Thalamus) -> None:
    fill(thalamus)
    assert list(manifest_lines(thalamus.projects.manifest())) == [
        "Project: Herb Garden: about the herb garden",
        "Other projects: Novel",
        "Topics: herbs",
        "Goal: plant basil",
        "Goal: The user wants to eat fresh basil.",
        "Note: The herb garden faces south.",
        "Note: The herb garden needs six pots.",
        "Fact: Herb Garden has basil",
        "Session friday: 1 turn, last on 2026-05-08",
        "Session tuesday: 2 turns, last on 2026-05-05",
        "Document: Soil",
    ]
    other = thalamus.projects.manifest("novel")
    assert (other.project, other.memories, other.facts) == ("Novel", [], [])
    assert other.active_projects == ["Herb Garden"]
    with pytest.raises(NothingFound):
        thalamus.projects.manifest("Opera")


def test_the_same_store_gives_the_same_bytes(run: Run, home: Path) -> None:
    with engine(home) as thalamus:
        fill(thalamus)
        before = thalamus.projects.manifest()
        thalamus.store.rebuild_indexes()
    first = run("project", "status", "--json")
    later = run("project", "status", "--json", env={"THALAMUS_NOW": "2031-01-01T00:00:00Z"})
    assert first.code == 0 and first.stdout == later.stdout and NOW not in first.stdout
    with engine(home) as thalamus:
        assert thalamus.projects.manifest() == before


def test_a_project_that_is_only_a_name(thalamus: Thalamus) -> None:
    thalamus.remember([Memory(id="mem_1", content="Six pots for the Balcony.")])
    thalamus.projects.apply([operation("set", "project", "Balcony")])
    found = thalamus.projects.manifest()
    assert (found.project, found.status) == ("Balcony", None)
    assert [item.id for item in found.memories] == ["mem_1"]


def test_without_a_project_the_only_active_one(thalamus: Thalamus) -> None:
    thalamus.remember([Memory(content="x y z")])
    assert thalamus.projects.manifest().project is None
    thalamus.projects.add(Project(name="Novel"))
    assert thalamus.projects.manifest().project == "Novel"


def test_it_stays_short(thalamus: Thalamus) -> None:
    long = " ".join(f"word{n}" for n in range(40))
    thalamus.projects.add(Project(name="Boat", description=long))
    thalamus.remember([Memory(content=f"The Boat {n} {long}") for n in range(30)])
    thalamus.remember([Fact(subject="Boat", predicate=f"p{n}", object=long) for n in range(10)])
    thalamus.projects.apply([operation("set", "goals", [f"{n} {long}"[:300] for n in range(20)])])
    lines = list(manifest_lines(thalamus.projects.manifest()))
    assert estimate_tokens("\n".join(lines)) <= 400
    assert {line.partition(":")[0] for line in lines} >= {"Project", "Goal", "Note", "Fact"}
