"""What somebody drives for whom is a trade and an employer; a club is what one rows or plays with."""

from __future__ import annotations

import pytest

from thalamus.policy.language.reading import read


@pytest.mark.parametrize(
    ("message", "facts"),
    [
        (
            "I drive a city bus for Bus Eireann",
            ["works_as city bus driver", "works_at Bus Eireann"],
        ),
        ("My brother drives a lorry for Aldi.", ["works_as lorry driver", "works_at Aldi"]),
        ("I drive trams for BVG", ["works_at BVG"]),
        ("I drive a Volvo", ["drives Volvo"]),
        (
            "On Saturdays I row with the Corrib Oars rowing club.",
            ["member_of Corrib Oars rowing club"],
        ),
        ("I play chess for our local club", ["plays chess", "member_of local club"]),
    ],
)
def test_work_and_clubs(message: str, facts: list[str]) -> None:
    assert [f"{one.predicate} {one.object}" for one in read(message).statements] == facts
