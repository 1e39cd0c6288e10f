"""reflect: extracts memories and facts from a turn.

A model is shown the message with what is known and proposes (``extract.call``); code verifies the
proposals (``extract.verify``). Without a capable model, plain frames propose instead
(``extract.frames``). The turn itself is always stored word for word.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING

from msgspec import UNSET, Struct, field, structs

from thalamus.engine import Engine
from thalamus.errors import ThalamusError
from thalamus.extract import call, frames, small, together, verify
from thalamus.extract.known import KnownItems, known_items
from thalamus.extract.proposals import Proposals, ProposedFact, ProposedMemory
from thalamus.extract.second_look import probabilities
from thalamus.extract.source import Source
from thalamus.extract.verdicts import Checked, Claim, Ended, Refused, Verified
from thalamus.memory.facts.assertion import registry
from thalamus.memory.facts.predicates import kin_predicates, kin_words, negative_predicates
from thalamus.memory.recall.dialogue import turns_before
from thalamus.memory.standing.core import persona_for
from thalamus.memory.structured_output import StructuredReply
from thalamus.memory.withdrawn import withdrawn
from thalamus.policy.activities import is_activity, trust_in, words_of
from thalamus.policy.consent import is_reserved
from thalamus.policy.entities import object_name, subject_name
from thalamus.policy.persona import with_marks
from thalamus.policy.prompt_budget import VERBATIM
from thalamus.policy.retention import rule_for
from thalamus.policy.salience import small_talk
from thalamus.policy.sensitivity import personal, with_shared_words
from thalamus.records import Ending, Fact, Memory, Provenance, Reflection, Turn, Verdict
from thalamus.records.kinds import own_text
from thalamus.text.calendar import calendar
from thalamus.text.local_time import local_date
from thalamus.text.marks import copied, without_invisible
from thalamus.text.partial_dates import interval
from thalamus.text.questions import has_question
from thalamus.text.voices import marked, own_parts, unclear_parts
from thalamus.turn_run import TurnRun, issue, skip, step

if TYPE_CHECKING:
    from datetime import date

    from thalamus.policy.predicates import Registry
    from thalamus.policy.retention import Rules


OTHER_AGENT = "other_agent"  # rule of what is refused because another agent said it


class _ModelCalls(Struct):
    """The model's reply and its second looks; ``read_with``: ids of turns that were read in the
    same call."""

    reply: StructuredReply[Proposals] = field(default_factory=StructuredReply)
    read_with: tuple[str, ...] = ()
    looks: dict[Claim, float | None] = field(default_factory=dict)


def reflect(turn: Turn, run: TurnRun) -> Turn:
    """Adds ``reflection`` to the turn: new memories and facts, changes and endings, each with the
    quote it rests on.

    An unusable reply after a second attempt and a model that is down become issues; then the frames
    propose.
    """
    tick = run.engine.clock.tick()
    if not (run.engine.config.enable_reflection and run.engine.use_memory):
        return skip(turn, run.engine, "reflect", "disabled")
    if is_activity(turn.metadata):
        return _reflect_on_activity(turn, run, tick)
    store = run.engine.memory_store
    if store is not None and turn.id and withdrawn(store, [turn.id]):
        return skip(turn, run.engine, "reflect", "withdrawn")
    before = turns_before(turn, run) if store is not None else []
    calls = _ModelCalls()
    if small_talk(turn.message) and not _answers_a_question(before):
        return _with_reflection(turn, run.engine, tick, Reflection(turn=turn.id), calls)
    capable = _is_capable(run)
    room = call.room(run.engine) if capable else call.LONGEST_PART
    known = cache(lambda: known_items(turn, before, run, room))
    source, predicates = _source(turn, before, known, run), registry(run)
    verified = None
    if capable:
        verified = _with_model(turn, before, known(), source, predicates, calls, run)
    if verified is None:
        available = not (capable or _is_down(run))
        verified = _without_capable_model(source, predicates, calls, run, available)
    reflection = _reflection(verified, source, predicates, turn, run)
    return _with_reflection(turn, run.engine, tick, reflection, calls)


def must_wait(turn: Turn, run: TurnRun) -> bool:
    """True if reflecting on a turn needs a model: a capable one always, a small one for statements
    that no frame understands. What ends or forgets something waits as well: an earlier turn that
    said it may still be waiting."""
    if _is_capable(run):
        return True
    source = _source(turn, [], KnownItems, run)
    found = frames.propose(source.message, source.said_on, lambda: source.known.values())
    looked_up = "known" in vars(source)
    return looked_up or bool(small.unread(source, found))


def _reflect_on_activity(turn: Turn, run: TurnRun, tick: float) -> Turn:
    """Adds what another agent's activity says, as memories that name the agent. A small model, and
    the frames, would take its words for the user's."""
    calls = _ModelCalls()
    reflection = Reflection(turn=turn.id)
    words, agent = words_of(turn), turn.agent or "agent"
    if _is_capable(run):
        source = _source(structs.replace(turn, message=words), [], KnownItems, run)
        try:
            calls.reply = call.ask_about_activity(words, agent, turn, run)
            predicates = registry(run)
            proposed = _labelled(calls.reply.value or Proposals(), predicates)
            proposed = structs.replace(proposed, forget=())
            verified = verify.decide(verify.verify(proposed, source), {})
            reflection = _reflection(verified, source, predicates, turn, run)
            reflection = _as_said_by(agent, reflection, turn, run.engine.rules())
        except ThalamusError as error:
            _report_failure(error, calls, run)
    return _with_reflection(turn, run.engine, tick, reflection, calls)


