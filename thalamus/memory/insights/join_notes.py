"""Joining notes into one sentence in their own words.

Small models are good at selecting notes that belong together, but then add words of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct, field

from thalamus.memory.structured_output import StructuredReply, request_record
from thalamus.policy.json_schema import object_schema

if TYPE_CHECKING:
    from thalamus.models.protocol import ChatReply
    from thalamus.turn_run import TurnRun

SCHEMA = object_schema(content={"type": "string", "minLength": 10, "maxLength": 320})


class JoinReply(msgspec.Struct):
    """The reply of the model."""

    content: str


class JoinedNotes(Struct):
    """The sentence made from the notes, empty when no reply was usable."""

    content: str = ""
    replies: list[ChatReply] = field(default_factory=list)


def join(notes: Sequence[str], run: TurnRun) -> JoinedNotes:
    """Joins notes into one sentence; each note is a line with its day and speaker, if known. Raises
    what the model raises."""
    messages = run.engine.dialogue("join", NOTES="\n".join(notes))
    reply: StructuredReply[JoinReply] = request_record(
        run, "crystallize", messages, SCHEMA, JoinReply
    )
    return JoinedNotes(reply.value.content if reply.value is not None else "", reply.replies)
