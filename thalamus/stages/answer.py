"""answer: builds the prompt within its budget and asks the chat model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from thalamus.errors import BadKey, StoreBusy, StoreFull, Tampered
from thalamus.models.protocol import Message
from thalamus.policy import pack
from thalamus.policy.language.reading import leans_on_answer
from thalamus.policy.loops import cut_loop
from thalamus.policy.manner import KNOWN, manner_of
from thalamus.policy.prompts import fence
from thalamus.records import IMPORTANCES
from thalamus.stages import fifo
from thalamus.stages.context import Context, issue, step
from thalamus.stages.sure import sure

if TYPE_CHECKING:
    from thalamus.records import Turn
    from thalamus.storage.protocol import Store

NOTHING = "(nothing yet)"
REPLY = 4  # words of a message that may only reply to what the assistant asked
SAID = 6  # exchanges of the conversation among what a question may be answered from
CANNOT_WRITE = (StoreBusy, StoreFull, BadKey, Tampered)


def answer(turn: Turn, context: Context) -> Turn:
    """Puts ``answer`` on the record. Writes only what leaves the prompt (``stages.fifo``).

    Raises what the model raises; ``stages.turn`` makes an issue of it.
    """
    tick = context.clock.tick()
    context.events.emit("on_chat_message", "user", turn.message, turn=turn.id, session=turn.session)
    messages, used, dialogue = build_prompt(turn, context)
    turn, pushed = _push_out(turn, dialogue, context)
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
            **({"pushed_out": pushed} if pushed else {}),
        },
    )
    return structs.replace(turn, answer=text, trace=[*turn.trace, entry])


def build_prompt(turn: Turn, context: Context) -> tuple[list[Message], list[str], list[Turn]]:
    """The messages for the model, the ids of the evidence and the exchanges that found room.

    The budget goes to the system prompt and the message first, then up to half of the rest to
    evidence, and what is left to the newest dialogue.
    """
    store = context.open_store(False) if context.use_memory else None
    persona = _persona(turn, context, store)
    manner = manner_of(turn.message)
    fixed = {
        "NOW": _now(turn, context),
        "PERSONA": persona,
        "MANNER": context.templates.fill(f"manner_{manner}"),
    }
    bare = context.templates.fill("answer", MEMORIES="", **fixed)
    budget = _budget(context) - pack.estimate_tokens(bare) - pack.estimate_tokens(turn.message)
    share = max(0, int(budget * pack.EVIDENCE_SHARE))
    today = turn.created_at or context.clock.stamp()
    lines, used = pack.evidence_lines(turn.evidence, share, turn.message, today)
    budget -= sum(pack.estimate_tokens(line) for line in lines)
    recent = fifo.in_prompt(turn, context, store, budget) if store is not None else []
    if manner == "own_question" and not _known(turn, [persona, *lines], recent, context):
        fixed["MANNER"] = context.templates.fill("manner_unknown")
    system = context.templates.fill("answer", MEMORIES="\n".join(lines) or NOTHING, **fixed)
    messages = [Message("system", system)]
    reacts = manner == "statement" and not _replies(turn.message)
    for item in recent:
        messages.append(Message("user", item.message))
        # a small model that has reacted to one statement reacts to the tenth in the same words
        if item.answer and not (reacts and manner_of(item.message) == "statement"):
            messages.append(Message("assistant", item.answer))
    return [*messages, Message("user", turn.message)], used, recent


def _replies(message: str) -> bool:
    """Whether a statement may be a reply to what the assistant asked ("with my nephew")."""
    return len(message.split()) <= REPLY or leans_on_answer(message)


def _known(turn: Turn, notes: list[str], recent: list[Turn], context: Context) -> bool:
    """Whether the notes, or what was said just before, answer a question about the user's life:
    the model is asked for a yes or no first, which it knows better than it can tell in passing.
    One that cannot be asked is left to find out."""
    said = [f"- {item.message}" for item in recent[-SAID:]]
    known = "\n".join(line for line in [*notes, *said] if line)
    if not known:
        return False
    found = sure("known", context, NOTES=fence(known), USER_MESSAGE=fence(turn.message))
    return found is None or found >= KNOWN


def _push_out(turn: Turn, dialogue: list[Turn], context: Context) -> tuple[Turn, list[str]]:
    """Keeps what lost its room in the prompt. A store that cannot be written stops no answer."""
    store = context.open_store(False) if context.use_memory else None
    if store is None:
        return turn, []
    try:
        return turn, fifo.push_out(turn, dialogue, context, store)
    except CANNOT_WRITE as error:
        context.events.failed("stage answer: pushing out", error)
        return structs.replace(turn, issues=[*turn.issues, issue("answer", error)]), []


def _budget(context: Context) -> int:
    """Tokens for the prompt: the setting, but never more than the model's window holds."""
    window = context.models.chat("answer").context()
    return min(context.config.token_budget, window - context.answer_tokens())


def _persona(turn: Turn, context: Context, store: Store | None) -> str:
    """The core memories between their tags, the most important first, within ``core_tokens``;
    nothing at all when there are none."""
    core = store.core_memories(turn.user, turn.agent, context.clock.stamp()) if store else []
    lines, left = [], context.config.core_tokens
    for memory in sorted(core, key=lambda memory: -IMPORTANCES.index(memory.importance)):
        cost = pack.estimate_tokens(memory.content)
        if cost <= left:
            lines.append(f"- {fence(memory.content)}")
            left -= cost
    return "\n".join(["<persona>", *lines, "</persona>"]) if lines else ""


def _now(turn: Turn, context: Context) -> str:
    return (turn.created_at or context.clock.stamp())[:16].replace("T", " ")
