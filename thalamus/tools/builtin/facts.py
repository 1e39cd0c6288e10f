"""facts_query: facts about a person or thing with their times."""

from __future__ import annotations

from datetime import tzinfo
from typing import Any

from thalamus.clock import format_time, parse_time
from thalamus.errors import UsageError
from thalamus.memory.facts.assertion import fact_text
from thalamus.memory.facts.entities import asked_entity
from thalamus.memory.facts.intervals import registry_of
from thalamus.policy.prompts import fence
from thalamus.policy.speakers import speaker_of
from thalamus.records import Fact
from thalamus.store import facts
from thalamus.store.values import Filter
from thalamus.text.days import as_said
from thalamus.text.local_time import local_day
from thalamus.tools.tool import Tool, ToolError, ToolOutput, Workspace, parameters

MOST = 20
_FIELDS = ("id", "subject", "predicate", "object", "valid_from", "valid_to")


def facts_query(args: dict[str, Any], workspace: Workspace) -> ToolOutput:
    turn, store, zone = workspace.turn, workspace.store, workspace.run.zone
    if store is None:
        return ToolOutput({"facts": []}, text="(nothing is known)")
    as_of = _moment(args.get("as_of"), zone) or workspace.run.engine.clock.stamp()
    where = Filter(user=turn.user, agent=turn.agent, as_of=as_of)
    entity = asked_entity(store, turn.user, args["subject"]) if args.get("subject") else None
    found = facts.read(store, where, entity)
    if args.get("predicate"):
        wanted = registry_of(store).name(args["predicate"])
        found = [fact for fact in found if fact.predicate == wanted]
    found = found[-args.get("k", MOST) :]
    fields = [{n: v for n in _FIELDS if (v := getattr(fact, n)) is not None} for fact in found]
    text = "\n".join(f"- {fence(_line(fact, zone))}" for fact in found)
    return ToolOutput({"facts": fields}, text=text or "(nothing is known)")


def _moment(text: str | None, zone: tzinfo) -> str | None:
    if not text:
        return None
    try:
        return format_time(parse_time(text, zone))
    except (UsageError, ValueError) as error:
        raise ToolError(f"as_of must be a date or a time, not {text!r}: {error}") from None


def _line(fact: Fact, zone: tzinfo) -> str:
    begun = as_said(local_day(fact.valid_from, zone), fact.valid_from, fact.metadata)
    since = f" (since {begun})" if fact.valid_from else ""
    speaker = speaker_of(fact)
    return f"[{speaker}] {fact_text(fact)}{since}" if speaker else f"{fact_text(fact)}{since}"


_STRING = {"type": "string", "minLength": 1}
TOOLS = (
    Tool(
        name="facts_query",
        description="The facts about a person or thing that hold now, or held at a time (`as_of`).",
        parameters=parameters(
            subject={**_STRING, "description": "a name; user is the user"},
            predicate={**_STRING, "description": "such as lives_in"},
            as_of={**_STRING, "description": "YYYY-MM-DD"},
            k={"type": "integer", "minimum": 1, "maximum": 50},
        ),
        result=parameters(
            ("facts",),
            facts={
                "type": "array",
                "items": parameters(("subject",), **{name: {"type": "string"} for name in _FIELDS}),
            },
        ),
        function=facts_query,
        kind="facts",
    ),
)
