"""In what manner a message wants to be answered."""

import pytest

from thalamus.policy.answer_style import manner_of, names_of


@pytest.mark.parametrize(
    ("message", "manner"),
    [
        ("My name is Jonas and I'm a nurse.", "statement"),
        ("Good night!", "statement"),
        ("What is my name?", "own_question"),
        ("Wie heiße ich?", "own_question"),
        ("When is Wout's birthday?", "question"),
        ("Why is the sky blue?", "question"),
        ("Can you suggest a dessert?", "request"),
        ("Write a poem about bread.", "request"),
        ("I was in Rome. Where should I eat?", "own_question"),
    ],
)
def test_the_last_thing_that_a_message_wants(message: str, manner: str) -> None:
    assert manner_of(message) == manner


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("When is Wout's birthday?", ["Wout"]),
        ("Who is Churro?", ["Churro"]),
        ("Where does Hamlet live?", []),
        ("Wout's job?", ["Wout"]),
        ("What is the capital of Portugal?", []),
        ("Why is Wout's dog called Churro?", ["Wout", "Churro"]),
    ],
)
def test_a_name_that_the_notes_name_too(question: str, names: list[str]) -> None:
    notes = ["- The user's boyfriend Wout repairs bicycles.", "- The user's dog is Churro."]
    assert names_of(question, notes) == names
