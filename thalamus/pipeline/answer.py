"""answer: asks the chat model, with a prompt that keeps to its budget."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from thalamus.context import Context, step
from thalamus.pipeline.prompt import build_prompt
from thalamus.policy.loops import cut_loop

if TYPE_CHECKING:
    from thalamus.records import Turn


def answer(turn: Turn, context: Context) -> Turn:
    """Puts ``answer`` on the record, and ``dialogue`` if no stage before it did. Writes nothing.

    Raises what the model raises; ``pipeline.flow`` makes an issue of it.
    """
    tick = context.clock.tick()
    context.events.emit("on_chat_message", "user", turn.message, turn=turn.id, session=turn.session)
    messages, used, turn = build_prompt(turn, context)
    reply = context.ask("answer", messages)
    text = cut_loop(reply.text.strip())
    context.events.emit("on_chat_message", "assistant", text, turn=turn.id, session=turn.session)
    entry = step(
        context,
        "answer",
        tick,
        replies=[reply],
        inputs=used,
        outputs=[turn.id] if turn.id else [],
        detail={
            "messages": len(messages),
            "cut_short": reply.finish == "length",
            "loop_cut": len(text) < len(reply.text.strip()),
        },
    )
    return structs.replace(turn, answer=text, trace=[*turn.trace, entry])
