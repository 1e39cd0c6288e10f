"""gather: builds the context for an answer that needs earlier conversations or facts.

It starts with what the classic flow would recall. Then the model reads it and asks for what is
missing, at most three times.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import msgspec
from msgspec import UNSET, structs

from thalamus.engine import Engine
from thalamus.errors import MODEL_ERRORS
from thalamus.memory.structured_output import StructuredReply, request_record
from thalamus.pipeline.prompt_parts import parts_of
from thalamus.pipeline.retrieve import retrieve
from thalamus.policy import prompt_budget
from thalamus.policy.json_schema import object_schema
from thalamus.policy.prompts import fence
from thalamus.records import (
    ContextSource,
    Evidence,
    Issue,
    MemoryRequest,
    SourceItem,
    Turn,
    TurnContext,
)
from thalamus.tools.call import Caller, call_entry
from thalamus.tools.choice import offer
from thalamus.tools.sources import cut, source_of
from thalamus.tools.tool import Tool
from thalamus.tools.toolbox import toolbox
from thalamus.turn_run import TurnRun, issue, skip, step

ROUNDS = 3
NOTHING = "nothing"  # a model's reply when the context is complete
RETRIEVER = "memory_retriever"  # the search that ``memory_request`` is for, in a model's reply
EVIDENCE_TOKENS = 900  # tokens of the prompt for what was found so far


class GatherReply(msgspec.Struct):
    """A model's reply: the next thing to look up, or nothing."""

    next: str | None = NOTHING
    memory_request: MemoryRequest | None = None
    args: dict[str, Any] = {}


def gather(turn: Turn, run: TurnRun) -> Turn:
    """Adds the context's sources and the evidence to the turn. Does nothing on another route. If
    the model is down or its reply unusable, what was found so far stays."""
    if turn.route is not UNSET and turn.route != "context":
        return skip(turn, run.engine, "gather", f"the route is {turn.route}")
    tick = run.engine.clock.tick()
    known = turn.context if turn.context is not UNSET else TurnContext()
    turn = _with_recall(turn, run)
    offered = offer(_available(run.engine), turn.message, run.engine)
    caller = Caller(toolbox(run.engine), turn, run, "gather", offered)
    built, replies, issues = _rounds(turn, known, offered.tools, caller, run)
    turn = caller.finish(turn)
    share = _share(run.engine, len(built.sources))
    built = structs.replace(built, sources=[cut(source, share) for source in built.sources])
    entry = step(
        run.engine,
        "gather",
        tick,
        replies=replies,
        outputs=[item.id for item in turn.evidence],
        detail={
            "rounds": built.rounds,
            "complete": built.complete,
            "calls": [call_entry(call) for call in caller.calls],
            **offered.detail(),
        },
    )
    return structs.replace(
        turn, context=built, issues=[*turn.issues, *issues], trace=[*turn.trace, entry]
    )


def _with_recall(turn: Turn, run: TurnRun) -> Turn:
    """The turn with the evidence of the classic flow, followed by the evidence it had before."""
    before = turn.evidence
    turn = retrieve(structs.replace(turn, evidence=[]), run)
    found = {item.id for item in turn.evidence}
    shown = set(turn.dialogue.shown) if turn.dialogue else set()
    more = [item for item in before if item.id not in found | shown]
    return structs.replace(turn, evidence=[*turn.evidence, *more])


def _rounds(
    turn: Turn, built: TurnContext, tools: Sequence[Tool], caller: Caller, run: TurnRun
) -> tuple[TurnContext, list[Any], list[Issue]]:
    """The context after all rounds, the replies, and the issues."""
    items = [SourceItem(id=item.id) for item in turn.evidence]
    first = ContextSource(
        kind="memories", title="recalled for the message", items=items, at=turn.created_at
    )
    sources = [*built.sources, *([first] if items else [])]
    built = structs.replace(built, sources=sources)
    replies: list[Any] = []
    searched: set[str] = set()
    for _ in range(ROUNDS):
        try:
            reply = _ask(turn, built, caller, tools, run)
        except MODEL_ERRORS as error:
            run.failed("stage gather", error)
            return built, replies, [issue("gather", error)]
        replies += reply.replies
        built = structs.replace(built, rounds=built.rounds + 1)
        wanted = reply.value
        if wanted is None:
            return built, replies, reply.issues
        built = structs.replace(
            built,
            complete=wanted.next in (None, NOTHING),
            next=None if wanted.next == NOTHING else wanted.next,
            memory_request=wanted.memory_request,
        )
        name, args = _call_for(wanted)
        key = json.dumps([name, args], sort_keys=True)
        if name is None or key in searched:
            return built, replies, []
        searched.add(key)
        source = source_of(caller.call(name, args), caller, turn)
        if source is not None and (new := _new_items(source, built.sources)).items:
            built = structs.replace(built, sources=[*built.sources, new])
    return built, replies, []


