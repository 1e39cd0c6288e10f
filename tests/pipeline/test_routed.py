"""The routed flow: where a turn goes, what is done on the way, and what happens when it cannot."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from msgspec import structs

from tests.conftest import Result
from thalamus import Thalamus
from thalamus.events import Routed, ThalamusEvent, ThalamusEvents, ToolFinished
from thalamus.models.protocol import ChatReply, ChatRequest, TokenSink
from thalamus.records import Memory, Turn, WorldOperation
from thalamus.store.values import Filter

Run = Callable[..., Result]
PROJECT = "My project is the herb garden."
ROUTES = [
    ("What did I say about the bees?", "context", "gather"),
    (PROJECT, "world", "act"),
    ("Tell me a joke about cats.", "answer", None),
]
AFTER = ["answer", "topics", "reflect", "store", "plan"]


def script(tmp_path: Path, *entries: dict[str, Any]) -> str:
    path = tmp_path / "script.yaml"
    path.write_text(yaml.safe_dump(list(entries)))
    return f"scripted:{path}"


def with_script(thalamus: Thalamus, tmp_path: Path, *entries: dict[str, Any]) -> Thalamus:
    model = script(tmp_path, *entries)
    config = structs.replace(thalamus.config, model=model, session="later")
    return Thalamus(config=config, clock=thalamus.clock)


def stages(turn: Turn) -> list[str]:
    return [step.stage for step in turn.trace]


@pytest.mark.parametrize(("message", "route", "between"), ROUTES)
def test_each_route_takes_its_own_edges(
    thalamus: Thalamus, message: str, route: str, between: str | None
) -> None:
    thalamus.turn("My sister Ana keeps bees in Porto.")
    turn = thalamus.turn(message, flow="routed")
    assert (turn.route, turn.status, turn.issues) == (route, "routed", [])
    run = [name for name in stages(turn) if name not in ("retrieve", "plan")]
    assert run == ["route", *([between] if between else []), *AFTER[:-1]]


def test_what_was_said_before_is_gathered(thalamus: Thalamus) -> None:
    thalamus.turn("My sister Ana keeps bees in Porto.")
    thalamus.new_session("later")
    turn = thalamus.turn("What does my sister Ana keep?", flow="routed")
    assert turn.context and turn.context.complete and turn.context.rounds == 1
    assert any("bees" in item.text for item in turn.evidence) and "bees" in (turn.answer or "")
    ids = [item.id for source in turn.context.sources for item in source.items if not item.text]
    assert set(ids) <= {item.id for item in turn.evidence}
    assert len({item.id for item in turn.evidence}) == len(turn.evidence)


def test_the_model_asks_for_more_at_most_three_times(thalamus: Thalamus, tmp_path: Path) -> None:
    thalamus.turn("The roof of the shed costs 900 euros.")
    thalamus.new_session("later")
    replies = [
        {"next": "memory_retriever", "memory_request": {"query": f"shed {word}", "k": 3}}
        for word in ("roof", "price", "euros", "colour")
    ]
    entries = [{"role": "gather", "reply": reply, "times": 1} for reply in replies]
    entries.append({"role": "route", "reply": {"route": "context", "reason": "test"}})
    with with_script(thalamus, tmp_path, *entries) as scripted:
        turn = scripted.turn("Is it paid?", flow="routed")
    assert turn.context and (turn.context.rounds, turn.context.complete) == (3, False)
    calls = [call.args["query"] for call in turn.tool_calls or [] if call.stage == "gather"]
    assert calls == ["shed roof", "shed price", "shed euros"]
    assert any("900" in item.text for item in turn.evidence)


def test_the_world_is_changed_when_the_turn_is_stored(thalamus: Thalamus) -> None:
    turn = thalamus.run_stage("route", Turn(message=PROJECT))
    turn = thalamus.run_stage("act", turn)
    assert [op.path for op in turn.world_operations or []] == ["project"]
    assert thalamus.open_store() is None or thalamus.projects.world().project is None
    thalamus.run_stage("store", turn)
    assert thalamus.projects.world().project == "herb garden"
    again = thalamus.turn("Tell me a joke.", flow="routed")
    assert again.world and again.world.project == "herb garden"
    assert any(call.name == "memory_query" for call in again.tool_calls or [])


def test_what_a_turn_proposes_is_stored_with_it(thalamus: Thalamus) -> None:
    proposed = Memory(content="The spare key is with Marta.", type="observation")
    turn = Turn(message="Make a note that the spare key is with Marta.", proposals=[proposed])
    done = thalamus.run_stage("store", turn)
    assert done.issues == [] and done.proposals and done.proposals[0].created_at
    assert "The spare key is with Marta." in [m.content for m in thalamus.memories.find()]
    assert done.reflection is None


def test_a_topic_that_comes_up_again_is_an_interest(thalamus: Thalamus, tmp_path: Path) -> None:
    """However often what is remembered of it is recalled."""
    thalamus.turn("My project is the restoration of a cello for Marnix.", flow="routed")
    topics = [{"role": "topics", "reply": {"topics": ["cello"]}}]
    with with_script(thalamus, tmp_path, *topics) as scripted:
        turns = [
            scripted.turn(
                Turn(
                    message=f"The cello has a crack in the {part}.", created_at=f"{day}T09:00:00Z"
                ),
                flow="routed",
            )
            for day, part in (("2026-05-09", "neck"), ("2026-05-10", "top"), ("2026-05-11", "rib"))
        ]
    proposed = [memory.content for turn in turns for memory in turn.proposals or []]
    assert proposed == ["The user is interested in cello."] * 3
    decided = [v.decision for turn in turns for v in turn.stored if "interest" in v.content]
    assert decided == ["add", "reinforce", "reinforce"]
    [interest] = thalamus.memories.find(Filter(types=("topic_of_interest",)))
    assert (interest.topic, interest.seen) == ("cello", 3)
    assert thalamus.memories.find(Filter(status="quarantined")) == []


def test_a_word_of_thanks_changes_no_topic(thalamus: Thalamus, tmp_path: Path) -> None:
    thalamus.turn("My project is the restoration of a cello for Marnix.", flow="routed")
    before = thalamus.projects.world()
    assert before.topics
    topics = [{"role": "topics", "reply": {"topics": ["thanks"]}}]
    with with_script(thalamus, tmp_path, *topics) as scripted:
        scripted.turn("Thanks, that helps.", flow="routed")
    assert thalamus.projects.world() == before


def test_a_topic_is_a_few_words_that_somebody_said(thalamus: Thalamus, tmp_path: Path) -> None:
    named = ["Cello", "piano", "thanks", "crack in the cello neck", "cello neck"]
    topics = [{"role": "topics", "reply": {"topics": named[:4]}, "times": 1}]
    topics.append({"role": "topics", "reply": {"topics": named[4:]}})
    with with_script(thalamus, tmp_path, *topics) as scripted:
        for message in ("Thanks, the cello has a crack in the neck.", "Is the cello neck solid?"):
            turn = scripted.run_stage("topics", Turn(message=message))
            scripted.run_stage("store", turn)
    assert set(thalamus.projects.world().topics) == {"cello", "cello neck"}


def test_operations_that_cannot_be_applied_are_an_issue(thalamus: Thalamus) -> None:
    wrong = WorldOperation(op="append", path="project", value="x")
    done = thalamus.run_stage("store", Turn(message="Hello.", world_operations=[wrong]))
    assert [issue.code for issue in done.issues] == ["invalid_world_operations"]
    assert done.world_operations == [] and thalamus.store.get(str(done.id)) is not None


@pytest.mark.parametrize(
    ("entries", "code"),
    [
        ([{"role": "route", "error": "unreachable"}], "model_unreachable"),
        ([{"role": "route", "reply": "I would say: context!"}], "unusable_reply"),
        ([{"role": "route", "reply": {"route": "elsewhere", "reason": ""}}], "unusable_reply"),
    ],
)
def test_a_router_that_cannot_be_used(
    thalamus: Thalamus, tmp_path: Path, entries: list[dict[str, Any]], code: str
) -> None:
    thalamus.turn("My sister Ana keeps bees in Porto.")
    thalamus.new_session("later")
    with with_script(thalamus, tmp_path, *entries) as scripted:
        turn = scripted.turn("What does Ana keep?", flow="routed")
    assert (turn.route, turn.status) == ("answer", "degraded")
    assert code in [issue.code for issue in turn.issues]
    assert any("bees" in item.text for item in turn.evidence)  # as the classic flow recalls


def test_a_gatherer_that_talks_nonsense_leaves_what_was_found(
    thalamus: Thalamus, tmp_path: Path
) -> None:
    thalamus.turn("My sister Ana keeps bees in Porto.")
    thalamus.new_session("later")
    entries = [{"role": "gather", "reply": "42"}]
    with with_script(thalamus, tmp_path, *entries) as scripted:
        turn = scripted.turn("What does my sister Ana keep?", flow="routed")
    assert [issue.code for issue in turn.issues] == ["unusable_reply"]
    assert "bees" in (turn.answer or "")


def test_a_pipeline_gives_the_same_record(run: Run) -> None:
    env = {"THALAMUS_NOW": "2026-11-23T10:00:00Z"}
    for number, (message, *_) in enumerate(ROUTES):
        line = json.dumps({"record": "turn", "message": message})
        piped = line
        for name in ("route", "gather", "act", *AFTER):
            home = {**env, "THALAMUS_HOME": f"piped{number}"}
            group = ("stage",) if name in ("route", "gather", "act", "topics") else ()
            piped = run(*group, name, input=piped, env=home).stdout
        home = {**env, "THALAMUS_HOME": f"whole{number}"}
        whole = run("turn", "--flow", "routed", "--json", input=line, env=home).stdout
        one, other = json.loads(piped), json.loads(whole)
        for record in (one, other):  # a filter says where it had nothing to do
            record["trace"] = [s for s in record["trace"] if "note" not in s["detail"]]
        assert one == other


def test_the_same_run_gives_the_same_bytes(run: Run, tmp_path: Path) -> None:
    outputs = []
    for number in range(2):
        home = {"THALAMUS_HOME": str(tmp_path / f"same{number}")}
        printed = [
            run("turn", "--flow", "routed", "--json", message, env=home).stdout
            for message in ("My project is the herb garden.", "What is 17 * 23?")
        ]
        outputs.append([*printed, run("export", env=home).stdout])
    assert outputs[0] == outputs[1]
    assert '"value":"391"' in outputs[0][1]


def test_events_tell_the_route_and_every_call(thalamus: Thalamus) -> None:
    seen: list[ThalamusEvent] = []

    class Listening(ThalamusEvents):
        def on_event(self, event: ThalamusEvent) -> None:
            seen.append(event)

    with thalamus.sibling(Listening(thalamus.clock)) as heard:
        turn = heard.turn("How much is 17 * 23?", flow="routed")
    [routed] = [event for event in seen if isinstance(event, Routed)]
    assert routed.route == turn.route == "world"
    calls = [event.call for event in seen if isinstance(event, ToolFinished)]
    assert calls == turn.tool_calls and calls[-1].result["value"] == "391"
    details = [step.detail for step in turn.trace if step.stage == "act"]
    assert "17" not in json.dumps(details) and details[0]["calls"][0]["name"] == "calculate"


CAPABLE = {"role": "reflect", "reply": []}  # a script with it plays a large model
LIVES = [
    Memory(content="Answer in two sentences.", type="persona", scope="core"),
    *(
        Memory(content=f"The user's {who} likes {what}.")
        for who, what in (("aunt", "figs"), ("uncle", "chess"), ("niece", "kites"))
    ),
]


def prompts(thalamus: Thalamus, message: str, flow: str) -> dict[str, list[str]]:
    """The messages of the first call of each role in a turn."""
    found: dict[str, list[str]] = {}
    chat = thalamus.engine.models.chat("answer")
    original = chat.chat

    def noted(request: ChatRequest, on_token: TokenSink | None = None) -> ChatReply:
        found.setdefault(request.role, [one.content for one in request.messages])
        return original(request, on_token)

    chat.chat = noted  # type: ignore[method-assign]
    turn = thalamus.turn(message, flow=flow)
    assert turn.issues == []
    return found


@pytest.mark.parametrize(("message", "route", "between"), ROUTES)
def test_a_capable_model_has_the_notes_and_the_style_of_the_classic_flow(
    thalamus: Thalamus, tmp_path: Path, message: str, route: str, between: str | None
) -> None:
    thalamus.remember(LIVES)
    shown = {}
    for flow in ("classic", "routed"):
        with with_script(thalamus, tmp_path, CAPABLE) as scripted:
            scripted.new_session(flow)
            shown[flow] = prompts(scripted, message, flow)
            scripted.undo(scripted.sessions.last_turn())
    classic, routed = shown["classic"]["answer"], shown["routed"]["answer"]
    assert routed[0] == classic[0] and "Answer in two sentences." in routed[0]
    notes = {line for line in classic[-1].splitlines() if "likes" in line}
    assert len(notes) == 3 and notes <= set(routed[-1].splitlines())
    if route == "world":
        assert "\n- The user's current project is herb garden." in routed[-1]
    if between == "gather":
        assert all(note in shown["routed"]["gather"][-1] for note in notes)
