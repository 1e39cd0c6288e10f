"""A question for what is over finds what was told of it, whose words it does not have."""

from __future__ import annotations

import pytest

from thalamus.api import Thalamus
from thalamus.clock import parse_time
from thalamus.policy.past_questions import asks_what_was
from thalamus.records import Turn


@pytest.mark.parametrize(
    "message",
    [
        "What was my project before?",
        "What did my project use to be?",
        "What was I working on previously?",
        "Where did I live before that?",
        "Wo habe ich früher gewohnt?",
        "Où est-ce que j'habitais avant ?",
    ],
)
def test_a_question_for_the_past(message: str) -> None:
    assert asks_what_was(message)


@pytest.mark.parametrize(
    "message",
    ["Where do I live?", "What is my project?", "What should I pack before the trip?"],
)
def test_a_question_for_the_present(message: str) -> None:
    assert not asks_what_was(message)


@pytest.mark.parametrize(
    ("first", "then", "question", "over"),
    [
        (
            "I'm writing a podcast series.",
            "I finished the podcast. I'm restoring an old boat.",
            "What was my project before?",
            "podcast",
        ),
        (
            "I'm writing a podcast series.",
            "I finished the podcast. I'm restoring an old boat.",
            "What did my project use to be?",
            "podcast",
        ),
        ("I moved to Hull.", "I moved to York.", "Where did I live before?", "Hull"),
        ("I work at Lidl.", "I joined Siemens.", "Who was my previous employer?", "Lidl"),
    ],
)
def test_what_is_over_is_found(
    thalamus: Thalamus, first: str, then: str, question: str, over: str
) -> None:
    thalamus.run_turn(first)
    thalamus.clock.fixed = parse_time("2026-06-08T14:10:00Z")
    thalamus.run_turn(then)
    thalamus.clock.fixed = parse_time("2026-06-20T14:10:00Z")
    asked = thalamus.run_turn(Turn(message=question, session="later"))
    found = [item for item in asked.evidence if over in item.text]
    assert found
    assert found[0].stale


def test_a_question_about_the_present_looks_up_nothing_else(thalamus: Thalamus) -> None:
    thalamus.run_turn("I moved to Hull.")
    thalamus.clock.fixed = parse_time("2026-06-08T14:10:00Z")
    thalamus.run_turn("I moved to York.")
    asked = thalamus.run_turn(Turn(message="Where do I live?", session="later"))
    assert [item.query for item in asked.retrieval_instructions] == ["Where do I live?"]
