"""The Python API."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from msgspec import structs

from thalamus import Thalamus
from thalamus.context import ModelSource
from thalamus.errors import NoStore
from thalamus.models.protocol import ChatReply, ChatRequest, Embedder, Message, Role, TokenSink
from thalamus.models.scripted import ScriptedChat
from thalamus.pipeline.prompt import build_prompt
from thalamus.records import Fact, Link, Memory, Turn


def test_a_conversation_that_is_remembered(thalamus: Thalamus) -> None:
    first = thalamus.run_turn("I moved to Lisbon in May.")
    assert first.issues == []
    thalamus.reset_session()
    second = thalamus.process_user_message("Where do I live?")
    assert "Lisbon" in (second.answer or "")
    assert [fact.object for fact in thalamus.facts("user")] == ["Lisbon"]
    assert [memory.content for memory in thalamus.memories()] == [
        "The user moved to Lisbon in May."
    ]


def test_a_model_is_asked_how_sure_it_is(tmp_path: Path) -> None:
    play = tmp_path / "play.yaml"
    play.write_text("[{role: verify, match: Oslo, reply: 0.2}]")
    with Thalamus(home=str(tmp_path), model=f"scripted:{play}") as thalamus:
        ask = [Message("user", "Does the user live in Oslo? Answer yes or no.")]
        assert thalamus.context.yes("verify", ask) == 0.2
        assert thalamus.context.yes("verify", [Message("user", "In Rome?")]) is None


@pytest.mark.parametrize(("probability", "known"), [(0.9, True), (0.1, False)])
def test_what_the_notes_do_not_say_is_not_answered_from_them(
    tmp_path: Path, probability: float, known: bool
) -> None:
    play = tmp_path / "play.yaml"
    play.write_text(f"[{{role: verify, match: 'Question: When', reply: {probability}}}]")
    with Thalamus(home=str(tmp_path), model=f"scripted:{play}", embedder="scripted") as thalamus:
        thalamus.run_turn("My daughter Juno is 9.", flow="reflect,store")
        for question in ("When is Juno's birthday, my daughter's?", "When was Juno born?"):
            turn = thalamus.run_turn(question, flow="retrieve")
            [system, *_, last], used, _ = build_prompt(turn, thalamus.context)
            assert ("has not told you" in system.content) == (not known), question
            assert ("Juno is 9" in last.content) == known
            assert bool(used) == known


def test_a_question_about_the_world_is_answered_like_a_request(thalamus: Thalamus) -> None:
    thalamus.run_turn("I moved to Lisbon in May.", flow="reflect,store")
    turn = thalamus.run_turn("Why is the sky blue?", flow="retrieve")
    [system, *_, last], _, _ = build_prompt(turn, thalamus.context)
    assert "Do what the user asks" in system.content
    assert last.content.endswith("Why is the sky blue?")


def test_what_was_just_said_is_a_note_for_a_question_about_oneself(thalamus: Thalamus) -> None:
    thalamus.run_turn("The piano tuner comes on Friday.", flow="answer,store")
    turn = Turn(message="When does my tuner come?", session="main")
    messages, _, _ = build_prompt(turn, thalamus.context)
    assert "- The piano tuner comes on Friday." in messages[-1].content
    assert "Noted" not in "".join(item.content for item in messages)


class Sized(ScriptedChat):
    """A scripted model of a size that is known."""

    def __init__(self, small: bool, replies: list[str]) -> None:
        super().__init__()
        self._small, self._replies = small, replies

    def small(self) -> bool:
        return self._small

    def chat(self, request: ChatRequest, on_token: TokenSink | None = None) -> ChatReply:
        reply = super().chat(request, on_token)
        return structs.replace(reply, text=self._replies.pop(0)) if self._replies else reply


def shown(tmp_path: Path, small: bool, replies: list[str]) -> tuple[list[str], str]:
    """The replies that stand in the prompt of a statement, and its last message."""
    model = Sized(small, list(replies))
    with Thalamus(home=str(tmp_path), model="scripted", embedder="scripted") as thalamus:
        thalamus.context.models = OneModel(model, thalamus.context.models)
        for message in ("I moved to Lisbon in May.", "My brother Joost repairs organs."):
            thalamus.run_turn(message, flow="answer,reflect,store")
        turn = thalamus.run_turn("Joost has moved to Lisbon too.", flow="retrieve")
        messages, _, _ = build_prompt(turn, thalamus.context)
    return [m.content for m in messages if m.content in replies], messages[-1].content


@dataclass
class OneModel:
    model: Sized
    others: ModelSource

    def chat(self, role: Role) -> Sized:
        return self.model

    def embedder(self) -> Embedder | None:
        return self.others.embedder()


def test_a_large_model_sees_the_dialogue_and_the_notes(tmp_path: Path) -> None:
    replies, last = shown(tmp_path, False, ["How is Lisbon?", "Organs, how grand!"])
    assert replies == ["How is Lisbon?", "Organs, how grand!"]
    assert "<memories>" in last and "Joost" in last.split("</memories>")[0]


def test_a_small_model_sees_only_the_last_exchange_of_a_plain_conversation(tmp_path: Path) -> None:
    replies, last = shown(tmp_path, True, ["How is Lisbon?", "Organs, how grand!"])
    assert replies == ["Organs, how grand!"]
    assert last == "Joost has moved to Lisbon too."


@pytest.mark.parametrize(
    "fault", ["I'm sorry, but I can't help with that.", "My brother Joost repairs organs!"]
)
def test_a_small_model_does_not_see_its_own_refusals_and_echoes(tmp_path: Path, fault: str) -> None:
    assert shown(tmp_path, True, ["How is Lisbon?", fault])[0] == ["How is Lisbon?"]


def test_without_any_note_a_question_about_oneself_is_unknown(thalamus: Thalamus) -> None:
    [system, *_], _, _ = build_prompt(Turn(message="Where do I live?"), thalamus.context)
    assert "has not told you" in system.content


def test_without_a_store_nothing_can_be_asked(thalamus: Thalamus) -> None:
    with pytest.raises(NoStore):
        thalamus.retrieve("anything")


def test_a_document(thalamus: Thalamus, tmp_path: Path) -> None:
    path = tmp_path / "pond.md"
    path.write_text("# Pond\n\nHerons come at dawn.\n")
    assert thalamus.ingest_document(path, summary=False).status == "ingested"
    assert thalamus.import_document(str(path)).status == "unchanged"
    assert thalamus.retrieve("herons")[0].kind == "document"


def test_future_facts_do_not_hold_yet(thalamus: Thalamus) -> None:
    given = {"subject": "user", "predicate": "lives_in"}
    thalamus.remember([Fact(object="Lisbon", valid_from="2024-05-01", **given)])
    thalamus.remember([Fact(object="Rome", valid_from="2030-01-01", **given)])
    assert [fact.object for fact in thalamus.facts()] == ["Lisbon"]
    assert [fact.object for fact in thalamus.facts(as_of="2031-01-01T00:00:00Z")] == ["Rome"]
    assert len(thalamus.facts(history=True)) == 2


def test_what_is_exported_can_be_imported(thalamus: Thalamus, tmp_path: Path) -> None:
    thalamus.run_turn("I moved to Lisbon in May and I prefer short answers.")
    exported = list(thalamus.export_memory())
    settings = {"model": "scripted", "embedder": "scripted"}
    with Thalamus(home=str(tmp_path / "other"), clock=thalamus.clock, **settings) as other:
        added = other.import_memory(exported)
        assert added["turn"] == 1
        assert list(other.export_memory()) == exported
        assert other.import_memory(exported) == {}
        assert other.retrieve("Where does the user live?")[0].id
    kinds = {type(record) for record in exported}
    assert {Turn, Memory, Fact, Link} <= kinds
