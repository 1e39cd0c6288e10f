"""What tells the assistant who it is and how it should speak, and what becomes of it."""

from __future__ import annotations

import pytest

from tests.policy.persona_sentences import NEGATIVE, POSITIVE
from thalamus.policy.answer_style import manner_of
from thalamus.policy.language.persona import only_about_assistant
from thalamus.policy.language.reading import read
from thalamus.policy.novelty import Neighbour
from thalamus.policy.persona import (
    FLAG,
    PERSONA_TYPES,
    in_force,
    second_person,
    slot,
    with_marks,
)
from thalamus.policy.persona_reconciliation import decide
from thalamus.records import Memory


def found(message: str) -> list[str]:
    return [item.content for item in read(message).memories if item.type in PERSONA_TYPES]


@pytest.mark.parametrize(("message", "content"), POSITIVE[::2])
def test_what_is_said_of_the_assistant_is_found(message: str, content: str) -> None:
    assert content in found(message)


@pytest.mark.parametrize("message", NEGATIVE[::2])
def test_what_is_said_of_anything_else_is_not(message: str) -> None:
    assert found(message) == []


def test_sentences_that_no_pattern_was_tuned_on() -> None:
    hits = sum(content in found(message) for message, content in POSITIVE[1::2])
    false = sum(found(message) != [] for message in NEGATIVE[1::2])
    assert hits / (hits + false) >= 0.95
    assert hits / len(POSITIVE[1::2]) >= 0.9


@pytest.mark.parametrize(
    ("message", "contents"),
    [
        ("Answer in French. What is the capital of Peru?", []),
        ("Always answer in French. What is the capital of Peru?", ["answer in French"]),
        ("Can you answer in French?", []),
        ("Can you always answer in French?", ["answer in French"]),
        ("Be honest with me: am I late?", []),
        ("End every answer with a joke.", ["end every answer with a joke"]),
        ("Be formal with me and always answer in French.", ["be formal", "answer in French"]),
    ],
)
def test_an_order_holds_from_now_on_or_for_one_answer(message: str, contents: list[str]) -> None:
    memories = found(message)
    assert len(memories) == len(contents)
    assert all(part in memory for part, memory in zip(contents, memories, strict=True))


def test_what_else_a_message_says_is_found_as_before() -> None:
    reading = read("My name is Tom and you are Gwen, my writing coach. I like tea.")
    assert [(item.type, item.content) for item in reading.memories] == [
        ("assistant_identity", "The assistant is called Gwen."),
        ("assistant_identity", "The assistant is the user's writing coach."),
        ("user_identity", "The user's name is Tom."),
        ("preference", "The user likes tea."),
    ]
    assert [(fact.predicate, fact.object) for fact in reading.statements] == [
        ("name", "Tom"),
        ("likes", "tea"),
    ]
    assert reading.memories[0].clause.text == "you are Gwen, my writing coach."


def test_a_name_for_the_user_is_the_users() -> None:
    reading = read("Call me Captain.")
    assert [item.type for item in reading.memories] == ["user_identity"]
    assert [(fact.predicate, fact.object) for fact in reading.statements] == [("name", "Captain")]


def test_a_long_text_gives_no_orders() -> None:
    assert found("You are Gwen. " + "This is what the letter says of the house. " * 20) == []


@pytest.mark.parametrize(
    ("message", "content"),
    [
        ("You don't have to be formal any more.", "no longer has to be formal with the user."),
        ("Du musst nicht mehr förmlich sein.", "no longer has to be formal with the user."),
        ("You needn't answer in French any longer.", "no longer has to answer in French."),
        ("You are no longer Gwen.", "is no longer called Gwen."),
        ("Ya no te llamas Gwen.", "is no longer called Gwen."),
    ],
)
def test_what_is_taken_back(message: str, content: str) -> None:
    assert found(message) == [f"The assistant {content}"]


def memory(
    content: str, persona: str | None = None, at: str = "2026-05-08", id: str = "a"
) -> Memory:
    metadata = {"persona": persona} if persona else {}
    return Memory(content=content, id=id, type="persona", created_at=at, metadata=metadata)


