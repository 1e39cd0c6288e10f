"""Questions that name a time find what was said then, and what was said about it."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.conftest import Result

# said on a day of 2025; the questions are asked on Wednesday, 26 November
SAID = {
    "2025-02-11": "We climbed the Teide.",
    "2025-03-09": "Heute waren wir beim Griechen.",
    "2025-04-20": "Comimos una paella enorme.",
    "2025-11-20": "We're off to Tenerife in February.",
    "2025-11-21": "The bakery at the corner has the best rye bread.",
    "2025-11-22": "Wir fliegen im März nach Kreta.",
    "2025-11-23": "En abril visitamos a mis suegros.",
    "2025-11-25": "My brother bought a red bicycle.",
}
NOW = "2025-11-26T10:00:00Z"


@pytest.fixture
def search(run: Callable[..., Result]) -> Callable[[str], str]:
    """Searches a store of what was said in the course of a year."""
    for day, content in SAID.items():
        record = {"record": "memory", "content": content, "created_at": f"{day}T10:00:00Z"}
        run("store", input=json.dumps(record), env={"THALAMUS_NOW": f"{day}T10:00:00Z"})
    return lambda question: (
        run("memory", "search", "--embedder", "none", question, env={"THALAMUS_NOW": NOW}).stdout
    )


@pytest.mark.parametrize(
    ("question", "plan", "then"),
    [
        ("Where are we going in February?", "Tenerife", "Teide"),
        ("What did we do in February?", "Tenerife", "Teide"),
        ("Was machen wir im März?", "Kreta", "Griechen"),
        ("¿Qué hicimos en abril?", "suegros", "paella"),
    ],
)
def test_a_month_is_that_of_a_plan_or_of_the_day(search, question, plan, then):
    found = search(question)
    assert plan in found
    assert then in found
    assert "rye bread" not in found


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What did I tell you yesterday?", "bicycle"),
        ("What did we talk about on Thursday?", "Tenerife"),
        ("Was haben wir am Donnerstag besprochen?", "Tenerife"),
    ],
)
def test_a_question_for_what_was_said_at_a_time_finds_nothing_else(search, question, answer):
    found = search(question).splitlines()
    assert len(found) == 1
    assert answer in found[0]


@pytest.mark.parametrize("question", ["What happens in June?", "Was machen wir im Juni?"])
def test_nothing_is_found_for_another_month(search, question):
    assert not search(question)


def test_a_time_next_to_other_words_only_weighs(search):
    assert "bicycle" in search("What did I tell you about the bicycle last week?")
