"""A topic is what a statement is about: no unit of time, and nothing of a command."""

from __future__ import annotations

import pytest

from thalamus.policy.language.reading import read
from thalamus.policy.language.topic_words import is_topic


@pytest.mark.parametrize(
    ("message", "topic"),
    [
        ("I start the pottery course next week", "course"),
        ("I left the chess club last week", "club"),
        ("I saw the match yesterday evening", "match"),
        ("I fixed the server with `pip install numpy`", "server"),
        ("I set up the printer with pip install pycups", "printer"),
        ("I went to the opera on Tuesdays", "opera"),
        ("I moved to Lisbon in May", "lisbon"),
        ("My tenancy ends on 31 August", "tenancy"),
        ("My blood pressure is high", "pressure"),
        ("I have an appointment for my hip on the 9th", "hip"),
        ("I bake bread with my neighbour after school", "bread"),
        ("I joined a band with two colleagues", "band"),
        ("I play football with my brother on Sundays", "football"),
        ("I can't stand spiders", "spiders"),
        ("I miss my old school", "school"),
        ("Mi boda es el 12 de junio", "boda"),
        ("I have been a glider pilot since 2015", "pilot"),
    ],
)
def test_the_topic_of_a_statement(message: str, topic: str) -> None:
    assert [memory.topic for memory in read(message).memories] == [topic]


@pytest.mark.parametrize(
    "name",
    [
        "week",
        "next week",
        "semana",
        "Jahre",
        "julho",
        "pip",
        "Tuesdays",
        "12",
        "yet",
        "much",
        "moved",
    ],
)
def test_what_is_no_topic(name: str) -> None:
    assert not is_topic(name)


@pytest.mark.parametrize("name", ["week planner", "greenhouse", "git", "Lisbon"])
def test_what_is_a_topic(name: str) -> None:
    assert is_topic(name)