@pytest.mark.parametrize(
    ("new", "old", "decision", "rule"),
    [
        ("is called Iris", "is called Gwen", "supersede", "other_value"),
        ("is called Gwen", "is called Gwen", "reinforce", "said_again"),
        ("should answer in German", "should answer in French", "supersede", "other_value"),
        ("should answer in detail", "should answer in French", "add", "new"),
        ("should answer in detail", "should keep its answers short", "supersede", "other_value"),
        ("should use emojis", "should not use emojis", "supersede", "other_value"),
        ("should be funny", "should be friendly", "add", "new"),
        ("is no longer called Gwen", "is called Gwen", "supersede", "ended"),
        ("is no longer called Iris", "is called Gwen", "ignore", "nothing_to_end"),
        ("is called Gwen", "is no longer called Gwen", "supersede", "other_value"),
        ("is the user's coach", "is the user's tutor", "supersede", "other_value"),
    ],
)
def test_a_slot_has_one_value(new: str, old: str, decision: str, rule: str) -> None:
    there = memory(f"The assistant {old}.")
    verdict = decide(memory(f"The assistant {new}.", id="b"), [Neighbour(there)])
    assert (verdict.decision, verdict.rule) == (decision, rule)
    assert verdict.id == (None if decision in ("add", "ignore") else "a")


def test_what_is_earlier_or_less_trusted_supersedes_nothing() -> None:
    there = memory("The assistant is called Gwen.")
    earlier = memory("The assistant is called Iris.", at="2025-01-01", id="b")
    assert decide(earlier, [Neighbour(there)]).rule == "older"
    less = memory("The assistant is called Iris.", id="b")
    less.trust = 0.5
    assert decide(less, [Neighbour(there)]).decision == "add"


def test_each_persona_has_slots_of_its_own() -> None:
    gwen, otis = (
        memory("The assistant is called Gwen."),
        memory("The assistant is called Otis.", "work"),
    )
    short = memory("The assistant should keep its answers short.")
    tea = Memory(content="The user likes tea.", id="t")
    assert decide(otis, [Neighbour(gwen)]).decision == "add"
    everything = [gwen, otis, short, tea]
    assert in_force(everything, "") == [gwen, short, tea]
    assert in_force(everything, "work") == [otis, short, tea]
    assert in_force(everything, "home") == [gwen, short, tea]


def test_the_flag_follows_from_the_type() -> None:
    assert with_marks(memory("The assistant is called Gwen."))[FLAG] is True
    claims = Memory(content="The user likes tea.", metadata={FLAG: True, "mine": 1})
    assert with_marks(claims) == {"mine": 1}
    denies = Memory(content="x", type="persona", metadata={FLAG: False})
    assert with_marks(denies, "work") == {FLAG: True, "persona": "work"}


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("The assistant is called Gwen.", "You are called Gwen."),
        ("The assistant should not use emojis.", "Do not use emojis."),
        ("The assistant should never mention its age.", "Never mention your age."),
        ("The assistant should answer in French.", "Answer in French."),
    ],
)
def test_the_assistant_is_spoken_to(content: str, told: str) -> None:
    assert second_person(content) == told


def test_only_known_sentences_fill_a_slot() -> None:
    assert slot("The assistant should end every answer with a joke.") is None
    assert slot("The user is called Tom.") is None
    assert slot("The assistant should answer in detail.") == ("length", "answer in detail", False)


@pytest.mark.parametrize(
    "question",
    [
        *("What's your name?", "who are you?", "And who are you again?", "Are you Gwen?"),
        *("Hi, what should I call you?", "Wie heißt du?", "Wer bist du denn?", "¿Cómo te llamas?"),
        *("Comment t'appelles-tu ?", "Como te chamas?", "Quem é você?"),
    ],
)
def test_a_question_about_the_assistant(question: str) -> None:
    assert manner_of(question) == "assistant"


@pytest.mark.parametrize(
    "question",
    [
        "What's my name?",
        "Who is Gwen?",
        "Are you sure?",
        "What is your favourite colour?",
        "Wie geht es dir?",
    ],
)
def test_another_question(question: str) -> None:
    assert manner_of(question) != "assistant"


@pytest.mark.parametrize("message", ["You are Gwen.", "Be brief.", "Antworte immer auf Deutsch."])
def test_what_the_assistant_is_told(message: str) -> None:
    assert manner_of(message) == "told"


def test_a_message_that_is_only_about_the_assistant() -> None:
    assert only_about_assistant("Hello! Your name is Gwen, please. Thanks!")
    assert not only_about_assistant("Your name is Gwen and I live in Oslo.")
    assert not only_about_assistant("I live in Oslo.")
