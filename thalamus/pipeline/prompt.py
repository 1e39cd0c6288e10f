"""The prompt of an answer.

What is the same at every turn comes first, so that a model that remembers beginnings has it
already: the instructions, then the dialogue, and last the message below the notes. A capable model
gets one prompt; what a small one needs instead is in ``pipeline.small_answers``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from thalamus.models.protocol import Message
from thalamus.pipeline import small_answers
from thalamus.pipeline.prompt_parts import (
    PromptParts,
    exchanges,
    noted,
    parts_of,
    tagged_persona,
    tagged_profile,
)
from thalamus.policy.prompts import fence

if TYPE_CHECKING:
    from thalamus.context import Context
    from thalamus.records import Turn


def build_prompt(turn: Turn, context: Context) -> tuple[list[Message], PromptParts, Turn]:
    """The messages for the model, what stands in them, and the turn with its dialogue. Raises what
    the model raises."""
    parts, turn = parts_of(turn, context)
    prompt = small_answers.messages if context.small("answer") else _messages
    messages = prompt(parts, turn, context)
    if parts.profile:
        turn = structs.replace(turn, profile=list(parts.profile))
    return messages, parts, turn


def _messages(parts: PromptParts, turn: Turn, context: Context) -> list[Message]:
    """The one prompt of a capable model."""
    opening = context.templates.fill(
        "answer", PERSONA=tagged_persona(parts), PROFILE=tagged_profile(parts.profile, context)
    )
    last = noted([*parts.core, *parts.notes], turn, context)
    if turn.draft:
        last = context.templates.fill("drafted", DRAFT=fence(turn.draft), MESSAGE=last)
    return [Message("system", opening), *exchanges(parts.shown), Message("user", last)]
