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

from thalamus.extract.second_look import yes_probability
from thalamus.models.protocol import Message
from thalamus.pipeline.prompt_parts import PromptParts, exchanges, noted, tagged_persona
from thalamus.policy.insights import QUESTION_MARKS
from thalamus.policy.prompts import fence

if TYPE_CHECKING:
    from thalamus.context import Context
    from thalamus.records import Turn

KNOWN = 0.48  # least probability that the notes answer a question, for it to be answered from them
ASKS = 0.9  # least probability that a message asks for something, for it to be a request
# messages of the examples in English, which stand first: a model that cannot tell yes from no
# mixes up the languages of others
ENGLISH = 4
NOT_SHOWN = "the model is small, and the message is not answered from notes"


def messages(parts: PromptParts, turn: Turn, context: Context) -> list[Message]:
    """The prompt of a small model. Asks it once what the message is. Raises what the model
    raises."""
    about_user = [f"- {fence(line.text)}" for line in parts.profile]
    known: float | None = 1.0
    if any(mark in turn.message for mark in QUESTION_MARKS):
        notes = [*about_user, *parts.core, *parts.notes]
        known = _known(notes, parts, turn, context)
        name = "small_recall" if known is None or known >= KNOWN else "small_unknown"
        notes = notes if name == "small_recall" else []
    else:
        name = "small_request" if _asks(turn, context) else "small_talk"
        notes = [*parts.core, *(parts.notes if name == "small_request" else [])]
    if name != "small_recall":
        parts.profile = []
    if name in ("small_talk", "small_unknown"):
        parts.left_out |= dict.fromkeys(parts.used, NOT_SHOWN)
        parts.used = []
    message = noted(notes, turn, context) if notes else fence(turn.message)
    *opening, last = context.dialogue(name, PERSONA=tagged_persona(parts), MESSAGE=message)
    if known is None:
        opening = opening[: 1 + ENGLISH]
    return [*opening, *exchanges(parts.shown), last]


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
