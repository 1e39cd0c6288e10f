"""answer: builds the prompt within its budget and asks the chat model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from thalamus.context import Context, issue, step
from thalamus.errors import BadKey, StoreBusy, StoreFull, Tampered
from thalamus.memory import dialogue as recent_dialogue
from thalamus.models.protocol import Message
from thalamus.pipeline.claims import yes_probability
from thalamus.policy import prompt_budget
from thalamus.policy.answer_style import KNOWN, Manner, manner_of, names_of
from thalamus.policy.prompts import fence
from thalamus.policy.repetition import cut_repetition
from thalamus.policy.reply_faults import reply_fault
from thalamus.records import IMPORTANCES

if TYPE_CHECKING:
    from thalamus.records import Turn
    from thalamus.storage.protocol import Store

JUST_SAID = "In this conversation:"
SAID = 6  # exchanges of the conversation among what a question may be answered from
# exchanges of the dialogue that a small model is shown
FEW = {"statement": 1, "request": 2}
# the prompt for each manner of message: what is asked about the world is done like a request
_TEMPLATES: dict[Manner, str] = {
    "statement": "statement",
    "own_question": "own_question",
    "question": "request",
    "request": "request",
}
CANNOT_WRITE = (StoreBusy, StoreFull, BadKey, Tampered)


def answer(turn: Turn, context: Context) -> Turn:
    """Puts ``answer`` on the record. Writes only what leaves the prompt (``memory.dialogue``).

    Raises what the model raises; ``pipeline.flow`` makes an issue of it.
    """
    tick = context.clock.tick()
    context.events.emit("on_chat_message", "user", turn.message, turn=turn.id, session=turn.session)
    messages, used, dialogue = build_prompt(turn, context)
    turn, pushed = _push_out(turn, dialogue, context)
    reply = context.ask("answer", messages)
    text = cut_repetition(reply.text.strip())
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

    What is the same at every turn comes first, so that a model that remembers beginnings has it
    already: the instructions, examples of such a message and its answer, then the dialogue, and
    last the message itself below the notes. The budget goes to the fixed part and the message
    first, then up to half of the rest to evidence, and what is left to the newest dialogue.
    """
    store = context.open_store(False) if context.use_memory else None
    persona = _persona(turn, context, store)
    wanted = manner_of(turn.message)
    examples = context.dialogue(f"manner_{_TEMPLATES[wanted]}")
    fixed = [context.templates.fill("answer", PERSONA=persona, MANNER=""), turn.message]
    budget = _budget(context) - sum(
        prompt_budget.estimate_tokens(text)
        for text in [*fixed, *(item.content for item in examples)]
    )
    share = max(0, int(budget * prompt_budget.EVIDENCE_SHARE))
    today = turn.created_at or context.clock.stamp()
    lines, used = prompt_budget.evidence_lines(turn.evidence, share, turn.message, today)
    budget -= sum(prompt_budget.estimate_tokens(line) for line in lines)
    recent = (
        recent_dialogue.dialogue_in_prompt(turn, context, store, budget)
        if store is not None
        else []
    )
    manner = _template(wanted, turn, [persona, *lines], recent, context)
    examples = context.dialogue(f"manner_{manner}")
    lines, dialogue = _arranged(manner, lines, recent, turn, context)
    opening = context.templates.fill("answer", PERSONA=persona, MANNER=examples[0].content)
    last = _message(lines, turn, context) if lines else turn.message
    messages = [Message("system", opening), *examples[1:], *dialogue, Message("user", last)]
    return messages, used if lines else [], recent


def _template(
    wanted: Manner, turn: Turn, notes: list[str], recent: list[Turn], context: Context
) -> str:
    """Which prompt a message gets: the one for what it wants; a question about the user's own life
    another one where nothing answers it."""
    if wanted not in ("own_question", "question"):
        return _TEMPLATES[wanted]
    said = [line for line in [*notes, *_spoken(recent[-SAID:], False)] if line]
    own = wanted == "own_question" or bool(names_of(turn.message, said))
    known = _known(turn, said, context)
    if known is None:
        return "own_question" if own else "request"
    if known:
        return "own_question"
    return "unknown" if own else "request"


def _known(turn: Turn, notes: list[str], context: Context) -> bool | None:
    """Whether the notes answer a question: the model is asked for a yes or no first, which it knows
    better than it can tell in passing. None for one that cannot be asked."""
    if not notes:
        return False
    known = "\n".join(notes)
    found = yes_probability("known", context, NOTES=fence(known), USER_MESSAGE=fence(turn.message))
    return None if found is None else found >= KNOWN


def _arranged(
    manner: str, lines: list[str], recent: list[Turn], turn: Turn, context: Context
) -> tuple[list[str], list[Message]]:
    """The notes above the message and the dialogue before it.

    A question about the user's life is answered from notes alone, and what was just said is one
    of them. A small model goes on as it began: of a long dialogue it copies its own phrases, and
    notes beside a plain statement confuse it.
    """
    if manner == "unknown":
        return [], []
    if manner == "own_question":
        both = prompt_budget.asks_for_answers(turn.message)
        said = _spoken(recent, both)
        return [*lines, *([JUST_SAID, *said] if said else [])], []
    small = context.small("answer")
    if small:
        sound = [item for item in recent if not reply_fault(item.message, item.answer or "")]
        recent = sound[-FEW[manner] :]
    dialogue = []
    for item in recent:
        dialogue.append(Message("user", item.message))
        if item.answer:
            dialogue.append(Message("assistant", item.answer))
    return [] if small and manner == "statement" else lines, dialogue


def _spoken(recent: list[Turn], both: bool) -> list[str]:
    """What was said in the conversation, as notes; with ``both`` what was answered too."""
    lines = []
    for item in recent:
        lines.append(f"- {fence(item.message)}")
        if both and item.answer:
            lines.append(f"- (you answered) {fence(item.answer)}")
    return lines


def _message(lines: list[str], turn: Turn, context: Context) -> str:
    notes = "\n".join(lines)
    message = fence(turn.message)
    return context.templates.fill(
        "message", NOW=_now(turn, context), MEMORIES=notes, USER_MESSAGE=message
    )


def _push_out(turn: Turn, dialogue: list[Turn], context: Context) -> tuple[Turn, list[str]]:
    """Keeps what lost its room in the prompt. A store that cannot be written stops no answer."""
    store = context.open_store(False) if context.use_memory else None
    if store is None:
        return turn, []
    try:
        return turn, recent_dialogue.evict(turn, dialogue, context, store)
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
        cost = prompt_budget.estimate_tokens(memory.content)
        if cost <= left:
            lines.append(f"- {fence(memory.content)}")
            left -= cost
    return "\n".join(["<persona>", *lines, "</persona>"]) if lines else ""


def _now(turn: Turn, context: Context) -> str:
    return (turn.created_at or context.clock.stamp())[:16].replace("T", " ")
