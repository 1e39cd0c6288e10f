"""One decision per turn: what of the conversation stands in the prompt, and what leaves it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, ClassVar

import pytest
from msgspec import structs

from tests.pipeline.test_eviction import Models
from thalamus.api import Thalamus
from thalamus.models.protocol import Chat, ChatReply, ChatRequest, TokenSink, alternating
from thalamus.models.scripted import ScriptedChat
from thalamus.pipeline.prompt import build_prompt
from thalamus.records import Dialogue, Memory, Reflection, Turn
from thalamus.storage.protocol import Filter

Run = Callable[..., Any]
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


@pytest.fixture(params=["small context", "large context"])
def talked(request: pytest.FixtureRequest, thalamus: Thalamus) -> tuple[Thalamus, list[Turn]]:
    """A conversation of which not everything finds room."""
    if request.param == "small context":
        thalamus.context.models = Models()
    return thalamus, [thalamus.run_turn(message) for message in SAID]


@pytest.mark.parametrize(
    "asked", ["Write a poem about the {}.", "What did I say about the {}?", "The {} has wilted."]
)
def test_no_exchange_is_neither_in_the_prompt_nor_allowed_as_evidence(
    talked: tuple[Thalamus, list[Turn]], asked: str
) -> None:
    thalamus, before = talked
    for said in before:
        plant = said.message.split()[3]
        turn = thalamus.run_turn(asked.format(plant), flow="retrieve")
        messages, _, _ = build_prompt(turn, thalamus.context)
        found = {item.id for item in turn.evidence}
        prompt = "\n".join(message.content for message in messages)
        assert said.message in prompt or said.id in found, plant
        assert prompt.count(said.message) <= 1, plant
        assert turn.dialogue and not found & set(turn.dialogue.shown)


@pytest.mark.sqlite
def test_the_last_exchanges_are_read_once_in_a_turn(thalamus: Thalamus) -> None:
    thalamus.run_turn("I live in Porto.")
    thalamus.run_turn("My brother keeps bees.")
    read: list[str] = []
    thalamus.store._db.set_trace_callback(read.append)
    thalamus.run_turn("And my sister?")
    thalamus.store._db.set_trace_callback(None)
    turns = re.compile('SELECT .*"message".* FROM turn WHERE')
    assert len([query for query in read if turns.match(query)]) == 1


def test_a_core_memory_stands_in_the_prompt_once(thalamus: Thalamus) -> None:
    thalamus.remember([Memory(content="The user is called Jo.", scope="core")])
    for message in ("What is the user called?", "Write a poem about the user Jo."):
        turn = thalamus.run_turn(message, flow="retrieve")
        messages, _, _ = build_prompt(turn, thalamus.context)
        prompt = "\n".join(item.content for item in messages)
        assert prompt.count("The user is called Jo.") == 1
    # also when it comes with the evidence, from a plugin or from a pipe
    found = thalamus.retrieve("What is the user called?")
    turn = structs.replace(turn, evidence=found)
    messages, _, _ = build_prompt(turn, thalamus.context)
    assert sum(item.content.count("The user is called Jo.") for item in messages) == 1


def test_a_core_memory_without_room_in_the_persona_is_allowed_as_evidence(
    thalamus: Thalamus,
) -> None:
    thalamus.remember([Memory(content="The user is called Jo.", scope="core")])
    thalamus.context.config = structs.replace(thalamus.config, core_tokens=1)
    turn = thalamus.run_turn("What is the user called?", flow="retrieve")
    assert [item.text for item in turn.evidence] == ["The user is called Jo."]


def test_answer_writes_nothing(thalamus: Thalamus) -> None:
    thalamus.context.config = structs.replace(thalamus.config, dialogue_share=0.001)
    thalamus.run_turn("The shop on the corner sells green tea.")
    before = [*thalamus.export_memory()]
    turn = thalamus.run_turn("I like black tea.", flow="retrieve,answer")
    assert turn.dialogue and len(turn.dialogue.evicted) == 1
    assert [*thalamus.export_memory()] == before
    thalamus.run_stage("store", turn)
    assert [m.content for m in thalamus.memories(Filter(types=("exchange",)))] == [
        "The user said: The shop on the corner sells green tea."
    ]


def test_what_leaves_the_prompt_in_a_pipeline_is_kept_by_store(run: Run) -> None:
    narrow = {"THALAMUS_DIALOGUE_SHARE": "0.001"}
    run("turn", "The shop on the corner sells green tea.", env=narrow)
    record = json.dumps({"record": "turn", "message": "I like black tea."}) + "\n"
    for stage in ("retrieve", "answer", "store"):
        done = run(stage, input=record, env=narrow)
        assert done.code == 0, done.stderr
        record = done.stdout
        kept = run("memory", "--type", "exchange", "--json").records
        assert len(kept) == (1 if stage == "store" else 0)


def test_turns_stored_together_evict_like_turns_stored_alone(thalamus: Thalamus) -> None:
    """Several lines of a pipe may be stored in one transaction."""
    thalamus.remember(
        [Turn(message=said, session="main", id=f"turn_{n}") for n, said in enumerate(SAID)]
    )
    later = [
        Turn(message="Hello.", session="main", dialogue=Dialogue(shown=[], evicted=["turn_0"])),
        Turn(message="Hi again.", session="main", dialogue=Dialogue(shown=[], evicted=["turn_1"])),
    ]
    thalamus.remember(later)
    kept = thalamus.memories(Filter(types=("exchange",)))
    assert {memory.provenance.turn for memory in kept if memory.provenance} == {"turn_0", "turn_1"}


def test_an_exchange_of_another_session_is_not_evicted(thalamus: Thalamus) -> None:
    other = thalamus.run_turn(Turn(message="I like green tea.", session="other"))
    turn = Turn(message="Hello.", session="main", answer="Hi!")
    turn = thalamus.run_stage("retrieve", turn)
    turn.dialogue = Dialogue(evicted=[other.id or ""])
    thalamus.run_stage("store", turn)
    assert thalamus.memories(Filter(types=("exchange",))) == []


def test_what_a_reflection_repeats_of_the_prompt_is_no_news(thalamus: Thalamus) -> None:
    """The exchanges that stood in the prompt are those of the decision."""
    first = thalamus.run_turn("The piano tuner comes on Friday.", flow="answer,store")
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


def test_what_leaves_the_prompt_by_count_is_kept_once(
    run: Run, environment: dict[str, str]
) -> None:
    environment["THALAMUS_RECENT_MESSAGES"] = "4"
    for number, plant in enumerate(("cactus", "fern", "orchid", "rosemary", "fuchsia")):
        message = f"The {plant} in the shop on the corner has wilted."
        [turn] = run("turn", "--json", message).records
        evicted = (turn.get("dialogue") or {}).get("evicted", [])
        assert len(evicted) == max(0, number - 2)
    kept = run("memory", "--type", "exchange", "--json").records
    plants = sorted(re.findall(r"The (\w+) in", memory["content"])[0] for memory in kept)
    assert plants == ["cactus", "fern"]
    links = {memory["provenance"]["turn"] for memory in kept}
    assert len(links) == 2


def test_without_a_dialogue_nothing_leaves_it(run: Run, environment: dict[str, str]) -> None:
    environment["THALAMUS_RECENT_MESSAGES"] = "0"
    for message in SAID[:3]:
        run("turn", message)
    assert run("memory", "--type", "exchange", "--json").records == []


class Strict(ScriptedChat):
    """A model with a template that wants user and assistant to alternate."""

    asked: ClassVar[list[list[str]]] = []

    def chat(self, request: ChatRequest, on_token: TokenSink | None = None) -> ChatReply:
        roles = [message.role for message in request.messages if message.role != "system"]
        assert roles == (["user", "assistant"] * len(roles))[: len(roles)], roles
        if request.role == "answer":
            self.asked.append([message.content for message in request.messages])
        return super().chat(request, on_token)


def test_messages_of_one_role_are_merged_for_the_model(thalamus: Thalamus) -> None:
    class Source(Models):
        def chat(self, role: str) -> Chat:
            return Strict()

    thalamus.context.models = Source()
    for message in ("I planted a pear tree.", "Write a poem about it.", "Write a song too."):
        flow = "retrieve,reflect,store" if message == "Write a poem about it." else None
        turn = thalamus.run_turn(message, flow=flow)
        assert turn.issues == []
    last = Strict.asked[-1][-1]
    assert last.startswith("Write a poem about it.\n\n") and "Write a song too." in last
    assert alternating([]) == []


def prompt_after(thalamus: Thalamus, message: str) -> str:
    turn = thalamus.run_turn(message, flow="retrieve")
    messages, _, _ = build_prompt(turn, thalamus.context)
    return "\n".join(item.content for item in messages if item.role != "system")


def test_what_was_corrected_since_is_not_said_again_from_the_conversation(
    thalamus: Thalamus,
) -> None:
    thalamus.run_turn("My birthday is on 9 March.")
    thalamus.run_turn("I have a cat named Fado.")
    [fact] = thalamus.facts(predicate="birthday")
    thalamus.correct_fact(fact.id or "", object="9 May")
    asked = prompt_after(thalamus, "When is my birthday?")
    assert "9 May" in asked and "9 March" not in asked
    assert "Fado" in asked


@pytest.mark.parametrize("small", [True, False])
def test_a_large_model_sees_the_exchange_and_that_it_was_corrected(
    thalamus: Thalamus, monkeypatch: pytest.MonkeyPatch, small: bool
) -> None:
    monkeypatch.setattr(type(thalamus.context), "small", lambda self, role: small)
    thalamus.run_turn("My birthday is on 9 March.")
    [fact] = thalamus.facts(predicate="birthday")
    thalamus.correct_fact(fact.id or "", object="9 May")
    asked = prompt_after(thalamus, "Write a poem for a party.")
    assert ("9 March" in asked) is not small
    assert ("no longer: birthday 9 March was retracted" in asked) is not small


def test_what_has_ended_stands_in_the_notes_with_its_end(thalamus: Thalamus) -> None:
    thalamus.run_turn("I live in Dijon.")
    thalamus.run_turn("I moved to Lyon last week.")
    asked = prompt_after(thalamus, "Where do I live?")
    assert "Lyon" in asked
    assert "I live in Dijon.\n" not in asked


def test_what_the_user_corrected_stands_in_the_notes_as_corrected(thalamus: Thalamus) -> None:
    thalamus.run_turn("The circle meets on Thursdays at seven.")
    thalamus.run_turn("Sorry, on Wednesdays, not Thursdays.")
    asked = prompt_after(thalamus, "When does my circle meet?")
    assert "The circle meets on Wednesdays at seven." in asked
    assert "Thursdays" not in asked


def test_what_had_ended_and_was_then_retracted_never_held(thalamus: Thalamus) -> None:
    thalamus.run_turn("I live in Dijon.")
    [fact] = thalamus.facts()
    thalamus.end_fact(fact.id or "", "2026-05-08T13:56:00Z")
    thalamus.retract_fact(fact.id or "")
    thalamus.reset_session("another")
    [said] = [item for item in thalamus.retrieve("Do I live in Dijon?") if item.kind == "turn"]
    assert said.stale is not None and "lives_in Dijon was retracted" in said.stale
