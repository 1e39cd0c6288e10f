"""The parts of an answer's prompt and their token budgets."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, islice
from typing import TYPE_CHECKING

from msgspec import UNSET, Struct, field, structs

from thalamus.errors import MODEL_ERRORS
from thalamus.memory.recall import dialogue
from thalamus.memory.recall.dialogue import question_of
from thalamus.memory.recall.later_turns import later_notes
from thalamus.memory.recall.persona_filter import PersonaFilter
from thalamus.memory.recall.search import find, listed, question
from thalamus.memory.recall.staleness import outdated_turns
from thalamus.memory.recall.validity import holding
from thalamus.memory.sessions import questions_before
from thalamus.memory.standing.context import of_turn
from thalamus.memory.user.projects import current, other_projects
from thalamus.models.protocol import Message
from thalamus.pipeline import routed_prompt
from thalamus.policy import prompt_budget, window_budget
from thalamus.policy.evidence_text import without_answer
from thalamus.policy.follow_up import has_no_content
from thalamus.policy.prompts import fence
from thalamus.policy.retention import SUMMARIES
from thalamus.policy.standing_context import StandingContext
from thalamus.records import Instruction
from thalamus.store import links
from thalamus.store.values import Filter
from thalamus.text.local_time import local_day
from thalamus.text.questions import only_asks
from thalamus.text.tokens import own_words

if TYPE_CHECKING:
    from thalamus.engine import Engine
    from thalamus.records import Evidence, Turn
    from thalamus.turn_run import TurnRun

SHOWN_EXCHANGES = 2  # exchanges shown to a small model if a message depends on them
NEAREST = 5  # least number of notes that a small model is asked about
ALL_KNOWN = "is known and fits into the prompt"
NEAREST_REASON = "is among the nearest to the question"
# share of the window that the instructions must leave, or else the brief ones are used; and of what
# they leave, the share for lines that are part of every prompt
LEAST_LEFT = 1 / 8
STANDING_SHARE = 0.5
SHORT_REPLY = 4  # words of a message that may need the question before it
MOST_REPLIES = 30  # such messages whose question is looked up
NEAREST_SEARCHED = 200  # entries nearest to the message that a capable model may be shown
MOST_LISTED = 500  # newest memories and facts that it may be shown besides


class PromptParts(Struct):
    """Parts of a prompt: what always stands in it (``standing``), the name of the template of its
    instructions (``opening``), the ``notes``, the exchanges ``shown``, and the ids of evidence
    among the notes (``used``).
    ``elsewhere``: ids shown outside the notes; ``said_here``: those of exchanges shown that are of
    the turn's day; ``budget``: tokens for notes; ``recalled``: evidence for the notes; ``added``:
    entries among the notes that were not recalled; ``left_out``: by id, why evidence is missing;
    ``no_room``: count of other entries that found no room."""

    standing: StandingContext
    opening: str = "answer"
    notes: list[str] = field(default_factory=list)
    shown: list[Turn] = field(default_factory=list)
    used: list[str] = field(default_factory=list)
    elsewhere: set[str] = field(default_factory=set)
    said_here: set[str | None] = field(default_factory=set)
    budget: int = 0
    recalled: list[Evidence] = field(default_factory=list)
    added: list[Evidence] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)
    no_room: int = 0

    def says(self, id: str) -> bool:
        """True if the words of a piece of evidence are in the prompt, by itself or in others."""
        reason = self.left_out.get(id)
        return id in self.used or reason in (prompt_budget.ELSEWHERE, prompt_budget.REPEATED)


def with_dialogue(turn: Turn, run: TurnRun, standing: StandingContext) -> Turn:
    """The turn with its dialogue decided, unless an earlier stage did that.

    The dialogue gets the budget left by the fixed part, the message and the evidence; together with
    the message it may take ``MOST_DIALOGUE`` of the model's context. Raises the model's errors.
    """
    store = run.engine.memory_store
    if turn.dialogue is not UNSET or store is None:
        return turn
    if not dialogue.candidates(turn, run):
        return turn
    window = run.engine.models.chat("answer").context()
    share = int(window * window_budget.MOST_DIALOGUE) - prompt_budget.estimate_tokens(turn.message)
    fixed = _fixed_part(turn, standing, run.engine)
    room = min(share, fixed.left - fixed.notes_budget(run.engine))
    most = None
    if run.engine.small("answer"):
        most = SHOWN_EXCHANGES if has_no_content(turn.message) else 0
    return structs.replace(turn, dialogue=dialogue.decide(turn, run, room, most))


def _mark_outdated(shown: Sequence[Turn], run: TurnRun) -> list[Turn]:
    """The exchanges, with a mark after anything corrected or ended since."""
    ids = tuple(turn.stored_id for turn in shown)
    why = outdated_turns(run.engine.store, ids, run.engine.clock.stamp(), run.zone) if ids else {}
    return [
        structs.replace(turn, message=f"{turn.message}{prompt_budget.no_longer(why[turn.id])}")
        if turn.id in why
        else turn
        for turn in shown
    ]


def parts_of(turn: Turn, run: TurnRun) -> tuple[PromptParts, Turn]:
    """The parts of a turn's prompt, and the turn with its dialogue. Raises the model's errors."""
    store = run.engine.memory_store
    standing = of_turn(turn, run)
    turn = with_dialogue(turn, run, standing)
    fixed = _fixed_part(turn, standing, run.engine)
    parts = PromptParts(fixed.standing, fixed.opening)
    if store and turn.dialogue:
        parts.shown = _mark_outdated(dialogue.visible_turns(turn, run), run)
    _add_notes(parts, fixed, turn, run)
    return parts, turn


def exchanges(shown: Sequence[Turn]) -> list[Message]:
    """Earlier exchanges as chat messages."""
    found = []
    for item in shown:
        found.append(Message("user", item.message))
        if item.answer:
            found.append(Message("assistant", item.answer))
    return found


def noted_message(turn: Turn, run: TurnRun) -> str:
    """The message below its evidence, exactly as in the last message of the prompt. Calls no
    model."""
    try:
        budget = _fixed_part(turn, StandingContext(), run.engine).notes_budget(run.engine)
        small = run.engine.small("answer")
        evidence = _annotated(turn.evidence, turn, run)
    except MODEL_ERRORS:
        budget, small = run.engine.notes_budget(window_budget.UNKNOWN), True
        evidence = turn.evidence
    when = turn.created_at or run.engine.clock.stamp(), run.zone
    found = prompt_budget.evidence_lines(evidence, budget, *when, small, turn.message)
    return with_notes(found.lines, turn, run)


def with_notes(notes: Sequence[str], turn: Turn, run: TurnRun) -> str:
    """The message below the time and the notes."""
    return run.engine.templates.fill(
        "message",
        NOW=run.now_in_words(turn),
        MEMORIES="\n".join(notes),
        USER_MESSAGE=fence(turn.message),
    )


# -- notes -----------------------------------------------------------------------------------------


def _add_notes(parts: PromptParts, fixed: _FixedPart, turn: Turn, run: TurnRun) -> None:
    """Fills the notes with the recalled evidence and, for a capable model, with what else there is
    room for. Leaves out what is elsewhere in the prompt."""
    parts.elsewhere = parts.standing.ids | {item.stored_id for item in parts.shown}
    drafted = prompt_budget.estimate_tokens(turn.draft) if turn.draft else 0
    parts.budget = fixed.notes_budget(run.engine, drafted)
    results, small = routed_prompt.results(turn), run.engine.small("answer")
    if results and small:  # it would speak of anything else instead
        parts.standing, parts.notes = parts.standing.without("core"), results
        return
    done = sum(prompt_budget.estimate_tokens(line) for line in results)
    parts.budget = max(0, parts.budget - done)
    evidence = [] if routed_prompt.leaves_out_evidence(turn, run.engine) else turn.evidence
    parts.said_here = set() if small else _said_here(parts.shown, turn, run)
    for item in evidence:
        if item.id in parts.elsewhere or prompt_budget.turn_of(item) in parts.said_here:
            parts.left_out[item.id] = prompt_budget.ELSEWHERE
        else:
            parts.recalled.append(item)
    more = [] if small else _more_notes(turn, parts, run)
    annotated = _annotated([*parts.recalled, *more], turn, run)
    count = len(parts.recalled)
    parts.recalled, more = annotated[:count], annotated[count:]
    _set_notes(parts, _lines(parts, more, turn, run), more)
    parts.notes += [*routed_prompt.notes(turn), *results]


def add_nearest(parts: PromptParts, turn: Turn, run: TurnRun) -> None:
    """Adds the entries nearest to a question to its notes, whatever their relevance, up to
    ``NEAREST`` notes. Similarity means little in a language that the embedder hardly knows; the
    model itself is asked if the notes answer the question."""
    store = run.engine.memory_store
    missing = min(NEAREST, run.engine.config.max_memory_results) - len(parts.used)
    if store is None or missing <= 0 or turn.status == "routed":
        return
    where = _not_shown(turn, parts, run.engine)
    instruction = Instruction(mode="all", query=turn.message, limit=2 * NEAREST)
    nearest, _ = find(instruction, where, run, least=0)
    assistant_statements = PersonaFilter(turn, run)
    nearest = [item for item in nearest if _may_add(item, assistant_statements)][:missing]
    nearest = [structs.replace(item, why=NEAREST_REASON) for item in nearest]
    if nearest:
        more = _annotated(nearest, turn, run)
        _set_notes(parts, _lines(parts, more, turn, run), more)


def _lines(
    parts: PromptParts, more: Sequence[Evidence], turn: Turn, run: TurnRun
) -> prompt_budget.EvidenceLines:
    """Lines of the recalled evidence and of ``more``, as far as they fit."""
    when = turn.created_at or run.engine.clock.stamp(), run.zone
    evidence, small = [*parts.recalled, *more], run.engine.small("answer")
    return prompt_budget.evidence_lines(evidence, parts.budget, *when, small, turn.message)


def _set_notes(
    parts: PromptParts, found: prompt_budget.EvidenceLines, more: Sequence[Evidence]
) -> None:
    """Sets the notes to the lines of the recalled evidence and of ``more``."""
    parts.notes = list(found.lines)
    recalled = {item.id for item in parts.recalled}
    parts.left_out |= {id: why for id, why in found.left_out.items() if id in recalled}
    missing = [why for id, why in found.left_out.items() if id not in recalled]
    parts.no_room = missing.count(prompt_budget.NO_ROOM)
    parts.used = [item.id for item in (*parts.recalled, *more) if item.id in found.used]
    parts.added = [item for item in more if item.id in found.used]


def _annotated(evidence: Sequence[Evidence], turn: Turn, run: TurnRun) -> list[Evidence]:
    """The evidence with the time in which each entry holds, what was said of it later and the
    question that a short message answers, for its line, and with the parts of each summary."""
    store = run.engine.memory_store
    if store is None:
        return list(evidence)
    summaries = [item.id for item in evidence if item.type in SUMMARIES]
    made_of: dict[str, list[str]] = {}
    for link in links.outgoing(store, summaries, "derived_from"):
        made_of.setdefault(link.source, []).append(link.target)
    later = later_notes(evidence, turn.user, turn.agent, run)
    when = holding(store, evidence, run.local_now(turn)[:10], run.zone)
    places = other_projects([item.id for item in evidence], current(run), store)
    turns = [] if run.engine.small("answer") else [item for item in evidence if item.kind == "turn"]
    short = (item.id for item in turns if len(own_words(without_answer(item))) <= SHORT_REPLY)
    asked = questions_before(store, list(islice(short, MOST_REPLIES)))
    found = []
    for item in evidence:
        notes = (when.get(item.id), later.get(item.id), places.get(item.id))
        holds = "; ".join(filter(None, notes))
        added = {
            prompt_budget.HOLDS: holds,
            prompt_budget.PARTS: made_of.get(item.id),
            prompt_budget.ASKED: asked.get(item.id),
        }
        metadata = {name: value for name, value in added.items() if value}
        found.append(structs.replace(item, metadata={**item.metadata, **metadata}))
    return found


def _not_shown(turn: Turn, parts: PromptParts, engine: Engine) -> Filter:
    """Filter for entries of the user that are not in the prompt yet."""
    return Filter(
        kinds=("memory", "fact", "turn"),
        user=turn.user,
        agent=turn.agent,
        now=engine.clock.stamp(),
        exclude=(turn.id or "", *parts.elsewhere, *(item.id for item in parts.recalled)),
    )


def _may_add(item: Evidence, assistant_statements: PersonaFilter) -> bool:
    """True if an entry may be shown without having been recalled; a turn that only asks adds
    nothing."""
    return assistant_statements.may_recall(item) and not only_asks(without_answer(item))


def _more_notes(turn: Turn, parts: PromptParts, run: TurnRun) -> list[Evidence]:
    """Notes of a capable model besides the recalled evidence, the most useful first: memories and
    facts for half of the budget, those nearest to the message before the newest; then messages from
    nearest to farthest; then the other memories and facts.

    The model reads what may have nothing to do with the message, so there is no least relevance;
    only documents and conclusions have to be among the first.
    """
    if run.engine.memory_store is None:
        return []
    where = _not_shown(turn, parts, run.engine)
    query = question(question_of(turn, run), turn, run)
    instruction = Instruction(mode="all", query=query.text, limit=NEAREST_SEARCHED)
    any_kind = structs.replace(where, kinds=())
    nearest, _ = find(instruction, any_kind, run, query=query, least=0)
    first_few = {item.id for item in nearest[: run.engine.config.max_memory_results]}
    nearest = [item for item in nearest if item.kind in where.kinds or item.id in first_few]
    there = (*where.exclude, *(item.id for item in nearest))
    newest = structs.replace(where, kinds=("memory", "fact"), exclude=there)
    known = listed(run.engine.store, newest, MOST_LISTED, run.zone)
    found = [
        *(structs.replace(item, why=NEAREST_REASON) for item in nearest),
        *(structs.replace(item, why=ALL_KNOWN) for item in known),
    ]
    statements = PersonaFilter(turn, run)
    found = [
        item
        for item in found
        if _may_add(item, statements) and prompt_budget.turn_of(item) not in parts.said_here
    ]
    short = [item for item in found if item.kind in ("memory", "fact")]
    others = [item for item in found if item.kind not in ("memory", "fact")]
    sizes = accumulate(prompt_budget.estimate_tokens(item.text) for item in short)
    count = sum(size <= parts.budget // 2 for size in sizes)
    return [*short[:count], *others, *short[count:]]


def _said_here(shown: Sequence[Turn], turn: Turn, run: TurnRun) -> set[str | None]:
    """Ids of the exchanges in the prompt that were said on the day of the turn: what was made of
    them says no more. On another day "tomorrow" needs the day that a note has."""
    today = run.local_now(turn)[:10]
    return {item.stored_id for item in shown if local_day(item.created_at, run.zone) == today}


class _FixedPart(Struct, frozen=True):
    """The part of a prompt that does not depend on what is recalled, as in ``PromptParts``, its
    ``tokens``, and those of the window that it, the message and the answer leave."""

    standing: StandingContext
    opening: str
    tokens: int
    left: int

    def notes_budget(self, engine: Engine, drafted: int = 0) -> int:
        """Tokens for notes, next to a draft of so many."""
        return engine.notes_budget(self.left - drafted, fixed=self.tokens)


def _fixed_part(turn: Turn, standing: StandingContext, engine: Engine) -> _FixedPart:
    """The fixed part of a prompt. A window that is too small for it gets the brief instructions,
    and as many lines of the standing context as it has room for."""
    window = engine.models.chat("answer").context()
    free = window - engine.answer_tokens() - prompt_budget.estimate_tokens(turn.message)
    name = "small_recall" if engine.small("answer") else "answer"
    rest = free - prompt_budget.estimate_tokens(opening(name, StandingContext(), engine))
    if name == "answer" and rest < window * LEAST_LEFT:
        name = "brief"
        rest = free - prompt_budget.estimate_tokens(opening(name, StandingContext(), engine))
    standing = standing.within(int(rest * STANDING_SHARE))
    fixed = prompt_budget.estimate_tokens(opening(name, standing, engine))
    return _FixedPart(standing, name, fixed, max(0, free - fixed))


# -- instructions, persona and profile -------------------------------------------------------------


def opening(name: str, standing: StandingContext, engine: Engine) -> str:
    """The instructions of a template, with the persona and the profile."""
    persona, profile = persona_block(standing), profile_block(standing, engine)
    if name == "small_recall":
        return engine.templates.fill(name, PERSONA=persona, MESSAGE=profile)
    if earlier := standing.bullets("earlier"):
        summary = engine.templates.fill("earlier", LINES="\n".join(earlier))
        profile = f"{profile}\n\n{summary}".strip()
    return engine.templates.fill(name, PERSONA=persona, PROFILE=profile)


def persona_block(standing: StandingContext) -> str:
    """Persona lines between their tags; an empty text if there are none."""
    lines = standing.bullets("persona")
    return "\n".join(["<persona>", *lines, "</persona>"]) if lines else ""


def profile_block(standing: StandingContext, engine: Engine) -> str:
    """Profile lines between their tags; an empty text if there are none."""
    lines = standing.bullets("profile")
    return engine.templates.fill("profile", LINES="\n".join(lines)) if lines else ""
