"""In what manner a message wants to be answered."""

import pytest

from thalamus.policy.answer_style import asks_assistant, manner_of, names_of, speak_of_it


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
        ("I was in Rome. Where should I eat?", "question"),
        ("What could I cook for my sister tonight?", "question"),
        ("Was könnte ich heute kochen?", "question"),
        ("¿Qué podría regalarle a mi madre?", "question"),
        ("Où devrais-je aller en vacances ?", "question"),
        ("What did I cook for my sister?", "own_question"),
        ("Where did I say I could park?", "own_question"),
        ("Tell me everything you know about me.", "own_question"),
        ("Sag mir alles, was du über mich weißt.", "own_question"),
        ("Tell me what you know about comets.", "request"),
        ("Our concert is on 12 December, do you think they'll manage without me?", "statement"),
        ("What would you do?", "statement"),
        ("Glaubst du, dass ich das schaffe?", "statement"),
        ("What do I think of opera?", "own_question"),
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


@pytest.mark.parametrize(
    ("message", "asks"),
    [
        ("Who are you?", True),
        ("What's your name?", True),
        ("Hi! What are you?", True),
        ("Are you a robot?", True),
        ("Who am I talking to?", True),
        ("Wer bist du?", True),
        ("¿Cómo te llamas?", True),
        ("Comment t'appelles-tu ?", True),
        ("Como você se chama?", True),
        ("Who am I?", False),
        ("What are you doing tonight?", False),
        ("What is my name?", False),
        ("Are you sure that I live in Porto?", False),
        ("Who are your favourite painters?", False),
    ],
)
def test_whether_the_assistant_itself_is_meant(message: str, asks: bool) -> None:
    assert asks_assistant(message) == asks


@pytest.mark.parametrize(
    ("question", "answered"),
    [
        ("What did I say about Dijon?", True),
        ("What have I told you about my sister's wedding?", True),
        ("what do you know about Dijon", True),
        ("Was habe ich dir über Dijon erzählt?", True),
        ("Was weißt du über Dijon?", True),
        ("Qu’est-ce que je t’ai dit sur Dijon ?", True),
        ("Que sais-tu de Dijon ?", True),
        ("¿Qué te conté sobre Dijon?", True),
        ("O que sabes sobre Dijon?", True),
        ("What did I say about Lille?", False),
        ("What do you know about me?", False),
        ("When did I move to Dijon?", False),
    ],
)
def test_notes_that_speak_of_what_is_asked_about(question: str, answered: bool) -> None:
    notes = ["- The user used to live in Dijon.", "- The user's sister Ines plans her wedding."]
    assert speak_of_it(question, notes) == answered
