"""Tools chosen by what came of their calls: in the ledger, in the order, and after a failure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conftest import NOW
from thalamus import Thalamus
from thalamus.clock import Clock, parse_time
from thalamus.errors import ConfigError
from thalamus.memory.views.tool_outcomes import recent_outcomes
from thalamus.records import Event, Turn
from thalamus.terminal.trace import turn_tree
from thalamus.terminal.tree import lines
from thalamus.tools.choice import offer
from thalamus.tools.skills import ALLOW, alternatives, skills
from thalamus.tools.tool import Tool, ToolError, ToolOutput, Workspace, parameters
from thalamus.tools.toolbox import Toolbox

ASK = "What is the weather in Porto?"
ROUTE = {"role": "route", "reply": {"route": "world", "reason": "test"}}
PLACE = parameters(("place",), place={"type": "string"})
Engine = Callable[..., Any]


class Added:
    """Plugins that add tools."""

    any = True

    def __init__(self, *tools: Tool) -> None:
        self._tools = {tool.name: tool for tool in tools}

    def tools(self) -> dict[str, Tool]:
        return self._tools


def weather(name: str, *, fails: bool = False, **settings: Any) -> Tool:
    def function(args: dict[str, Any], _: Workspace) -> ToolOutput:
        if fails:
            raise ToolError(f"{name} is out of order")
        return ToolOutput({"sky": f"drizzle of {name}"})

    settings = {"parameters": PLACE, "source": "plugin", **settings}
    return Tool(name, "The weather.", function=function, **settings)


@pytest.fixture
def engine(home: Path, tmp_path: Path) -> Engine:
    """An engine whose model asks one of two weather services that do the same."""

    @contextmanager
    def make(
        *tools: Tool, ask: str = "north", answer: str = "There is drizzle.", **settings: Any
    ) -> Iterator[Thalamus]:
        call = {"name": ask, "arguments": {"place": "Porto"}}
        script = [
            ROUTE,
            {"role": "act", "calls": [call], "times": 1},
            {"role": "act", "reply": "done"},
            {"role": "answer", "reply": answer},
        ]
        path = tmp_path / f"script-{ask}.yaml"
        path.write_text(yaml.safe_dump(script))
        given: dict[str, Any] = {
            "home": str(home),
            "model": f"scripted:{path}",
            "embedder": "scripted",
            "flow": "routed",
            "skills": {"weather": [["north", "south"]]},
            "allow": {"act": [*ALLOW["act"], "weather"]},
        }
        with Thalamus(clock=Clock(parse_time(NOW)), **(given | settings)) as made:
            made.engine.kept["tools"] = Toolbox(made.config, Added(*tools))  # type: ignore[arg-type]
            yield made

    return make


def calls(thalamus: Thalamus, turn: Turn) -> list[dict[str, Any]]:
    return [
        {name: value for name, value in call.items() if name not in ("id", "ms")}
        for event in thalamus.sessions.trace(turn.stored_id)
        if event.data.get("stage") == "act"
        for call in event.data["detail"]["calls"]
    ]


def offered(thalamus: Thalamus, tools: list[Tool]) -> list[str]:
    return [tool.name for tool in offer(tools, ASK, thalamus.engine).tools]


def test_a_call_leaves_its_outcome_in_the_ledger(engine: Engine) -> None:
    with engine(weather("north"), weather("south")) as thalamus:
        turn = thalamus.turn(ASK)
        assert calls(thalamus, turn) == [{"name": "north", "first": "north"}]
        [outcome] = [one for one in recent_outcomes(thalamus.database) if one.tool == "north"]
    assert (outcome.failed, outcome.used, outcome.corrected, outcome.score) == (
        False,
        True,
        False,
        1,
    )
    assert outcome.turn == turn.id


def test_an_answer_without_the_result_did_not_use_it(engine: Engine) -> None:
    with engine(weather("north"), answer="I do not know.") as thalamus:
        thalamus.turn(ASK)
        [found] = [one for one in thalamus.tools.performance() if one.tool == "north"]
    assert (found.outcome_score, found.n) == (0.5, 1)


def test_the_next_tool_that_does_the_same_is_tried_when_one_fails(engine: Engine) -> None:
    with engine(weather("north", fails=True), weather("south")) as thalamus:
        turn = thalamus.turn(ASK)
        assert [call["name"] for call in calls(thalamus, turn)] == ["north", "south"]
        assert calls(thalamus, turn)[0]["failed"] and turn.issues == []
        scores = {one.tool: one.outcome_score for one in thalamus.tools.performance()}
    assert turn.context.sources[-1].items[-1].text.endswith('drizzle of south"}')
    assert (scores["north"], scores["south"]) == (0, 1)


@pytest.mark.parametrize(
    "other",
    [
        weather("south", parameters=parameters(("where",), where={"type": "string"})),
        weather("south", effect="write"),
        weather("elsewhere"),
    ],
)
def test_what_takes_other_arguments_or_writes_or_is_not_named_is_not_tried(
    engine: Engine, other: Tool
) -> None:
    with engine(weather("north", fails=True), other) as thalamus:
        turn = thalamus.turn(ASK)
    assert [call.name for call in turn.tool_calls if call.stage == "act"] == ["north"]


def test_what_changes_something_is_not_tried_elsewhere(engine: Engine) -> None:
    tools = weather("north", fails=True, effect="write"), weather("south", effect="write")
    with engine(*tools) as thalamus:
        turn = thalamus.turn(ASK)
        assert calls(thalamus, turn) == [
            {"name": "north", "failed": True, "effect": "write", "first": "north"}
        ]


def test_only_one_of_those_that_do_the_same_is_offered(engine: Engine) -> None:
    tools = [weather("south"), weather("tide"), weather("north")]
    with engine(*tools) as thalamus:
        assert offered(thalamus, tools) == ["tide", "north"]


def test_ucb_tries_what_is_untried_and_then_prefers_what_works(engine: Engine) -> None:
    tools = [weather("north", fails=True), weather("south")]
    with engine(*tools) as thalamus:
        thalamus.turn(ASK)  # north fails, south answers
    with engine(*tools, tool_policy="ucb") as thalamus:
        assert offered(thalamus, tools) == ["south"]
        assert offered(thalamus, [*tools, weather("tide")]) == ["tide", "south"]
    with engine(*tools) as thalamus:
        assert offered(thalamus, tools) == ["north"]


def test_the_choice_and_its_scores_stand_in_the_ledger(engine: Engine) -> None:
    tools = [weather("north", fails=True), weather("south")]
    with engine(*tools) as thalamus:
        thalamus.turn(ASK)
    with engine(*tools, ask="south", tool_policy="ucb") as thalamus:
        turn = thalamus.turn(ASK)
        [detail] = [step.detail for step in turn.trace if step.stage == "act"]
        ranking = {one["tool"]: one["score"] for one in detail["tool_ranking"]}
        assert ranking["south"] > ranking["north"] and ranking["calculate"] is None
        assert [name for name in ranking if "th" in name][-2:] == ["south", "north"]
        shown = "\n".join(lines(turn_tree(thalamus, turn.stored_id), 200))
        assert re.search(
            r"tools by score: .*calculate \(untried\).*south [\d.]+, north [\d.]+", shown
        )
        assert re.search(r"results in the answer: .*south", shown)
        assert calls(thalamus, turn) == [{"name": "south", "first": "north"}]
        order = thalamus.tools.performance(ASK)
        assert next(one.tool for one in order if one.score is not None) != "north"
        assert all(one.context_signature is None for one in order)


def test_a_spent_quota_comes_last(engine: Engine) -> None:
    north = weather("north", origin="sky.north", quota=1)
    with engine(north, weather("south")) as thalamus:
        thalamus.turn(ASK)
    with engine(north, weather("south"), tool_policy="ucb") as thalamus:
        assert offered(thalamus, [north, weather("south")]) == ["south"]
        tide = weather("tide", origin="sky.tide", quota=1)  # of the same server
        assert offered(thalamus, [north, tide, weather("fog")]) == ["fog", "north", "tide"]


def test_a_correction_counts_against_the_call(engine: Engine) -> None:
    with engine(weather("north")) as thalamus:
        turn = thalamus.turn(ASK)
        with thalamus.database.writing() as writer:
            for id, decision in ((turn.id, "add"), ("turn_later", "supersede")):
                detail = {"decisions": [{"id": "mem_wrong", "decision": decision}]}
                data = {"stage": "store", "detail": detail}
                event = Event(name="stage", at=NOW, turn=id, session=turn.session, data=data)
                writer.add_event(event)
        [outcome] = [one for one in recent_outcomes(thalamus.database) if one.tool == "north"]
    assert outcome.corrected and outcome.score == 0


def test_lists_within_a_skill() -> None:
    own = {"sky": ["tide", ["north", "south"]], "plain": "a, b"}
    assert skills(own)["sky"] == ("tide", "north", "south")
    assert alternatives(own) == [("north", "south")]
    for wrong in ([["north", "server.*"]], [["north", 3]], [{"north": 1}]):
        with pytest.raises(ConfigError, match=r"skills\.sky"):
            skills({"sky": wrong})
