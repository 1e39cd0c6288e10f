"""One decision per turn: what of the conversation stands in the prompt, and what leaves it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import ClassVar

import pytest
from msgspec import structs

from thalamus.api import Thalamus
from thalamus.engine import Engine
from thalamus.models.protocol import (
    ChatModel,
    ChatReply,
    ChatRequest,
    Embedder,
    TokenSink,
    alternating,
)
from thalamus.models.scripted import ScriptedChat, ScriptedEmbedder
from thalamus.pipeline.prompt import build_prompt
from thalamus.policy import prompt_budget
from thalamus.records import Dialogue, Importance, Memory, Reflection, Turn
from thalamus.turn_run import TurnRun

WINDOW = 800  # tokens of a small context
FILLING = (
    "The man walked along the river number {n} with his dog and looked at the boats that lay there "
    "in the rain, then he sat in a small café and read some pages of a book about lighthouses, "
    "and in the evening he cooked a soup of leeks and potatoes for the neighbours of house {n}."
)
SAID = [
    f"I have a {plant} on the sill of the window of room {n}, and I water it with the rain that I "
    f"gather in a barrel behind the house, and I talk to it about the {weather} while I do that."
    for n, (plant, weather) in enumerate(
        [
            ("cactus", "drought"),
            ("fern", "drizzle"),
            ("orchid", "hail"),
            ("rosemary", "thunder"),
            ("fuchsia", "frost"),
            ("ivy", "fog"),
            ("camellia", "sleet"),
        ]
    )
]


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

    def chat(self, role: str) -> ChatModel:
        return self.small

    def check_ability(self, role: str, what: str, find_out: Callable[[], bool]) -> bool:
        return find_out()

    def embedder(self) -> Embedder:
        return ScriptedEmbedder()


@pytest.fixture(params=["small context", "large context"])
def talked(request: pytest.FixtureRequest, thalamus: Thalamus) -> tuple[Thalamus, list[Turn]]:
    """A conversation of which not everything finds room."""
    if request.param == "small context":
        thalamus.engine = structs.replace(thalamus.engine, models=Models())
    return thalamus, [thalamus.turn(message) for message in SAID]


@pytest.mark.parametrize(
    "asked", ["Write a poem about the {}.", "What did I say about the {}?", "The {} has wilted."]
)
def test_no_exchange_is_neither_in_the_prompt_nor_allowed_as_evidence(
    talked: tuple[Thalamus, list[Turn]], asked: str
) -> None:
    thalamus, before = talked
    for said in before:
        plant = said.message.split()[3]
        turn = thalamus.turn(asked.format(plant), flow="retrieve")
        messages, _, _ = build_prompt(turn, TurnRun(thalamus.engine))
        found = {item.id for item in turn.evidence}
        prompt = "\n".join(message.content for message in messages)
        assert said.message in prompt or said.id in found, plant
        assert prompt.count(said.message) <= 1, plant
        assert turn.dialogue and not found & set(turn.dialogue.shown)


@pytest.mark.sqlite
def test_the_last_exchanges_are_read_once_in_a_turn(thalamus: Thalamus) -> None:
    thalamus.turn("I live in Porto.")
    thalamus.turn("My brother keeps bees.")
    read: list[str] = []
    thalamus.database._db.set_trace_callback(read.append)
    thalamus.turn("And my sister?")
    thalamus.database._db.set_trace_callback(None)
    turns = re.compile(r"\s*SELECT \* FROM turn WHERE")
    assert len([query for query in read if turns.match(query)]) == 1


def test_a_core_memory_stands_in_the_prompt_once(thalamus: Thalamus) -> None:
    thalamus.remember([Memory(content="The user is called Jo.", scope="core")])
    for message in ("What is the user called?", "Write a poem about the user Jo."):
        turn = thalamus.turn(message, flow="retrieve")
        messages, _, _ = build_prompt(turn, TurnRun(thalamus.engine))
        prompt = "\n".join(item.content for item in messages)
        assert prompt.count("The user is called Jo.") == 1
    # also when it comes with the evidence, from a plugin or from a pipe
    found = thalamus.recall("What is the user called?")
    turn = structs.replace(turn, evidence=found)
    messages, _, _ = build_prompt(turn, TurnRun(thalamus.engine))
    assert sum(item.content.count("The user is called Jo.") for item in messages) == 1


def test_a_core_memory_without_room_in_the_persona_is_allowed_as_evidence(
    thalamus: Thalamus,
) -> None:
    thalamus.remember([Memory(content="The user is called Jo.", scope="core")])
    config = structs.replace(thalamus.config, core_tokens=1)
    thalamus.engine = structs.replace(thalamus.engine, config=config)
    turn = thalamus.turn("What is the user called?", flow="retrieve")
    assert [item.text for item in turn.evidence] == ["The user is called Jo."]


def test_answer_writes_nothing(thalamus: Thalamus) -> None:
    config = structs.replace(thalamus.config, recent_messages=2)
    thalamus.engine = structs.replace(thalamus.engine, config=config)
    thalamus.turn("The shop on the corner sells green tea.")
    thalamus.turn("It opens at eight.")
    before = [*thalamus.store.export()]
    turn = thalamus.turn("I like black tea.", flow="retrieve,answer")
    assert turn.dialogue and len(turn.dialogue.evicted) == 1
    assert [*thalamus.store.export()] == before
    thalamus.run_stage("store", turn)
    assert thalamus.memories.find() == []


def test_what_left_the_prompt_is_recalled_as_the_turn_that_it_is(thalamus: Thalamus) -> None:
    config = structs.replace(thalamus.config, recent_messages=4)
    thalamus.engine = structs.replace(thalamus.engine, config=config)
    plants = ("cactus", "fern", "orchid", "rosemary", "fuchsia")
    for number, plant in enumerate(plants):
        turn = thalamus.turn(f"The {plant} in the shop on the corner has wilted.")
        evicted = turn.dialogue.evicted if turn.dialogue else []
        assert len(evicted) == max(0, number - 2)
    assert thalamus.memories.find() == []
    turn = thalamus.turn("What about the cactus?", flow="retrieve")
    assert "The cactus in the shop" in turn.evidence[0].text and turn.evidence[0].kind == "turn"


def test_a_conversation_of_forty_turns_in_a_small_context(thalamus: Thalamus) -> None:
    models = Models()
    thalamus.engine = structs.replace(thalamus.engine, models=models)
    first = thalamus.turn("My sister Ana keeps bees in Porto.")
    problems = list(first.issues)
    for number in range(1, 39):
        problems += thalamus.turn(FILLING.format(n=number)).issues
    last = thalamus.turn("Who keeps bees in Porto?")
    assert [*problems, *last.issues] == []
    assert len(models.small.answered) == 40
    assert max(models.small.answered) <= WINDOW
    assert "Ana" in (last.answer or "")
    assert first.id in [item.id for item in last.evidence]


def test_core_memories_have_their_own_budget(thalamus: Thalamus) -> None:
    importances: list[Importance] = ["low", "medium", "high", "high", "low", "medium"]
    thalamus.remember(
        [
            Memory(content=f"Note {n}. " + "word " * 30, scope="core", importance=importance)
            for n, importance in enumerate(importances)
        ]
    )
    config = structs.replace(thalamus.config, core_tokens=130)
    thalamus.engine = structs.replace(thalamus.engine, config=config)
    messages, _, _ = build_prompt(
        Turn(message="Hello there.", session="s"), TurnRun(thalamus.engine)
    )
    shown = "\n".join(message.content for message in messages)
    assert [n for n in range(6) if f"Note {n}." in shown] == [1, 2, 3]


def test_what_a_reflection_repeats_of_the_prompt_is_no_news(thalamus: Thalamus) -> None:
    """The exchanges that stood in the prompt are those of the decision."""
    first = thalamus.turn("The piano tuner comes on Friday.", flow="answer,store")
    memory = Memory(content="The piano tuner comes on Friday.", trust=0.5)
    reflection = Reflection(memories_to_store=[memory])
    for shown, rule in (([first.id or ""], "came_back"), ([], "new")):
        turn = Turn(
            message="When does he come?", session="main", dialogue=Dialogue(shown=shown),
            reflection=reflection,
        )  # fmt: skip
        [stored] = thalamus.remember([turn])
        assert isinstance(stored, Turn)
        assert [verdict.rule for verdict in stored.stored] == [rule]


class Strict(ScriptedChat):
    """A model with a template that wants user and assistant to alternate."""

    asked: ClassVar[list[list[str]]] = []

    def small(self) -> bool | None:
        return False

    def chat(self, request: ChatRequest, on_token: TokenSink | None = None) -> ChatReply:
        roles = [message.role for message in request.messages if message.role != "system"]
        assert roles == (["user", "assistant"] * len(roles))[: len(roles)], roles
        if request.role == "answer":
            self.asked.append([message.content for message in request.messages])
        return super().chat(request, on_token)


def test_messages_of_one_role_are_merged_for_the_model(thalamus: Thalamus) -> None:
    class Source(Models):
        def chat(self, role: str) -> ChatModel:
            return Strict()

    thalamus.engine = structs.replace(thalamus.engine, models=Source())
    for message in ("I planted a pear tree.", "Write a poem about it.", "Write a song too."):
        flow = "retrieve,reflect,store" if message == "Write a poem about it." else None
        turn = thalamus.turn(message, flow=flow)
        assert turn.issues == []
    last = Strict.asked[-1][-1]
    assert last.startswith("Write a poem about it.\n\n") and "Write a song too." in last
    assert alternating([]) == []


def prompt_after(thalamus: Thalamus, message: str) -> str:
    turn = thalamus.turn(message, flow="retrieve")
    messages, _, _ = build_prompt(turn, TurnRun(thalamus.engine))
    return "\n".join(item.content for item in messages).translate({ord(mark): "" for mark in "“”"})


@pytest.mark.parametrize("small", [True, False])
def test_what_was_corrected_is_marked_in_the_conversation(
    thalamus: Thalamus, monkeypatch: pytest.MonkeyPatch, small: bool
) -> None:
    thalamus.turn("I live in Dijon.")
    thalamus.turn("I have a cat named Fado.")
    [fact] = thalamus.facts.find(predicate="lives_in")
    thalamus.facts.correct(fact.id or "", object="Lyon")
    monkeypatch.setattr(Engine, "small", lambda self, role: small)
    asked = prompt_after(thalamus, "Where do I live?")
    assert "I live in Dijon. (no longer: lives_in Dijon was retracted)" in asked
    assert "The user lives in Lyon." in asked and "Fado" in asked


def test_what_has_ended_is_marked_in_the_conversation(thalamus: Thalamus) -> None:
    thalamus.turn("I live in Dijon.")
    thalamus.turn("I moved to Lyon.")
    asked = prompt_after(thalamus, "Where do I live since I moved?")
    assert "I live in Dijon. (no longer: lives_in Dijon ended" in asked
    assert "I moved to Lyon.\n" in asked


def test_what_had_ended_and_was_then_retracted_never_held(thalamus: Thalamus) -> None:
    thalamus.turn("I live in Dijon.")
    [fact] = thalamus.facts.find()
    thalamus.facts.end(fact.id or "", "2026-05-08T13:56:00Z")
    thalamus.facts.retract(fact.id or "")
    thalamus.new_session("another")
    [said] = [item for item in thalamus.recall("Do I live in Dijon?") if item.kind == "turn"]
    assert said.stale is not None and "lives_in Dijon was retracted" in said.stale
