"""The prompt of an answer.

Parts that stay the same in every turn come first, so that a model that caches prefixes can reuse
them: the instructions, then the dialogue, and last the notes with the message. A capable model gets
one prompt; ``pipeline.small_answers`` has those of a small one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from thalamus.models.protocol import Message
from thalamus.pipeline import small_answers
from thalamus.pipeline.prompt_parts import (
    PromptParts,
    exchanges,
    opening,
    parts_of,
    with_notes,
)
from thalamus.policy.prompts import fence

if TYPE_CHECKING:
    from thalamus.records import Turn
    from thalamus.turn_run import TurnRun


def build_prompt(turn: Turn, run: TurnRun) -> tuple[list[Message], PromptParts, Turn]:
    """The messages for the model, the parts of the prompt, and the turn with its dialogue. Raises
    the model's errors."""
    parts, turn = parts_of(turn, run)
    prompt = small_answers.messages if run.engine.small("answer") else _messages
    messages = prompt(parts, turn, run)
    if profile := parts.standing.profile_lines():
        turn = structs.replace(turn, profile=profile)
    return messages, parts, turn


def _messages(parts: PromptParts, turn: Turn, run: TurnRun) -> list[Message]:
    """The prompt of a capable model."""
    instructions = opening(parts.opening, parts.standing, run.engine)
    last = with_notes([*parts.standing.bullets("core"), *parts.notes], turn, run)
    if turn.draft:
        last = run.engine.templates.fill("drafted", DRAFT=fence(turn.draft), MESSAGE=last)
    return [Message("system", instructions), *exchanges(parts.shown), Message("user", last)]
