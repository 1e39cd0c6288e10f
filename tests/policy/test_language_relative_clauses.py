"""What is said of somebody in a relative clause is a fact like any other."""

from __future__ import annotations

import pytest

from thalamus.policy.language.reading import read


@pytest.mark.parametrize(
    ("message", "facts", "memories"),
    [
        (
            "My sister Ana, who lives in Porto, is a nurse.",
            ["user sister Ana", "Ana lives_in Porto", "Ana works_as nurse"],
            ["The user's sister Ana lives in Porto.", "The user's sister Ana is a nurse."],
        ),
        (
            "We have a daughter, Signe, who is turning nine in February.",
            ["user daughter Signe", "Signe age 9"],
            ["The user has a daughter, Signe, who is turning nine in February."],
        ),
        (
            "My brother, who lives in Lima, plays the violin.",
            ["user's brother lives_in Lima", "user's brother plays violin"],
            ["The user's brother, who lives in Lima, plays the violin."],
        ),
        ("Mi hermana Ana, que vive en Oporto, es enfermera.", ["user sister Ana", "Ana lives_in Oporto"], None),
        ("Ma sœur Ana, qui habite à Lyon, est infirmière.", ["user sister Ana", "Ana lives_in Lyon"], None),
        # nobody that is known
        ("I met a woman called Eve who works at Bosch.", [], None),
        ("My boss Tom, who doesn't live in Hull, is kind.", ["user boss Tom"], None),
    ],
)  # fmt: skip
def test_relative_clauses(message: str, facts: list[str], memories: list[str] | None) -> None:
    found = read(message)
    assert [f"{one.subject} {one.predicate} {one.object}" for one in found.statements] == facts
    if memories is not None:
        assert [one.content for one in found.memories] == memories
