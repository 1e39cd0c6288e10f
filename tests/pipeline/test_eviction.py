"""A conversation that is longer than the model's context."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import structs

from thalamus.api import Thalamus
from thalamus.memory.links import links as links_of
from thalamus.models.protocol import Chat, ChatReply, ChatRequest, Embedder, TokenSink
from thalamus.models.scripted import ScriptedChat, ScriptedEmbedder
from thalamus.pipeline.prompt import build_prompt
from thalamus.policy import prompt_budget
from thalamus.records import Event, Memory, Turn
from thalamus.storage.protocol import Filter

WINDOW = 800
FILLING = (
    "I walked along the river number {n} with the dog and looked at the boats that lay there in "
    "the rain, then I sat in a small café and read some pages of a long book about lighthouses, "
    "and in the evening I cooked a soup of leeks and potatoes for the neighbours of house {n}."
)


class Small(ScriptedChat):
    """The scripted model with a small context, which remembers how large its prompts were."""

    def __init__(self) -> None:
        super().__init__()
        self.answered: list[int] = []

    def context(self) -> int:
        return WINDOW

    def chat(self, request: ChatRequest, on_token: TokenSink | None = None) -> ChatReply:
        size = sum(prompt_budget.estimate_tokens(message.content) for message in request.messages)
        if request.role == "answer":
            self.answered.append(size + request.max_tokens)
        return super().chat(request, on_token)


class Models:
    """Gives the small model for every role."""

    def __init__(self) -> None:
        self.small = Small()

    def chat(self, role: str) -> Chat:
        return self.small

    def embedder(self) -> Embedder:
        return ScriptedEmbedder()


@pytest.fixture
def talking(thalamus: Thalamus) -> tuple[Thalamus, Small]:
    models = Models()
    thalamus.context.models = models
    return thalamus, models.small


def kept_exchanges(thalamus: Thalamus) -> list[Memory]:
    return thalamus.memories(Filter(types=("exchange",)), limit=1000)


def test_a_conversation_of_sixty_turns_in_a_small_context(
    talking: tuple[Thalamus, Small],
) -> None:
    thalamus, model = talking
    first = thalamus.run_turn("My sister Ana keeps bees in Porto.")
    problems: list[Any] = list(first.issues)
    for n in range(1, 59):
        problems += thalamus.run_turn(FILLING.format(n=n)).issues
    last = thalamus.run_turn("Who keeps bees in Porto?")
    assert [*problems, *last.issues] == []
    assert len(model.answered) == 60
    assert max(model.answered) <= WINDOW
    assert "Ana" in (last.answer or "")
    assert any(first.id == (item.provenance and item.provenance.turn) for item in last.evidence)

    exchanges = kept_exchanges(thalamus)
    turns = [memory.provenance.turn for memory in exchanges if memory.provenance]
    assert len(turns) == len(set(turns)) > 50
    assert first.id in turns
    links = {link.target for link in links_of(thalamus.store, exchanges[-1].id or "")}
    assert turns[-1] in links
    assert all(memory.scope == "episodic" for memory in exchanges)
    assert max(len(memory.content) for memory in exchanges) < 450


def test_nothing_is_evicted_from_a_context_that_has_room(thalamus: Thalamus) -> None:
    for n in range(6):
        thalamus.run_turn(f"I like colour {n}.")
    assert kept_exchanges(thalamus) == []


def test_the_share_of_the_context_is_a_setting(home: Any, thalamus: Thalamus) -> None:
    settings = {"home": str(home), "model": "scripted", "embedder": "scripted"}
    with Thalamus(clock=thalamus.clock, dialogue_share=0.001, **settings) as narrow:
        narrow.run_turn("I like green tea.")
        narrow.run_turn("I like black tea.")
        assert [memory.content for memory in kept_exchanges(narrow)] == [
            "The user said: I like green tea."
        ]
        events = [event for event in narrow.store.events() if event.name == "evicted"]
        assert len(events) == 1 and isinstance(events[0], Event)


@pytest.mark.sqlite
def test_a_store_that_cannot_be_written_stops_no_answer(talking: tuple[Thalamus, Small]) -> None:
    thalamus, _ = talking
    for n in range(4):
        thalamus.run_turn(FILLING.format(n=n))
    before = len(kept_exchanges(thalamus))
    thalamus.store._db.execute("PRAGMA query_only = ON")
    for flow, told in (("retrieve,answer", []), ("retrieve,answer,store", ["store"])):
        turn = thalamus.run_turn(FILLING.format(n=5), flow=flow)
        assert turn.answer and turn.dialogue and turn.dialogue.evicted
        assert [issue.stage for issue in turn.issues] == told
        assert len(kept_exchanges(thalamus)) == before


def test_core_memories_have_their_own_budget(home: Any, thalamus: Thalamus) -> None:
    importances = ["low", "medium", "high", "high", "low", "medium"]
    notes = [
        Memory(content=f"Note {n}. " + "word " * 30, scope="core", importance=importance)  # type: ignore[arg-type]
        for n, importance in enumerate(importances)
    ]
    thalamus.remember(notes)
    settings = {"home": str(home), "model": "scripted", "embedder": "scripted"}
    with Thalamus(clock=thalamus.clock, core_tokens=130, **settings) as small:
        turn = Turn(message="Hello there.", session="s")
        system = build_prompt(turn, small.context)[0][0].content
    persona = system.partition("<persona>")[2].partition("</persona>")[0]
    assert [n for n in range(6) if f"Note {n}." in persona] == [1, 2, 3]


def test_what_was_corrected_is_not_kept_when_it_leaves_the_prompt(thalamus: Thalamus) -> None:
    thalamus.run_turn("My birthday is on 9 March.")
    thalamus.run_turn("I live in Dijon.")
    [birthday] = thalamus.facts(predicate="birthday")
    [home] = thalamus.facts(predicate="lives_in")
    thalamus.correct_fact(birthday.id or "", object="9 May")
    thalamus.end_fact(home.id or "", "2026-05-08T13:56:00Z")
    thalamus.context.config = structs.replace(thalamus.config, recent_messages=2)
    thalamus.run_turn("I have a cat named Fado.")
    thalamus.run_turn("I grow leeks.")
    [kept, *_] = thalamus.memories(Filter(types=("exchange",)))
    contents = [memory.content for memory in thalamus.memories(Filter(types=("exchange",)))]
    assert not any("9 March" in content for content in contents)
    assert kept.content == "The user said: I live in Dijon."
    assert kept.stale is not None and "lives_in Dijon ended" in kept.stale
