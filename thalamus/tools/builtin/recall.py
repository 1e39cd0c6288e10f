"""memory_query and document_search: the search as a tool."""

from __future__ import annotations

from datetime import tzinfo
from typing import Any

from thalamus.errors import MODEL_ERRORS
from thalamus.memory.recall.persona_filter import PersonaFilter
from thalamus.memory.recall.search import comparable_models, find, make_query
from thalamus.policy.prompt_budget import evidence_lines
from thalamus.records import Evidence, Instruction
from thalamus.store.values import Filter
from thalamus.tools.tool import Tool, ToolOutput, Workspace, parameters

_RESULT_TOKENS = 1200  # tokens of results shown to a model
_TEXT = {"type": "string", "minLength": 1}
_ITEM = {
    "type": "object",
    "properties": {
        name: {"type": ["string", "null"]} for name in ("id", "kind", "text", "at", "type", "topic")
    },
}


def memory_query(args: dict[str, Any], workspace: Workspace) -> ToolOutput:
    instruction = Instruction(
        mode="all",
        query=args["query"],
        limit=args.get("k", 6),
        types=args.get("types") or [],
        topic=args.get("topic"),
    )
    return _found(instruction, workspace)


def document_search(args: dict[str, Any], workspace: Workspace) -> ToolOutput:
    instruction = Instruction(mode="document", query=args["query"], limit=args.get("k", 6))
    return _found(instruction, workspace)


def _found(instruction: Instruction, workspace: Workspace) -> ToolOutput:
    """Results of an instruction, without the turn itself and entries that must not be recalled for
    it. Empty without a store."""
    turn, run = workspace.turn, workspace.run
    store = workspace.store
    if store is None:
        return ToolOutput({"items": []}, text="(nothing found)")
    try:
        embedder = run.engine.models.embedder()
    except MODEL_ERRORS as error:
        run.failed("tool memory_query", error)
        embedder = None
    where = Filter(
        user=turn.user,
        agent=turn.agent,
        now=run.engine.clock.stamp(),
        exclude=(turn.id,) if turn.id else (),
    )
    known = comparable_models(store)
    query = make_query(instruction.query, embedder, known=known, zone=run.zone)
    evidence, _ = find(instruction, where, run, query=query)
    assistant_statements = PersonaFilter(turn, run)
    evidence = [item for item in evidence if assistant_statements.may_recall(item)]
    return ToolOutput(
        {"items": [evidence_fields(item) for item in evidence]},
        tuple(evidence),
        _text(evidence, run.zone),
    )


def evidence_fields(item: Evidence) -> dict[str, Any]:
    """A piece of evidence as a tool's result."""
    names = ("id", "kind", "text", "at", "type", "topic", "relevance")
    return {name: value for name in names if (value := getattr(item, name)) is not None}


def _text(evidence: list[Evidence], zone: tzinfo) -> str:
    return "\n".join(evidence_lines(evidence, _RESULT_TOKENS, zone=zone).lines) or "(nothing found)"


_RESULT = parameters(("items",), items={"type": "array", "items": _ITEM})
TOOLS = (
    Tool(
        name="memory_query",
        description="Search everything that is remembered of the user, by words and by meaning.",
        parameters=parameters(
            ("query",),
            query={**_TEXT, "description": "two to eight key words"},
            k={"type": "integer", "minimum": 1, "maximum": 50},
            types={"type": "array", "items": _TEXT},
            topic={"type": ["string", "null"]},
        ),
        result=_RESULT,
        function=memory_query,
        kind="memories",
    ),
    Tool(
        name="document_search",
        description="Search the files that were read into memory.",
        parameters=parameters(
            ("query",), query=_TEXT, k={"type": "integer", "minimum": 1, "maximum": 50}
        ),
        result=_RESULT,
        function=document_search,
        kind="documents",
    ),
)
