"""Sources related to a turn: entries of other days that share words rare in the store."""

from __future__ import annotations

from datetime import UTC

import pytest

from thalamus.api import Thalamus
from thalamus.memory.insights.related_sources import LONGEST, RelatedSources, related_sources
from thalamus.records import Turn

NOW = "2026-05-08T13:56:00Z"


def related(thalamus: Thalamus, *messages: str) -> RelatedSources:
    """The sources related to the last of these messages, one of each day."""
    turns = [
        Turn(id=f"turn_{day}", message=message, created_at=f"2026-03-{day:02}T10:00:00Z")
        for day, message in enumerate(messages, start=1)
    ]
    thalamus.remember(turns)
    return related_sources(turns[-1], thalamus.database, UTC, NOW)


@pytest.mark.parametrize(
    ("messages", "about"),
    [
        (("I joined a pottery course.", "My pottery course made six bowls."), "pottery"),
        (("We met Hedda at the lake.", "My aunt phoned Hedda."), "hedda"),
        (("Ich habe drei Hühner gekauft.", "Das Futter für die Hühner ist teuer."), "hühner"),
        (("姐姐在杭州养蜂。", "今天去杭州看姐姐。"), "杭州"),
    ],
)
def test_two_rare_words_or_a_rare_name_connect(
    thalamus: Thalamus, messages: tuple[str, ...], about: str
) -> None:
    found = related(thalamus, *messages)
    assert found and about in found.about
    assert [item.text for item in found.items] == list(messages)
    assert [item.number for item in found.items] == [1, 2]


@pytest.mark.parametrize(
    "messages",
    [
        ("The kettle is really light.", "I painted the hall in a light grey."),
        ("We sail on Monday in May.", "The shop opens on Monday in May."),
        ("Shall I join a pottery course?", "My pottery course made six bowls."),
        ("I joined a pottery course.", "And the pottery course?"),
        ("Hello!", "Hello!"),
    ],
)
def test_what_does_not(thalamus: Thalamus, messages: tuple[str, ...]) -> None:
    assert not related(thalamus, *messages)


def test_a_long_message_is_cut_to_what_connects_it(thalamus: Thalamus) -> None:
    long = "It rained again. " * 60 + "Then I joined a pottery course. " + "It was dull. " * 60
    found = related(thalamus, long, "My pottery course made six bowls.")
    assert "pottery course" in found.items[0].text and len(found.items[0].text) <= LONGEST


def test_what_everything_speaks_of_connects_nothing(thalamus: Thalamus) -> None:
    said = [f"The pottery course made bowl number {n} at dusk." for n in range(1, 26)]
    assert not related(thalamus, *said)
