"""answer: asks the chat model for the answer, within the prompt's token budget."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import UNSET, structs

from thalamus.context import Context, step
from thalamus.errors import ModelFailed
from thalamus.events import ChatMessage
from thalamus.pipeline.prompt import build_prompt
from thalamus.policy.evidence_text import used_evidence, used_results
from thalamus.policy.reply_loops import cut_repetition

if TYPE_CHECKING:
    from collections.abc import Sequence

    from thalamus.models.protocol import ChatReply, Message
    from thalamus.pipeline.prompt_parts import PromptParts
    from thalamus.records import Evidence, Turn


def answer(turn: Turn, context: Context) -> Turn:
    """Adds ``answer`` to the turn, with the ``profile`` shown to the model, ``dialogue`` unless an
    earlier stage set it, and to ``evidence`` anything else that was in the prompt. Writes nothing
    to the store.

    Raises the model's errors; ``pipeline.flow`` turns them into issues.
    """
    tick = context.clock.tick()
    context.emit(ChatMessage, role="user", content=turn.message)
    messages, parts, turn, reply = _ask(turn, context)
    text = cut_repetition(reply.text.strip())
    if not text:
        raise ModelFailed(reply.model, "it wrote no answer", fix="Choose another model.")
    context.emit(ChatMessage, role="assistant", content=text)
    evidence = [*turn.evidence, *parts.added]
    entry = step(
        context,
        "answer",
        tick,
        replies=[reply],
        inputs=[*parts.used, *(id for line in turn.profile or () for id in line.ids)],
        outputs=[turn.id] if turn.id else [],
        detail={
            "messages": len(messages),
            "cut_short": reply.finish == "length",
            "loop_cut": len(text) < len(reply.text.strip()),
            "left_out": parts.left_out,
            **_used([item for item in evidence if parts.says(item.id)], turn, text),
        },
    )
    return structs.replace(turn, answer=text, evidence=evidence, trace=[*turn.trace, entry])


def _ask(turn: Turn, context: Context) -> tuple[list[Message], PromptParts, Turn, ChatReply]:
    """The prompt, its parts, the turn with its dialogue, and the reply. If the model refuses the
    prompt for its size, the dialogue is decided again for a smaller one."""
    first, later = iter([turn]), structs.replace(turn, dialogue=UNSET)

    def ask() -> tuple[list[Message], PromptParts, Turn, ChatReply]:
        messages, parts, shown = build_prompt(next(first, later), context)
        return messages, parts, shown, context.ask("answer", messages)

    return context.fitted(ask)


def _used(evidence: Sequence[Evidence], turn: Turn, text: str) -> dict[str, object]:
    """Ids of the evidence in the prompt, and of the tool calls, from which the answer may have
    words; without what there was none of."""
    used = used_evidence(evidence, turn.message, text)
    found: dict[str, object] = {"used": used} if evidence else {}
    if turn.tool_calls:
        found["tools_used"] = used_results(turn.tool_calls, used, turn.message, text)
    return found
