"""Prompts that a small model needs to answer and a capable one does not.

A model of 1.5 billion parameters answers from its notes whatever they say, recites them at a plain
remark, and copies the phrases and the language of the dialogue. So it gets notes only for a
request, or for a question that it first said they answer; the dialogue only for a message that
means nothing without it (``prompt_parts``); and separate instructions for each kind of message.
(Measured; see bench/models.md.)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from thalamus.extract.second_look import LEAST_YES, can_tell_yes, yes_probability
from thalamus.models.protocol import MayGiveWords, Message
from thalamus.pipeline.prompt_parts import (
    PromptParts,
    add_nearest,
    exchanges,
    persona_block,
    with_notes,
)
from thalamus.policy.prompts import fence
from thalamus.text.questions import has_question

if TYPE_CHECKING:
    from thalamus.engine import Engine
    from thalamus.records import Turn
    from thalamus.turn_run import TurnRun

KNOWN_WITHOUT_MARK = 0.85  # the same for a message without a question mark
ASKS = 0.9  # least probability at which a message is a request
# example messages in English: a model that cannot tell yes from no mixes up languages
ENGLISH = slice(3, 5)
NOT_SHOWN = "a small model gets no notes for this kind of message"


def messages(parts: PromptParts, turn: Turn, run: TurnRun) -> list[Message]:
    """The prompt of a small model; asks it once what kind of message it is. Raises the model's
    errors."""
    name, known = _kind(parts, turn, run)
    if name != "small_recall":
        parts.standing = parts.standing.without("profile")
    if name in ("small_talk", "small_unknown"):
        parts.left_out |= dict.fromkeys(parts.used, NOT_SHOWN)
        parts.used, parts.added = [], []
    notes = _notes(parts, name)
    message = with_notes(notes, turn, run) if notes else fence(turn.message)
    *opening, last = run.engine.dialogue(
        name, PERSONA=persona_block(parts.standing), MESSAGE=message
    )
    if known is None:
        opening = [opening[0], *opening[ENGLISH]]
    return [*opening, *exchanges(parts.shown), last]


def _kind(parts: PromptParts, turn: Turn, run: TurnRun) -> tuple[str, float | None]:
    """The name of the prompt for a message and the probability that the notes answer it. Adds the
    notes nearest to a question."""
    has_mark = has_question(turn.message)
    if not has_mark and _is_request(turn, run):
        return "small_request", 0.0
    if can_tell_yes("known", run, strict=True):
        add_nearest(parts, turn, run)
    known = _known(_notes(parts, "small_recall"), parts, turn, run)
    if has_mark:
        answered = known is None or known >= LEAST_YES or _is_word(run.engine)
        return "small_recall" if answered else "small_unknown", known
    answered = known is not None and known >= KNOWN_WITHOUT_MARK
    return "small_recall" if answered else "small_talk", known


def _notes(parts: PromptParts, name: str) -> list[str]:
    """The known lines that a prompt shows."""
    core = parts.standing.bullets("core")
    if name == "small_recall":
        return [*parts.standing.bullets("profile"), *core, *parts.notes]
    return {"small_request": [*core, *parts.notes], "small_talk": core}.get(name, [])


def _known(notes: Sequence[str], parts: PromptParts, turn: Turn, run: TurnRun) -> float | None:
    """Probability that the notes or the exchanges shown answer a question; None if the model cannot
    be asked."""
    exchange_lines = [f"- “{fence(one.message)}”" for one in parts.shown]
    if not notes and not exchange_lines:
        return 0.0
    lines = "\n".join([*notes, *exchange_lines])
    return yes_probability("known", run, NOTES=lines, USER_MESSAGE=fence(turn.message))


def _is_request(turn: Turn, run: TurnRun) -> bool:
    """True if a message is a request."""
    probability = yes_probability("asks", run, USER_MESSAGE=fence(turn.message))
    return probability is not None and probability >= ASKS


def _is_word(engine: Engine) -> bool:
    """True if the model's yes or no has no probability: a no is too often wrong to keep notes from
    a question."""
    chat = engine.models.chat("verify")
    return isinstance(chat, MayGiveWords) and chat.gives_words()
