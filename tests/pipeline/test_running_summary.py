"""A dialogue that outgrows the context window has a summary of its beginning."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec import structs

from thalamus.api import Thalamus
from thalamus.models.protocol import ChatModel, Embedder, Reranker
from thalamus.models.scripted import ScriptedChat, ScriptedEmbedder
from thalamus.pipeline.prompt import build_prompt
from thalamus.records import Memory, Turn
from thalamus.store import links as link_rows
from thalamus.turn_run import TurnRun

SAID = "On day {n} I mended wheel {n} of the old cart"
FILLING = (
    " and walked along the river with the dog and looked at the boats that lay in the rain, then I"
    " sat in a small café and read some pages of a book about lighthouses, and in the evening I"
    " cooked a soup of leeks and potatoes for the neighbours of the house on the other side."
)
MESSAGES = [f"{SAID.format(n=n)}{FILLING * 4}" for n in range(1, 13)]


class Large(ScriptedChat):
    """The scripted model as a capable one with a small window."""

    def context(self) -> int:
        return 4096

    def small(self) -> bool | None:
        return False

    def billions(self) -> float | None:
        return 8.0


class Models:
    """Gives the capable model for every role."""

    model = Large()

    def chat(self, role: str) -> ChatModel:
        return self.model

    def check_ability(self, role: str, what: str, find_out: Callable[[], bool]) -> bool:
        return find_out()

    def embedder(self) -> Embedder:
        return ScriptedEmbedder()

    def reranker(self) -> Reranker | None:
        return None


@pytest.fixture
def engine(thalamus: Thalamus) -> Thalamus:
    thalamus.engine = structs.replace(thalamus.engine, models=Models())
    return thalamus


def summaries(engine: Thalamus) -> list[Memory]:
    return [one for one in engine.memories.find() if one.type == "session_summary"]


def sources(engine: Thalamus, summary: Memory) -> set[str]:
    links = link_rows.outgoing(engine.database, [summary.stored_id], "derived_from")
    return {link.target for link in links}


def prompt(engine: Thalamus, turn: Turn) -> list[str]:
    messages: Any = build_prompt(turn, TurnRun(engine.engine))[0]
    return [message.content for message in messages]


def test_what_leaves_a_full_window_is_summarized_once(engine: Thalamus) -> None:
    turns = [engine.turn(message) for message in MESSAGES]
    assert [issue for turn in turns for issue in turn.issues] == []
    made = summaries(engine)
    assert made, "the dialogue is longer than the window"
    covered = [sources(engine, one) for one in made]
    assert sum(map(len, covered)) == len(set.union(*covered)), "each turn is in one summary"
    last = turns[-1]
    assert last.dialogue and not set.union(*covered) & {last.stored_id, *last.dialogue.shown}
    assert all(engine.database.get(turn.stored_id).message == turn.message for turn in turns)  # type: ignore[union-attr]

    instructions, *_, final = prompt(engine, Turn(message="What else?", session=last.session))
    assert "<earlier>" in instructions and made[-1].content[:40] in instructions
    assert made[-1].content[:40] not in final, "it stands in the prompt once"
    other = prompt(engine, Turn(message="What else?", session="another"))
    assert "<earlier>" not in other[0]
    later = Turn(message="What else?", session=last.session, created_at="2031-01-01T00:00:00Z")
    assert "<earlier>" not in prompt(engine, later)[0], "that is another conversation"


def test_what_was_said_before_a_pause_of_a_day_is_another_conversation(engine: Thalamus) -> None:
    old, new = (
        [
            engine.turn(
                Turn(message=message, created_at=f"2026-01-{day}T{10 + n}:00:00Z")
            ).stored_id
            for n, message in enumerate(MESSAGES)
        ]
        for day in ("01", "05")
    )
    covered = [sources(engine, one) for one in summaries(engine)]
    assert any(one & {*new} for one in covered)
    assert not any(one & {*old} and one & {*new} for one in covered)
    assert set().union(*covered) & {*old} < {*old}, "its end is left to `prune --sessions`"


def test_a_short_dialogue_has_no_summary(engine: Thalamus) -> None:
    for n in range(9):
        engine.turn(SAID.format(n=n))
    assert summaries(engine) == []


def test_a_summary_is_undone_with_any_of_its_turns_and_made_again(engine: Thalamus) -> None:
    turns = [engine.turn(message) for message in MESSAGES]
    before = summaries(engine)
    gone = turns[1].stored_id
    [about] = [one for one in before if gone in sources(engine, one)]
    others = sources(engine, about) - {gone}
    engine.undo(gone)
    assert about.id not in {one.id for one in summaries(engine)}
    engine.turn(MESSAGES[0].replace("day", "evening"))
    again = set().union(*(sources(engine, one) for one in summaries(engine)))
    assert others <= again and gone not in again


def test_it_is_made_in_the_background(engine: Thalamus) -> None:
    for message in MESSAGES:
        assert engine.answer_turn(message)[1]
    assert summaries(engine) == []
    for done in engine.finish_turns():
        assert done.problem is None
    assert summaries(engine)
