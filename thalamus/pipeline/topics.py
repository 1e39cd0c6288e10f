"""topics: what the conversation is about, for the world state."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, structs

from thalamus.context import Context, issue, skip, step
from thalamus.errors import MODEL_ERRORS
from thalamus.memory.structured_output import request_record
from thalamus.memory.world import load_world
from thalamus.policy.json_schema import object_schema
from thalamus.policy.prompts import fence
from thalamus.policy.salience import small_talk
from thalamus.records import Issue, Memory, Provenance, Turn, World, WorldOperation
from thalamus.text.statements import share_said

MOST = 4  # topics of one message
MOST_WORDS = 3  # of a topic
INTEREST = "topic_of_interest"
LONGEST = 1500  # characters of the answer in the prompt


class TopicsReply(msgspec.Struct):
    """A model's reply."""

    topics: list[str]


SCHEMA = object_schema(
    topics={
        "type": "array",
        "maxItems": MOST,
        "items": {"type": "string", "minLength": 2, "maxLength": 40},
    }
)


def topics(turn: Turn, context: Context) -> Turn:
    """Puts the operations on the record that make the topics of this turn the world's, merged with
    those before, which decay; and a memory of each that the user comes back to. What the
    conversation does not say is no topic. A model that is down leaves the topics as they are."""
    store = context.open_store(False) if context.use_memory else None
    if not (context.use_memory and context.config.enable_reflection):
        return skip(turn, context, "topics", "disabled")
    if small_talk(turn.message):  # a word of thanks changes no subject
        return skip(turn, context, "topics", "small talk")
    tick = context.clock.tick()
    world = turn.world
    if world is UNSET:
        world = load_world(store, turn.user)[0]
    found, replies, issues = _asked(turn, context)
    operations = [WorldOperation(op="merge", path="topics", value=found)]
    operations = operations if found or world.topics else []
    memories = _interests(turn, world, found)
    before = turn.world_operations or []
    proposed = turn.proposals or []
    entry = step(context, "topics", tick, replies=replies, detail={"topics": len(found)})
    return structs.replace(
        turn,
        world_operations=[*before, *operations] or UNSET,
        proposals=[*proposed, *memories] or UNSET,
        issues=[*turn.issues, *issues],
        trace=[*turn.trace, entry],
    )


def _asked(turn: Turn, context: Context) -> tuple[list[str], list[Any], list[Issue]]:
    """The topics of the message and its answer, the model's replies, and what went wrong."""
    if context.config.model_for("topics") in context.down:
        return [], [], []
    messages = context.dialogue(
        "topics",
        USER_MESSAGE=fence(turn.message),
        ASSISTANT_ANSWER=fence((turn.answer or "(none)")[:LONGEST]),
    )
    try:
        asked = request_record(context, "topics", messages, SCHEMA, TopicsReply)
    except MODEL_ERRORS as error:
        context.failed("stage topics", error)
        return [], [], [issue("topics", error)]
    found = asked.value.topics if asked.value is not None else []
    said = f"{turn.message}\n{turn.answer or ''}"
    kept = [" ".join(name.lower().split()) for name in found]
    grounded = [
        name for name in dict.fromkeys(kept) if _is_topic(name) and share_said(name, said) == 1
    ]
    return grounded[:MOST], asked.replies, asked.issues


def _is_topic(name: str) -> bool:
    """Whether a name is short enough for a topic, and says something."""
    return len(name.split()) <= MOST_WORDS and not small_talk(name)


def _interests(turn: Turn, world: World, found: list[str]) -> list[Memory]:
    """A memory of each topic that the user speaks of again: one that is only mentioned once is not
    an interest."""
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
