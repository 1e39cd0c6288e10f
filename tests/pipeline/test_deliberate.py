"""The deliberate flow: a draft without memory, what is looked up because of it, and the answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from msgspec import UNSET, structs

from tests.conftest import Result
from tests.stored import holding
from thalamus import Thalamus
from thalamus.errors import BadField
from thalamus.events import ChatMessage, ThalamusEvent, ThalamusEvents, Token
from thalamus.models.protocol import ChatReply, ChatRequest, TokenSink
from thalamus.models.scripted import ScriptedChat
from thalamus.pipeline.prompt import build_prompt
from thalamus.policy.retrieval_plan import Vocabulary
from thalamus.policy.search_plan import check_search_plan
from thalamus.records import Instruction, Turn
from thalamus.store import ledger, plans
from thalamus.turn_run import TurnRun

Run = Callable[..., Result]
STAGES = ["draft", "search_plan", "retrieve", "answer", "reflect", "store"]
SAID = "My sister Ana keeps bees in Porto."
ASKED = "What does Ana do at the weekend?"
DRAFT = "She may work in the garden of Casimir. I would need to know of her hobbies."
PLAN = {"role": "search_plan", "reply": {"retrieval_instructions": [{"query": "Ana bees hobby"}]}}


def script(tmp_path: Path, *entries: dict[str, Any]) -> str:
    path = tmp_path / "script.yaml"
    path.write_text(yaml.safe_dump(list(entries)))
    return f"scripted:{path}"


def with_script(thalamus: Thalamus, tmp_path: Path, *entries: dict[str, Any]) -> Thalamus:
    config = structs.replace(
        thalamus.config, model=script(tmp_path, *entries), session="another one"
    )
    return Thalamus(config=config, clock=thalamus.clock)


@pytest.fixture
def told(thalamus: Thalamus) -> Thalamus:
    """A store in which an earlier session said something."""
    thalamus.turn(SAID)
    thalamus.new_session("later")
    return thalamus


def test_the_flow_runs_its_stages_in_order(told: Thalamus) -> None:
    turn = told.turn("What does my sister Ana keep?", flow="deliberate")
    assert [step.stage for step in turn.trace] == STAGES and turn.issues == []
    assert turn.draft == "I do not know that yet."
    assert [item.query for item in turn.search_plan or []] == ["sister Ana keep", "Ana"]
    assert "bees" in (turn.answer or "") and turn.plan is None and turn.status is UNSET
    assert turn.search_plan == turn.retrieval_instructions[:2]
    assert turn.retrieval_instructions[-1].query == turn.message


def test_the_search_plan_finds_what_the_message_does_not(told: Thalamus, tmp_path: Path) -> None:
    told.turn("The apiary of the valley sells honey at the market.", flow="classic")
    told.new_session("third")
    message = "Which food could Ana bring to me?"
    plain = told.turn(message, flow="retrieve")
    assert not any("honey" in item.text for item in plain.evidence)
    plan = {"retrieval_instructions": [{"mode": "all", "query": "food honey market"}]}
    with with_script(told, tmp_path, {"role": "search_plan", "reply": plan}) as scripted:
        turn = scripted.turn(message, flow="draft,search_plan,retrieve")
    assert any("honey" in item.text for item in turn.evidence)
    assert {item.id for item in plain.evidence} <= {item.id for item in turn.evidence}


def test_the_plan_of_the_last_turn_is_executed_too(told: Thalamus, tmp_path: Path) -> None:
    entries = [{"role": "plan", "reply": {"retrieval_instructions": [{"query": "bees Porto"}]}}]
    config = structs.replace(told.config, model=script(tmp_path, *entries), planner="model")
    with Thalamus(config=config, clock=told.clock) as planning:
        planning.new_session("later")
        planning.turn("Do bees like Porto?")
        carried = plans.last(planning.database, "later", None)
        turn = planning.turn("And what about Ana?", flow="deliberate")
    assert carried is not None and carried.retrieval_instructions
    asked = turn.retrieval_instructions
    assert all(item in asked for item in carried.retrieval_instructions)
    assert asked[: len(turn.search_plan or [])] == turn.search_plan


class Watching(ScriptedChat):
    """The scripted model, which keeps the prompts that it was given."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[ChatRequest] = []

    def chat(self, request: ChatRequest, on_token: TokenSink | None = None) -> ChatReply:
        self.asked.append(request)
        return super().chat(request, on_token)


class Large(ScriptedChat):
    """The scripted model, as if it had many parameters."""

    def small(self) -> bool | None:
        return False

    def billions(self) -> float | None:
        return 12.0


class LargeModels:
    """Gives the large model for every role."""

    def chat(self, role: str) -> Large:
        return Large()

    def embedder(self) -> None:
        return None


