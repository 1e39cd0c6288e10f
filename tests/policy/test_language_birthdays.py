"""How old somebody turned, or will turn, is an age and no plan."""

from __future__ import annotations

import pytest

from thalamus.policy.language.reading import read


@pytest.mark.parametrize(
    ("message", "facts"),
    [
        ("Teo turned six in October.", ["age 6"]),
        ("My sister turned seventeen.", ["age 17"]),
        ("My daughter Mia is turning ten in May.", ["daughter Mia", "age 10"]),
        ("I'm going to turn forty in May", ["age forty"]),
        ("I turned two pages at once.", []),
        ("My dad turned three cars around.", []),
    ],
)
def test_birthdays(message: str, facts: list[str]) -> None:
    found = [f"{one.predicate} {one.object}" for one in read(message, ["Teo"]).statements]
    assert found == facts
