"""What belongs to somebody who is known, and sentences that go on with another verb."""

from __future__ import annotations

import pytest

from thalamus.policy.language.reading import read


def facts(message: str, *known: str) -> list[str]:
    found = read(message, known)
    return [
        f"{one.subject} {one.predicate} {one.object}{' (over)' if one.over else ''}"
        for one in found.statements
    ]


def memories(message: str, *known: str) -> list[str]:
    return [memory.content for memory in read(message, known).memories]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("Tone's birthday is on 12 February.", ["Tone birthday 12 February"]),
        ("Tone's birthday is 12 February", ["Tone birthday 12 February"]),
        ("Tone's birthday is on the 12th of February", ["Tone birthday 12th of February"]),
        ("Tone's birthday is soon", []),
    ],
)
def test_the_birthday_of_somebody_known(message: str, expected: list[str]) -> None:
    assert facts(message, "Tone") == expected
    assert facts(message) == []  # of somebody unknown nothing is taken


@pytest.mark.parametrize(
    ("message", "kept"),
    [
        ("Tone's birthday is on 12 February.", True),
        ("Tone's favourite colour is green.", True),
        ("Tone's little sister plays the flute.", True),
        ("Tone's right about that.", False),
        ("Tone's birthday?", False),
    ],
)
def test_what_belongs_to_somebody_known_is_remembered(message: str, kept: bool) -> None:
    assert bool(memories(message, "Tone")) is kept
    assert memories(message) == []


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (
            "We sold the delivery van and bought a cargo bike.",
            ["user owns delivery van (over)", "user owns cargo bike"],
        ),
        (
            "I sold my car and bought an electric bike",
            ["user owns car (over)", "user owns electric bike"],
        ),
        ("I went to the shop and bought milk", []),
        ("I went out and bought some bread and cheese", []),
    ],
)
def test_what_was_bought_in_the_same_sentence(message: str, expected: list[str]) -> None:
    assert facts(message) == expected


def test_animals_named_behind_a_time() -> None:
    assert facts("We adopted two greyhounds last autumn, Pil and Bue.") == [
        "user dog Pil",
        "user dog Bue",
    ]


@pytest.mark.parametrize(
    "message",
    ["I used to read them all the time.", "I have done that already", "I did it every day"],
)
def test_what_only_a_pronoun_stands_for_is_not_remembered(message: str) -> None:
    assert memories(message) == []
