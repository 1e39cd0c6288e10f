"""The Python API."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import pytest
from msgspec import structs

from tests.stored import store_of
from thalamus import Thalamus, api
from thalamus.api import aio
from thalamus.diagnostics import examine
from thalamus.engine import ModelSource
from thalamus.errors import NoStore, NothingFound, UsageError
from thalamus.evaluation.compare import compare_files
from thalamus.evaluation.demo import SCRIPTED, Demo
from thalamus.evaluation.memory_run import MemoryEvaluationRun, MemoryRun
from thalamus.evaluation.retrieval_run import RetrievalEvaluation, RetrievalRun
from thalamus.evaluation.statements import Choice
from thalamus.memory.forget.erase import ForgetOptions
from thalamus.models.protocol import ChatReply, ChatRequest, Embedder, Message, Role, TokenSink
from thalamus.models.scripted import ScriptedChat
from thalamus.pipeline.prompt import build_prompt
from thalamus.records import Alias, Fact, Link, Memory, Turn
from thalamus.transfer.export import Selection, export_lines
from thalamus.transfer.markdown import export_markdown
from thalamus.turn_run import TurnRun


def test_a_conversation_that_is_remembered(thalamus: Thalamus) -> None:
    first = thalamus.turn("I moved to Lisbon in May.")
    assert first.issues == []
    thalamus.new_session()
    second = thalamus.turn("Where do I live?")
    assert "Lisbon" in (second.answer or "")
    assert [fact.object for fact in thalamus.facts.find("user")] == ["Lisbon"]
    assert [memory.content for memory in thalamus.memories.find()] == ["I moved to Lisbon in May."]


def test_a_model_is_asked_how_sure_it_is(tmp_path: Path) -> None:
    play = tmp_path / "play.yaml"
    play.write_text("[{role: verify, match: Oslo, reply: 0.2}]")
    with Thalamus(home=str(tmp_path), model=f"scripted:{play}") as thalamus:
        ask = [Message("user", "Does the user live in Oslo? Answer yes or no.")]
        assert TurnRun(thalamus.engine).yes("verify", ask) == 0.2
        assert TurnRun(thalamus.engine).yes("verify", [Message("user", "In Rome?")]) is None


class Sized(ScriptedChat):
    """A scripted model of a size that is known."""

    def __init__(self, small: bool, replies: list[str]) -> None:
        super().__init__()
        self._small, self._replies = small, replies

    def small(self) -> bool:
        return self._small

    def billions(self) -> float | None:
        return 1.5 if self._small else 8.0

    def chat(self, request: ChatRequest, on_token: TokenSink | None = None) -> ChatReply:
        reply = super().chat(request, on_token)
        answers = request.role == "answer" and self._replies
        return structs.replace(reply, text=self._replies.pop(0)) if answers else reply


@dataclass
class OneModel:
    model: Sized
    others: ModelSource

    def chat(self, role: Role) -> Sized:
        return self.model

    def embedder(self) -> Embedder | None:
        return self.others.embedder()

    def check_ability(self, role: Role, what: str, find_out: Callable[[], bool]) -> bool:
        return find_out()


@pytest.mark.parametrize("small", [True, False])
def test_a_model_sees_the_dialogue_and_the_notes(tmp_path: Path, small: bool) -> None:
    """A small one sees no dialogue, for it copies its own phrases, where a message says something
    without it."""
    replies = ["I see.", "How is Lisbon?", "Organs, how grand!"]
    with Thalamus(home=str(tmp_path), model="scripted", embedder="scripted") as thalamus:
        thalamus.engine = structs.replace(
            thalamus.engine, models=OneModel(Sized(small, list(replies)), thalamus.engine.models)
        )
        thalamus.remember([Memory(content="Joost plays the organ of the old church.")])
        for message in ("It rains.", "I moved to Lisbon in May.", "My brother Joost is here."):
            thalamus.turn(message, flow="answer,reflect,store")
        turn = thalamus.turn("Where does Joost live now?", flow="retrieve")
        messages, _, _ = build_prompt(turn, TurnRun(thalamus.engine))
    shown = [m.content for m in messages if m.content in replies]
    assert shown == ([] if small else replies)
    notes, _, said = messages[-1].content.partition("</memories>")
    assert "<memories>" in notes and "Joost plays the organ of the old church." in notes
    assert said.strip() == "Where does Joost live now?"


def test_without_a_store_nothing_can_be_asked(thalamus: Thalamus) -> None:
    with pytest.raises(NoStore):
        thalamus.recall("anything")


def test_a_document(thalamus: Thalamus, tmp_path: Path) -> None:
    path = tmp_path / "pond.md"
    path.write_text("# Pond\n\nHerons come at dawn.\n")
    assert thalamus.ingest(path, summary=False).status == "ingested"
    assert thalamus.ingest(str(path)).status == "unchanged"
    assert thalamus.recall("herons")[0].kind == "document"


def test_chunks_of_documents_are_no_memories(thalamus: Thalamus, tmp_path: Path) -> None:
    path = tmp_path / "pond.md"
    path.write_text("# Pond\n\nHerons come at dawn.\n")
    thalamus.ingest(path, summary=False)
    thalamus.remember([Memory(content="The user likes herons.")])
    assert [memory.content for memory in thalamus.memories.find()] == ["The user likes herons."]
    assert len(thalamus.memories.find(thalamus.here())) == 2


def test_future_facts_do_not_hold_yet(thalamus: Thalamus) -> None:
    given = {"subject": "user", "predicate": "lives_in"}
    thalamus.remember([Fact(object="Lisbon", valid_from="2024-05-01", **given)])
    thalamus.remember([Fact(object="Rome", valid_from="2030-01-01", **given)])
    assert [fact.object for fact in thalamus.facts.find()] == ["Lisbon"]
    assert [fact.object for fact in thalamus.facts.find(as_of="2031-01-01T00:00:00Z")] == ["Rome"]
    assert len(thalamus.facts.find(history=True)) == 2


def test_what_is_exported_can_be_imported(thalamus: Thalamus, tmp_path: Path) -> None:
    thalamus.turn("I moved to Lisbon in May and I prefer short answers.")
    exported = list(thalamus.store.export())
    place = tmp_path / "other"
    settings = {"store": store_of(place), "model": "scripted", "embedder": "scripted"}
    with Thalamus(home=str(place), clock=thalamus.clock, **settings) as other:
        added = other.store.import_memory(exported)
        assert added["turn"] == 1
        assert list(other.store.export()) == exported
        assert other.store.import_memory(exported) == {}
        assert other.recall("Where does the user live?")[0].id
    kinds = {type(record) for record in exported}
    assert {Turn, Memory, Fact, Link} <= kinds


# what each command does, in Python
VIEWS = sorted(aio.VIEWS)
# what commands and interfaces use, and a program hardly ever
INTERNAL = {*api.INTERNAL, "close", "events"}


def public(thing: object) -> set[str]:
    return {name for name in dir(type(thing)) if not name.startswith("_")}


def test_completion_shows_what_is_described(thalamus: Thalamus) -> None:
    shown = dir(thalamus)
    assert len(shown) < 45 and {"turn", "recall", "memories", "close"} <= {*shown}
    assert not api.INTERNAL.intersection(shown)
    assert hasattr(type(thalamus), "database")


def test_every_method_is_described(thalamus: Thalamus) -> None:
    page = (Path(__file__).parent.parent / "docs" / "python.md").read_text()
    names = public(thalamus) - {*VIEWS, *INTERNAL}
    for view in VIEWS:
        names |= {f"{view}.{name}" for name in public(getattr(thalamus, view))}
    assert [name for name in sorted(names) if f"`{name}" not in page] == []


def test_the_answer_of_a_turn_is_streamed(thalamus: Thalamus) -> None:
    *pieces, turn = thalamus.stream_turn("I moved to Lisbon in May.")
    assert isinstance(turn, Turn) and "".join(map(str, pieces)) == turn.answer
    assert [fact.object for fact in thalamus.facts.find("user")] == ["Lisbon"]


def test_a_stream_that_is_closed_early_cancels_its_turn(thalamus: Thalamus) -> None:
    pieces = thalamus.stream_turn("I moved to Lisbon in May.")
    next(pieces)
    cast("Generator[object]", pieces).close()
    assert thalamus.turn("Where do I live?").answer


def test_facts_from_assertion_to_correction(thalamus: Thalamus) -> None:
    given = {"subject": "user", "predicate": "lives_in"}
    first, verdicts = thalamus.facts.add(Fact(object="Rome", **given))
    assert verdicts == []
    second, verdicts = thalamus.facts.add(Fact(object="Lisbon", **given))
    assert [verdict.decision for verdict in verdicts] == ["supersede"]
    assert thalamus.store.find_id(str(second.id)) == second.id
    assert thalamus.facts.last("user", "lives_in", "lisbon", before="2099-01-01").id == second.id
    corrected = thalamus.facts.correct(str(second.id), "Porto")
    assert [fact.object for fact in thalamus.facts.timeline("user", "lives_in")] == [
        "Rome",
        "Porto",
    ]
    assert thalamus.facts.get(str(corrected.id)).object == "Porto"
    assert first.id in {fact.id for fact in thalamus.facts.find(predicate="lives in", history=True)}
    thalamus.facts.retract(str(corrected.id), "it was wrong")
    with pytest.raises(NothingFound):
        thalamus.facts.last("user", "lives_in", "Oslo", before="2099-01-01")
    with pytest.raises(NothingFound):
        thalamus.facts.get("fact_none")


def test_predicates_and_names(thalamus: Thalamus) -> None:
    thalamus.facts.add(Fact(subject="Ana", predicate="mentors", object="Bea"))
    entry, changes = thalamus.facts.set_predicate(
        "mentors", cardinality="one", spellings=["coaches"]
    )
    assert entry.cardinality == "one" and changes == []
    assert thalamus.facts.predicate("coaches").name == "mentors"
    assert "lives_in" in {known.name for known in thalamus.facts.predicates()}
    with pytest.raises(UsageError):
        thalamus.facts.set_predicate("mentors", opposite="mentors", cardinality="many")
    thalamus.facts.merge("Anna", "Ana")
    assert [type(alias) for alias in thalamus.facts.aliases()] == [Alias]
    assert thalamus.facts.same_entity("anna", "Ana") and not thalamus.facts.same_entity(
        "Bea", "Ana"
    )
    assert thalamus.facts.merge("Anna", "Ana") == []
    assert "Ana" in {name for name, _, _ in thalamus.facts.entities()}


def test_where_it_came_from_and_what_was_done(thalamus: Thalamus) -> None:
    turn = thalamus.turn("I moved to Lisbon in May.")
    [memory] = thalamus.memories.find()
    origin = thalamus.why(memory.id)
    assert origin.kind == "memory" and origin.origins[0].id == turn.id
    assert thalamus.why().id == thalamus.sessions.last_turn() == turn.id
    assert thalamus.store.describe("nothing").kind == "missing"
    assert thalamus.sessions.last_turns(3) == [turn.id]
    assert {event.name for event in thalamus.sessions.trace(str(turn.id))} >= {"stage"}
    assert {link.target for link in thalamus.store.links(str(memory.id))} >= {turn.id}
    assert thalamus.store.get(str(memory.id)) == memory
    with pytest.raises(NothingFound):
        thalamus.sessions.trace("turn_none")


def test_a_selection_is_exported_as_records_lines_and_markdown(thalamus: Thalamus) -> None:
    thalamus.turn("I moved to Lisbon in May.")
    chosen = Selection(kinds=("fact",))
    assert [type(record) for record in thalamus.store.export(chosen)] == [Fact]
    assert len(list(export_lines(thalamus.database, chosen))) == 1
    assert any(
        "Lisbon" in line
        for line in export_markdown(thalamus.database, None, TurnRun(thalamus.engine).zone)
    )


def test_backup_keys_and_verification(thalamus: Thalamus, tmp_path: Path) -> None:
    thalamus.remember([Memory(content="The tide is high.")])
    copy = tmp_path / "copy.db"
    assert (
        thalamus.store.backup(copy)["memory"] == thalamus.store.inspect_backup(copy)["memory"] == 1
    )
    with pytest.raises(UsageError, match="exists already"):
        thalamus.store.backup(copy)
    with thalamus.store.verify() as verified:
        assert list(verified.findings()) == []
    before = thalamus.keys.state()["fingerprint"]
    assert thalamus.keys.rotate()["before"] == before
    assert thalamus.keys.adopt()["key"] == thalamus.keys.state()["fingerprint"] != before
    thalamus.remember([Memory(content="The tide is low.")])
    kept = thalamus.store.restore(copy)
    assert kept is not None and kept.is_file()
    assert [memory.content for memory in thalamus.memories.find()] == ["The tide is high."]
    with pytest.raises(NothingFound):
        thalamus.keys.of_subject("nobody")


def test_forgetting_takes_one_thing(thalamus: Thalamus) -> None:
    thalamus.remember([Memory(content="The spare key is under the pot.")])
    with pytest.raises(UsageError, match="Give one of"):
        thalamus.forget(ForgetOptions(query="pot", subject="Ana"))
    assert not thalamus.forget(ForgetOptions(query="pot", dry_run=True)).done
    report = thalamus.forget(ForgetOptions(query="pot", prove=True))
    assert report.done and report.complete and report.receipt is not None


def test_upkeep_and_configuration(thalamus: Thalamus) -> None:
    thalamus.remember([Memory(content="The tide is high.")])
    assert {state.healthy for state in thalamus.store.rebuild_indexes()} == {True}
    assert thalamus.store.count_missing_embeddings()[1] == thalamus.store.embed_missing() == 0
    assert thalamus.store.build_hnsw() is not None and thalamus.store.keep_hnsw() == []
    assert {
        check.state
        for check in examine(TurnRun(thalamus.engine), thalamus.open_store, ask_models=False)
    } <= {"ok", "warning"}
    assert "scripted" in {model.name for model in thalamus.models.find()}
    assert {answer.state for answer in thalamus.models.check()} == {"ok"}
    assert thalamus.models.name() == thalamus.models.wake() == "scripted"
    assert {name: value for name, value, _ in thalamus.settings()}["model"] == "scripted"


def test_measuring(thalamus: Thalamus, tmp_path: Path) -> None:
    file, out = tmp_path / "questions.jsonl", tmp_path / "results.jsonl"
    file.write_text(
        '{"question": "Where is the spare key?", "gold": ["a"], "records": '
        '[{"id": "a", "record": "memory", "content": "The spare key is under the pot."}]}\n'
    )
    evaluation = RetrievalEvaluation(RetrievalRun(file, "plain", "turn", (1,)), thalamus, out)
    assert len(list(evaluation.results())) == evaluation.total == 1
    assert evaluation.summary().scores["any@1"] == 1.0
    assert compare_files(out, out).figures()["same"] == 1
    choice = Choice("tune", (), ("en",), 1)
    run = MemoryRun(answers=False, folder=tmp_path)
    kept = MemoryEvaluationRun(None, choice, run, thalamus)
    assert len(list(kept.results())) == len(kept.cases) == kept.total == 1
    assert not thalamus.store.exists()


def test_the_demo(thalamus: Thalamus, tmp_path: Path) -> None:
    demo = Demo(thalamus.config, str(tmp_path), SCRIPTED)
    with Thalamus(config=demo.config, clock=demo.clock) as engine:
        turns = list(demo.play(engine, lambda stage, turn: None))
    assert demo.scripted and "Lisbon" in (turns[2].answer or "")


def test_a_corrected_fact_is_embedded(thalamus: Thalamus) -> None:
    kept, _ = thalamus.facts.add(Fact(subject="Ana", predicate="works_at", object="Siemens"))
    thalamus.facts.correct(kept.id or "", "Nokia")
    assert thalamus.store.count_missing_embeddings()[1] == 0
