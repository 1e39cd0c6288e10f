"""Topics of the world state fade in every flow."""

from __future__ import annotations

import pytest

from thalamus import Thalamus
from thalamus.records import Turn, WorldOperation


@pytest.mark.parametrize("flow", ["classic", "routed", "deliberate", "retrieve,answer,store"])
def test_topics_fade_in_every_flow(thalamus: Thalamus, flow: str) -> None:
    topics = WorldOperation(op="merge", path="topics", value=["herbs", "tea"])
    thalamus.projects.apply([topics])
    thalamus.turn("I planted herbs and roses.", flow=flow)
    weights = thalamus.projects.world().topic_weights
    assert (weights["herbs"], weights["tea"]) == (1.0, 0.8)
    thalamus.turn("Thanks!", flow=flow)  # small talk is about nothing
    assert thalamus.projects.world().topic_weights["tea"] == 0.8


def test_topics_that_fade_are_gone_in_time(thalamus: Thalamus) -> None:
    topics = WorldOperation(op="merge", path="topics", value=["herbs", "tea"])
    thalamus.projects.apply([topics])
    for _ in range(10):
        thalamus.turn("I planted roses and a quince.")
    assert not {"herbs", "tea"} & set(thalamus.projects.world().topics)


def test_topics_fade_once_for_a_turn_that_is_finished_later(thalamus: Thalamus) -> None:
    thalamus.projects.apply([WorldOperation(op="merge", path="topics", value=["tea"])])
    turn, left = thalamus.answer_turn("I planted roses.")
    assert left
    list(thalamus.finish_turns(turn.stored_id))
    assert thalamus.projects.world().topic_weights["tea"] == 0.8


def test_an_older_turn_fades_nothing(thalamus: Thalamus) -> None:
    thalamus.projects.apply([WorldOperation(op="merge", path="topics", value=["tea"])])
    old = Turn(message="I planted roses.", answer="Good.", created_at="2020-01-01T00:00:00Z")
    thalamus.remember([old])
    assert thalamus.projects.world().topic_weights["tea"] == 1.0
