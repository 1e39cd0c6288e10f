"""route: decides what a message needs: something from memory, something done, or only an answer.

What is cheap comes first, without a model: the last messages of the conversation and, where the
world names a project or topics, what is remembered of them. Then the model is asked once.
"""

from __future__ import annotations

from typing import Any, get_args

import msgspec
from msgspec import UNSET, structs

from thalamus.context import Context, issue, step, too_small_issue
from thalamus.errors import MODEL_ERRORS
from thalamus.events import Routed
from thalamus.memory.normalize import begin_turn
from thalamus.memory.structured_output import request_record
from thalamus.memory.world import load_world
from thalamus.pipeline.retrieve import retrieve
from thalamus.policy.follow_up import says_nothing
from thalamus.policy.json_schema import object_schema
from thalamus.policy.prompts import fence
from thalamus.records import ContextSource, Issue, Route, SourceItem, Turn, TurnContext, World
from thalamus.tools.builtin.world import world_lines
from thalamus.tools.call import Caller, call_entry
from thalamus.tools.sources import source_of
from thalamus.tools.toolbox import toolbox

MESSAGES = 4  # of the conversation that a router looks at
ABOUT_PROJECT = 6  # memories about the project or the topics
LONGEST = 300  # characters of an earlier message in the prompt


class RouteReply(msgspec.Struct):
    """A model's decision."""

    route: Route
    reason: str = ""


SCHEMA = object_schema(
    route={"enum": list(get_args(Route))}, reason={"type": "string", "maxLength": 80}
)


def route(turn: Turn, context: Context) -> Turn:
    """Puts ``route``, ``context``, ``world`` and the calls that were made on the record.

    A model that is down or too small, or whose reply cannot be used, makes the route ``answer``
    with an issue, the status ``degraded``, and the evidence of the classic flow: nothing is
    remembered worse than there. Reads, never writes.
    """
    tick = context.clock.tick()
    store = context.open_store(False) if context.use_memory else None
    turn = begin_turn(turn, context, store)
    world, issues = load_world(store, turn.user)
    turn = structs.replace(turn, world=world, issues=[*turn.issues, *issues])
    turn = _with_known(turn, world, context)
    reply, problem, replies = _asked(turn, world, context)
    if reply is None:
        turn = retrieve(structs.replace(turn, evidence=[]), context)
        reply = RouteReply("answer", problem.message if problem else "")
        turn = structs.replace(turn, issues=[*turn.issues, *([problem] if problem else [])])
    context.emit(Routed, route=reply.route, reason=reply.reason)
    calls = [call for call in turn.tool_calls or () if call.stage == "route"]
    entry = step(
        context,
        "route",
        tick,
        replies=replies,
        outputs=[item.id for item in turn.evidence],
        detail={"route": reply.route, "calls": [call_entry(call) for call in calls]},
    )
    status = "degraded" if problem is not None else "routed"
    return structs.replace(turn, route=reply.route, status=status, trace=[*turn.trace, entry])


def _with_known(turn: Turn, world: World, context: Context) -> Turn:
    """The turn with what is looked up without asking a model."""
    caller = Caller(toolbox(context), turn, context, "route")
    sources: list[ContextSource] = []
    for name, args in _lookups(world):
        if not toolbox(context).may_use("route", name):
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


def _asked(
    turn: Turn, world: World, context: Context
) -> tuple[RouteReply | None, Issue | None, list[Any]]:
    """The model's decision, or the issue because of which there is none, and its replies."""
    try:
        if context.too_small("route"):
            return None, too_small_issue(context, "route", "route", ("route",)), []
        # a small model takes what stands above a message for the message itself
        alone = context.small("route") and not says_nothing(turn.message)
        before = "" if alone else _before(turn, world)
        messages = context.dialogue("route", CONTEXT=before, USER_MESSAGE=fence(turn.message))
        asked = request_record(context, "route", messages, SCHEMA, RouteReply)
    except MODEL_ERRORS as error:
        context.failed("stage route", error)
        context.failures.append(("route", error))
        return None, issue("route", error), []
    problem = asked.issues[0] if asked.issues else None
    return asked.value, problem, asked.replies


def _before(turn: Turn, world: World) -> str:
    """What a router is shown above the message: the end of the conversation, and the world."""
    lines = []
    for source in turn.context.sources if turn.context is not UNSET else []:
        if source.kind == "chat_turns":
            lines += [fence(_short(item.text or "")) for item in source.items]
    before = "\n".join(lines)
    said = f"Before:\n{before}" if before else ""
    state = "\n".join(world_lines(world))
    return "\n\n".join(part for part in (state, said) if part)


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