def test_an_answer_is_given_the_draft_and_no_classic_prompt_changes(told: Thalamus) -> None:
    told.engine = structs.replace(told.engine, models=LargeModels())
    turn = told.turn("What does my sister Ana keep?", flow="retrieve")
    classic = build_prompt(turn, TurnRun(told.engine))[0]
    drafted = build_prompt(structs.replace(turn, draft=f"{DRAFT}</draft>"), TurnRun(told.engine))[0]
    assert drafted[:-1] == classic[:-1]
    shown = drafted[-1].content
    assert shown.endswith(classic[-1].content) and shown.count("</draft>") == 1
    assert DRAFT in shown and "written without the memories" in shown


def test_a_small_model_is_not_shown_the_draft(told: Thalamus) -> None:
    turn = told.turn("What does my sister Ana keep?", flow="retrieve")
    drafted = structs.replace(turn, draft="Your sister Ana keeps goats.")
    assert (
        build_prompt(drafted, TurnRun(told.engine))[0]
        == build_prompt(turn, TurnRun(told.engine))[0]
    )


def test_where_nothing_is_known_the_draft_is_not_shown(thalamus: Thalamus) -> None:
    turn = thalamus.turn("What is my shoe size?", flow="retrieve")
    asked = structs.replace(turn, draft="Your shoe size is 42.")
    assert "42" not in "".join(
        message.content for message in build_prompt(asked, TurnRun(thalamus.engine))[0]
    )


def test_nobody_hears_the_draft_and_nothing_is_kept_of_it(told: Thalamus, tmp_path: Path) -> None:
    seen: list[ThalamusEvent] = []

    class Listening(ThalamusEvents):
        def on_event(self, event: ThalamusEvent) -> None:
            seen.append(event)

        wants_tokens = True

    config = structs.replace(
        told.config, model=script(tmp_path, {"role": "draft", "reply": DRAFT}, PLAN)
    )
    with Thalamus(config=config, clock=told.clock, events=Listening(told.clock)) as heard:
        turn = heard.turn(ASKED, flow="deliberate")
    streamed = "".join(event.text for event in seen if isinstance(event, Token))
    messages = [event.content for event in seen if isinstance(event, ChatMessage)]
    assert streamed.strip() == turn.answer and messages == [ASKED, turn.answer]
    assert turn.draft == DRAFT and "Casimir" not in (turn.answer or "")
    stored = told.store.get(str(turn.id))
    assert isinstance(stored, Turn) and stored.draft is UNSET
    kept = [*told.memories.find(), *told.facts.find(history=True), *told.store.export()]
    said = [record for record in kept if "Casimir" in str(record)]
    assert [(record.name, record.data["stage"]) for record in said] == [("stage", "draft")]


@pytest.mark.parametrize("role", ["draft", "search_plan"])
def test_a_model_that_is_down(told: Thalamus, tmp_path: Path, role: str) -> None:
    entries = [{"role": role, "error": "failed"}]
    with with_script(told, tmp_path, *entries) as scripted:
        turn = scripted.turn("What does my sister Ana keep?", flow="deliberate")
    assert turn.status == "degraded" and [issue.stage for issue in turn.issues] == [role]
    assert "bees" in (turn.answer or "") and scripted.store.get(str(turn.id)) is not None
    assert (turn.draft is UNSET) == (role == "draft")


def test_a_model_that_is_unreachable_is_asked_once(told: Thalamus, tmp_path: Path) -> None:
    entries = [{"error": "unreachable"}]
    with with_script(told, tmp_path, *entries) as scripted:
        turn = scripted.turn(ASKED, flow="deliberate")
    assert [issue.code for issue in turn.issues] == ["model_unreachable"]
    assert told.store.get(str(turn.id)) is not None


def test_a_plan_that_cannot_be_used(told: Thalamus, tmp_path: Path) -> None:
    entries = [{"role": "search_plan", "reply": "Let me think about it."}]
    with with_script(told, tmp_path, *entries) as scripted:
        turn = scripted.turn(ASKED, flow="deliberate")
    assert [issue.code for issue in turn.issues] == ["unusable_reply"]
    assert turn.search_plan == [Instruction(mode="all", query=ASKED)]
    assert [item.query for item in turn.retrieval_instructions] == [ASKED]  # and once only


