"""The parts of an answer's prompt and their token budgets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import UNSET, Struct, field, structs

from thalamus.errors import MODEL_ERRORS
from thalamus.memory.recall import dialogue
from thalamus.memory.recall.later_turns import later_notes
from thalamus.memory.recall.persona_filter import PersonaFilter
from thalamus.memory.recall.search import find, listed
from thalamus.memory.recall.staleness import outdated_turns
from thalamus.memory.recall.validity import holding
from thalamus.memory.standing.context import of_turn
from thalamus.models.protocol import Message
from thalamus.pipeline import routed_prompt
from thalamus.policy import prompt_budget
from thalamus.policy.evidence_text import without_answer
from thalamus.policy.follow_up import has_no_content
from thalamus.policy.prompts import fence
from thalamus.policy.standing_context import StandingContext
from thalamus.records import Instruction
from thalamus.storage.protocol.values import Filter
from thalamus.text.questions import is_question

if TYPE_CHECKING:
    from thalamus.context import Context
    from thalamus.records import Evidence, Turn

SHOWN_EXCHANGES = 2  # exchanges shown to a small model if a message depends on them
NEAREST = 5  # least number of notes that a small model is asked about
ALL_KNOWN = "everything known fits into the prompt"
NEAREST_REASON = "is among the nearest to the question"
# share of the model's context for the recent dialogue and the message
DIALOGUE_SHARE = 0.7
# share of it that the instructions must leave, or else the brief ones are used; and of what they
# leave, the share for lines that are part of every prompt
LEAST_LEFT = 1 / 8
STANDING_SHARE = 0.5
ELSEWHERE = "it is elsewhere in the prompt"
MOST_LISTED = 200  # entries of a store up to which everything known is shown


class PromptParts(Struct):
    """Parts of a prompt: what always stands in it (``standing``), the name of the template of its
    instructions (``opening``), the ``notes``, the exchanges ``shown``, and the ids of evidence
    among the notes (``used``).
    ``elsewhere``: ids shown outside the notes; ``budget``: tokens for notes; ``recalled``: evidence
    for the notes; ``added``: entries among the notes that were not recalled; ``left_out``: by id,
    why evidence is missing."""

    standing: StandingContext
    opening: str = "answer"
    notes: list[str] = field(default_factory=list)
    shown: list[Turn] = field(default_factory=list)
    used: list[str] = field(default_factory=list)
    elsewhere: set[str] = field(default_factory=set)
    budget: int = 0
    recalled: list[Evidence] = field(default_factory=list)
    added: list[Evidence] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)

    def says(self, id: str) -> bool:
        """True if the words of a piece of evidence are in the prompt, by itself or in others."""
        reason = self.left_out.get(id)
        return id in self.used or reason in (ELSEWHERE, prompt_budget.REPEATED)


def with_dialogue(turn: Turn, context: Context, standing: StandingContext) -> Turn:
    """The turn with its dialogue decided, unless an earlier stage did that.

    The dialogue gets the budget left by the fixed part, the message and the evidence; together with
    the message it may take ``DIALOGUE_SHARE`` of the model's context. Raises the model's errors.
    """
    store = context.memory_store
    if turn.dialogue is not UNSET or store is None:
        return turn
    if not dialogue.candidates(turn, context):
        return turn
    window = context.models.chat("answer").context()
    share = int(window * DIALOGUE_SHARE) - prompt_budget.estimate_tokens(turn.message)
    left = _fixed_part(turn, standing, context).left
    room = min(share, left - _evidence_budget(left, context))
    most = None
    if context.small("answer"):
        most = SHOWN_EXCHANGES if has_no_content(turn.message) else 0
    return structs.replace(turn, dialogue=dialogue.decide(turn, context, room, most))


def _mark_outdated(shown: Sequence[Turn], context: Context) -> list[Turn]:
    """The exchanges, with a mark after anything corrected or ended since."""
    ids = tuple(turn.stored_id for turn in shown)
    why = outdated_turns(context.store, ids, context.clock.stamp(), context.zone) if ids else {}
    return [
        structs.replace(turn, message=f"{turn.message}{prompt_budget.no_longer(why[turn.id])}")
        if turn.id in why
        else turn
        for turn in shown
    ]


def parts_of(turn: Turn, context: Context) -> tuple[PromptParts, Turn]:
    """The parts of a turn's prompt, and the turn with its dialogue. Raises the model's errors."""
    store = context.memory_store
    standing = of_turn(turn, context)
    turn = with_dialogue(turn, context, standing)
    fixed = _fixed_part(turn, standing, context)
    parts = PromptParts(fixed.standing, fixed.opening)
    if store and turn.dialogue:
        parts.shown = _mark_outdated(dialogue.visible_turns(turn, context), context)
    _add_notes(parts, turn, context)
    return parts, turn


def exchanges(shown: Sequence[Turn]) -> list[Message]:
    """Earlier exchanges as chat messages."""
    found = []
    for item in shown:
        found.append(Message("user", item.message))
        if item.answer:
            found.append(Message("assistant", item.answer))
    return found


def noted_message(turn: Turn, context: Context) -> str:
    """The message below its evidence, exactly as in the last message of the prompt. Calls no model;
    one that does not report its context window counts as ``token_budget``."""
    try:
        left = _fixed_part(turn, StandingContext(), context).left
        small = context.small("answer")
    except MODEL_ERRORS:
        left, small = context.config.token_budget, True
    budget = _evidence_budget(left, context)
    when = turn.created_at or context.clock.stamp(), context.zone
    found = prompt_budget.evidence_lines(turn.evidence, budget, *when, small)
    return with_notes(found.lines, turn, context)


def with_notes(notes: Sequence[str], turn: Turn, context: Context) -> str:
    """The message below the time and the notes."""
    return context.templates.fill(
        "message",
        NOW=context.now_in_words(turn),
        MEMORIES="\n".join(notes),
        USER_MESSAGE=fence(turn.message),
    )


# -- notes -----------------------------------------------------------------------------------------


def _add_notes(parts: PromptParts, turn: Turn, context: Context) -> None:
    """Fills the notes with the recalled evidence and, if everything known fits, with the rest.
    Leaves out what is elsewhere in the prompt."""
    parts.elsewhere = parts.standing.ids | {item.stored_id for item in parts.shown}
    left = _fixed_part(turn, parts.standing, context).left
    drafted = prompt_budget.estimate_tokens(turn.draft) if turn.draft else 0
    parts.budget = _evidence_budget(left - drafted, context)
    results = routed_prompt.results(turn)
    if results:
        parts.standing, parts.notes = parts.standing.without("core"), results
        return
    evidence = [] if routed_prompt.leaves_out_evidence(turn, context) else turn.evidence
    for item in evidence:
        if item.id in parts.elsewhere:
            parts.left_out[item.id] = ELSEWHERE
    recalled = [item for item in evidence if item.id not in parts.elsewhere]
    parts.recalled = _with_times(recalled, turn, context)
    _set_notes(parts, _lines(parts, [], turn, context), [])
    remaining = [] if context.small("answer") else _everything_else(turn, parts, context)
    if remaining:
        more = _with_times(remaining, turn, context)
        everything = _lines(parts, more, turn, context)
        if everything.fits:
            _set_notes(parts, everything, more)
    parts.notes += routed_prompt.notes(turn)


def add_nearest(parts: PromptParts, turn: Turn, context: Context) -> None:
    """Adds the entries nearest to a question to its notes, whatever their relevance, up to
    ``NEAREST`` notes. Similarity means little in a language that the embedder hardly knows; the
    model itself is asked if the notes answer the question."""
    store = context.memory_store
    missing = min(NEAREST, context.config.max_memory_results) - len(parts.used)
    if store is None or missing <= 0 or turn.status == "routed":
        return
    where = _not_shown(turn, parts, context)
    instruction = Instruction(mode="all", query=turn.message, limit=2 * NEAREST)
    nearest, _ = find(instruction, where, context, least=0)
    assistant_statements = PersonaFilter(turn, context)
    nearest = [item for item in nearest if _may_add(item, assistant_statements)][:missing]
    nearest = [structs.replace(item, why=NEAREST_REASON) for item in nearest]
    if nearest:
        more = _with_times(nearest, turn, context)
        _set_notes(parts, _lines(parts, more, turn, context), more)


def _lines(
    parts: PromptParts, more: Sequence[Evidence], turn: Turn, context: Context
) -> prompt_budget.EvidenceLines:
    """Lines of the recalled evidence and of ``more``, as far as they fit."""
    when = turn.created_at or context.clock.stamp(), context.zone
    evidence, small = [*parts.recalled, *more], context.small("answer")
    return prompt_budget.evidence_lines(evidence, parts.budget, *when, small)


def _set_notes(
    parts: PromptParts, found: prompt_budget.EvidenceLines, more: Sequence[Evidence]
) -> None:
    """Sets the notes to the lines of the recalled evidence and of ``more``."""
    parts.notes = list(found.lines)
    recalled = {item.id for item in parts.recalled}
    parts.left_out |= {id: why for id, why in found.left_out.items() if id in recalled}
    parts.used = [item.id for item in (*parts.recalled, *more) if item.id in found.used]
    parts.added = [item for item in more if item.id in found.used]


def _with_times(evidence: Sequence[Evidence], turn: Turn, context: Context) -> list[Evidence]:
    """The evidence with the time in which each entry holds and what was said of it later, for its
    line."""
    store = context.memory_store
    if store is None:
        return list(evidence)
    later = later_notes(evidence, turn.user, turn.agent, context)
    when = holding(store, evidence, context.zone)
    notes = {
        item.id: "; ".join(filter(None, (when.get(item.id), later.get(item.id))))
        for item in evidence
    }
    return [
        structs.replace(item, metadata={**item.metadata, prompt_budget.HOLDS: notes[item.id]})
        if notes[item.id]
        else item
        for item in evidence
    ]


def _not_shown(turn: Turn, parts: PromptParts, context: Context) -> Filter:
    """Filter for entries of the user that are not in the prompt yet."""
    return Filter(
        kinds=("memory", "fact", "turn"),
        user=turn.user,
        agent=turn.agent,
        now=context.clock.stamp(),
        exclude=(turn.id or "", *parts.elsewhere, *parts.used),
    )


def _may_add(item: Evidence, assistant_statements: PersonaFilter) -> bool:
    """True if an entry may be shown without having been recalled; a turn that only asks adds
    nothing."""
    return assistant_statements.may_recall(item) and not is_question(without_answer(item))


def _everything_else(turn: Turn, parts: PromptParts, context: Context) -> list[Evidence]:
    """All other memories of a store with few entries, with the facts and turns that add to them;
    nothing for a larger store."""
    store = context.memory_store
    if store is None or turn.status == "routed":
        return []
    found = listed(store, _not_shown(turn, parts, context), MOST_LISTED + 1, context.zone)
    if len(found) > MOST_LISTED:
        return []
    assistant_statements = PersonaFilter(turn, context)
    found = [item for item in found if _may_add(item, assistant_statements)]
    memories = [item for item in found if item.kind == "memory"]
    turns_of_memories = {prompt_budget.turn_of(item) for item in memories} - {None}
    remaining = [
        structs.replace(item, why=ALL_KNOWN, text=f"User: {without_answer(item)}")
        if item.kind == "turn"
        else structs.replace(item, why=ALL_KNOWN)
        for item in found
        if item.kind == "memory" or prompt_budget.turn_of(item) not in turns_of_memories
    ]
    return sorted(remaining, key=lambda item: item.kind != "memory")


class _FixedPart(Struct, frozen=True):
    """The part of a prompt that does not depend on what is recalled, as in ``PromptParts``, and the
    tokens of the window that it, the message and the answer leave."""

    standing: StandingContext
    opening: str
    left: int


def _fixed_part(turn: Turn, standing: StandingContext, context: Context) -> _FixedPart:
    """The fixed part of a prompt. A window that is too small for it gets the brief instructions,
    and as many lines of the standing context as it has room for."""
    window = context.models.chat("answer").context()
    free = window - context.answer_tokens() - prompt_budget.estimate_tokens(turn.message)
    name = "small_recall" if context.small("answer") else "answer"
    rest = free - prompt_budget.estimate_tokens(opening(name, StandingContext(), context))
    if name == "answer" and rest < window * LEAST_LEFT:
        name = "brief"
        rest = free - prompt_budget.estimate_tokens(opening(name, StandingContext(), context))
    standing = standing.within(int(rest * STANDING_SHARE))
    fixed = prompt_budget.estimate_tokens(opening(name, standing, context))
    return _FixedPart(standing, name, max(0, free - fixed))


def _evidence_budget(left: int, context: Context) -> int:
    """Tokens for evidence: a share of what is left, at most the setting."""
    return max(0, min(context.config.token_budget, int(left * prompt_budget.EVIDENCE_SHARE)))


# -- instructions, persona and profile -------------------------------------------------------------


def opening(name: str, standing: StandingContext, context: Context) -> str:
    """The instructions of a template, with the persona and the profile."""
    persona, profile = persona_block(standing), profile_block(standing, context)
    if name == "small_recall":
        return context.templates.fill(name, PERSONA=persona, MESSAGE=profile)
    return context.templates.fill(name, PERSONA=persona, PROFILE=profile)


def persona_block(standing: StandingContext) -> str:
    """Persona lines between their tags; an empty text if there are none."""
    lines = standing.bullets("persona")
    return "\n".join(["<persona>", *lines, "</persona>"]) if lines else ""


def profile_block(standing: StandingContext, context: Context) -> str:
    """Profile lines between their tags; an empty text if there are none."""
    lines = standing.bullets("profile")
    return context.templates.fill("profile", LINES="\n".join(lines)) if lines else ""
