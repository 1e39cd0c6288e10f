"""Labels before a colon: which of them are speakers, among what a search finds."""

from __future__ import annotations

import pytest
from msgspec import structs

from thalamus import Thalamus
from thalamus.records import Evidence, Memory


def found(thalamus: Thalamus, question: str) -> dict[str, Evidence]:
    config = structs.replace(thalamus.config, min_score=0.0)
    with thalamus.sibling(config=config) as lenient:
        return {one.text: one for one in lenient.recall(question, limit=20)}


@pytest.mark.parametrize("session", [None, "phone"])
def test_a_notification_is_no_utterance(thalamus: Thalamus, session: str | None) -> None:
    notifications = ["Didi: your trip to the airport costs 48", "Didi: your airport trip is paid"]
    thalamus.remember([Memory(content=text, session=session) for text in notifications])
    shown = found(thalamus, "What did the Didi trip to the airport cost?")
    assert set(shown) == set(notifications)
    assert not any({"lack", "speaker"} & one.scores.keys() for one in shown.values())


def test_labels_that_answer_each_other_are_speakers(thalamus: Thalamus) -> None:
    talk = [
        "Jolene: I paint the harbour every summer",
        "Kwame: Wow, the harbour!",
        "Jolene: the harbour is quiet then",
        "Kwame: do you sell what you paint?",
    ]
    thalamus.remember([Memory(content=text, session="talk") for text in talk])
    shown = found(thalamus, "What does Jolene paint at the harbour?")
    assert {text for text in shown if "speaker" in shown[text].scores} == {talk[0], talk[2]}
    assert all("lack" in one.scores for one in shown.values())
    # and so is the same name elsewhere
    lone = "Jolene: the harbour is full today"
    thalamus.remember([Memory(content=lone)])
    assert "speaker" in found(thalamus, "What does Jolene paint at the harbour?")[lone].scores


def test_the_user_is_known(thalamus: Thalamus) -> None:
    thalamus.remember([Memory(content="Zoltan: I painted the harbour", user="zoltan")])
    [one] = thalamus.recall("What did Zoltan paint at the harbour?")
    assert "speaker" in one.scores


def test_a_name_with_an_accent_is_the_one_in_the_question(thalamus: Thalamus) -> None:
    thalamus.remember([Memory(content="José: I painted the harbour")])
    [one] = thalamus.recall("What did José paint at the harbour?")
    assert "speaker" in one.scores