def _as_said_by(agent: str, found: Reflection, turn: Turn, rules: Rules) -> Reflection:
    """A reflection on an agent's activity: every memory names the agent, has its trust and changes
    nothing that is known; no fact is kept, since facts are what the user said, and nothing that was
    refused is quarantined for the user to release."""
    memories = [
        structs.replace(
            memory,
            content=f"{agent}: {memory.content.removeprefix(f'{agent}: ')}",
            type="observation" if is_reserved(memory.type, rules) else memory.type,
            scope="archival",
            trust=min(memory.trust, trust_in(turn.metadata)),
            replaces=UNSET,
            metadata={},
        )
        for memory in found.memories_to_store
    ]
    refused = [structs.replace(one, decision="refuse", rule=OTHER_AGENT) for one in found.refused]
    refused += [
        Verdict(
            decision="refuse",
            rule=OTHER_AGENT,
            reason="another agent said it",
            content=own_text(fact),
            sensitivity="personal" if fact.sensitivity == "personal" else UNSET,
        )
        for fact in found.facts
    ]
    return Reflection(turn=found.turn, memories_to_store=memories, refused=refused)


def _answers_a_question(before: Sequence[Turn]) -> bool:
    """True if the assistant's last message asked something, which a single word may answer."""
    return bool(before) and has_question(before[-1].answer or "")


def _is_down(run: TurnRun) -> bool:
    return run.engine.config.model_for("reflect") in run.down


def _is_capable(run: TurnRun) -> bool:
    """True if there is a model large enough for the extraction call."""
    if _is_down(run):
        return False
    try:
        return not run.engine.small("reflect")
    except ThalamusError:
        return False  # asked below, where the failure is reported


def _without_capable_model(
    source: Source, predicates: Registry, calls: _ModelCalls, run: TurnRun, available: bool
) -> Verified:
    """Result without the extraction call (``extract.small``)."""
    try:
        proposed = small.propose(source, run if available else None)
    except ThalamusError as error:
        _report_failure(error, calls, run)
        proposed = small.propose(source, None)
    found = verify.verify(_labelled(proposed, predicates), source)
    return verify.decide(found, {})


