"""A flow as a value: a sequence of stages with branches, those of plugins among them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from msgspec import structs

from thalamus import Thalamus
from thalamus.errors import ConfigError, ModelUnreachable, UsageError
from thalamus.memory.sessions import recent_turns
from thalamus.pipeline.background import split_flow
from thalamus.pipeline.flow import FLOWS, STAGES, Branch, Flow, find_flow, run_flow
from thalamus.records import Turn
from thalamus.turn_run import Stage, TurnRun


def marking(name: str) -> Stage:
    def function(turn: Turn, run: TurnRun) -> Turn:
        return structs.replace(turn, answer=f"{turn.answer or ''}{name} ")

    return Stage(name, function, reads=("answer",), writes=("answer",))


@contextmanager
def with_stages(monkeypatch: pytest.MonkeyPatch, *stages: Stage) -> Iterator[None]:
    for stage in stages:
        monkeypatch.setitem(STAGES, stage.name, stage)
    yield


ROUTED = Flow(
    "routed",
    ("one", Branch("agent", {"cook": ("bake", "eat"), "diver": ("swim",)}, ("rest",)), "two"),
)


@pytest.mark.parametrize(
    ("agent", "taken"),
    [("cook", "one bake eat two "), ("diver", "one swim two "), (None, "one rest two ")],
)
def test_what_follows_depends_on_a_field(
    thalamus: Thalamus, monkeypatch: pytest.MonkeyPatch, agent: str | None, taken: str
) -> None:
    stages = [marking(name) for name in ROUTED.names()]
    with with_stages(monkeypatch, *stages):
        done = run_flow(Turn(message="Hello.", agent=agent), ROUTED, TurnRun(thalamus.engine))
    assert done.answer == taken


def test_a_branch_in_a_branch_that_a_stage_decides(
    thalamus: Thalamus, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = Branch("answer", {"route ": ("swim",)})
    flow = Flow("deep", ("route", Branch("user", {"ana": (inner, "rest")})))
    assert flow.names() == ["route", "swim", "rest"]
    with with_stages(monkeypatch, *(marking(name) for name in flow.names())):
        done = run_flow(Turn(message="Hello.", user="ana"), flow, TurnRun(thalamus.engine))
        assert done.answer == "route swim rest "
        assert run_flow(Turn(message="Hello."), flow, TurnRun(thalamus.engine)).answer == "route "


def test_a_branch_on_a_field_that_a_turn_does_not_have() -> None:
    with pytest.raises(ValueError, match="no field 'weather'"):
        Branch("weather", {"rain": ("answer",)})


def test_flows_are_found_by_name() -> None:
    own = {"quick": ["retrieve", "answer"], "wrong": ["retrieve", "fly"], "odd": "retrieve"}
    assert find_flow("classic", own) is FLOWS["classic"]
    assert find_flow("quick", own) == Flow("quick", ("retrieve", "answer"))
    assert find_flow("answer, store", own).steps == ("answer", "store")
    for name in ("wrong", "odd"):
        with pytest.raises(ConfigError, match=f"flows.{name} must be a list of stages"):
            find_flow(name, own)
    with pytest.raises(UsageError, match="Unknown flow 'loud'"):
        find_flow("loud", own)


def test_an_interrupted_branch_is_stored(
    thalamus: Thalamus, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(turn: Turn, run: TurnRun) -> Turn:
        raise KeyboardInterrupt

    flow = Flow("split", (Branch("agent", {}, ("halt", "store")),))
    with (
        with_stages(monkeypatch, Stage("halt", interrupt)),
        pytest.raises(KeyboardInterrupt),
    ):
        run_flow(thalamus.in_session(Turn(message="I like tea.")), flow, TurnRun(thalamus.engine))
    [turn] = recent_turns(thalamus.database, "main", None, 5)
    assert turn.message == "I like tea." and turn.interrupted == "halt"


def test_a_stage_without_a_model_is_not_left_out_when_an_embedder_is_down(
    thalamus: Thalamus, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(turn: Turn, run: TurnRun) -> Turn:
        raise ModelUnreachable("an embedder", "nothing answers")

    with with_stages(monkeypatch, Stage("look", fail)):
        done = run_flow(
            Turn(message="I like tea."), Flow("f", ("look", "store")), TurnRun(thalamus.engine)
        )
    assert [verdict.decision for verdict in done.stored] == []
    assert recent_turns(thalamus.database, "main", None, 5)


def test_what_is_left_of_a_flow_for_later(thalamus: Thalamus) -> None:
    now, left = split_flow(FLOWS["classic"], thalamus.engine)
    assert now.steps == ("retrieve", "answer") and left == ("reflect", "store", "plan")
    for steps in (
        ("retrieve", "store"),
        ("answer", Branch("user", {"ana": ("store",)}), "reflect", "store"),
        (Branch("user", {"ana": ("answer",)}), "reflect", "store"),
    ):
        assert split_flow(Flow("f", steps), thalamus.engine) == (Flow("f", steps), ())


def test_what_changes_the_answer_is_not_left_for_later(
    thalamus: Thalamus, monkeypatch: pytest.MonkeyPatch
) -> None:
    flow = Flow("tidy", ("answer", "polish", "reflect", "store"))
    with with_stages(monkeypatch, marking("polish")):
        now, left = split_flow(flow, thalamus.engine)
    assert now.steps == ("answer", "polish") and left == ("reflect", "store")
