"""A value that the speaker puts right in the same sentence takes the place of the wrong one."""

from __future__ import annotations

import pytest

from tests.policy.test_language_moods import kept
from thalamus.policy.language.reading import read


@pytest.mark.parametrize(
    ("message", "fact", "memory"),
    [
        (
            f"My sister lives in Bremen{cue}",
            "user's sister lives_in Hamburg",
            "The user's sister lives in Hamburg.",
        )
        for cue in (
            ", no wait, in Hamburg",
            ", no, I mean Hamburg",
            ", sorry, Hamburg",
            ", I meant Hamburg",
            ", sorry, I meant in Hamburg.",
            " - no wait - Hamburg",
            ", actually Hamburg",
            ", no, she's in Hamburg",
        )
    ]
    + [
        ("My brother is 34, no, he's 35", "user's brother age 35", "The user's brother is 35."),
        ("I have two cats, no wait, three", "user has three cats", "The user has three cats."),
        ("I have a cat, no, a dog called Rex", "user dog Rex", "The user has a dog called Rex."),
        (
            "My sister is a nurse, sorry, a doctor.",
            "user's sister works_as doctor",
            "The user's sister is a doctor.",
        ),
        (
            "My mum, sorry, my aunt is a nurse.",
            "user's aunt works_as nurse",
            "The user's aunt is a nurse.",
        ),
        (
            "I'm allergic to nuts, no wait, shellfish",
            "user allergic_to shellfish",
            "The user is allergic to shellfish.",
        ),
        (
            "I'm getting married on 9 May, no, sorry, the 10th",
            "user wedding_on 10th May",
            "The user is getting married on 10th May.",
        ),
        ("I work for Aldi, no wait, at Lidl", "user works_at Lidl", "The user works at Lidl."),
    ],
)
def test_what_is_right_stands_alone(message: str, fact: str, memory: str) -> None:
    assert kept(message) == [fact, memory]


@pytest.mark.parametrize(
    ("message", "fact"),
    [
        ("Meine Schwester wohnt in Bremen, nein warte, in Hamburg", "lives_in Hamburg"),
        ("Ma sœur habite à Brême, non attends, à Hambourg", "lives_in Hambourg"),
        ("Mi hermana vive en Bremen, no, espera, en Hamburgo", "lives_in Hamburgo"),
        ("A minha irmã mora em Bremen, não, espera, em Hamburgo", "lives_in Hamburgo"),
    ],
)
def test_in_the_other_languages(message: str, fact: str) -> None:
    assert [f"{one.predicate} {one.object}" for one in read(message).statements] == [fact]


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("My sister Eva lives in Bremen, no wait, Hamburg, and she works at Aldi.", "Eva works_at Aldi"),
        ("I don't eat meat, no, not even fish", "user avoids meat"),
        ("On Mondays I swim, actually on Tuesdays too", "user practises swimming"),
        ("My dog is called Rex, sorry I forgot to say", "user dog Rex"),
        ("I hate spiders, no, seriously", "The user hates spiders."),
        ("She hates me, no, I mean it.", "She hates the user."),
        ("I am allergic to nuts, no, I mean it.", "The user is allergic to nuts."),
    ],
)  # fmt: skip
def test_what_corrects_nothing(message: str, said: str) -> None:
    assert said in kept(message)


def test_the_date_is_that_of_the_right_words() -> None:
    (clause,) = read("We moved to Bremen in May, sorry, in June 2024.").clauses
    assert clause.amended
    assert clause.text == "We moved to Bremen in May, sorry, in June 2024."
    assert clause.told == "We moved to Bremen in June 2024"


@pytest.mark.parametrize(
    ("message", "memories"),
    [
        ("I hate it", []),
        ("I can't stand it", []),
        (
            "I started running. I hate it.",
            ["user practises running", "The user started running. The user hates it."],
        ),
        (
            "My gran died in 2019. I miss her so much.",
            [
                "user's grandmother died_on 2019",
                "The user's gran died in 2019. The user misses her so much.",
            ],
        ),
    ],
)
def test_a_pronoun_says_nothing_alone(message: str, memories: list[str]) -> None:
    assert kept(message) == memories
