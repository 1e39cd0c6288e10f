"""Joining notes into one sentence in their own words.

Small models choose well which notes belong together, and then say it in words that are not in them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import msgspec

from thalamus.memory.structured_output import StructuredReply, request_record
from thalamus.policy.json_schema import object_schema

if TYPE_CHECKING:
    from thalamus.context import Context
    from thalamus.models.protocol import ChatReply

SCHEMA = object_schema(content={"type": "string", "minLength": 10, "maxLength": 320})


class JoinReply(msgspec.Struct):
    """A model's reply."""

    content: str


@dataclass
class Joined:
    """The sentence that notes were joined into, empty when no reply was usable."""

    content: str = ""
    replies: list[ChatReply] = field(default_factory=list)


def join(notes: Sequence[str], context: Context) -> Joined:
    """One sentence of notes, each a line that says its day and who said it where that is known.
    Raises what the model raises."""
    messages = context.dialogue("join", NOTES="\n".join(notes))
    asked: StructuredReply[JoinReply] = request_record(
        context, "crystallize", messages, SCHEMA, JoinReply
    )
    return Joined(asked.value.content if asked.value is not None else "", asked.replies)
