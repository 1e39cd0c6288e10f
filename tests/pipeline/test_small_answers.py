"""What a small model is given to answer a message."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec import structs

from thalamus import Thalamus
from thalamus.models.protocol import ChatRequest, Embedder, Message
from thalamus.models.scripted import ScriptedChat
from thalamus.pipeline.prompt import build_prompt
from thalamus.records import Turn
from thalamus.turn_run import TurnRun

NOTE = "I swell up from walnuts."


class Small(ScriptedChat):
    """A small model that takes what stands under "Notes" for the answer to any question about
    food, and "Write …" for a request; it cannot say yes or no at all unless it ``tells``."""

    def __init__(self, tells: bool = True) -> None:
        super().__init__()
        self.tells = tells

    def small(self) -> bool | None:
        return True

    def yes(self, request: ChatRequest) -> float | None:
        shown = request.messages[-1].content
        if not self.tells:
            return 0.5
        if shown.startswith("Message:"):
            return 0.95 if "Write" in shown else 0.1
        notes, _, question = shown.rpartition("Question:")
        plain = "my sister live" in question  # of the pair that it is tried with
        return 0.9 if plain or ("food" in question and "walnuts" in notes) else 0.1


class SmallWithWords(Small):
    """The same, behind a server that sends no probabilities: its word is no."""

    def yes(self, request: ChatRequest) -> float | None:
        found = super().yes(request)
        return None if found is None else float(found > 0.8)

    def gives_words(self) -> bool:
        return True


class OneModel:
    """Gives one model for every role, and the embedder that was there."""

    def __init__(self, model: ScriptedChat, embedder: Embedder | None) -> None:
        self.model = model
        self._embedder = embedder

    def chat(self, role: str) -> ScriptedChat:
        return self.model

    def embedder(self) -> Embedder | None:
        return self._embedder

    def reranker(self) -> None:
        return None

    def check_ability(self, role: str, what: str, find_out: Callable[[], bool]) -> bool:
        return find_out()


@pytest.fixture
def engine(thalamus: Thalamus) -> Thalamus:
    """An engine that was told of an allergy in words that no question about food has."""
    thalamus.turn(Turn(message=NOTE, session="first"))
    thalamus.turn(Turn(message="The kettle is broken again.", session="first"))
    return thalamus


def prompt(engine: Thalamus, message: str, tells: bool = True) -> list[Message]:
    engine.engine = structs.replace(
        engine.engine, models=OneModel(Small(tells), engine.engine.models.embedder())
    )
    turn = engine.turn(Turn(message=message, session="later"), flow="retrieve")
    return build_prompt(turn, TurnRun(engine.engine))[0]


def test_a_question_is_answered_from_the_nearest_notes_if_they_answer_it(
    engine: Thalamus,
) -> None:
    shown = prompt(engine, "Which food is bad for me?")
    assert NOTE in shown[-1].content and "from the memories" in shown[0].content


def test_so_is_one_without_a_question_mark(engine: Thalamus) -> None:
    shown = prompt(engine, "which food is bad for me")
    assert NOTE in shown[-1].content and "from the memories" in shown[0].content


def test_a_question_that_the_notes_do_not_answer_comes_without_them(engine: Thalamus) -> None:
    shown = prompt(engine, "Where was I born?")
    assert not any(NOTE in message.content for message in shown)
    assert "you know nothing yet" in shown[0].content


def test_without_probabilities_no_note_is_kept_from_a_question(engine: Thalamus) -> None:
    engine.engine = structs.replace(
        engine.engine, models=OneModel(SmallWithWords(), engine.engine.models.embedder())
    )
    turn = engine.turn(Turn(message="Where was I born?", session="later"), flow="retrieve")
    shown = build_prompt(turn, TurnRun(engine.engine))[0]
    assert NOTE in shown[-1].content and "from the memories" in shown[0].content


def test_a_request_is_shown_what_was_recalled_and_nothing_further(engine: Thalamus) -> None:
    assert NOTE not in prompt(engine, "Write a line about the sea.")[-1].content
    assert NOTE in prompt(engine, "Write about walnuts.")[-1].content


def test_a_model_that_cannot_tell_gets_only_what_was_recalled(engine: Thalamus) -> None:
    shown = prompt(engine, "Which food is bad for me?", tells=False)
    assert not any(NOTE in message.content for message in shown)
    *examples, last = prompt(engine, "Do walnuts suit me?", tells=False)[1:]
    assert NOTE in last.content
    spoken = " ".join(message.content for message in examples)
    assert "Who do we" in spoken and "haben" not in spoken
