"""The prompt of an answer: what stands in it, and within which budget.

What is the same at every turn comes first, so that a model that remembers beginnings has it
already: the instructions, examples of such a message and its answer, then the dialogue, and last
the message itself below the notes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import UNSET, structs

from thalamus.errors import MODEL_ERRORS
from thalamus.memory import dialogue
from thalamus.memory.core_memories import core_memories, persona_for
from thalamus.memory.profile import profile as user_profile
from thalamus.models.protocol import Message
from thalamus.pipeline import routed_prompt
from thalamus.pipeline.claims import yes_probability
from thalamus.policy import profile as profile_policy
from thalamus.policy import prompt_budget
from thalamus.policy.answer_style import (
    KNOWN,
    Manner,
    asks_all_about_user,
    asks_assistant,
    manner_of,
    names_of,
    speak_of_it,
)
from thalamus.policy.current_notes import as_it_holds, holds_instead, plainly_no, refusal
from thalamus.policy.drafts import is_supported
from thalamus.policy.grounding import only_asks
from thalamus.policy.language.clauses import clauses
from thalamus.policy.language.corrections.in_dialogue import as_amended
from thalamus.policy.language.persona import only_about_assistant, persona_statements
from thalamus.policy.notes_of_others import of_others
from thalamus.policy.persona import (
    IDENTITY,
    MANNER,
    ended,
    in_force,
    is_persona,
    second_person,
    slot,
)
from thalamus.policy.prompts import fence
from thalamus.policy.question_time import may_need_time
from thalamus.policy.relatives import asks_for_unknown_relative
from thalamus.policy.staleness import Outdated
from thalamus.records import IMPORTANCES, Memory

if TYPE_CHECKING:
    from thalamus.context import Context
    from thalamus.records import Evidence, ProfileLine, Turn
    from thalamus.storage.protocol import Store

JUST_SAID = "In this conversation:"
# exchanges of the dialogue that a small model is shown; of a question about the user's own life
# they are notes, and it is shown all that find room
FEW: dict[Manner, int] = {"statement": 1, "request": 2, "question": 2, "assistant": 1}
# who an assistant is that nobody has given a name
NO_NAME = "- You are the user's assistant, and have no name yet."
_UNDATED = "\ufffc"  # in a line of a prompt that is left out
# the manners in which the notes alone are the answer
FROM_NOTES = ("own_question", "about_user")
# the prompt for each manner of message: what is asked about the world is done like a request
_TEMPLATES: dict[Manner, str] = {
    "statement": "statement",
    "own_question": "own_question",
    "assistant": "assistant",
    "told": "told",
    "question": "request",
    "request": "request",
}


def core_in_prompt(turn: Turn, context: Context, store: Store | None) -> list[Memory]:
    """The core memories that stand under the turn's persona: the most important first, within
    ``core_tokens``."""
    found = core_memories(store, turn.user, turn.agent, context.clock.stamp()) if store else []
    core = in_force(found, persona_for(turn, context))
    chosen, left = [], context.config.core_tokens
    for memory in sorted(core, key=lambda memory: -IMPORTANCES.index(memory.importance)):
        cost = prompt_budget.estimate_tokens(memory.content)
        if cost <= left:
            chosen.append(memory)
            left -= cost
    return chosen


def profile_in_prompt(turn: Turn, context: Context, store: Store | None) -> list[ProfileLine]:
    """The lines of the user's profile that stand in the prompt, within ``profile_tokens``; read
    once in a turn."""
    if store is None or not context.config.profile_tokens:
        return []
    about = (turn.id, turn.user, turn.agent)
    if context.profile is None or context.profile[0] != about or turn.id is None:
        read = user_profile(store, context, turn.user, turn.agent)
        context.profile = about, profile_policy.in_prompt(read)
    return context.profile[1]


def with_dialogue(
    turn: Turn,
    context: Context,
    store: Store | None,
    core: Sequence[Memory],
    profile: Sequence[ProfileLine],
) -> Turn:
    """The turn with the decision which exchanges stand in its prompt, if it was not made yet.

    The dialogue is given the budget that the fixed part, the message and the evidence leave, and
    with the message ``dialogue_share`` of the model's context. Raises what the model raises.
    """
    if turn.dialogue is not UNSET or store is None:
        return turn
    if not dialogue.candidates(turn, context, store):
        return turn
    wanted = manner_of(turn.message)
    window = context.models.chat("answer").context()
    share = int(window * context.config.dialogue_share) - prompt_budget.estimate_tokens(
        turn.message
    )
    budget = _budget(turn, wanted, core, profile, context)
    room = min(share, budget - _evidence_budget(budget))
    most = FEW.get(wanted) if context.small("answer") else None
    decided = dialogue.decide(turn, context, store, room, most)
    return structs.replace(turn, dialogue=decided)


def build_prompt(turn: Turn, context: Context) -> tuple[list[Message], list[str], Turn]:
    """The messages for the model, the ids of the evidence that they hold, and the turn with its
    dialogue. Of the budget that the fixed part and the message leave evidence takes up to half."""
    store = context.open_store(False) if context.use_memory else None
    core = core_in_prompt(turn, context, store)
    profile = profile_in_prompt(turn, context, store)
    turn = with_dialogue(turn, context, store, core, profile)
    wanted = manner_of(turn.message)
    kept = dialogue.kept(turn, context, store) if store is not None else []
    outdated = dialogue.outdated_before(turn, kept, context, store) if store else Outdated()
    shown = [item for item in kept if turn.dialogue and item.id in turn.dialogue.shown]
    # evidence may come from a plugin, or from a pipe: nothing stands in the prompt twice
    there = {memory.id for memory in core} | {item.id for item in shown}
    there |= {id for line in profile for id in line.ids}
    evidence = [item for item in turn.evidence if item.id not in there]
    if _is_taken_for_the_user(turn, context):
        profile, evidence = [], []
    if routed_prompt.leaves_out_evidence(turn, context):
        evidence = []
    drafted = prompt_budget.estimate_tokens(turn.draft) if turn.draft else 0
    budget = _evidence_budget(_budget(turn, wanted, core, profile, context) - drafted)
    small = context.small("answer")
    lines, used = _notes(turn, evidence, budget, context, small)
    lines += routed_prompt.notes(turn)
    results = routed_prompt.results(turn)
    amended = _amended(kept)
    said = [
        item
        for item in _as_it_holds(kept, amended, outdated, small)
        if item.id not in used and not (small and of_others(item.message, turn.message))
    ]
    if small:
        said = [_with_plain_no(item, turn.message) for item in said]
    notes = [_about_user(core), *(f"- {fence(line.text)}" for line in profile), *lines]
    manner = "request" if results else _template(wanted, turn, notes, said, context)
    core = _as_told(core, turn.message, manner)
    examples = context.dialogue(f"manner_{manner}")
    shown = [
        _what_holds(amended[item.id or ""] or item, outdated)
        if small
        else _with_reason(item, outdated)
        for item in shown
    ]
    lines, before = _arranged(manner, lines, shown, said, turn, context)
    above = profile
    if manner in ("unknown", "told"):
        above = []  # a small model answers from it all the same
    elif manner in FROM_NOTES:
        # next to the question: a small model does not see what stands far above it
        lines, above = [*(f"- {fence(line.text)}" for line in profile), *lines], []
    if results:
        lines = results
    opening = context.templates.fill(
        "answer",
        PERSONA=_persona(core, manner),
        PROFILE=_profile(above, context),
        MANNER=examples[0].content,
    )
    last = _message(lines, turn, context, small) if lines else turn.message
    if shows_draft(turn, manner, lines, context):
        last = context.templates.fill("drafted", DRAFT=fence(turn.draft or ""), MESSAGE=last)
    if small and (wishes := _wishes(core)):
        # what stands last is what a small model does
        last = f"{last}\n\n({' '.join(wishes)})"
    messages = [Message("system", opening), *examples[1:], *before, Message("user", last)]
    if profile:
        turn = structs.replace(turn, profile=profile)
    return messages, used if lines else [], turn


def shows_draft(turn: Turn, manner: str, notes: Sequence[str], context: Context) -> bool:
    """Whether the draft of a deliberate turn stands in the prompt: not where nothing is known. A
    small model, which takes what the draft made up for known, sees only one that the notes say."""
    if not turn.draft or manner in ("unknown", "told"):
        return False
    return not context.small("answer") or is_supported(turn.draft, turn.message, notes)


def noted_message(turn: Turn, context: Context) -> str:
    """The message of a turn below its evidence, as the last message of the prompt has it: the same
    selection, dates and fences. No model is asked; one that cannot say how much it reads is taken
    to read ``token_budget``."""
    wanted = manner_of(turn.message)
    try:
        budget, small = _budget(turn, wanted, [], [], context), context.small("answer")
    except MODEL_ERRORS:
        budget, small = context.config.token_budget, True
    lines, _ = _notes(turn, turn.evidence, _evidence_budget(budget), context, small)
    return _message(lines, turn, context, small) if lines else turn.message


def _notes(
    turn: Turn, evidence: Sequence[Evidence], budget: int, context: Context, small: bool
) -> tuple[list[str], list[str]]:
    """The lines of the evidence that finds room, and its ids."""
    today = turn.created_at or context.clock.stamp()
    return prompt_budget.evidence_lines(evidence, budget, turn.message, today, context.zone, small)


def _budget(
    turn: Turn,
    wanted: Manner,
    core: Sequence[Memory],
    profile: Sequence[ProfileLine],
    context: Context,
) -> int:
    """Tokens that are left for evidence and dialogue: of the setting, or the model's window if that
    is smaller, without the fixed part and the message."""
    window = context.models.chat("answer").context()
    total = min(context.config.token_budget, window - context.answer_tokens())
    opening = context.templates.fill(
        "answer", PERSONA=_persona(core), PROFILE=_profile(profile, context), MANNER=""
    )
    examples = context.dialogue(f"manner_{_TEMPLATES[wanted]}")
    fixed = [opening, turn.message, *(item.content for item in examples)]
    return total - sum(prompt_budget.estimate_tokens(text) for text in fixed)


def _evidence_budget(budget: int) -> int:
    return max(0, int(budget * prompt_budget.EVIDENCE_SHARE))


def _template(
    wanted: Manner, turn: Turn, notes: list[str], said: Sequence[Turn], context: Context
) -> str:
    """Which prompt a message gets: the one for what it wants; a question about the user's own life
    another one where nothing answers it."""
    if wanted not in ("own_question", "question"):
        return _TEMPLATES[wanted]
    if _is_taken_for_the_user(turn, context):
        return "request"
    notes = [line for line in [*notes, *_spoken(said, turn.message, False)] if line]
    own = wanted == "own_question" or bool(names_of(turn.message, notes))
    if asks_all_about_user(turn.message):
        return "about_user" if notes else "unknown"
    known = _known(turn, notes, context)
    if known is None:
        return "own_question" if own else "request"
    if known:
        return "own_question"
    return "unknown" if own else "request"


def _is_taken_for_the_user(turn: Turn, context: Context) -> bool:
    """Whether a model would answer with what is known of the user when it is asked who it is
    itself, as small ones do."""
    return context.small("answer") and asks_assistant(turn.message)


def _known(turn: Turn, notes: list[str], context: Context) -> bool | None:
    """Whether the notes answer a question: the model is asked for a yes or no first, which it knows
    better than it can tell in passing. None for one that cannot be asked."""
    if not notes or asks_for_unknown_relative(turn.message, notes):
        return False
    if speak_of_it(turn.message, notes):
        return True
    if holds_instead(turn.evidence, turn.message) or plainly_no(turn.evidence, turn.message):
        return True
    known = "\n".join(notes)
    found = yes_probability("known", context, NOTES=fence(known), USER_MESSAGE=fence(turn.message))
    return None if found is None else found >= KNOWN


def _arranged(
    manner: str,
    lines: list[str],
    shown: Sequence[Turn],
    said: Sequence[Turn],
    turn: Turn,
    context: Context,
) -> tuple[list[str], list[Message]]:
    """The notes above the message and the dialogue before it.

    A question about the user's life is answered from notes alone, and what was just ``said`` is one
    of them. A small model goes on as it began: of a long dialogue it copies its own phrases, and
    notes next to a plain statement confuse it.
    """
    if manner in ("unknown", "told"):
        return [], []
    if manner == "assistant":
        lines = []
    if manner in FROM_NOTES:
        spoken = _spoken(said, turn.message, prompt_budget.asks_for_answers(turn.message))
        return [*lines, *([JUST_SAID, *spoken] if spoken else [])], []
    before = []
    for item in shown:
        before.append(Message("user", item.message))
        if item.answer:
            before.append(Message("assistant", item.answer))
    return [] if manner == "statement" and context.small("answer") else lines, before


def _amended(kept: Sequence[Turn]) -> dict[str, Turn | None]:
    """The exchanges as the user corrected them later on, by their ids; None for one that only
    corrects another."""
    texts = as_amended([(item.message, item.answer or "") for item in kept])
    return {
        item.id or "": None if text is None else structs.replace(item, message=text)
        for item, text in zip(kept, texts, strict=True)
    }


def _as_it_holds(
    kept: Sequence[Turn], amended: Mapping[str, Turn | None], outdated: Outdated, small: bool
) -> list[Turn]:
    """What was said in the conversation, as far as it holds: corrected, for a ``small`` model
    without what has ended, or with the reason why it may not hold any more."""
    found = []
    for item in kept:
        now = amended[item.id or ""]
        if now is None or (now.message == item.message and item.id in outdated.corrected):
            continue
        if small:
            now = _what_holds(now, outdated)
        found.append(now if now.message != item.message else _with_reason(item, outdated))
    return found


def _what_holds(item: Turn, outdated: Outdated) -> Turn:
    """An exchange without what has ended, if the user said anything else in it."""
    reason = outdated.reasons.get(item.id or "")
    if not reason:
        return item
    message, left = as_it_holds(item.message, reason)
    return item if left else structs.replace(item, message=message)


def _with_plain_no(item: Turn, question: str) -> Turn:
    """An exchange in which the user said to dislike or avoid what the question asks for, with that
    in words of which a small model makes no yes; of one that says more, behind them."""
    no = refusal(item.message, question)
    if no is None:
        return item
    more = len([one for one in clauses(item.message) if one.states]) > 1
    return structs.replace(item, message=f"{item.message} {no}" if more else no)


def _with_reason(item: Turn, outdated: Outdated) -> Turn:
    """An exchange, behind its message why that may not hold any more."""
    reason = outdated.reasons.get(item.id or "")
    if not reason:
        return item
    message = f"{item.message}{prompt_budget.no_longer(reason)}"
    return structs.replace(item, message=message)


def _spoken(said: Sequence[Turn], question: str, both: bool) -> list[str]:
    """What was said in the conversation, as notes for a question; with ``both`` what was answered
    too."""
    with_questions = prompt_budget.asks_for_questions(question)
    lines = []
    for item in said:
        if only_about_assistant(item.message):
            continue  # "Your name is Gwen" would be the user's own name
        if not with_questions and only_asks(item.message):
            continue
        lines.append(f"- {fence(item.message)}")
        if both and item.answer:
            lines.append(f"- (you answered) {fence(item.answer)}")
    return lines


def _about_user(core: Sequence[Memory]) -> str:
    """The core memories that are about the user, as notes."""
    return "\n".join(f"- {fence(m.content)}" for m in core if not is_persona(m))


def _persona(core: Sequence[Memory], manner: str = "") -> str:
    """The core memories between their tags, who the assistant is first; nothing at all when there
    are none. A question about the user's life is not to be answered from who the assistant is."""
    own = manner in (*FROM_NOTES, "unknown")
    shown = [memory for memory in core if not (own and memory.type == IDENTITY)]
    about = [memory for memory in shown if is_persona(memory)]
    about.sort(key=lambda memory: memory.type != IDENTITY)
    lines = [f"- {fence(second_person(memory.content))}" for memory in about]
    if manner == "assistant" and not any(memory.type == IDENTITY for memory in about):
        lines.insert(0, NO_NAME)
    lines += [line for line in [_about_user(shown)] if line]
    return "\n".join(["<persona>", *lines, "</persona>"]) if lines else ""


