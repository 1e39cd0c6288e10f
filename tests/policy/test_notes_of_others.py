"""A small model is not shown what others have where it is asked what the user has."""

from __future__ import annotations

import pytest

from thalamus.policy.notes_of_others import of_others

ALL = "What do you know about me?"


@pytest.mark.parametrize(
    ("note", "question", "left_out"),
    [
        ("My mother's friend Consuelo has a parrot called Lolo.", "Do I have a pet?", True),
        ("The user's mother's friend Consuelo has a parrot.", "Do we have any pets?", True),
        ("We have a parrot named Kiwi.", "Do I have a pet?", False),
        ("The user's cat is called Miso.", "Do I have a pet?", False),
        ("My sister has a dog.", "Do I have a sister?", False),  # it says so
        ("My sister has a dog.", "Do I have a dog?", True),
        ("My sister has a dog.", "Does my sister have a dog?", False),
        ("My sister has a dog.", "Do I have a friend with a dog?", False),
        ("My sister has a dog.", "Do I have to walk the dog?", False),
        ("My sister has a dog.", ALL, True),
        ("My sister is called Ana.", ALL, False),
        ("My partner Lene is Danish.", ALL, False),
        ("Hugo broke his arm yesterday.", ALL, True),
        ("I have two sons.", ALL, False),
        ("Anders starts at the ferry company.", "What is Pål's job?", True),
        ("Anders starts at the ferry company.", "Where does Pål work?", True),
        ("Anders starts at the ferry company.", "Where does Anders work?", False),
        ("Anders works with Pål at the yard.", "What is Pål's job?", False),
        ("The user's cousin Pål does the engines.", "What is Pål's job?", False),
        ("I share the workshop with Pål.", "What is Pål's job?", False),
        ("Anders starts at the ferry company.", "Who has a new job?", False),
    ],
)
def test_what_others_have(note: str, question: str, left_out: bool) -> None:
    assert of_others(note, question) is left_out