def _call_for(wanted: GatherReply) -> tuple[str | None, dict[str, Any]]:
    """The tool and arguments that a reply asks for."""
    request = wanted.memory_request
    if wanted.next in (None, NOTHING) or (wanted.next == RETRIEVER and request is None):
        return None, {}
    if wanted.next == RETRIEVER and request is not None:
        args: dict[str, Any] = {"query": request.query, "k": request.k}
        args |= {"types": request.types} if request.types else {}
        return "memory_query", args | ({"topic": request.topic} if request.topic else {})
    return wanted.next, wanted.args


def _new_items(source: ContextSource, others: list[ContextSource]) -> ContextSource:
    """The source without items that another source already has."""
    known = {item.id for other in others for item in other.items if item.id and not item.text}
    items = [item for item in source.items if item.text or item.id not in known]
    return structs.replace(source, items=items)


def _ask(
    turn: Turn, built: TurnContext, caller: Caller, tools: Sequence[Tool], run: TurnRun
) -> StructuredReply[GatherReply]:
    lines = _notes([*turn.evidence, *caller.evidence], turn, run)
    for source in built.sources:
        lines += [fence(item.text) for item in source.items if item.text]
    messages = run.engine.dialogue(
        "gather",
        TOOLS="\n".join(f"{tool.name}: {tool.description}" for tool in _others(tools)) or "(none)",
        NOTES="\n".join(lines) or "(none)",
        USER_MESSAGE=fence(turn.message),
    )
    return request_record(run, "gather", messages, schema(tools), GatherReply)


def _notes(evidence: Sequence[Evidence], turn: Turn, run: TurnRun) -> list[str]:
    """Lines of what was found so far. A capable model has the notes of the answer, so that it
    asks for nothing that is there."""
    if run.engine.small("answer"):
        when = turn.created_at, run.zone
        return prompt_budget.evidence_lines(evidence, EVIDENCE_TOKENS, *when).lines
    found = structs.replace(turn, evidence=list(evidence), context=UNSET)
    parts, _ = parts_of(found, run)
    notes = [*parts.standing.bullets("core"), *parts.notes]
    room = run.engine.models.chat("gather").context() // 2
    sizes = accumulate(prompt_budget.estimate_tokens(line) for line in notes)
    return [line for line, size in zip(notes, sizes, strict=True) if size <= room]


def _available(engine: Engine) -> list[Tool]:
    """Tools that the model may be offered. A small one looks up facts about nothing in particular
    when it should search, so it only gets the search and, if there are any, the notes."""
    found = [tool for tool in toolbox(engine).of_stage("gather") if tool.effect == "read"]
    if engine.small("gather"):
        return [tool for tool in found if tool.name == "memory_query" or tool.source != "builtin"]
    return found


def _others(tools: Sequence[Tool]) -> list[Tool]:
    """Tools other than the search, which has its own ``memory_request``."""
    return [tool for tool in tools if tool.name not in ("memory_query", "chat_history_tail")]


def schema(tools: Sequence[Tool]) -> dict[str, Any]:
    """JSON Schema of a reply: complete, or one thing to look up."""
    request = object_schema(
        query={"type": "string", "minLength": 2, "maxLength": 100},
        k={"type": "integer", "minimum": 1, "maximum": 20},
    )
    choices = [
        object_schema(next={"const": NOTHING}),
        object_schema(next={"const": RETRIEVER}, memory_request=request),
        *(
            object_schema(next={"const": tool.name}, args=tool.parameters)
            for tool in _others(tools)
        ),
    ]
    return {"anyOf": choices}


def _share(engine: Engine, sources: int) -> int:
    """Tokens of the prompt for each of several sources."""
    room = engine.notes_budget(engine.models.chat("gather").context() // 2, "gather")
    return max(50, room // max(1, sources))
