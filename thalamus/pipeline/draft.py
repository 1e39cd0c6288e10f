"""draft: a first, short answer without memory, which shows what has to be looked up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from thalamus.context import Context, issue, step, too_small_issue
from thalamus.errors import MODEL_ERRORS
from thalamus.memory.dialogue import turns_before
from thalamus.memory.normalize import begin_turn
from thalamus.models.protocol import FLOW_ROLES, Message
from thalamus.policy.prompts import fence
from thalamus.policy.repetition import cut_repetition
from thalamus.records import Issue, Turn

if TYPE_CHECKING:
    from thalamus.models.protocol import Role
    from thalamus.storage.protocol import Store

EXCHANGES = 2  # of the conversation that the model is shown
LONGEST = 300  # characters of each message of them


def draft(turn: Turn, context: Context) -> Turn:
    """Puts ``draft`` on the record. Nothing is recalled for it, and it is not the answer: nobody
    is shown it as that, and nothing is remembered of it.

    A model that is down or too small makes the ``status`` ``degraded`` with an issue, and the turn
    goes on without a draft. Reads the last exchanges of the session, never writes.
    """
    tick = context.clock.tick()
    store = context.open_store(False) if context.use_memory else None
    turn = begin_turn(turn, context, store)
    try:
        if context.too_small("draft"):
            return degraded(turn, too_small(context, "draft"))
        reply = context.ask("draft", _messages(turn, context, store))
    except MODEL_ERRORS as error:
        context.failed("stage draft", error)
        context.failures.append(("draft", error))
        return degraded(turn, issue("draft", error))
    text = cut_repetition(reply.text.strip())
    entry = step(
        context,
        "draft",
        tick,
        replies=[reply],
        detail={"draft": text, "cut_short": reply.finish == "length"},
    )
    return structs.replace(turn, draft=text, trace=[*turn.trace, entry])


def degraded(turn: Turn, *problems: Issue) -> Turn:
    """The turn that goes the way of the classic flow because of these problems, each told once."""
    told = {(item.code, item.message) for item in turn.issues}
    new = [item for item in problems if (item.code, item.message) not in told]
    return structs.replace(turn, status="degraded", issues=[*turn.issues, *new])


def too_small(context: Context, role: Role) -> Issue:
    """The issue of a model that is too small to be asked for a draft or a search plan."""
    return too_small_issue(context, role, "deliberate", FLOW_ROLES["deliberate"])


def _messages(turn: Turn, context: Context, store: Store | None) -> list[Message]:
    *before, last = context.dialogue("draft", USER_MESSAGE=fence(turn.message))
    for item in turns_before(turn, context, store)[-EXCHANGES:] if store is not None else []:
        before.append(Message("user", fence(_short(item.message))))
        if item.answer:
            before.append(Message("assistant", _short(item.answer)))
    return [*before, last]


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