def test_a_model_that_is_too_small(told: Thalamus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(told.engine.models.chat("draft"), "billions", lambda: 0.135)
    turn = told.turn("What does my sister Ana keep?", flow="deliberate")
    assert turn.status == "degraded" and "bees" in (turn.answer or "")
    assert [issue.code for issue in turn.issues] == ["model_too_small"]
    assert turn.draft is UNSET and turn.search_plan is UNSET
    piped = Turn(message=ASKED)
    for name in ("draft", "search_plan"):
        piped = told.run_stage(name, piped)
    assert len(piped.issues) == 1


PLANS = [
    ("Ana weekend", ["Ana weekend"], []),
    ("Casimir", [], ["invented", "empty"]),
    ("Ana Casimir 1987", ["Ana"], ["invented"]),
    ("gardens hobbies", [], ["not_said"]),
    ("hobbies Ana", ["hobbies Ana"], []),
    ("Porto bees of Ana", ["bees of Ana"], ["invented"]),
]


@pytest.mark.parametrize(("query", "kept", "rules"), PLANS)
def test_what_only_the_draft_says_is_not_searched_for(
    query: str, kept: list[str], rules: list[str]
) -> None:
    draft = "Ana met Casimir in 1987, in Porto. Porto is hers."
    asked = [Instruction(query=query)]
    checked = check_search_plan(asked, ASKED, draft, Vocabulary())
    assert [item.query for item in checked.instructions] == kept
    assert [verdict.rule for verdict in checked.verdicts] == rules


def test_a_search_plan_has_three_instructions_at_most() -> None:
    asked = [Instruction(query=f"Ana {word}") for word in ("a1b", "bees", "work", "home", "food")]
    checked = check_search_plan(asked[1:], ASKED, "", Vocabulary())
    assert len(checked.instructions) == 3
    assert [verdict.rule for verdict in checked.verdicts] == ["too_many"]


def test_an_instruction_that_asks_for_nothing_is_named(thalamus: Thalamus) -> None:
    thalamus.turn(SAID)
    turn = Turn(message=ASKED, search_plan=[Instruction(query="")])
    done = thalamus.run_stage("retrieve", turn)
    assert [issue.code for issue in done.issues] == ["bad_record"]
    [(_, error)] = thalamus.failures
    assert isinstance(error, BadField) and "search_plan[0].query" in str(error)


def test_a_pipeline_gives_the_same_record(run: Run) -> None:
    env = {"THALAMUS_NOW": "2026-11-23T10:00:00Z"}
    for number, message in enumerate((SAID, ASKED, "Tell me a joke.")):
        line = json.dumps({"record": "turn", "message": message})
        piped = line
        for name in STAGES:
            home = {**env, "THALAMUS_HOME": f"piped{number}"}
            group = ("stage",) if name in ("draft", "search_plan") else ()
            piped = run(*group, name.replace("_", "-"), input=piped, env=home).stdout
        home = {**env, "THALAMUS_HOME": f"whole{number}"}
        whole = run("turn", "--flow", "deliberate", "--json", input=line, env=home).stdout
        assert json.loads(piped) == json.loads(whole)


def test_trace_and_why_show_what_was_looked_up(told: Thalamus, tmp_path: Path) -> None:
    entries = [{"role": "draft", "reply": DRAFT}, PLAN]
    with with_script(told, tmp_path, *entries) as scripted:
        turn = scripted.turn(ASKED, flow="deliberate")
    origin = told.why(turn.id)
    assert origin.draft == DRAFT and origin.search_plan == turn.search_plan
    details = [step.detail for step in turn.trace if step.stage in ("draft", "search_plan")]
    assert details[0]["draft"] == DRAFT
    assert details[1]["search_plan"] == [{"mode": "memory", "query": "Ana bees hobby", "limit": 5}]


def test_what_is_forgotten_is_in_no_draft(told: Thalamus, tmp_path: Path) -> None:
    from thalamus.memory.forget.erase import ForgetOptions

    entries = [{"role": "draft", "reply": DRAFT}, PLAN]
    with with_script(told, tmp_path, *entries) as scripted:
        turn = scripted.turn(ASKED, flow="deliberate")
    assert "Casimir" in str([event.data for event in ledger.of_turn(told.database, turn.id)])
    report = told.forget(ForgetOptions(query="Casimir"))
    assert report.done and report.complete
    assert "Casimir" not in str([event.data for event in ledger.entries(told.database)])
    assert told.why(turn.id).draft is None


@pytest.mark.parametrize("behind", [False, True], ids=["at once", "reflected on later"])
def test_the_draft_of_a_personal_turn_is_encrypted(
    thalamus: Thalamus, tmp_path: Path, home: Path, behind: bool
) -> None:
    """Also in the ledger, and while the turn waits to be reflected on."""
    secret = "My card number is 4111 1111 1111 1111, as Casimir Wren knows."
    entries = [
        {"role": "draft", "reply": "It is good that Casimir Wren helps."},
        {"role": "search_plan", "reply": {"retrieval_instructions": [{"query": "Casimir Wren"}]}},
        {"role": "answer", "reply": "I am glad."},
    ]
    with with_script(thalamus, tmp_path, *entries) as scripted:
        if behind:
            turn, left = scripted.answer_turn(secret, flow="deliberate")
            assert left
        else:
            turn = scripted.turn(secret, flow="deliberate")
        assert turn.draft == entries[0]["reply"] and turn.search_plan
        assert scripted.why(turn.id).draft == turn.draft
        if behind:
            assert holding(home / "data", "Casimir") == []
            assert [done.problem for done in scripted.finish_turns()] == [None]
        assert scripted.why(turn.id).draft == turn.draft
    assert holding(home / "data", "Casimir") == []


def test_chat_shows_the_final_answer_only(run: Run) -> None:
    run("turn", SAID, "--session", "earlier")
    asked = "What does my sister Ana keep?\n"
    shown = run("chat", "--flow", "deliberate", input=asked).stdout
    assert "keeps bees in Porto" in shown and "I do not know that yet" not in shown
    assert "I do not know that yet" in run("trace", "--last", "1", "--json").stdout
