"""route: decides what a message needs: memory, an action, or only an answer.

Cheap lookups without a model come first: the last messages of the conversation and, if the world
state names a project or topics, memories about them. Then the model is asked once.
"""

from __future__ import annotations

from typing import Any, get_args

import msgspec
from msgspec import UNSET, structs

from thalamus.errors import MODEL_ERRORS
from thalamus.events import Routed
from thalamus.memory.normalize import begin_turn
from thalamus.memory.structured_output import request_record
from thalamus.memory.user.world import world_of
from thalamus.pipeline.retrieve import retrieve
from thalamus.policy.follow_up import has_no_content
from thalamus.policy.json_schema import object_schema
from thalamus.policy.prompts import fence
from thalamus.records import ContextSource, Issue, Route, SourceItem, Turn, TurnContext, World
from thalamus.tools.builtin.world import world_lines
from thalamus.tools.call import Caller, call_entry
from thalamus.tools.sources import source_of
from thalamus.tools.toolbox import toolbox
from thalamus.turn_run import TurnRun, issue, step, too_small_issue

MESSAGES = 4  # of the conversation, shown to the model
ABOUT_PROJECT = 6  # memories about the project or the topics
LONGEST = 300  # characters of an earlier message in the prompt


class RouteReply(msgspec.Struct):
    """A model's routing decision."""

    route: Route
    reason: str = ""


SCHEMA = object_schema(
    route={"enum": list(get_args(Route))}, reason={"type": "string", "maxLength": 80}
)


def route(turn: Turn, run: TurnRun) -> Turn:
    """Adds ``route``, ``context``, ``world`` and the tool calls to the turn.

    If the model is down or too small, or its reply unusable, the route is ``answer`` with an issue,
    the status ``degraded``, and the evidence that of the classic flow, so that nothing is recalled
    worse than there. Reads the store, never writes.
    """
    tick = run.engine.clock.tick()
    turn = begin_turn(turn, run)
    world, issues = world_of(run)
    turn = structs.replace(turn, world=world, issues=[*turn.issues, *issues])
    turn = _with_known(turn, world, run)
    reply, problem, replies = _request(turn, world, run)
    if reply is None:
        turn = retrieve(structs.replace(turn, evidence=[]), run)
        reply = RouteReply("answer", problem.message if problem else "")
        turn = structs.replace(turn, issues=[*turn.issues, *([problem] if problem else [])])
    run.emit(Routed, route=reply.route, reason=reply.reason)
    calls = [call for call in turn.tool_calls or () if call.stage == "route"]
    entry = step(
        run.engine,
        "route",
        tick,
        replies=replies,
        outputs=[item.id for item in turn.evidence],
        detail={"route": reply.route, "calls": [call_entry(call) for call in calls]},
    )
    status = "degraded" if problem is not None else "routed"
    return structs.replace(turn, route=reply.route, status=status, trace=[*turn.trace, entry])


def _with_known(turn: Turn, world: World, run: TurnRun) -> Turn:
    """The turn with what can be looked up without a model."""
    caller = Caller(toolbox(run.engine), turn, run, "route")
    sources: list[ContextSource] = []
    for name, args in _lookups(world):
        if not toolbox(run.engine).may_use("route", name):
            continue
        call = caller.call(name, args)
        source = source_of(call, caller, turn)
        sources += [source] if source is not None and source.items else []
    lines = world_lines(world)
    if lines:
        items = [SourceItem(text=line) for line in lines]
        sources.append(ContextSource(kind="world", title="the world state", items=items))
    return caller.finish(structs.replace(turn, context=TurnContext(sources=sources)))


def _lookups(world: World) -> list[tuple[str, dict[str, Any]]]:
    subject = world.project or " ".join(world.topics)
    about = [("memory_query", {"query": subject, "k": ABOUT_PROJECT})] if subject else []
    return [("chat_history_tail", {"limit": MESSAGES}), *about]


def _request(
    turn: Turn, world: World, run: TurnRun
) -> tuple[RouteReply | None, Issue | None, list[Any]]:
    """The model's decision, or the issue that prevented one, and its replies."""
    try:
        if run.engine.too_small("route"):
            return None, too_small_issue(run.engine, "route", "route", ("route",)), []
        # a small model takes text above a message for the message itself
        without_context = run.engine.small("route") and not has_no_content(turn.message)
        before = "" if without_context else _text_above(turn, world)
        messages = run.engine.dialogue("route", CONTEXT=before, USER_MESSAGE=fence(turn.message))
        result = request_record(run, "route", messages, SCHEMA, RouteReply)
    except MODEL_ERRORS as error:
        run.failed("stage route", error)
        run.failures.append(("route", error))
        return None, issue("route", error), []
    problem = result.issues[0] if result.issues else None
    return result.value, problem, result.replies


def _text_above(turn: Turn, world: World) -> str:
    """Text shown above the message: the world state and the end of the conversation."""
    lines = []
    for source in turn.context.sources if turn.context is not UNSET else []:
        if source.kind == "chat_turns":
            lines += [fence(_short(item.text or "")) for item in source.items]
    before = "\n".join(lines)
    dialogue = f"Before:\n{before}" if before else ""
    state = "\n".join(world_lines(world))
    return "\n\n".join(part for part in (state, dialogue) if part)


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
