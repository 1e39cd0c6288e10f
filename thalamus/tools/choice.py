"""Choice of the tools that a stage offers to its model: in the configured order, or by the outcomes
of earlier calls (``tool_policy: ucb``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct, field

from thalamus.clock import days_later
from thalamus.memory.views.tool_outcomes import ToolOutcome, past_calls, recent_outcomes, vector_of
from thalamus.policy.tool_choice import PastCall, ToolScore, ranked
from thalamus.records.tools import ToolPerformance
from thalamus.tools.tool import Tool
from thalamus.tools.toolbox import toolbox

if TYPE_CHECKING:
    from thalamus.engine import Engine

UCB = "ucb"  # value of the setting `tool_policy`


class Offer(Struct, frozen=True):
    """Tools offered to a model, in order. ``alternatives``: tools that do the same as an offered
    one and are tried after it, in order; ``first``: the one of these that the configuration names
    first; ``scores``: of all of them, with the policy ucb."""

    tools: Sequence[Tool]
    alternatives: Mapping[str, Sequence[Tool]] = field(default_factory=dict)
    first: Mapping[str, str] = field(default_factory=dict)
    scores: Sequence[ToolScore] = ()

    def detail(self) -> dict[str, object]:
        """The choice for the ledger; empty where there was none."""
        ranking = [{"tool": one.tool, "score": _rounded(one.score)} for one in self.scores]
        return {"tool_ranking": ranking} if ranking else {}


def offer(tools: Sequence[Tool], task: str, engine: Engine) -> Offer:
    """The tools for a task, in the order of the setting `tool_policy`; of those that do the same
    only the first."""
    learn = engine.config.tool_policy == UCB and len(tools) > 1
    experience = _experience(tools, task, engine) if learn else None
    scores = experience.ranked(tools) if experience is not None else []
    places = {one.tool: place for place, one in enumerate(scores)}
    alternatives: dict[str, list[Tool]] = {}
    first: dict[str, str] = {}
    later: set[str] = set()
    for group in toolbox(engine).alternatives(tools):
        best, *others = experience.sorted(group) if experience is not None else group
        alternatives[best.name], first[best.name] = others, group[0].name
        later |= {tool.name for tool in others}
    offered = [tool for tool in tools if tool.name not in later]
    if scores:
        offered.sort(key=lambda tool: places[tool.name])
    return Offer(offered, alternatives, first, scores)


class _Experience(Struct, frozen=True):
    """Past calls with the similarity of their tasks, and shares of quotas that are left."""

    calls: Sequence[PastCall] = ()
    quotas: Mapping[str, float] = field(default_factory=dict)

    def ranked(self, tools: Sequence[Tool]) -> list[ToolScore]:
        """Scores of these tools, compared with each other only, best first."""
        return ranked([tool.name for tool in tools], self.calls, self.quotas)

    def sorted(self, tools: Sequence[Tool]) -> list[Tool]:
        """These tools, best first."""
        known = {tool.name: tool for tool in tools}
        return [known[one.tool] for one in self.ranked(tools)]


def _experience(tools: Sequence[Tool], task: str, engine: Engine) -> _Experience:
    store = engine.memory_store
    outcomes = recent_outcomes(store) if store is not None else []
    if store is None or not outcomes:
        return _Experience()
    calls = past_calls(outcomes, vector_of(task, engine), store)
    return _Experience(calls, _quotas(tools, outcomes, engine))


def performance_for(task: str, engine: Engine) -> list[ToolPerformance]:
    """Performance of every tool that some stage may use for a task, as ``ucb`` ranks them."""
    box = toolbox(engine)
    tools = [tool for tool in box.tools.values() if box.describe(tool).stages]
    return [
        ToolPerformance(
            tool=one.tool,
            outcome_score=round(one.performance.outcome, 4) if one.performance else None,
            n=round(one.performance.n, 2) if one.performance else 0,
            latency=round(one.performance.latency) if one.performance else None,
            score=_rounded(one.score),
        )
        for one in _experience(tools, task, engine).ranked(tools)
    ]


def _quotas(
    tools: Sequence[Tool], outcomes: Sequence[ToolOutcome], engine: Engine
) -> dict[str, float]:
    """The share of its server's quota that each tool has left today."""
    yesterday = days_later(engine.clock.stamp(), -1)
    recent = [one.tool for one in outcomes if one.at >= yesterday]
    left = {}
    for tool in tools:
        if tool.quota:
            server = _server(tool)
            of_server = {other.name for other in tools if _server(other) == server}
            # tools of other stages are not here, but their names begin with that of the server
            spent = sum(name in of_server or name.startswith(f"{server}_") for name in recent)
            left[tool.name] = max(0.0, 1 - spent / tool.quota)
    return left


def _server(tool: Tool) -> str:
    return tool.origin.partition(".")[0]


def _rounded(score: float | None) -> float | None:
    return None if score is None else round(score, 4)