def _labelled(proposals: Proposals, predicates: Registry) -> Proposals:
    """The proposals with every personal one labelled, by its predicate, by a rule or by the words
    that it shares with another: of these one may be kept and another refused."""
    items: list[Claim] = [*proposals.memories, *proposals.facts]
    private = [
        item.sensitivity == "personal"
        or (isinstance(item, ProposedFact) and predicates.personal(item.predicate))
        or personal(f"{item.text}\n{item.quote}") is not None
        for item in items
    ]
    words = [
        [item.object if isinstance(item, ProposedFact) else item.text, item.quote] for item in items
    ]
    labels = with_shared_words(private, words)
    marked = [
        structs.replace(item, sensitivity="personal") if label else item
        for item, label in zip(items, labels, strict=True)
    ]
    count = len(proposals.memories)
    return structs.replace(proposals, memories=marked[:count], facts=marked[count:])


def _source(
    turn: Turn, before: Sequence[Turn], known: Callable[[], KnownItems], run: TurnRun
) -> Source:
    """The source that proposals are checked against."""
    shown = before[-call.BEFORE :]
    message = without_invisible(turn.message)
    answers = [item.answer for item in shown if item.answer]
    return Source(
        message=message,
        own=own_parts(message),
        unclear=unclear_parts(message),
        said_on=_day(turn, run),
        calendar=calendar(),
        before=(shown[-1].answer or "") if shown else "",
        dialogue=[*(item.message for item in shown), *answers],
        answers=answers,
        read_known=lambda: known().by_id,
        kin=kin_words(),
        relations=kin_predicates(),
        negative=negative_predicates(),
    )


def _day(turn: Turn, run: TurnRun) -> date:
    """The user's local date of the message."""
    return local_date(turn.created_at or run.engine.clock.stamp(), run.zone)


def _with_model(
    turn: Turn,
    before: Sequence[Turn],
    known: KnownItems,
    source: Source,
    predicates: Registry,
    calls: _ModelCalls,
    run: TurnRun,
) -> Verified | None:
    """Verified proposals of the model; None if it fails, which becomes an issue of the turn."""
    try:
        calls.reply, calls.read_with = together.ask(turn, before, known, run)
        if calls.reply.value is None:
            return None
        found = verify.verify(_labelled(calls.reply.value, predicates), source)
        if found.doubted:
            message = marked(source.message)
            calls.looks = probabilities(found.doubted, message, predicates, run)
        return verify.decide(found, calls.looks)
    except ThalamusError as error:
        _report_failure(error, calls, run)
        return None


def _report_failure(error: ThalamusError, calls: _ModelCalls, run: TurnRun) -> None:
    """Reports a failure of the model."""
    run.failures.append(("reflect", error))
    run.failed("stage reflect", error)
    calls.reply.issues.append(issue("reflect", error))


# -- records ---------------------------------------------------------------------------------------


def _reflection(
    found: Verified, source: Source, predicates: Registry, turn: Turn, run: TurnRun
) -> Reflection:
    """Verification results as records."""
    memories, facts = [], []
    for checked in found.kept:
        if isinstance(checked.item, ProposedMemory):
            memories.append(_memory(checked, source, turn, run))
        else:
            facts.append(_fact(checked, predicates, turn, run))
    return Reflection(
        turn=turn.id,
        memories_to_store=memories,
        facts=facts,
        no_longer=[_ending(item, run.engine) for item in found.ended],
        forget=[item.ref for item in found.forget],
        refused=[_verdict(item) for item in found.refused],
    )


