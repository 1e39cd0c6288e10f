"""The extraction call: what a model is shown of a message, and what it proposes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from thalamus.extract import proposals
from thalamus.extract.known import Known
from thalamus.extract.proposals import Proposals
from thalamus.extract.voices import marked
from thalamus.memory.structured_output import StructuredReply, request_with_retry
from thalamus.policy.prompts import fence
from thalamus.policy.reply_parsing import MEMORY_TYPES
from thalamus.text.local_time import local

if TYPE_CHECKING:
    from thalamus.context import Context
    from thalamus.records import Turn

BEFORE = 4  # exchanges before the message that are shown
LONGEST_BEFORE = 1200  # characters of each message of these
LONGEST_PART = 6000  # characters of a message that are read at once
MOST_PARTS = 8  # parts of a long message that are read


def ask(
    turn: Turn, before: Sequence[Turn], known: Known, context: Context
) -> StructuredReply[Proposals]:
    """What the model proposes to keep of a turn's message; a long one is read in parts. Raises what
    the model raises."""
    asked: StructuredReply[Proposals] = StructuredReply()
    for part in parts(turn.message):
        reply = _ask_about(part, turn, before, known, context)
        asked.replies += reply.replies
        asked.raw += reply.raw
        asked.issues += reply.issues
        if reply.value is not None:
            asked.value = _joined(asked.value, reply.value)
    return asked


def parts(message: str) -> list[str]:
    """The message in parts of at most ``LONGEST_PART`` characters, cut between paragraphs, lines or
    words; of a very long one the first ``MOST_PARTS``."""
    found: list[str] = []
    rest = message
    while len(rest) > LONGEST_PART and len(found) < MOST_PARTS:
        window = rest[:LONGEST_PART]
        cut = max(window.rfind("\n\n"), window.rfind("\n"), 0)
        cut = cut if cut > LONGEST_PART // 2 else max(window.rfind(" "), LONGEST_PART // 2)
        found.append(rest[:cut])
        rest = rest[cut:]
    return [*found, rest][:MOST_PARTS]


def _ask_about(
    message: str, turn: Turn, before: Sequence[Turn], known: Known, context: Context
) -> StructuredReply[Proposals]:
    messages = context.dialogue(
        "reflect",
        TYPES=", ".join(MEMORY_TYPES),
        BEFORE="\n".join(_exchange(one, context) for one in before[-BEFORE:]) or "(nothing)",
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
