"""answer: builds the prompt within its budget and asks the chat model."""

from __future__ import annotations

from msgspec import structs

from thalamus.models.protocol import Message
from thalamus.policy import pack
from thalamus.policy.loops import cut_loop
from thalamus.policy.prompts import fence
from thalamus.records import Turn
from thalamus.stages.context import Context, step
from thalamus.storage.protocol import Store

NOTHING = "(nothing yet)"


def answer(turn: Turn, context: Context) -> Turn:
    """Puts ``answer`` on the record. Writes no memory.

    Raises what the model raises; ``stages.turn`` makes an issue of it.
    """
    tick = context.clock.tick()
    context.events.emit("on_chat_message", "user", turn.message, turn=turn.id, session=turn.session)
    messages, used = build_prompt(turn, context)
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


def build_prompt(turn: Turn, context: Context) -> tuple[list[Message], list[str]]:
    """The messages for the model and the ids of the evidence that found room in them.

    The budget goes to the system prompt and the message first, then up to half of the rest to
    evidence, and what is left to the newest dialogue.
    """
    config = context.config
    store = context.open_store(False) if context.use_memory else None
    persona = _persona(turn, context, store)
    bare = context.templates.fill("answer", NOW=_now(turn, context), PERSONA=persona, MEMORIES="")
    budget = _budget(context) - pack.estimate_tokens(bare) - pack.estimate_tokens(turn.message)
    share = max(0, int(budget * pack.EVIDENCE_SHARE))
    today = turn.created_at or context.clock.stamp()
    lines, used = pack.evidence_lines(turn.evidence, share, turn.message, today)
    budget -= sum(pack.estimate_tokens(line) for line in lines)
    recent = []
    if store is not None:
        stored = store.recent_turns(turn.session or "", turn.user, config.recent_messages)
        others = [item for item in stored if item.id != turn.id]
        recent = pack.dialogue(others, config.recent_messages, budget)
    system = context.templates.fill(
        "answer",
        NOW=_now(turn, context),
        PERSONA=persona,
        MEMORIES="\n".join(lines) or NOTHING,
    )
    messages = [Message("system", system)]
    for item in recent:
        messages.append(Message("user", item.message))
        if item.answer:
            messages.append(Message("assistant", item.answer))
    return [*messages, Message("user", turn.message)], used


def _budget(context: Context) -> int:
    """Tokens for the prompt: the setting, but never more than the model's window holds."""
    window = context.models.chat("answer").context() - context.config.max_answer_tokens
    return max(256, min(context.config.token_budget, window))


def _persona(turn: Turn, context: Context, store: Store | None) -> str:
    """The core memories between their tags; nothing at all when there are none."""
    core = store.core_memories(turn.user, turn.agent, context.clock.stamp()) if store else []
    if not core:
        return ""
    lines = "\n".join(f"- {fence(memory.content)}" for memory in core)
    return f"<persona>\n{lines}\n</persona>"


def _now(turn: Turn, context: Context) -> str:
    return (turn.created_at or context.clock.stamp())[:16].replace("T", " ")
