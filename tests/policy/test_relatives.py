"""Questions about members of the family of whom nothing is known."""

from __future__ import annotations

import pytest

from thalamus.policy.relatives import asks_for_unknown_relative

NOTES = [
    "- The user works as a bookbinder.",
    "- The user's sister is Rita.",
    "- user mother Vera",
    "- My daughter Ines turned six.",
    "- Mein Onkel Karl wohnt in Graz.",
]


@pytest.mark.parametrize(
    "question",
    [
        "What is my father's job?",
        "What are my brothers called?",
        "Where does my wife work?",
        "Wie heißt mein Vater?",
        "¿Cómo se llama mi padre?",
        "Où habite mon frère ?",
        "How old is my son?",
        "Do I have a pet?",
        "What is my dog called?",
    ],
)
def test_of_whom_nothing_is_known(question: str) -> None:
    assert asks_for_unknown_relative(question, NOTES)


@pytest.mark.parametrize(
    "question",
    [
        "What's my job?",
        "When is my sister's wedding?",
        "How old are my kids?",
        "Where does my mum live?",
        "Where does Rita live?",
        "How many siblings do I have?",
        "Do my parents live in Bruges?",
        "Wo wohnt mein Onkel?",
        "Comment s'appelle ma sœur ?",
    ],
)
def test_of_whom_something_is_known_or_who_is_no_relative(question: str) -> None:
    assert not asks_for_unknown_relative(question, NOTES)


def test_pets_that_are_known() -> None:
    assert not asks_for_unknown_relative("Do I have a pet?", ["- We have two rabbits."])
    assert not asks_for_unknown_relative("What's my dog called?", ["- The user's beagle is Bo."])
