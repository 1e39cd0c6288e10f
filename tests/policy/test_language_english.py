"""English, as the grammar of plain statements reads it."""

from __future__ import annotations

from datetime import date

import pytest

from thalamus.policy import fact_dates
from thalamus.policy.language.languages import lexicon
from thalamus.policy.language.reading import read


def facts(message: str) -> list[str]:
    return [f"{s.subject} {s.predicate} {s.object}" for s in read(message).statements]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("My name is Jonas and I'm a nurse.", ["user name Jonas", "user works_as nurse"]),
        ("i live in porto with my wife Leila", ["user wife Leila", "user lives_in porto"]),
        ("I don't like coffee but love tea.", ["user dislikes coffee", "user likes tea"]),
        ("I like tea more than coffee.", ["user prefers tea"]),
        ("I'm allergic to nuts.", ["user allergic_to nuts"]),
        ("My wife is called Eva. She works at Siemens.", ["user wife Eva", "Eva works_at Siemens"]),
        ("Tara, my daughter, is 8 years old.", ["user daughter Tara", "Tara age 8"]),
        ("My sister drives a Fiat.", ["user's sister drives Fiat"]),
        ("I picked up my sister's dog.", []),
        ("I didn't move to Rome.", []),
        ("I'm going to live in Rome if I can.", []),
        ("I used to smoke, but I stopped in 2019.", ["user practises smoking"]),
        ("I love it here.", []),
        ("I work at St. Mary's Hospital.", ["user works_at St Mary's Hospital"]),
        ("I live in Mt. Vernon. It is nice.", ["user lives_in Mt Vernon"]),
        (
            "I live in Washington D.C. and like tea.",
            ["user lives_in Washington DC", "user likes tea"],
        ),
        ("I would love a coffee.", []),
    ],
)
def test_facts(message: str, expected: list[str]) -> None:
    assert facts(message) == expected


def test_the_concert_of_somebody_else_is_theirs() -> None:
    found = read("Noor's concert is on 5 December in Bruges.")
    assert [m.content for m in found.memories] == [
        "The user has Noor's concert on 5 December in Bruges."
    ]
    assert list(found.statements) == []


@pytest.mark.parametrize(
    "message",
    [
        "Where do I live?",
        "Can you recommend a novel?",
        "If I lived in Rome, I would eat pasta every day.",
        "I wish I had a dog.",
        'Translate this into German: "I live in London and I love dogs".',
        "The leaflet says: I am allergic to nuts.",
        "Yeah right, I just love Mondays.",
        "I didn't say I live in Rome.",
        "I'm tired right now.",
        "Hi there! How are you?",
        "Thanks a lot!",
    ],
)
def test_what_holds_nothing(message: str) -> None:
    reading = read(message)
    assert (list(reading.statements), list(reading.memories)) == ([], [])


