"""The extraction call: shows the model a message with its context and reads the proposals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from thalamus.extract import proposals
from thalamus.extract.known import KnownItems
from thalamus.extract.proposals import Proposals
from thalamus.memory.structured_output import StructuredReply, request_with_retry
from thalamus.policy.prompt_budget import estimate_tokens
from thalamus.policy.prompts import fence
from thalamus.policy.reply_parsing import MEMORY_TYPES
from thalamus.text.local_time import local
from thalamus.text.marks import without_invisible
from thalamus.text.voices import marked
from thalamus.turn_run import MOST_TOKENS

if TYPE_CHECKING:
    from thalamus.engine import Engine
    from thalamus.models.protocol import Message
    from thalamus.records import Turn
    from thalamus.turn_run import TurnRun

BEFORE = 4  # exchanges shown before the message
LONGEST_BEFORE = 1200  # characters shown of each message in them
LONGEST_PART = 1500  # tokens of a message read in one call
MOST_PARTS = 8  # parts of a long message that are read
LEAST_ROOM = 200  # tokens for each part of the prompt, at the cost of the reply
LEAST_OF_ALL = 50  # the same, however small the model's context window


def ask(
    turn: Turn, before: Sequence[Turn], known: KnownItems, run: TurnRun
) -> StructuredReply[Proposals]:
    """Asks the model for the proposals of a turn's message; a long message is read in parts. Raises
    the model's errors."""

    def ask() -> StructuredReply[Proposals]:
        result: StructuredReply[Proposals] = StructuredReply()
        left = room(run.engine)
        for part in marked_parts(without_invisible(turn.message), min(LONGEST_PART, left)):
            _add(result, _ask_about(part, turn, before, known.within(left), run))
        return result

    return run.fitted(ask)


def room(engine: Engine) -> int:
    """Tokens of the context window available to each of the three variable parts of the prompt: the
    dialogue, the known items and the message. Raises the model's errors."""
    free = engine.models.chat("reflect").context()
    free -= estimate_tokens(engine.templates.load("reflect"))
    beside_reply = (free - MOST_TOKENS["reflect"]) // 3
    return max(beside_reply, min(LEAST_ROOM, free // 4), LEAST_OF_ALL)


def parts(message: str, tokens: int) -> list[str]:
    """Splits a message into parts of at most ``tokens``, at paragraphs, lines or words. Of a very
    long message only the first ``MOST_PARTS`` are returned."""
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


def marked_parts(message: str, tokens: int) -> list[str]:
    """Parts of a message with ``> `` before the words of others, even if a line continues from one
    part to the next."""
    text, place = marked(message), 0
    found: list[str] = []
    for part in parts(text, tokens):
        line = text[text.rfind("\n", 0, place) + 1 : place]
        found.append(f"> {part}" if line.startswith("> ") else part)
        place += len(part)
    return found


def _ask_about(
    message: str, turn: Turn, before: Sequence[Turn], known: KnownItems, run: TurnRun
) -> StructuredReply[Proposals]:
    shown = messages(message, turn, before, known, run)
    return _request(shown, [item.id for item in known.items], run)


def messages(
    message: str, turn: Turn, before: Sequence[Turn], known: KnownItems, run: TurnRun
) -> list[Message]:
    """The prompt for a message, or a part of one."""
    return run.engine.dialogue(
        "reflect",
        TYPES=", ".join(MEMORY_TYPES),
        BEFORE="\n".join(_exchanges(before, run)) or "(nothing)",
        KNOWN="\n".join(known.lines) or "(nothing)",
        TODAY=run.today(turn),
        USER_MESSAGE=fence(message),
    )


def _request(
    messages: list[Message], ids: Sequence[str], run: TurnRun
) -> StructuredReply[Proposals]:
    return request_with_retry(
        run,
        "reflect",
        messages,
        proposals.read,
        "Reply with the JSON object only.",
        proposals.schema(ids),
    )


def ask_about_activity(
    words: str, agent: str, turn: Turn, run: TurnRun
) -> StructuredReply[Proposals]:
    """Asks the model for the proposals of another agent's activity, by itself: nothing that is
    known is shown, so that nothing known is changed. Raises the model's errors."""

    def ask() -> StructuredReply[Proposals]:
        result: StructuredReply[Proposals] = StructuredReply()
        for part in parts(without_invisible(words), min(LONGEST_PART, room(run.engine))):
            messages = run.engine.dialogue(
                "activity", AGENT=fence(agent), TODAY=run.today(turn), ACTIVITY=fence(part)
            )
            _add(result, _request(messages, [], run))
        return result

    return run.fitted(ask)


def _exchanges(before: Sequence[Turn], run: TurnRun) -> list[str]:
    """The newest exchanges that fit, oldest first."""
    found: list[str] = []
    left = room(run.engine)
    for turn in reversed(before[-BEFORE:]):
        text = _exchange(turn, run)
        left -= estimate_tokens(text)
        if left < 0:
            break
        found.append(text)
    return found[::-1]


def _exchange(turn: Turn, run: TurnRun) -> str:
    at = local(turn.created_at or "", run.zone)[:16].replace("T", " ")
    lines = [f"User ({at}): {_shortened(turn.message)}"]
    if turn.answer:
        lines.append(f"Assistant: {_shortened(turn.answer)}")
    return "\n".join(lines)


def _shortened(text: str) -> str:
    line = fence(" ".join(text.split()))
    return line if len(line) <= LONGEST_BEFORE else f"{line[: LONGEST_BEFORE - 1]}…"


def _add(result: StructuredReply[Proposals], reply: StructuredReply[Proposals]) -> None:
    """Adds the reply about a further part."""
    result.replies += reply.replies
    result.raw += reply.raw
    result.issues += reply.issues
    if reply.value is not None:
        result.value = _merge(result.value, reply.value)


def _merge(one: Proposals | None, other: Proposals) -> Proposals:
    if one is None:
        return other
    return Proposals(
        [*one.memories, *other.memories],
        [*one.facts, *other.facts],
        [*one.no_longer, *other.no_longer],
        [*one.forget, *other.forget],
        one.unusable + other.unusable,
    )
