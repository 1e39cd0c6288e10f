"""What a speaker takes back in the middle of a sentence is neither a fact nor a memory."""

from __future__ import annotations

import pytest

from tests.policy.test_language_moods import kept
from thalamus.policy.language.reading import read


@pytest.mark.parametrize(
    ("message", "wrong"),
    [
        (
            "Sorry, my aunt lives in Bremen, no, I mean Tobias does not live in Bremen any more.",
            "aunt",
        ),
        ("My aunt, no wait, my uncle lives in Bremen", "aunt"),
        ("I work at Aldi, sorry, I meant I work at Lidl", "Aldi"),
        ("I live in Porto - scratch that, I live in Lisbon", "Porto"),
        ("I have a dog, no, wait, I have a cat called Miso.", "dog"),
        ("I live in Porto, I mean in Lisbon.", "Porto"),
        ("I need a new job, no, wait, forget it.", "job"),
        ("Meine Tante wohnt in Bremen, nein, ich meine, mein Onkel wohnt in Bremen.", "Tante"),
        ("Ma tante habite à Brême, non, je veux dire, mon oncle habite à Brême", "tante"),
        ("Mi tía vive en Bremen, no, quiero decir, mi tío vive en Bremen.", "tía"),
        ("A minha tia mora em Bremen, não, quero dizer, o meu tio mora em Bremen", "tia"),
    ],
)
def test_what_is_taken_back_leaves_nothing(message: str, wrong: str) -> None:
    assert not [one for one in kept(message) if wrong in one or "aunt" in one]


@pytest.mark.parametrize(
    ("message", "fact"),
    [
        ("My sister is called Eva and my brother lives in Graz, no, sorry, he left", "sister Eva"),
        ("I am allergic to nuts, no, I mean it.", "allergic_to nuts"),
        ("I love tea, I mean, I really love tea", "likes tea"),
        ("Scratch that, I live in Rome", "lives_in Rome"),
    ],
)
def test_what_stands_beside_it_is_kept(message: str, fact: str) -> None:
    facts = [f"{one.predicate} {one.object}" for one in read(message).statements]
    assert facts == [fact]
