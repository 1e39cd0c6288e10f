"""A project goes on until the user says that it is finished, whatever else is begun."""

from __future__ import annotations

import pytest

from thalamus.api import Thalamus
from thalamus.clock import parse_time


def projects(thalamus: Thalamus) -> list[str]:
    return sorted(fact.object for fact in thalamus.facts(predicate="current_project"))


def test_two_projects_go_on_beside_each_other(thalamus: Thalamus) -> None:
    thalamus.run_turn("I'm training for a half marathon and I'm writing a cookbook.")
    thalamus.run_turn("I'm restoring an old boat.")
    assert {"cookbook", "old boat"} <= set(projects(thalamus))


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("I finished the podcast series last week.", []),
        ("I gave up the podcast.", []),
        ("The podcast series is finished.", []),
        ("I'm not working on the podcast series any more.", []),
        ("I'm no longer working on the podcast.", []),
        ("The podcast is not finished yet.", ["podcast series"]),
        ("I'm not working on the podcast today.", ["podcast series"]),
        ("I haven't finished the podcast.", ["podcast series"]),
        ("I finished the first episode of the podcast.", ["podcast series"]),
        ("I finished the dishes.", ["podcast series"]),
        ("Should I give up the podcast?", ["podcast series"]),
    ],
)
def test_what_ends_a_project(thalamus: Thalamus, said: str, left: list[str]) -> None:
    thalamus.run_turn("I'm writing a podcast series.")
    thalamus.clock.fixed = parse_time("2026-06-08T14:10:00Z")
    thalamus.run_turn(said)
    assert projects(thalamus) == left