@pytest.mark.parametrize(
    ("message", "begin", "end"),
    [
        ("I moved to Porto in February.", "2025-02-01", None),
        ("From January I'll be working at Acme.", "2026-01-01", None),
        ("We move to Porto in March.", "2026-03-01", None),
        ("I'm starting on Monday at Initech.", "2025-12-15", None),
        ("Until 2020 I lived in Rome.", None, "2020-01-01"),
        ("I lived in Rome from 2012 to 2014.", "2012-01-01", "2014-01-01"),
        ("I've lived in Berlin for five years.", "2020-12-08", None),
        ("I live in Berlin.", None, None),
    ],
)
def test_dates_follow_the_tense(message: str, begin: str | None, end: str | None) -> None:
    """Said on Monday, 8 December 2025."""
    (statement,) = read(message).statements
    clause = statement.clause
    said = fact_dates.Said(
        "coming" if statement.coming else clause.tense,
        statement.over,
        lexicon(clause.language).time_words,
    )
    day = date(2025, 12, 8)
    found = fact_dates.dates(clause.text, statement.predicate, statement.object, day, said)
    shown = [None if at is None else at.isoformat() for at in (found.begin, found.end)]
    assert shown == [begin, end]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        # introductions without a verb
        (
            "Jarek, 37, roofer from Lublin",
            ["user name Jarek", "user age 37", "user works_as roofer", "user home_town Lublin"],
        ),
        ("My friends call me Fizz.", ["user nickname Fizz"]),
        # work and studies
        (
            "third month as a paralegal at Hogan Lovells",
            ["user works_at Hogan Lovells", "user works_as paralegal"],
        ),
        ("I'm in procurement.", ["user works_at procurement"]),
        (
            "doing a masters in hydrology at Delft",
            ["user studies_at Delft", "user studies hydrology"],
        ),
        # people and animals
        ("my two cats Pixel and Byte", ["user cat Pixel", "user cat Byte"]),
        ("We got a puppy, her name is Olive.", ["user dog Olive"]),
        ("Our dog is a lurcher, he's called Moss.", ["user dog Moss"]),
        ("My neighbour has a dog called Rex.", ["user's neighbour dog Rex"]),
        ("My sister had a baby, she's called Ida.", []),
        ("I had a dog called Tess when I was a kid.", ["user dog Tess"]),
        # health
        ("cashews make my tongue swell up", ["user allergic_to cashews"]),
        ("on ramipril and metformin", ["user takes ramipril", "user takes metformin"]),
        # taste
        ("nothing beats cold pizza", ["user likes cold pizza"]),
        ("golf isn't my thing", ["user dislikes golf"]),
        ("I'm more of a tea person", ["user prefers tea"]),
        ("Favourite band? Elbow", ["user favourite_band Elbow"]),
        # appointments, habits, possessions
        ("Orthodontist Monday 9:15", ["user plans_to Orthodontist"]),
        ("We go camping every summer.", ["user practises camping"]),
        ("I go bouldering twice a week.", ["user practises bouldering"]),
        ("my old Skoda won't start", ["user owns Skoda"]),
        ("Book a table on Friday.", []),
        ("Find me a dentist on Monday.", []),
        ("The exam on Friday was cancelled.", []),
        ("'Call me Ahab' - who says that?", []),
    ],
)
def test_what_is_said_in_passing(message: str, expected: list[str]) -> None:
    assert facts(message) == expected


@pytest.mark.parametrize(
    ("message", "memory"),
    [
        ("I'm more of a tea person.", "The user is more of a tea person."),
        ("Live in Turku.", "The user lives in Turku."),
        ("cashews make my tongue swell up", "The user is allergic to cashews."),
        ("Everyone calls me Fizz.", "Everyone calls the user Fizz."),
        (
            "I once stole a tuning fork from my teacher Halvorsen.",
            "The user once stole a tuning fork from their teacher Halvorsen.",
        ),
    ],
)
def test_how_it_is_remembered(message: str, memory: str) -> None:
    assert [one.content for one in read(message).memories] == [memory]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("I've been allergic to penicillin since 1990", ["user allergic_to penicillin"]),
        ("I drive the 46A for Dublin Bus.", ["user works_at Dublin Bus"]),
        ("My supervisor is Dr Helen Marsh", ["user boss Dr Helen Marsh"]),
        ("I have asthma and take ramipril", ["user has asthma", "user takes ramipril"]),
        ("Our car died in March, so we sold it", []),
        (
            "Signe is 12 and plays handball, Emil is nine",
            ["Signe age 12", "Signe plays handball", "Emil age 9"],
        ),
        ("My sister Kirsten is a dentist there", ["user sister Kirsten", "Kirsten works_as dentist"]),
    ],
)  # fmt: skip
def test_daily_life(message: str, expected: list[str]) -> None:
    found = read(message).statements
    assert [f"{one.subject} {one.predicate} {one.object}" for one in found] == expected


@pytest.mark.parametrize(
    ("message", "memories"),
    [
        (
            "My mother-in-law, Birthe, moved in with us last month",
            ["The user's mother-in-law, Birthe, moved in with the user last month."],
        ),
        ("On Sundays, Emil plays handball with me", ["On Sundays, Emil plays handball with the user."]),
        ("My back's been bad since May", ["The user's back has been bad since May."]),
    ],
)  # fmt: skip
def test_sentences_of_daily_life(message: str, memories: list[str]) -> None:
    assert [memory.content for memory in read(message).memories] == memories
