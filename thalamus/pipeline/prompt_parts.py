"""What stands in the prompt of an answer, and within which budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from msgspec import UNSET, structs

from thalamus.errors import MODEL_ERRORS
from thalamus.memory import dialogue
from thalamus.memory.core_memories import core_memories, persona_for
from thalamus.memory.profile import profile as user_profile
from thalamus.memory.search import find, listed
from thalamus.memory.stale_at_retrieval import outdated_turns
from thalamus.memory.told_assistant import Told
from thalamus.memory.validity import holding
from thalamus.models.protocol import Message
from thalamus.pipeline import routed_prompt
from thalamus.policy import profile as profile_policy
from thalamus.policy import prompt_budget
from thalamus.policy.evidence_text import own_words
from thalamus.policy.follow_up import says_nothing
from thalamus.policy.persona import IDENTITY, in_force, is_persona
from thalamus.policy.prompts import fence
from thalamus.records import IMPORTANCES, Instruction, Memory
from thalamus.storage.protocol import Filter
from thalamus.text.questions import is_question

if TYPE_CHECKING:
    from thalamus.context import Context
    from thalamus.records import Evidence, ProfileLine, Turn
    from thalamus.storage.protocol import Store

FEW = 2  # exchanges that a small model is shown, where a message says nothing without them
NEAREST = 5  # notes that a small model is asked whether they answer a question, at least
ALL_KNOWN = "all that is known finds room"
NEAR = "is among the nearest to the question"
MOST_LISTED = 200  # entries of a store that are looked at to show all that is known


@dataclass
class PromptParts:
    """What stands in a prompt: the lines of the ``persona``, the ``profile`` and the other ``core``
    memories, the ``notes``, the exchanges that are ``shown``, and the ids of the evidence among the
    notes (``used``). ``elsewhere``: the ids of what stands outside the notes; ``budget``: tokens
    for notes; ``recalled``: the evidence for them; ``added``: what stands among them without having
    been recalled; ``left_out``: why a piece of evidence does not, by its id."""

    persona: list[str] = field(default_factory=list)
    profile: list[ProfileLine] = field(default_factory=list)
    core: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    shown: list[Turn] = field(default_factory=list)
    used: list[str] = field(default_factory=list)
    elsewhere: set[str] = field(default_factory=set)
    budget: int = 0
    recalled: list[Evidence] = field(default_factory=list)
    added: list[Evidence] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)


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
    window = context.models.chat("answer").context()
    share = int(window * context.config.dialogue_share) - prompt_budget.estimate_tokens(
        turn.message
    )
    left = _left(turn, core, profile, context)
    room = min(share, left - _evidence_budget(left, context))
    most = None
    if context.small("answer"):
        most = FEW if says_nothing(turn.message) else 0
    return structs.replace(turn, dialogue=dialogue.decide(turn, context, store, room, most))


def _as_it_holds(shown: Sequence[Turn], store: Store, context: Context) -> list[Turn]:
    """The exchanges with a mark behind what was corrected or has ended since."""
    ids = tuple(turn.id or "" for turn in shown)
    why = outdated_turns(store, ids, context.clock.stamp(), context.zone) if ids else {}
    return [
        structs.replace(turn, message=f"{turn.message}{prompt_budget.no_longer(why[turn.id])}")
        if turn.id in why
        else turn
        for turn in shown
    ]


def parts_of(turn: Turn, context: Context) -> tuple[PromptParts, Turn]:
    """What stands in the prompt of a turn, and the turn with its dialogue. Raises what the model
    raises."""
    store = context.open_store(False) if context.use_memory else None
    core = core_in_prompt(turn, context, store)
    profile = profile_in_prompt(turn, context, store)
    turn = with_dialogue(turn, context, store, core, profile)
    parts = PromptParts(persona=_persona(core), profile=list(profile))
    if store and turn.dialogue:
        parts.shown = _as_it_holds(dialogue.shown(turn, context, store), store, context)
    _add_notes(parts, turn, core, context, store)
    return parts, turn


def exchanges(shown: Sequence[Turn]) -> list[Message]:
    """Earlier exchanges as messages."""
    found = []
    for item in shown:
        found.append(Message("user", item.message))
        if item.answer:
            found.append(Message("assistant", item.answer))
    return found


def noted_message(turn: Turn, context: Context) -> str:
    """The message of a turn below its evidence, as the last message of the prompt has it: the same
    selection, dates and fences. No model is asked; one that cannot say how much it reads is taken
    to read ``token_budget``."""
    try:
        left, small = _left(turn, [], [], context), context.small("answer")
    except MODEL_ERRORS:
        left, small = context.config.token_budget, True
    budget = _evidence_budget(left, context)
    when = turn.created_at or context.clock.stamp(), context.zone
    found = prompt_budget.evidence_lines(turn.evidence, budget, *when, small)
    return noted(found.lines, turn, context)


def noted(notes: Sequence[str], turn: Turn, context: Context) -> str:
    """The message of a turn below the time and the notes."""
    return context.templates.fill(
        "message",
        NOW=context.now_in_words(turn),
        MEMORIES="\n".join(notes),
        USER_MESSAGE=fence(turn.message),
    )


# -- notes -----------------------------------------------------------------------------------------


def _add_notes(
    parts: PromptParts, turn: Turn, core: Sequence[Memory], context: Context, store: Store | None
) -> None:
    """Puts what was recalled among the notes, and what is known besides while there is room for all
    of it. What stands elsewhere in the prompt is left out."""
    parts.core = [f"- {fence(m.content)}" for m in core if not is_persona(m)]
    parts.elsewhere = {m.id or "" for m in core} | {item.id or "" for item in parts.shown}
    parts.elsewhere |= {id for line in parts.profile for id in line.ids}
    left = _left(turn, core, parts.profile, context)
    drafted = prompt_budget.estimate_tokens(turn.draft) if turn.draft else 0
    parts.budget = _evidence_budget(left - drafted, context)
    results = routed_prompt.results(turn)
    if results:
        parts.core, parts.notes = [], results
        return
    evidence = [] if routed_prompt.leaves_out_evidence(turn, context) else turn.evidence
    for item in evidence:
        if item.id in parts.elsewhere:
            parts.left_out[item.id] = "it stands elsewhere in the prompt"
    recalled = [item for item in evidence if item.id not in parts.elsewhere]
    parts.recalled = _dated(recalled, store, context)
    _put(parts, [], turn, context)
    rest = [] if context.small("answer") else _all_else(turn, parts, store, context)
    if rest and not _put(parts, _dated(rest, store, context), turn, context).fits:
        _put(parts, [], turn, context)
    parts.notes += routed_prompt.notes(turn)


def add_nearest(parts: PromptParts, turn: Turn, context: Context) -> None:
    """Adds the entries nearest to a question to its notes, whatever their relevance, until there
    are ``NEAREST``: how near words are says little in a language that the embedder hardly knows,
    and the model is asked whether the notes answer the question."""
    store = context.open_store(False) if context.use_memory else None
    missing = NEAREST - len(parts.used)
    if store is None or missing <= 0 or turn.status == "routed":
        return
    where = _besides(turn, parts, context)
    asked = Instruction(mode="all", query=turn.message, limit=2 * NEAREST)
    near, _ = find(asked, store, where, context, context.models.embedder(), least=0)
    told = Told(store, turn, context)
    near = [item for item in near if _may_add(item, told)][:missing]
    near = [structs.replace(item, why=NEAR) for item in near]
    if near:
        _put(parts, _dated(near, store, context), turn, context)


def _put(
    parts: PromptParts, more: Sequence[Evidence], turn: Turn, context: Context
) -> prompt_budget.EvidenceLines:
    """Makes the notes of what was recalled and of ``more``; gives their lines."""
    evidence = [*parts.recalled, *more]
    when = turn.created_at or context.clock.stamp(), context.zone
    found = prompt_budget.evidence_lines(evidence, parts.budget, *when, context.small("answer"))
    parts.notes = list(found.lines)
    recalled = {item.id for item in parts.recalled}
    parts.left_out |= {id: why for id, why in found.left_out.items() if id in recalled}
    parts.used = [item.id for item in evidence if item.id in found.used]
    parts.added = [item for item in more if item.id in found.used]
    return found


def _dated(evidence: Sequence[Evidence], store: Store | None, context: Context) -> list[Evidence]:
    """The evidence with when it holds, for its lines."""
    when = holding(store, evidence, context.zone) if store is not None else {}
    return [
        structs.replace(item, metadata={**item.metadata, prompt_budget.HOLDS: when[item.id]})
        if item.id in when
        else item
        for item in evidence
    ]


def _besides(turn: Turn, parts: PromptParts, context: Context) -> Filter:
    """What the user said or what is known of it, besides what stands in the prompt."""
    return Filter(
        kinds=("memory", "fact", "turn"),
        user=turn.user,
        agent=turn.agent,
        now=context.clock.stamp(),
        exclude=(turn.id or "", *parts.elsewhere, *parts.used),
    )


def _may_add(item: Evidence, told: Told) -> bool:
    """Whether an entry may be shown without having been recalled: a turn that only asks adds
    nothing."""
    return told.may_recall(item) and not is_question(own_words(item))


def _all_else(
    turn: Turn, parts: PromptParts, store: Store | None, context: Context
) -> list[Evidence]:
    """All other memories of a store that has few entries, with the facts and turns that add to
    them; else none."""
    if store is None or turn.status == "routed":
        return []
    found = listed(store, _besides(turn, parts, context), MOST_LISTED + 1, context.zone)
    if len(found) > MOST_LISTED:
        return []
    told = Told(store, turn, context)
    found = [item for item in found if _may_add(item, told)]
    memories = [item for item in found if item.kind == "memory"]
    noted_turns = {prompt_budget.turn_of(item) for item in memories}
    rest = [
        structs.replace(item, why=ALL_KNOWN, text=f"User: {own_words(item)}")
        if item.kind == "turn"
        else structs.replace(item, why=ALL_KNOWN)
        for item in found
        if item.kind == "memory" or prompt_budget.turn_of(item) not in noted_turns
    ]
    return sorted(rest, key=lambda item: item.kind != "memory")


def _left(
    turn: Turn, core: Sequence[Memory], profile: Sequence[ProfileLine], context: Context
) -> int:
    """Tokens of the model's window that the fixed part, the message and the answer leave."""
    window = context.models.chat("answer").context()
    persona = tagged_persona(PromptParts(persona=_persona(core)))
    about = tagged_profile(profile, context)
    if context.small("answer"):
        opening = context.templates.fill("small_recall", PERSONA=persona, MESSAGE=about)
    else:
        opening = context.templates.fill("answer", PERSONA=persona, PROFILE=about)
    fixed = sum(prompt_budget.estimate_tokens(text) for text in (opening, turn.message))
    return max(0, window - context.answer_tokens() - fixed)


def _evidence_budget(left: int, context: Context) -> int:
    """Tokens for evidence: a share of what is left, at most the setting."""
    return max(0, min(context.config.token_budget, int(left * prompt_budget.EVIDENCE_SHARE)))


# -- persona and profile ---------------------------------------------------------------------------


def _persona(core: Sequence[Memory]) -> list[str]:
    """The lines of who the assistant is and how it should speak, who it is first."""
    about = [memory for memory in core if is_persona(memory)]
    about.sort(key=lambda memory: memory.type != IDENTITY)
    return [f"- {fence(memory.content)}" for memory in about]


def tagged_persona(parts: PromptParts) -> str:
    """The lines of the persona between their tags; nothing at all when there are none."""
    return "\n".join(["<persona>", *parts.persona, "</persona>"]) if parts.persona else ""


def tagged_profile(lines: Sequence[ProfileLine], context: Context) -> str:
    """The lines of the profile between their tags; nothing at all when there are none."""
    said = "\n".join(f"- {fence(line.text)}" for line in lines)
    return context.templates.fill("profile", LINES=said) if lines else ""
