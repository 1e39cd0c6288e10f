"""What somebody is allergic to has its name, also where only "it" is said."""

from __future__ import annotations

from datetime import UTC

import pytest

from thalamus.pipeline.extraction import interval
from thalamus.policy.language.reading import read


@pytest.mark.parametrize(
    ("message", "facts", "last"),
    [
        (
            "I can't have penicillin, I'm allergic to it.",
            ["allergic_to penicillin"],
            "The user is allergic to penicillin.",
        ),
        (
            "I can't eat nuts because I'm allergic to them.",
            ["allergic_to nuts"],
            "The user is allergic to nuts.",
        ),
        (
            "I avoid shellfish. I'm allergic to it",
            ["allergic_to shellfish"],
            "The user is allergic to shellfish.",
        ),
        (
            "My son can't have peanuts, he's allergic to them.",
            ["allergic_to peanuts"],
            "The user's son can't have peanuts. He is allergic to peanuts.",
        ),
        (
            "I love cats but I'm allergic to them.",
            ["likes cats", "allergic_to cats"],
            "The user is allergic to cats.",
        ),
        ("I avoid gluten", ["avoids gluten"], "The user avoids gluten."),
    ],
)
def test_an_allergy_has_its_noun(message: str, facts: list[str], last: str) -> None:
    reading = read(message)
    assert [f"{one.predicate} {one.object}" for one in reading.statements] == facts
    assert reading.memories[-1].content == last


def test_here_has_its_town() -> None:
    reading = read("I live in Galway, I moved here in 2019")
    assert [memory.content for memory in reading.memories] == [
        "The user lives in Galway.",
        "The user moved to Galway in 2019.",
    ]
    (home,) = reading.statements
    assert (home.predicate, home.object) == ("lives_in", "Galway")
    assert interval(home.clause, "lives_in", "Galway", "2026-05-01T10:00:00Z", UTC)[0] == (
        "2019-01-01T00:00:00Z"
    )