def _memory(checked: Checked, source: Source, turn: Turn, run: TurnRun) -> Memory:
    """A memory with the model's sentence, or the user's own words where that cannot be used."""
    item = checked.item
    assert isinstance(item, ProposedMemory)
    content = copied(checked.span, source.message) if checked.verbatim else item.content
    memory = Memory(
        content=" ".join(content.split()),
        type=item.type,
        topic=item.topic,
        importance=item.importance,
        sensitivity=item.sensitivity,
        scope=rule_for(run.engine.rules(), item.type).scope,
        created_at=turn.created_at,
        session=turn.session,
        user=turn.user,
        agent=turn.agent,
        valid_from=str(checked.begin) if checked.begin else None,
        valid_to=str(checked.end) if checked.end else None,
        replaces=checked.replaces.ref if checked.replaces is not None else UNSET,
        provenance=_provenance(checked.quote, checked.affirmed, turn),
        metadata={VERBATIM: True} if checked.verbatim else {},
    )
    memory.metadata = with_marks(memory, persona_for(turn, run))
    return memory


def _fact(checked: Checked, predicates: Registry, turn: Turn, run: TurnRun) -> Fact:
    item = checked.item
    assert not isinstance(item, ProposedMemory)
    zone = run.zone
    begin, end = interval(checked.begin, checked.end, zone)
    if checked.over:
        end = turn.created_at or run.engine.clock.stamp()
    precision = _precision(checked, begin, end)
    return Fact(
        subject=subject_name(item.subject),
        predicate=predicates.name(item.predicate),
        object=object_name(item.object),
        valid_from=begin,
        valid_to=end,
        quote=checked.quote,
        sensitivity=item.sensitivity,
        created_at=turn.created_at,
        session=turn.session,
        user=turn.user,
        agent=turn.agent,
        replaces=checked.replaces.ref if checked.replaces is not None else UNSET,
        provenance=_provenance(checked.quote, checked.affirmed, turn),
        metadata={"precision": precision} if precision else {},
    )


def _precision(checked: Checked, begin: str | None, end: str | None) -> dict[str, str]:
    """Precision ("year", "month", "about") of each timestamp, for ``Fact.metadata``."""
    found = {}
    for at, day in ((begin, checked.begin), (end, checked.end)):
        if at is None or day is None:
            continue
        precision = day.precision
        if checked.about and day is checked.begin:
            precision = precision or "about"
        if precision:
            found[at] = precision
    return found


def _provenance(quote: str, affirmed: str, turn: Turn) -> Provenance:
    words = f"{affirmed}\n{quote}" if affirmed else quote
    return Provenance(turn=turn.id, quote=words)


def _ending(item: Ended, engine: Engine) -> Ending:
    end = str(item.end) if item.end is not None else None
    return Ending(id=item.item.ref, quote=item.quote, valid_to=end)


def _verdict(refused: Refused) -> Verdict:
    """The verdict on a refused proposal, which is as personal as if it had been kept."""
    private = refused.item is not None and refused.item.sensitivity == "personal"
    return Verdict(
        decision="quarantine" if refused.quarantine else "refuse",
        rule=refused.rule,
        reason=refused.reason,
        content=refused.text,
        sensitivity="personal" if private else UNSET,
    )


def _with_reflection(
    turn: Turn, engine: Engine, tick: float, reflection: Reflection, calls: _ModelCalls
) -> Turn:
    """The turn with its reflection and the ledger entry for it."""
    detail: dict[str, object] = {
        "memories": len(reflection.memories_to_store),
        "facts": len(reflection.facts),
        "no_longer": len(reflection.no_longer),
        "forget": len(reflection.forget),
        "refused": len(reflection.refused),
    }
    if reflection.refused:
        rules = Counter(verdict.rule for verdict in reflection.refused)
        detail["refusals"] = dict(sorted(rules.items()))
    looks = [round(yes, 3) for yes in calls.looks.values() if yes is not None]
    if looks:
        detail["second_look"] = looks
    if calls.reply.raw:
        detail["unusable_replies"] = calls.reply.raw
    inputs = [*([turn.id] if turn.id else []), *calls.read_with]
    entry = step(engine, "reflect", tick, replies=calls.reply.replies, inputs=inputs, detail=detail)
    return structs.replace(
        turn,
        reflection=reflection,
        issues=[*turn.issues, *calls.reply.issues],
        trace=[*turn.trace, entry],
    )
