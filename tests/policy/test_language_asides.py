"""What is said before or after a statement tells nothing, and changes nothing of what it tells."""

from __future__ import annotations

import pytest

from thalamus.policy.language.reading import read


def told(message: str) -> tuple[list[str], list[str]]:
    """The memories and the facts of a message."""
    found = read(message)
    facts = [f"{one.subject} {one.predicate} {one.object}" for one in found.statements]
    return [memory.content for memory in found.memories], facts


@pytest.mark.parametrize(
    "tail",
    [
        " by the way",
        ", by the way.",
        " btw",
        " you know",
        ", you know.",
        " just so you know",
        ", just so you know!",
        " FYI",
        ", I think",
        " I think",
        ", thanks",
        ", thanks.",
        ", cheers",
        " lol",
        " haha",
        " 😂",
        " tbh",
        ", in case you were wondering",
        ", FYI, thanks",
    ],
)
@pytest.mark.parametrize("said", ["My birthday is 9 March", "my bday is 9 March"])
def test_a_tail_is_left_out(said: str, tail: str) -> None:
    expected = ["The user's birthday is 9 March."], ["user birthday 9 March"]
    assert told(f"{said}{tail}") == expected


@pytest.mark.parametrize(
    ("message", "memory"),
    [
        ("I live in Porto you know", "The user lives in Porto."),
        ("I live in Porto FYI", "The user lives in Porto."),
        ("I play the oboe, mind you.", "The user plays the oboe."),
        ("My cat hates rain by the way and I love it", "The user's cat hates rain."),
        ("I like the people you know", "The user likes the people you know."),
        ("I have more friends than you know", "The user has more friends than you know."),
    ],
)
def test_a_tail_ends_a_clause(message: str, memory: str) -> None:
    assert told(message)[0][0] == memory


@pytest.mark.parametrize(
    "opener",
    [
        "Between us: ",
        "Between you and me: ",
        "Honest question: ",
        "Fun fact: ",
        "By the way, ",
        "So, ",
        "Oh and ",
        "Oh, and by the way, ",
        "Heads up: ",
        "Side note: ",
        "Confession: ",
        "P.S. ",
        "PS: ",
        "Just so you know, ",
    ],
)
def test_an_opener_is_left_out(opener: str) -> None:
    expected = ["The user is allergic to latex."], ["user allergic_to latex"]
    assert told(f"{opener}I'm allergic to latex") == expected


def test_a_question_behind_an_opener_states_nothing() -> None:
    assert told("Honest question: am I allergic to latex?") == ([], [])
    assert told("Honest question: I have two cats, is that too many?")[1] == ["user has two cats"]


@pytest.mark.parametrize(
    "message",
    [
        "I was born in 1500, my birthday is 9 March lol",
        "My name is Queen of Sheba lol",
        "I live in a fridge haha",
    ],
)
def test_what_is_said_in_jest_tells_nothing(message: str) -> None:
    assert told(message) == ([], [])


def test_words_that_say_something_are_no_opener() -> None:
    assert told("Between us we have three cats")[0] == ["Between them the user has three cats."]


@pytest.mark.parametrize(
    ("message", "day"),
    [
        ("My birthday is in March, the 9th", "March 9th"),
        ("My birthday's in march, on the 9th", "march 9th"),
        ("My birthday is on the 9th of March", "9th of March"),
        ("My birthday is March 9th", "March 9th"),
        ("My birthday is March the 9th", "March 9th"),
        ("My birthday is the ninth of March", "ninth of March"),
        ("My birthday is on the twenty-first of June.", "twenty-first of June"),
        ("My birthday is 31 December 1990", "31 December 1990"),
        ("My birthday is Dec 3rd, 1990", "Dec 3rd, 1990"),
        ("My birthday is on 9/3", "9/3"),
        ("My birthday is in May", "May"),
        ("My birthday is Christmas Eve", "Christmas Eve"),
    ],
)
def test_a_birthday_is_kept_with_its_day(message: str, day: str) -> None:
    assert told(message)[1] == [f"user birthday {day}"]


@pytest.mark.parametrize(
    "message",
    [
        "My birthday is not on 9 March",
        "My birthday is in three weeks",
        "My birthday is 2 weeks from now",
        "Is my birthday on 9 March?",
        "I wish my birthday was in May",
    ],
)
def test_no_birthday_is_made_up(message: str) -> None:
    assert told(message)[1] == []


def test_a_birthday_of_somebody_else() -> None:
    assert told("My sister's birthday is in June, the 2nd") == (
        ["The user's sister's birthday is in June, the 2nd."],
        ["user's sister birthday June 2nd"],
    )
