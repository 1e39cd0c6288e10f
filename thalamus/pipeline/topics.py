"""topics: extracts the topics of a turn for the world state."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, structs

from thalamus.errors import MODEL_ERRORS
from thalamus.memory.structured_output import request_record
from thalamus.memory.user.world import load_world
from thalamus.policy.json_schema import object_schema
from thalamus.policy.prompts import fence
from thalamus.policy.salience import small_talk
from thalamus.records import Issue, Memory, Provenance, Turn, World, WorldOperation
from thalamus.text.statements import share_said
from thalamus.turn_run import TurnRun, issue, skip, step

MOST = 4  # topics of one message
MOST_WORDS = 3  # of a topic
INTEREST = "topic_of_interest"
LONGEST = 1500  # characters of the answer in the prompt


class TopicsReply(msgspec.Struct):
    """A model's reply with topics."""

    topics: list[str]


SCHEMA = object_schema(
    topics={
        "type": "array",
        "maxItems": MOST,
        "items": {"type": "string", "minLength": 2, "maxLength": 40},
    }
)


def topics(turn: Turn, run: TurnRun) -> Turn:
    """Adds an operation that merges the turn's topics into the world's, and a memory for each topic
    that the user returns to. A topic must occur in the conversation. If the
    model is down, the topics stay as they are."""
    store = run.engine.memory_store
    if not (run.engine.use_memory and run.engine.config.enable_reflection):
        return skip(turn, run.engine, "topics", "disabled")
    if small_talk(turn.message):  # a word of thanks does not change the subject
        return skip(turn, run.engine, "topics", "small talk")
    tick = run.engine.clock.tick()
    world = turn.world
    if world is UNSET:
        world = load_world(store, turn.user)[0]
    found, replies, issues = _request(turn, run)
    operations = [WorldOperation(op="merge", path="topics", value=found)]
    operations = operations if found else []  # otherwise the others fade when it is stored
    memories = _interests(turn, world, found)
    before = turn.world_operations or []
    proposed = turn.proposals or []
    entry = step(run.engine, "topics", tick, replies=replies, detail={"topics": len(found)})
    return structs.replace(
        turn,
        world_operations=[*before, *operations] or UNSET,
        proposals=[*proposed, *memories] or UNSET,
        issues=[*turn.issues, *issues],
        trace=[*turn.trace, entry],
    )


def _request(turn: Turn, run: TurnRun) -> tuple[list[str], list[Any], list[Issue]]:
    """Topics of the message and its answer, the model's replies, and issues."""
    if run.engine.config.model_for("topics") in run.down:
        return [], [], []
    messages = run.engine.dialogue(
        "topics",
        USER_MESSAGE=fence(turn.message),
        ASSISTANT_ANSWER=fence((turn.answer or "(none)")[:LONGEST]),
    )
    try:
        reply = request_record(run, "topics", messages, SCHEMA, TopicsReply)
    except MODEL_ERRORS as error:
        run.failed("stage topics", error)
        return [], [], [issue("topics", error)]
    found = reply.value.topics if reply.value is not None else []
    exchange = f"{turn.message}\n{turn.answer or ''}"
    kept = [" ".join(name.lower().split()) for name in found]
    grounded = [
        name for name in dict.fromkeys(kept) if _is_topic(name) and share_said(name, exchange) == 1
    ]
    return grounded[:MOST], reply.replies, reply.issues


def _is_topic(name: str) -> bool:
    """True if a name is short enough for a topic and has content."""
    return len(name.split()) <= MOST_WORDS and not small_talk(name)


def _interests(turn: Turn, world: World, found: list[str]) -> list[Memory]:
    """A memory for each topic that the user mentions again; a topic mentioned once is not an
    interest."""
    return [
        Memory(
            content=f"The user is interested in {name}.",
            type=INTEREST,
            topic=name,
            importance="low",
            scope="archival",
            created_at=turn.created_at,
            session=turn.session,
            user=turn.user,
            agent=turn.agent,
            trust=0.5,
            provenance=Provenance(turn=turn.id, quote=turn.message),
        )
        for name in found
        if name in world.topics and share_said(name, turn.message) == 1
    ]
