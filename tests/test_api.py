"""The Python API."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from msgspec import structs

from thalamus import Thalamus
from thalamus.api import (
    Choice,
    ForgetOptions,
    MemoryRun,
    RetrievalRun,
    Selection,
    compare_files,
)
from thalamus.cli import COMMANDS
from thalamus.context import ModelSource
from thalamus.errors import NoStore, NothingFound, UsageError
from thalamus.models.protocol import ChatReply, ChatRequest, Embedder, Message, Role, TokenSink
from thalamus.models.scripted import ScriptedChat
from thalamus.pipeline.prompt import build_prompt
from thalamus.records import Alias, Fact, Link, Memory, Turn


def test_a_conversation_that_is_remembered(thalamus: Thalamus) -> None:
    first = thalamus.run_turn("I moved to Lisbon in May.")
    assert first.issues == []
    thalamus.reset_session()
    second = thalamus.process_user_message("Where do I live?")
    assert "Lisbon" in (second.answer or "")
    assert [fact.object for fact in thalamus.facts("user")] == ["Lisbon"]
    assert [memory.content for memory in thalamus.memories()] == ["I moved to Lisbon in May."]


def test_a_model_is_asked_how_sure_it_is(tmp_path: Path) -> None:
    play = tmp_path / "play.yaml"
    play.write_text("[{role: verify, match: Oslo, reply: 0.2}]")
    with Thalamus(home=str(tmp_path), model=f"scripted:{play}") as thalamus:
        ask = [Message("user", "Does the user live in Oslo? Answer yes or no.")]
        assert thalamus.context.yes("verify", ask) == 0.2
        assert thalamus.context.yes("verify", [Message("user", "In Rome?")]) is None


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
        thalamus.context.models = OneModel(Sized(small, list(replies)), thalamus.context.models)
        thalamus.remember([Memory(content="Joost plays the organ of the old church.")])
        for message in ("It rains.", "I moved to Lisbon in May.", "My brother Joost is here."):
            thalamus.run_turn(message, flow="answer,reflect,store")
        turn = thalamus.run_turn("Where does Joost live now?", flow="retrieve")
        messages, _, _ = build_prompt(turn, thalamus.context)
    shown = [m.content for m in messages if m.content in replies]
    assert shown == ([] if small else replies)
    notes, _, said = messages[-1].content.partition("</memories>")
    assert "<memories>" in notes and "Joost plays the organ of the old church." in notes
    assert said.strip() == "Where does Joost live now?"


def test_without_a_store_nothing_can_be_asked(thalamus: Thalamus) -> None:
    with pytest.raises(NoStore):
        thalamus.retrieve("anything")


def test_a_document(thalamus: Thalamus, tmp_path: Path) -> None:
    path = tmp_path / "pond.md"
    path.write_text("# Pond\n\nHerons come at dawn.\n")
    assert thalamus.ingest_document(path, summary=False).status == "ingested"
    assert thalamus.import_document(str(path)).status == "unchanged"
    assert thalamus.retrieve("herons")[0].kind == "document"


def test_chunks_of_documents_are_no_memories(thalamus: Thalamus, tmp_path: Path) -> None:
    path = tmp_path / "pond.md"
    path.write_text("# Pond\n\nHerons come at dawn.\n")
    thalamus.ingest_document(path, summary=False)
    thalamus.remember([Memory(content="The user likes herons.")])
    assert [memory.content for memory in thalamus.memories()] == ["The user likes herons."]
    assert len(thalamus.memories(thalamus.here())) == 2


def test_future_facts_do_not_hold_yet(thalamus: Thalamus) -> None:
    given = {"subject": "user", "predicate": "lives_in"}
    thalamus.remember([Fact(object="Lisbon", valid_from="2024-05-01", **given)])
    thalamus.remember([Fact(object="Rome", valid_from="2030-01-01", **given)])
    assert [fact.object for fact in thalamus.facts()] == ["Lisbon"]
    assert [fact.object for fact in thalamus.facts(as_of="2031-01-01T00:00:00Z")] == ["Rome"]
    assert len(thalamus.facts(history=True)) == 2


@pytest.mark.sqlite
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


# what each command does, in Python
METHODS = {
    "stats": "stats",
    "report": "report write_report",
    "turn": "run_turn answer_turn finish_turns",
    "init": "chat_models recommended_model tell_assistant told_assistant",
    "chat": "answer_turn finish_turns sibling reset_session wake_model",
    "retrieve": "run_stage retrieve query_vector",
    "answer": "run_stage",
    "reflect": "run_stage finish_turns one_finishing reflect_deeply reflect_again",
    "store": "remember",
    "plan": "run_stage saved_plan",
    "route": "run_stage look_up_models",
    "gather": "run_stage",
    "draft": "run_stage",
    "search-plan": "run_stage",
    "act": "run_stage",
    "topics": "run_stage",
    "tools": "tools tool call_tool tool_stages",
    "ingest": "ingest_document ingest_bytes",
    "facts": "facts assert_fact end_fact retract_fact correct_fact set_predicate entities"
    " merge_entities unmerge_entity fact_timeline",
    "concepts": "concepts concept merge_concepts split_concept",
    "graph": "graph",
    "memory": "memories find_memory retrieve edit_memory pin_memory promote_memory demote_memory"
    " release_memory reject_memory",
    "prune": "prune would_prune rules",
    "undo": "undo batches undo_turn",
    "forget": "forget finish_forgetting",
    "profile": "profile set_profile profile_values",
    "project": "projects project add_project set_project_status link_project linked_with",
    "world": "world apply_to_world world_history world_change",
    "manifest": "manifest",
    "crystallize": "crystallize crystallize_turn count_jobs too_small_to_crystallize",
    "insights": "insights insight insight_tree search_insights reject_insight undo_merge",
    "why": "why find_id_or_words",
    "trace": "trace last_turns",
    "timeline": "timeline",
    "export": "export_memory export_lines export_markdown",
    "import": "import_memory importer import_conversations",
    "mcp": "retrieve propose facts forget why profile documents document",
    "models": "models pull_model check_models",
    "config": "paths settings",
    "schema": "schema",
    "doctor": "diagnose",
    "eval": "evaluate_retrieval evaluate_memory evaluate_answers answer_only",
    "reindex": "rebuild_indexes build_hnsw keep_hnsw embed_missing work_out_concepts"
    " count_without_concepts count_entries",
    "backup": "backup",
    "restore": "restore inspect_backup",
    "reset": "reset_memory inspect_reset",
    "verify": "verify",
    "key": "key_state rotate_key adopt_store shred_keys",
    "demo": "demo",
    "ui": "answer_turn finish_turns sibling reset_session wake_model",
    "watch": "events",
    "session": "sessions session_details session_turns search_sessions rename_session"
    " resume_session export_session",
}
# of use to the commands alone
INTERNAL = """context open_store store close in_session store_path has_store_file store_is_lost
    one_finishing importer count_vectors describe saved_plan last_turn_id events
    unembedded""".split()
# those that raise nothing of their own
QUIET = """events context sibling close in_session persona use_persona reset_session failures
    here unembedded predicates
    same_entity importer unfinished_turns models check_models store_path has_store_file
    store_is_lost paths settings stages diagnose demo run_stage ingest_document import_document
    ingest_bytes profile_values tool_stages count_jobs chat_models recommended_model""".split()


def test_every_command_has_its_methods() -> None:
    assert set(METHODS) == set(COMMANDS)
    for names in METHODS.values():
        assert all(hasattr(Thalamus, name) for name in names.split()), names


def test_every_method_is_described() -> None:
    page = (Path(__file__).parent.parent / "docs" / "python.md").read_text()
    for name in vars(Thalamus):
        assert name.startswith("_") or name in INTERNAL or name in page, name


def test_public_methods_say_what_they_raise() -> None:
    for name, item in vars(Thalamus).items():
        told = getattr(item, "__doc__", None) or ""
        if not name.startswith("_"):
            assert "aises" in told or name in QUIET, name


def test_facts_from_assertion_to_correction(thalamus: Thalamus) -> None:
    given = {"subject": "user", "predicate": "lives_in"}
    first, verdicts = thalamus.assert_fact(Fact(object="Rome", **given))
    assert verdicts == []
    second, verdicts = thalamus.assert_fact(Fact(object="Lisbon", **given))
    assert [verdict.decision for verdict in verdicts] == ["supersede"]
    assert thalamus.find_id(str(second.id)) == second.id
    assert thalamus.find_fact("user", "lives_in", "lisbon", before="2099-01-01").id == second.id
    corrected = thalamus.correct_fact(str(second.id), "Porto")
    assert [fact.object for fact in thalamus.fact_timeline("user", "lives_in")] == ["Rome", "Porto"]
    assert thalamus.fact(str(corrected.id)).object == "Porto"
    assert first.id in {fact.id for fact in thalamus.facts(predicate="lives in", history=True)}
    thalamus.retract_fact(str(corrected.id), "it was wrong")
    with pytest.raises(NothingFound):
        thalamus.find_fact("user", "lives_in", "Oslo", before="2099-01-01")
    with pytest.raises(NothingFound):
        thalamus.fact("fact_none")


def test_predicates_and_names(thalamus: Thalamus) -> None:
    thalamus.assert_fact(Fact(subject="Ana", predicate="mentors", object="Bea"))
    entry, changes = thalamus.set_predicate("mentors", cardinality="one", spellings=["coaches"])
    assert entry.cardinality == "one" and changes == []
    assert thalamus.predicate("coaches").name == "mentors"
    assert "lives_in" in {known.name for known in thalamus.predicates()}
    with pytest.raises(UsageError):
        thalamus.set_predicate("mentors", opposite="mentors", cardinality="many")
    thalamus.merge_entities("Anna", "Ana")
    assert [type(alias) for alias in thalamus.aliases()] == [Alias]
    assert thalamus.same_entity("anna", "Ana") and not thalamus.same_entity("Bea", "Ana")
    assert thalamus.merge_entities("Anna", "Ana") == []
    assert "Ana" in {name for name, _, _ in thalamus.entities()}


def test_where_it_came_from_and_what_was_done(thalamus: Thalamus) -> None:
    turn = thalamus.run_turn("I moved to Lisbon in May.")
    [memory] = thalamus.memories()
    origin = thalamus.why(memory.id)
    assert origin.kind == "memory" and origin.origins[0].id == turn.id
    assert thalamus.why().id == thalamus.last_turn_id() == turn.id
    assert thalamus.describe("nothing").kind == "missing"
    assert thalamus.last_turns(3) == [turn.id]
    assert {event.name for event in thalamus.trace(str(turn.id))} >= {"stage"}
    assert {link.target for link in thalamus.links(str(memory.id))} >= {turn.id}
    assert thalamus.get(str(memory.id)) == memory
    with pytest.raises(NothingFound):
        thalamus.trace("turn_none")


def test_a_selection_is_exported_as_records_lines_and_markdown(thalamus: Thalamus) -> None:
    thalamus.run_turn("I moved to Lisbon in May.")
    chosen = Selection(kinds=("fact",))
    assert [type(record) for record in thalamus.export_memory(chosen)] == [Fact]
    assert len(list(thalamus.export_lines(chosen))) == 1
    assert any("Lisbon" in line for line in thalamus.export_markdown())


@pytest.mark.sqlite
def test_backup_keys_and_verification(thalamus: Thalamus, tmp_path: Path) -> None:
    thalamus.remember([Memory(content="The tide is high.")])
    copy = tmp_path / "copy.db"
    assert thalamus.backup(copy)["memory"] == thalamus.inspect_backup(copy)["memory"] == 1
    with pytest.raises(UsageError, match="exists already"):
        thalamus.backup(copy)
    with thalamus.verify() as verified:
        assert list(verified.findings()) == []
    before = thalamus.key_state()["fingerprint"]
    assert thalamus.rotate_key()["before"] == before
    assert thalamus.adopt_store()["key"] == thalamus.key_state()["fingerprint"] != before
    thalamus.remember([Memory(content="The tide is low.")])
    kept = thalamus.restore(copy)
    assert kept is not None and kept.is_file()
    assert [memory.content for memory in thalamus.memories()] == ["The tide is high."]
    with pytest.raises(NothingFound):
        thalamus.subject_keys("nobody")


@pytest.mark.sqlite
def test_forgetting_takes_one_thing(thalamus: Thalamus) -> None:
    thalamus.remember([Memory(content="The spare key is under the pot.")])
    with pytest.raises(UsageError, match="Give one of"):
        thalamus.forget(ForgetOptions(query="pot", subject="Ana"))
    assert not thalamus.forget(ForgetOptions(query="pot", dry_run=True)).done
    report = thalamus.forget(ForgetOptions(query="pot", prove=True))
    assert report.done and report.complete and report.receipt is not None


@pytest.mark.sqlite
def test_upkeep_and_configuration(thalamus: Thalamus) -> None:
    thalamus.remember([Memory(content="The tide is high.")])
    assert {state.healthy for state in thalamus.rebuild_indexes()} == {True}
    assert thalamus.count_missing_embeddings()[1] == thalamus.embed_missing() == 0
    assert thalamus.build_hnsw() is not None and thalamus.keep_hnsw() == []
    assert {check.state for check in thalamus.diagnose(ask_models=False)} <= {"ok", "warning"}
    assert "scripted" in {model.name for model in thalamus.models()}
    assert {answer.state for answer in thalamus.check_models()} == {"ok"}
    assert thalamus.model_name() == thalamus.wake_model() == "scripted"
    assert dict(thalamus.paths())["store"] == thalamus.store_path
    assert {name: value for name, value, _ in thalamus.settings()}["model"] == "scripted"
    assert thalamus.schema("memory")["title"]


def test_measuring(thalamus: Thalamus, tmp_path: Path) -> None:
    file, out = tmp_path / "questions.jsonl", tmp_path / "results.jsonl"
    file.write_text(
        '{"question": "Where is the spare key?", "gold": ["a"], "records": '
        '[{"id": "a", "record": "memory", "content": "The spare key is under the pot."}]}\n'
    )
    evaluation = thalamus.evaluate_retrieval(RetrievalRun(file, "plain", "turn", (1,)), out)
    assert len(list(evaluation.results())) == evaluation.total == 1
    assert evaluation.summary().scores["any@1"] == 1.0
    assert compare_files(out, out).figures()["same"] == 1
    choice = Choice("tune", (), ("en",), 1)
    kept = thalamus.evaluate_memory(None, choice, MemoryRun(answers=False, folder=tmp_path))
    assert len(list(kept.results())) == len(kept.cases) == kept.total == 1
    assert not thalamus.has_store_file()


def test_the_demo(thalamus: Thalamus, tmp_path: Path) -> None:
    demo = thalamus.demo(str(tmp_path), scripted=True)
    with Thalamus(config=demo.config, clock=demo.clock) as engine:
        turns = list(demo.play(engine, lambda stage, turn: None))
    assert demo.scripted and "Lisbon" in (turns[2].answer or "")


def test_a_corrected_fact_is_embedded(thalamus: Thalamus) -> None:
    kept, _ = thalamus.assert_fact(Fact(subject="Ana", predicate="works_at", object="Siemens"))
    thalamus.correct_fact(kept.id or "", "Nokia")
    assert thalamus.count_missing_embeddings()[1] == 0
