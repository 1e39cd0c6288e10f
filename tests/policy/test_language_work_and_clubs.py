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
        ("My sister rows with the Limerick rowing club", ["member_of Limerick rowing club"]),
        ("My brother sings in the church choir", ["member_of church choir"]),
    ],
)
def test_work_and_clubs(message: str, facts: list[str]) -> None:
    assert [f"{one.predicate} {one.object}" for one in read(message).statements] == facts


@pytest.mark.parametrize(
    ("message", "activity"),
    [
        ("I swim every morning", "swimming"),
        ("My brother runs every day", "running"),
        ("I walk the dog every evening", "walking the dog"),
        ("I do yoga twice a week", "yoga"),
        ("I have dance class every Tuesday", "dance class"),
        ("I go to the gym on Mondays", "going to the gym"),
        ("I stopped smoking last year", "smoking"),
        ("I used to smoke", "smoking"),
        ("My dad fishes every weekend", "fishing"),
        ("Ich schwimme jeden Morgen", "Schwimmen"),
        ("Nado tres veces por semana", "nadar"),
    ],
)
def test_what_somebody_does_is_a_noun(message: str, activity: str) -> None:
    practised = [one.object for one in read(message).statements if one.predicate == "practises"]
    assert practised == [activity]


def test_studying_every_evening_is_no_subject() -> None:
    assert [one.object for one in read("My sister studies every evening").statements] == []


def test_what_one_is_renovating_at_the_moment_is_kept() -> None:
    found = read("We're renovating our kitchen at the moment.")
    assert [f"{one.predicate} {one.object}" for one in found.statements] == [
        "current_project kitchen"
    ]
    assert len(found.memories) == 1
