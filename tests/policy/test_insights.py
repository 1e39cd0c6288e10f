"""Insights: how a source is read, and when two of them say the same."""

from __future__ import annotations

import pytest

from thalamus.policy import insights
from thalamus.policy.insights import SourceText

pytestmark = pytest.mark.storeless


def test_a_source_as_the_model_reads_it() -> None:
    own = SourceText(1, "a", "I play chess.", day="2025-03-04")
    other = SourceText(2, "b", "I dug a pond.", "mary ann", day="2025-03-04")
    assert own.line == "(4 March 2025) The user: I play chess."
    assert other.line == "(4 March 2025) Mary Ann: I dug a pond."
    assert SourceText(3, "c", "user lives in Turin", "").line == "user lives in Turin"


ONE = "Paul and Ines both play chess."
SOLD = "Ines sold six bowls of the pottery course at the mill."


@pytest.mark.parametrize("other", ["Ines and Paul play chess", "Both Ines and Paul play chess."])
def test_insights_that_say_the_same(other: str) -> None:
    assert insights.same_conclusion(ONE, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (ONE, "Paul and Ines do not play chess."),
        (ONE, "Paul and Ines play chess at the mill with the teacher."),
        (SOLD, SOLD.replace("six", "nine")),
        ("Ines sold 12 bowls in 2025.", "Ines sold 12 bowls in 2026."),
        ("", ""),
    ],
)
def test_insights_that_do_not(one: str, other: str) -> None:
    assert not insights.same_conclusion(one, other)


def test_of_the_same_sources_most_words_are_enough() -> None:
    other = SOLD.replace("at the mill", "at a stall")
    assert not insights.same_conclusion(SOLD, other)
    assert insights.same_conclusion(SOLD, other, same_sources=True)


def test_what_was_made_of_a_source_stands_in_the_insight() -> None:
    said = "The user lives in Porto and painted its lighthouse."
    assert insights.restates(said, "user lives_in Porto")
    assert not insights.restates(said, "user likes tea")
    assert not insights.restates(said, "user")
