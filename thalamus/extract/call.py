"""The extraction call: what a model is shown of a message, and what it proposes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from thalamus.context import MOST_TOKENS
from thalamus.extract import proposals
from thalamus.extract.known import ShownItems
from thalamus.extract.proposals import Proposals
from thalamus.extract.voices import marked
from thalamus.memory.structured_output import StructuredReply, request_with_retry
from thalamus.policy.prompt_budget import estimate_tokens
from thalamus.policy.prompts import fence
from thalamus.policy.reply_parsing import MEMORY_TYPES
from thalamus.text.local_time import local

if TYPE_CHECKING:
    from thalamus.context import Context
    from thalamus.records import Turn

BEFORE = 4  # exchanges before the message that are shown
LONGEST_BEFORE = 1200  # characters of each message of these
LONGEST_PART = 1500  # tokens of a message that are read at once
MOST_PARTS = 8  # parts of a long message that are read
LEAST_ROOM = 200  # tokens of each part of the prompt, however small the model's window is


def ask(
    turn: Turn, before: Sequence[Turn], known: ShownItems, context: Context
) -> StructuredReply[Proposals]:
    """What the model proposes to keep of a turn's message; a long one is read in parts. Raises what
    the model raises."""
    asked: StructuredReply[Proposals] = StructuredReply()
    for part in parts(turn.message, min(LONGEST_PART, room(context))):
        reply = _ask_about(part, turn, before, known, context)
        asked.replies += reply.replies
        asked.raw += reply.raw
        asked.issues += reply.issues
        if reply.value is not None:
            asked.value = _joined(asked.value, reply.value)
    return asked


def room(context: Context) -> int:
    """Tokens of the model's window for each of the three parts of the prompt that vary: the
    dialogue, what is known, and the message. Raises what the model raises."""
    fixed = estimate_tokens(context.templates.load("reflect")) + MOST_TOKENS["reflect"]
    return max(LEAST_ROOM, (context.models.chat("reflect").context() - fixed) // 3)


def parts(message: str, tokens: int) -> list[str]:
    """The message in parts of at most ``tokens``, cut between paragraphs, lines or words; of a very
    long one the first ``MOST_PARTS``."""
    found: list[str] = []
    rest = message
    longest = tokens * len(message) // estimate_tokens(message)
    while len(rest) > longest and len(found) < MOST_PARTS:
        window = rest[:longest]
        places = (window.rfind(mark) for mark in ("\n\n", "\n", " "))
        cut = next((place for place in places if place > longest // 2), longest)
        found.append(rest[:cut])
        rest = rest[cut:]
    return [*found, rest][:MOST_PARTS]


def _ask_about(
    message: str, turn: Turn, before: Sequence[Turn], known: ShownItems, context: Context
) -> StructuredReply[Proposals]:
    messages = context.dialogue(
        "reflect",
        TYPES=", ".join(MEMORY_TYPES),
        BEFORE="\n".join(_exchanges(before, context)) or "(nothing)",
        KNOWN="\n".join(known.lines) or "(nothing)",
        TODAY=context.today(turn),
        USER_MESSAGE=fence(marked(message)),
    )
    return request_with_retry(
        context,
        "reflect",
        messages,
        proposals.read,
        "Reply with the JSON object only.",
        proposals.schema([item.id for item in known.items]),
    )


def _exchanges(before: Sequence[Turn], context: Context) -> list[str]:
    """The newest exchanges that find room, the oldest first."""
    found: list[str] = []
    left = room(context)
    for turn in reversed(before[-BEFORE:]):
        text = _exchange(turn, context)
        left -= estimate_tokens(text)
        if left < 0:
            break
        found.append(text)
    return found[::-1]


def _exchange(turn: Turn, context: Context) -> str:
    at = local(turn.created_at or "", context.zone)[:16].replace("T", " ")
    lines = [f"User ({at}): {_shortened(turn.message)}"]
    if turn.answer:
        lines.append(f"Assistant: {_shortened(turn.answer)}")
    return "\n".join(lines)


def _shortened(text: str) -> str:
    said = fence(" ".join(text.split()))
    return said if len(said) <= LONGEST_BEFORE else f"{said[: LONGEST_BEFORE - 1]}…"


def _joined(one: Proposals | None, other: Proposals) -> Proposals:
    if one is None:
        return other
    return Proposals(
        [*one.memories, *other.memories],
        [*one.facts, *other.facts],
        [*one.no_longer, *other.no_longer],
        one.unusable + other.unusable,
    )
