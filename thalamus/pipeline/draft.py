"""draft: a short first answer without memory, which shows what needs to be looked up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from thalamus.engine import Engine
from thalamus.errors import MODEL_ERRORS
from thalamus.memory.normalize import begin_turn
from thalamus.memory.recall.dialogue import turns_before
from thalamus.models.protocol import FLOW_ROLES, Message
from thalamus.policy.prompts import fence
from thalamus.policy.reply_loops import cut_repetition
from thalamus.records import Issue, Turn
from thalamus.turn_run import TurnRun, issue, step, too_small_issue

if TYPE_CHECKING:
    from thalamus.models.protocol import Role

EXCHANGES = 2  # of the conversation, shown to the model
LONGEST = 300  # characters shown of each message in them


def draft(turn: Turn, run: TurnRun) -> Turn:
    """Adds ``draft`` to the turn. It is not the answer: nothing is recalled for it, nobody is shown
    it as the answer, and nothing is remembered from it.

    If the model is down or too small, the ``status`` becomes ``degraded`` with an issue and the
    turn continues without a draft. Reads the session's last exchanges; writes nothing to the store.
    """
    tick = run.engine.clock.tick()
    turn = begin_turn(turn, run)
    try:
        if run.engine.too_small("draft"):
            return degraded(turn, too_small(run.engine, "draft"))
        reply = run.ask("draft", _messages(turn, run))
    except MODEL_ERRORS as error:
        run.failed("stage draft", error)
        run.failures.append(("draft", error))
        return degraded(turn, issue("draft", error))
    text = cut_repetition(reply.text.strip())
    entry = step(
        run.engine,
        "draft",
        tick,
        replies=[reply],
        detail={"draft": text, "cut_short": reply.finish == "length"},
    )
    return structs.replace(turn, draft=text, trace=[*turn.trace, entry])


def degraded(turn: Turn, *problems: Issue) -> Turn:
    """The turn continued as in the classic flow because of these problems, each listed once."""
    known = {(item.code, item.message) for item in turn.issues}
    new = [item for item in problems if (item.code, item.message) not in known]
    return structs.replace(turn, status="degraded", issues=[*turn.issues, *new])


def too_small(engine: Engine, role: Role) -> Issue:
    """The issue for a model too small for a draft or a search plan."""
    return too_small_issue(engine, role, "deliberate", FLOW_ROLES["deliberate"])


def _messages(turn: Turn, run: TurnRun) -> list[Message]:
    store = run.engine.memory_store
    *before, last = run.engine.dialogue("draft", USER_MESSAGE=fence(turn.message))
    for item in turns_before(turn, run)[-EXCHANGES:] if store is not None else []:
        before.append(Message("user", fence(_short(item.message))))
        if item.answer:
            before.append(Message("assistant", _short(item.answer)))
    return [*before, last]


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
