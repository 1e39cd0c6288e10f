"""The text beside the prompt: what goes on behind it, and what came of it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from thalamus import Thalamus
from thalamus.records import Turn, Verdict
from thalamus.terminal.beside_prompt import BesidePrompt
from thalamus.text.width import columns

SAID = "I moved to Lisbon in May. My sister is called Rita."


def work(**state: Any) -> Any:
    """What the background says of itself; it does nothing."""
    known = {"remembering": False, "concluding": False, "earlier": False, "stage": ""}
    return SimpleNamespace(**(known | {"to_connect": 0} | state))


@pytest.mark.parametrize(
    ("state", "text"),
    [
        ({"remembering": True}, "remembering …"),
        ({"remembering": True, "stage": "reflect"}, "reflecting …"),
        ({"remembering": True, "stage": "store"}, "storing …"),
        ({"remembering": True, "stage": "plan"}, "planning …"),
        ({"remembering": True, "stage": "plan", "earlier": True}, "an earlier turn: planning …"),
        ({"concluding": True}, "connections …"),
        ({"concluding": True, "to_connect": 3}, "connections: 3 left …"),
        ({}, ""),
    ],
)
def test_what_goes_on(state: dict[str, Any], text: str) -> None:
    assert BesidePrompt().text(work(**state), 80) == text


def test_what_came_of_a_turn(thalamus: Thalamus) -> None:
    beside = BesidePrompt()
    beside.stored(thalamus.turn(SAID))
    assert beside.text(work(), 80) == "remembered 2 memories, 2 facts"
    going = work(concluding=True, to_connect=2)
    assert beside.text(going, 80) == "remembered 2 memories, 2 facts · connections: 2 left …"
    beside.concluded(1)
    assert beside.text(work(), 80) == "remembered 2 memories, 2 facts · 1 new insight"
    beside.clear()  # the next line was sent
    assert beside.text(work(), 80) == ""
    beside.stored(thalamus.turn("I moved to Porto yesterday."))
    assert beside.text(work(), 80) == "remembered 1 memory, 1 fact · 1 changed"
    beside.clear()
    beside.stored(thalamus.turn("I moved to Porto yesterday."))
    assert beside.text(work(), 80) == "known already"
    beside.clear()
    beside.stored(thalamus.turn("How are you?"))
    assert beside.text(work(), 80) == "kept word for word"


def test_of_a_turn_that_is_not_stored_nothing_is_kept(thalamus: Thalamus) -> None:
    beside = BesidePrompt()
    beside.stored(thalamus.turn("How are you?", flow="retrieve,answer,reflect"))
    assert beside.text(work(), 80) == ""


@pytest.mark.parametrize("width", [20, 30, 40, 60, 80])
def test_it_leaves_room_for_what_is_typed(width: int) -> None:
    beside = BesidePrompt()
    stored = [("add", "mem_1"), ("add", "fact_1"), ("supersede", "fact_2"), ("quarantine", "mem_3")]
    verdicts = [Verdict(decision=d, reason="", rule="", id=id) for d, id in stored]  # type: ignore[arg-type]
    beside.stored(Turn(message="x", stored=verdicts))
    beside.concluded(2)
    shown = [
        beside.text(state, width)
        for state in (
            work(),
            work(concluding=True, to_connect=12),
            work(remembering=True, stage="reflect", earlier=True),
        )
    ]
    assert all(columns(text) <= width - 12 for text in shown)
    if width == 40:
        assert shown[0] == "remembered 1 memory, 1 fact"