def _as_told(core: Sequence[Memory], message: str, manner: str) -> list[Memory]:
    """The core with what the message itself tells the assistant, which holds at once. Who it is
    does not stand in the way of agreeing to something else."""
    told = [Memory(content=one.content, type=one.type) for one in persona_statements(message)]
    filled = {found[0] for memory in told if (found := slot(memory.content))}
    kept = [
        memory
        for memory in core
        if not (is_persona(memory) and (slot(memory.content) or ("",))[0] in filled)
        and not (manner == "told" and memory.type == IDENTITY)
    ]
    return [*kept, *(memory for memory in told if not ended(memory.content))]


def _wishes(core: Sequence[Memory]) -> list[str]:
    """How the user wants the assistant to speak, as the assistant is told it."""
    return [fence(second_person(memory.content)) for memory in core if memory.type == MANNER]


def _profile(lines: Sequence[ProfileLine], context: Context) -> str:
    """The lines of the profile between their tags; nothing at all when there are none."""
    said = "\n".join(f"- {fence(line.text)}" for line in lines)
    return context.templates.fill("profile", LINES=said) if lines else ""


def _message(lines: list[str], turn: Turn, context: Context, small: bool) -> str:
    """The message below the notes. A small model takes the time for a part of the answer, the day
    of a birthday: it is told the time only where the message may be about it."""
    now = _UNDATED
    if not small or may_need_time(turn.message):
        now = context.local_now(turn)[:16].replace("T", " ")
    filled = context.templates.fill(
        "message", NOW=now, MEMORIES="\n".join(lines), USER_MESSAGE=fence(turn.message)
    )
    return "\n".join(line for line in filled.split("\n") if _UNDATED not in line)
