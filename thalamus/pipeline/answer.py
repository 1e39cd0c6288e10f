"""answer: asks the chat model for the answer, within the prompt's token budget."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from msgspec import UNSET, structs

from thalamus.engine import Engine
from thalamus.errors import ModelFailed
from thalamus.events import ChatMessage
from thalamus.pipeline.prompt import build_prompt
from thalamus.policy.evidence_text import used_evidence, used_results
from thalamus.policy.reply_loops import cut_repetition
from thalamus.records import Issue
from thalamus.store import ledger
from thalamus.store.encryption import contents
from thalamus.text.statements import share_said
from thalamus.turn_run import TurnRun, step

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from thalamus.models.protocol import ChatReply, Message
    from thalamus.pipeline.prompt_parts import PromptParts
    from thalamus.records import Evidence, Turn

REPEATED_SHARE = 0.5  # of the words of a note
LAST_EVENTS = 40  # of the ledger, among which the last answer is looked for


def answer(turn: Turn, run: TurnRun) -> Turn:
    """Adds ``answer`` to the turn, with the ``profile`` shown to the model, ``dialogue`` unless an
    earlier stage set it, and to ``evidence`` what else was in the prompt and may stand in the
    answer. Writes nothing to the store.

    Raises the model's errors; ``pipeline.flow`` turns them into issues.
    """
    tick = run.engine.clock.tick()
    run.emit(ChatMessage, role="user", content=turn.message)
    messages, parts, turn, reply = _ask(turn, run)
    text = cut_repetition(reply.text.strip())
    if not text:
        raise ModelFailed(reply.model, "it wrote no answer", fix="Choose another model.")
    run.emit(ChatMessage, role="assistant", content=text)
    shown = [item for item in (*turn.evidence, *parts.added) if parts.says(item.id)]
    used = _used(shown, turn, text)
    evidence = [*turn.evidence, *_in_answer(parts.added, used.get("used", ()), text, run.engine)]
    known = {item.id for item in evidence}
    entry = step(
        run.engine,
        "answer",
        tick,
        replies=[reply],
        inputs=[
            *(id for id in parts.used if id in known),
            *(id for line in turn.profile or () for id in line.ids),
        ],
        outputs=[turn.id] if turn.id else [],
        detail={
            "messages": len(messages),
            "cut_short": reply.finish == "length",
            "loop_cut": len(text) < len(reply.text.strip()),
            "notes": len(parts.used),
            "no_room": parts.no_room,
            "left_out": parts.left_out,
            **used,
        },
    )
    issues = [*turn.issues, *_unused_instructions(parts, reply.model, run.engine)]
    trace = [*turn.trace, entry]
    return structs.replace(turn, answer=text, evidence=evidence, trace=trace, issues=issues)


def _ask(turn: Turn, run: TurnRun) -> tuple[list[Message], PromptParts, Turn, ChatReply]:
    """The prompt, its parts, the turn with its dialogue, and the reply. If the model refuses the
    prompt for its size, the dialogue is decided again for a smaller one."""
    first, later = iter([turn]), structs.replace(turn, dialogue=UNSET)

    def ask() -> tuple[list[Message], PromptParts, Turn, ChatReply]:
        messages, parts, shown = build_prompt(next(first, later), run)
        return messages, parts, shown, run.ask("answer", messages)

    return run.fitted(ask)


def _unused_instructions(parts: PromptParts, model: str, engine: Engine) -> list[Issue]:
    """The issue of the user's own instructions that a prompt could not have, once per process and
    as long as model and instructions stay the same."""
    own = engine.templates.own / "answer.md"
    reported: set[str] = engine.once("reported instructions", set)
    if parts.opening == "answer" or not own.is_file() or str(own) in reported:
        return []
    reported.add(str(own))
    if _answered_since(own.stat().st_mtime, model, engine):
        return []
    reason, instead = "counts as a small model", f"{parts.opening}.md"
    if parts.opening == "brief":
        reason = "has too small a context window for it"
    return [
        Issue(
            stage="answer",
            code="prompt_unused",
            message=f"{own} is not used: {model} {reason} and gets {instead} instead",
            fix=f"Put your own {instead} next to it, or choose a larger model.",
        )
    ]


def _answered_since(seconds: float, model: str, engine: Engine) -> bool:
    """True if the last answer in the ledger is of this model, and later than a time."""
    store = engine.memory_store
    events = ledger.last(store, LAST_EVENTS) if store is not None else []
    for event in reversed(events):
        if event.name == "stage" and event.data.get("stage") == "answer":
            return event.data.get("model") == model and (
                datetime.fromisoformat(event.at).timestamp() > seconds
            )
    return False


def _in_answer(
    added: Sequence[Evidence], used: Container[str], answer: str, engine: Engine
) -> list[Evidence]:
    """The notes that an answer may rest on or repeat: those that it used, and facts and personal
    content that share a word with it. There may be hundreds of others, which say nothing of it."""
    if not added:
        return []
    encrypted = contents.ids(engine.store, [item.id for item in added])
    return [
        item
        for item in added
        if item.id in used
        or share_said(item.text, answer)
        > (0.0 if item.kind == "fact" or item.id in encrypted else REPEATED_SHARE)
    ]


def _used(evidence: Sequence[Evidence], turn: Turn, text: str) -> dict[str, Any]:
    """Ids of the evidence in the prompt, and of the tool calls, from which the answer may have
    words; without what there was none of."""
    used = used_evidence(evidence, turn.message, text)
    found: dict[str, Any] = {"used": used} if evidence else {}
    if turn.tool_calls:
        found["tools_used"] = used_results(turn.tool_calls, used, turn.message, text)
    return found
