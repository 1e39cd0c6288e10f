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
    "The man walked along the river number {n} with his dog and looked at the boats that lay there "
    "in the rain, then he sat in a small café and read some pages of a book about lighthouses, "
    "and in the evening he cooked a soup of leeks and potatoes for the neighbours of house {n}."
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
    assert first.id not in turns  # a memory says it already
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
        narrow.run_turn("The shop on the corner sells green tea.")
        narrow.run_turn("I like black tea.")
        assert [memory.content for memory in kept_exchanges(narrow)] == [
            "The user said: The shop on the corner sells green tea."
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
    thalamus.run_turn("My birthday is on 9 March. Somebody there had balloons.")
    thalamus.run_turn("I live in Dijon. Somebody there had mustard.")
    [birthday] = thalamus.facts(predicate="birthday")
    [home] = thalamus.facts(predicate="lives_in")
    thalamus.correct_fact(birthday.id or "", object="9 May")
    thalamus.end_fact(home.id or "", "2026-05-08T13:56:00Z")
    thalamus.context.config = structs.replace(thalamus.config, recent_messages=2)
    thalamus.run_turn("I have a cat named Fado.")
    thalamus.run_turn("I grow leeks.")
    [kept] = kept_exchanges(thalamus)
    assert kept.content == "The user said: I live in Dijon. Somebody there had mustard."
    assert kept.stale is not None and "lives_in Dijon ended" in kept.stale


def test_what_memories_say_already_is_not_kept_once_more(thalamus: Thalamus) -> None:
    thalamus.context.config = structs.replace(thalamus.config, recent_messages=2)
    thalamus.run_turn("I have a cat named Fado, by the way.")
    thalamus.run_turn("My brother Tom keeps bees. Somebody there had a sale of honey jars.")
    thalamus.run_turn("I grow leeks.")
    thalamus.run_turn("Thanks!")
    assert [memory.content for memory in kept_exchanges(thalamus)] == [
        "The user said: My brother Tom keeps bees. Somebody there had a sale of honey jars."
    ]


@pytest.mark.parametrize(
    ("first", "said"),
    [
        ("My birthday is on 9 March.", "Sorry, my birthday is on 19 March, not 9 March."),
        ("I'm restoring a boat for a museum in Bodø.", "Sorry, the museum is in Tromsø, not Bodø."),
        ("I live in Porto.", "Write me a poem about the sea."),
        ("I live in Porto.", "I can't stand coriander."),  # which is read as "I hate"
    ],
)
def test_what_leaves_no_copy(thalamus: Thalamus, first: str, said: str) -> None:
    thalamus.context.config = structs.replace(thalamus.config, recent_messages=2)
    thalamus.run_turn(first)
    thalamus.run_turn(said)
    thalamus.run_turn("I grow leeks.")
    thalamus.run_turn("Thanks!")
    assert kept_exchanges(thalamus) == []


@pytest.fixture
def told(thalamus: Thalamus) -> Memory:
    """The copy of an exchange that left the prompt and of which a memory says a part."""
    thalamus.context.config = structs.replace(thalamus.config, recent_messages=2)
    thalamus.run_turn("I live in Dijon. Somebody at the harbour had a sale of mustard.")
    thalamus.run_turn("I grow leeks.")
    thalamus.run_turn("Thanks!")
    [kept] = kept_exchanges(thalamus)
    return kept


def test_a_memory_corrected_by_hand_takes_the_copy_of_its_exchange_along(
    thalamus: Thalamus, told: Memory
) -> None:
    [home] = [one for one in thalamus.memories() if one.content == "The user lives in Dijon."]
    new = thalamus.edit_memory(home.id or "", content="The user lives in Lyon.")
    assert kept_exchanges(thalamus) == []
    [ended] = thalamus.memories(Filter(types=("exchange",), status="superseded"))
    assert ended.id == told.id
    assert told.id in {link.target for link in links_of(thalamus.store, new.id or "")}
    thalamus.undo()
    assert [memory.id for memory in kept_exchanges(thalamus)] == [told.id]


def test_the_copy_of_an_exchange_holds_no_longer_than_its_turn(
    thalamus: Thalamus, told: Memory
) -> None:
    [home] = thalamus.facts(predicate="lives_in")
    thalamus.end_fact(home.id or "", "2026-05-08T13:56:00Z")
    found = {item.id: item for item in thalamus.retrieve("Where is the sale of mustard?")}
    assert "lives_in Dijon ended" in (found[told.id or ""].stale or "")


def test_what_was_distilled_with_a_turn_goes_with_it(talking: tuple[Thalamus, Small]) -> None:
    thalamus, _ = talking
    turn, n = thalamus.run_turn("Hello."), 0
    while not kept_exchanges(thalamus):
        turn = thalamus.run_turn(FILLING.format(n=(n := n + 1)))
    undone = thalamus.undo_turn(turn.id)
    assert kept_exchanges(thalamus) == []
    assert "memory" in [verdict.reason for verdict in undone]
    thalamus.run_turn(FILLING.format(n=n))
    assert kept_exchanges(thalamus)  # it left the prompt again
