"""What a small model needs to answer, and a capable one does not.

A model of 1.5 billion parameters answers from notes whatever they say, and recites them to a plain
remark, and it copies the phrases and the language of the dialogue. So it is given notes only for a
question that they answer, which it is asked before, and for a request; the dialogue only for a
message that says nothing without it (``prompt_parts``); and each kind of message has instructions
of its own. (Measured; see docs/models.md.)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from thalamus.extract.second_look import can_tell_yes, yes_probability
from thalamus.models.protocol import Message
from thalamus.pipeline.prompt_parts import (
    PromptParts,
    add_nearest,
    exchanges,
    noted,
    tagged_persona,
)
from thalamus.policy.prompts import fence
from thalamus.text.questions import has_question

if TYPE_CHECKING:
    from thalamus.context import Context
    from thalamus.records import Turn

KNOWN = 0.6  # least probability that the notes answer a question, for it to be answered from them
MEANT = 0.85  # the same for a message without a question mark: it may be no question
ASKS = 0.9  # least probability that a message asks for something, for it to be a request
# messages of the examples in English, which stand first: a model that cannot tell yes from no
# mixes up the languages of others
ENGLISH = 4
NOT_SHOWN = "the model is small, and the message is not answered from notes"


def messages(parts: PromptParts, turn: Turn, context: Context) -> list[Message]:
    """The prompt of a small model. Asks it once what the message is. Raises what the model
    raises."""
    name, known = _kind(parts, turn, context)
    if name != "small_recall":
        parts.profile = []
    if name in ("small_talk", "small_unknown"):
        parts.left_out |= dict.fromkeys(parts.used, NOT_SHOWN)
        parts.used, parts.added = [], []
    notes = _notes(parts, name)
    message = noted(notes, turn, context) if notes else fence(turn.message)
    *opening, last = context.dialogue(name, PERSONA=tagged_persona(parts), MESSAGE=message)
    if known is None:
        opening = opening[: 1 + ENGLISH]
    return [*opening, *exchanges(parts.shown), last]


def _kind(parts: PromptParts, turn: Turn, context: Context) -> tuple[str, float | None]:
    """The name of the prompt for a message, and the probability that the notes answer it; adds the
    notes nearest to a question."""
    marked = has_question(turn.message)
    if not marked and _asks(turn, context):
        return "small_request", 0.0
    if can_tell_yes("known", context):
        add_nearest(parts, turn, context)
    known = _known(_notes(parts, "small_recall"), parts, turn, context)
    if marked:
        return "small_recall" if known is None or known >= KNOWN else "small_unknown", known
    return "small_recall" if known is not None and known >= MEANT else "small_talk", known


def _notes(parts: PromptParts, name: str) -> list[str]:
    """The lines of what is known that a prompt shows."""
    if name == "small_recall":
        about_user = [f"- {fence(line.text)}" for line in parts.profile]
        return [*about_user, *parts.core, *parts.notes]
    return {"small_request": [*parts.core, *parts.notes], "small_talk": parts.core}.get(name, [])


def _known(notes: Sequence[str], parts: PromptParts, turn: Turn, context: Context) -> float | None:
    """The probability that the notes, or what was said just now, answer a question; None where the
    model cannot be asked."""
    said = [f"- “{fence(one.message)}”" for one in parts.shown]
    if not notes and not said:
        return 0.0
    lines = "\n".join([*notes, *said])
    return yes_probability("known", context, NOTES=lines, USER_MESSAGE=fence(turn.message))


def _asks(turn: Turn, context: Context) -> bool:
    """Whether a message asks for something to be done."""
    probability = yes_probability("asks", context, USER_MESSAGE=fence(turn.message))
    return probability is not None and probability >= ASKS
