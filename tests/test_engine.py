"""The Python API."""

from __future__ import annotations

from pathlib import Path

import pytest

from thalamus import Thalamus
from thalamus.errors import NoStore
from thalamus.models.protocol import Message
from thalamus.records import Fact, Link, Memory, Turn
from thalamus.stages.answer import build_prompt


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
        turn = thalamus.run_turn("When is Juno's birthday, my daughter's?", flow="retrieve")
        [system, *_], _, _ = build_prompt(turn, thalamus.context)
    assert ("nobody has told you" in system.content) == (not known)
    assert "Juno is 9" in system.content


def test_a_reaction_to_one_statement_is_no_pattern_for_the_next(thalamus: Thalamus) -> None:
    thalamus.run_turn("I moved to Lisbon in May.", flow="answer,store")
    for message, shown in (
        ("My brother Joost repairs organs in Ghent.", False),
        ("With my brother.", True),  # may reply to what was asked
        ("Which organs are there in Ghent?", True),
    ):
        messages, _, _ = build_prompt(Turn(message=message, session="main"), thalamus.context)
        assert ("assistant" in [item.role for item in messages]) == shown, message


def test_without_any_note_a_question_about_oneself_is_unknown(thalamus: Thalamus) -> None:
    [system, *_], _, _ = build_prompt(Turn(message="Where do I live?"), thalamus.context)
    assert "nobody has told you" in system.content


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
