"""Summaries: texts condensed by the model, which must not add anything, or by their best sentences;
and summary memories for retired memories, of which nothing may be omitted, for finished sessions
and goals that were reached."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from datetime import tzinfo
from math import inf
from typing import TYPE_CHECKING, Any

from thalamus.engine import Engine
from thalamus.errors import MODEL_ERRORS
from thalamus.memory.documents.summary import LEAST_ROOM, REPLY_ROOM, unsupported
from thalamus.memory.draft import Draft, save
from thalamus.memory.embeddings import embed
from thalamus.memory.recall.staleness import outdated_turns
from thalamus.memory.recall.validity import in_words
from thalamus.memory.retention.agent_work import activities, work_in
from thalamus.memory.structured_output import StructuredReply, request_record
from thalamus.memory.user.projects import link_stored
from thalamus.memory.write import admit_memories
from thalamus.models.protocol import Message
from thalamus.policy import prompt_budget
from thalamus.policy.activities import MOST_TRUST
from thalamus.policy.prompts import fence
from thalamus.policy.reply_parsing import SUMMARY_SCHEMA, SummaryReply
from thalamus.policy.retention import SESSION_SUMMARY, SUMMARY, TASK_SUMMARY, rule_for
from thalamus.policy.summarization import MOST, complete, extract_sentences, whole
from thalamus.records import IMPORTANCES, Issue, Link, Memory, Provenance, Turn
from thalamus.store.encryption import contents
from thalamus.text.days import day_in_words
from thalamus.text.local_time import local_day
from thalamus.text.questions import without_questions
from thalamus.text.voices import own_words
from thalamus.turn_run import TurnRun, issue

if TYPE_CHECKING:
    from thalamus.store.base import Store
    from thalamus.store.writer import Writer


TURNS = 30  # turns in one summary of a session
_FOREVER = "9"  # after every time


class Summarizer:
    """Condenses texts. An unavailable model is not asked again; ``issues`` explains it. ``within``:
    seconds after which it is ``late``, and nothing else should be begun."""

    def __init__(self, run: TurnRun, use_model: bool = True, within: float = inf) -> None:
        self._run = run
        self._use_model = use_model
        self._end = time.monotonic() + within
        self.by_model = 0
        self.refused = 0
        self.issues: list[Issue] = []

    @property
    def late(self) -> bool:
        """True if the time is over."""
        return time.monotonic() >= self._end

    @property
    def zone(self) -> tzinfo:
        """The user's time zone."""
        return self._run.zone

    def condense(self, turns: Sequence[Turn], subject: str, store: Store) -> str:
        """A summary of what the user said in ``turns``, in at most ``MOST`` characters. The model
        is told on which day each was said."""
        said = self._said(turns, store)
        dated = [
            f"({day_in_words(local_day(turn.created_at, self.zone))}) {text}" for turn, text in said
        ]
        texts = [text for _, text in said]
        return (self._by_model(dated, subject) or extract_sentences(texts, MOST))[:MOST]

    def _said(self, turns: Sequence[Turn], store: Store) -> list[tuple[Turn, str]]:
        """Turns with what the user says in them, without questions and the words of others; none
        that was replaced or is over. All with their messages if nothing else is left."""
        now = self._run.engine.clock.stamp()
        outdated = outdated_turns(store, [turn.stored_id for turn in turns], now, self.zone)
        current = [turn for turn in turns if turn.id not in outdated]
        own = [(turn, without_questions(own_words(turn.message))) for turn in current]
        return [one for one in own if one[1]] or [(turn, turn.message) for turn in turns]

    def replace(self, texts: Sequence[str], subject: str) -> str:
        """A summary that holds every statement of ``texts``, and so can replace them."""
        summary = self._by_model(texts, subject)
        return complete(summary, texts) if summary else whole(texts)

    def _by_model(self, texts: Sequence[str], subject: str) -> str:
        """The model's summary if the texts support it, else an empty string."""
        if not self._use_model:
            return ""
        notes = "\n".join(f"- {' '.join(text.split())}" for text in texts)
        try:
            reply = self._run.fitted(lambda: self._ask(notes, subject))
        except MODEL_ERRORS as error:
            self._use_model = False
            self.issues.append(issue("summary", error))
            return ""
        if reply is None:
            return ""
        summary = " ".join(reply.value.summary.split()).removeprefix("- ") if reply.value else ""
        if not summary or unsupported(summary, notes):
            self.refused += 1
            return ""
        self.by_model += 1
        return summary

    def _ask(self, notes: str, subject: str) -> StructuredReply[SummaryReply] | None:
        """The model's reply; None for notes that do not fit its context window."""
        room = self._run.engine.models.chat("summary").context() - REPLY_ROOM
        if prompt_budget.estimate_tokens(notes) > max(LEAST_ROOM, room):
            return None
        fill = self._run.engine.templates.fill
        prompt = fill("condense", SUBJECT=fence(subject), NOTES=fence(notes))
        return request_record(
            self._run, "summary", [Message("user", prompt)], SUMMARY_SCHEMA, SummaryReply
        )


def summarize_memories(sources: Sequence[Memory], summarizer: Summarizer) -> Memory:
    """One memory for several of one kind and owner, with the lowest trust among them."""
    first, last = sources[0], sources[-1]
    kinds = {_origin(memory, "kind", memory.type) for memory in sources}
    kind = kinds.pop() if len(kinds) == 1 else first.type
    topics = {memory.topic for memory in sources}
    topic = topics.pop() if len(topics) == 1 else None
    subject, zone = _subject(kind, topic), summarizer.zone
    since = min(_origin(memory, "since", memory.created_at) or "" for memory in sources)
    until = max(_origin(memory, "until", memory.created_at) or "" for memory in sources)
    text = summarizer.replace([_text(memory, kind, zone) for memory in sources], subject)
    return Memory(
        content=f"{subject}, {_period(since, until, zone)}: {text}",
        type=SUMMARY,
        topic=topic,
        importance=max((m.importance for m in sources), key=IMPORTANCES.index),
        created_at=last.created_at,
        user=first.user,
        agent=first.agent,
        salience=max((m.salience for m in sources if m.salience is not None), default=None),
        trust=min(memory.trust for memory in sources),
        sensitivity=first.sensitivity,
        metadata={
            "kind": kind,
            "count": sum(_origin(memory, "count", 1) for memory in sources),
            "since": since or None,
            "until": until or None,
        },
    )


def _origin(memory: Memory, name: str, own: Any) -> Any:
    """A property of what a summary was made from; of any other memory its ``own``."""
    return memory.metadata.get(name) or own if memory.type == SUMMARY else own


def _text(memory: Memory, kind: str, zone: tzinfo) -> str:
    """The text of a source with the period in which it holds; of a summary of the same kind without
    its heading, so that a summary of summaries has one."""
    if memory.type != SUMMARY:
        return source_text(memory)
    since, until = (_origin(memory, name, memory.created_at) for name in ("since", "until"))
    heading = f"{_subject(kind, memory.topic)}, {_period(since, until, zone)}: "
    return memory.content.removeprefix(heading)


def source_text(memory: Memory) -> str:
    """A memory on one line, with the period in which it holds."""
    text = " ".join(memory.content.split())
    period = in_words(memory.valid_from, memory.valid_to)
    return f"{text.rstrip('.。')} ({period})." if period else text


def summarize_turns(
    turns: Sequence[Turn], session: str, store: Store, summarizer: Summarizer
) -> Iterator[tuple[Memory, list[str]]]:
    """(summary, ids of its turns) for each stretch of these turns of a session."""
    owners: dict[tuple[str | None, str | None], list[Turn]] = {}
    for turn in turns:
        owners.setdefault((turn.user, turn.agent), []).append(turn)
    for (user, agent), owned in owners.items():
        acts = activities(owned[0], store)
        for start in range(0, len(owned), TURNS):
            if summarizer.late:
                return
            part, following = owned[start : start + TURNS], owned[start + TURNS :]
            text = summarizer.condense(part, "a conversation", store)
            first, last = part[0], part[-1]
            period = _period(first.created_at, last.created_at, summarizer.zone)
            end = (following[0].created_at if following else None) or _FOREVER
            during = [
                act for act in acts if (first.created_at or "") <= (act.created_at or "") < end
            ]
            work = work_in(part, during, not following, store)
            encrypted = contents.ids(store, [turn.stored_id for turn in part])
            memory = Memory(
                content="\n".join([f"Conversation, {period}: {text}", *work.lines]),
                type=SESSION_SUMMARY,
                created_at=last.created_at,
                session=session,
                user=user,
                agent=agent,
                trust=MOST_TRUST if work.lines else 1.0,
                sensitivity="personal" if encrypted else "normal",
                provenance=Provenance(turn=first.id),
                metadata={"turns": len(part), "since": first.created_at, "until": last.created_at},
            )
            yield memory, [*(turn.stored_id for turn in part), *work.sources]


def summarize_task(
    goal: str, turns: Sequence[Turn], store: Store, summarizer: Summarizer
) -> Memory:
    """A summary of the turns about a goal, of one user and agent; the first one set it."""
    text = summarizer.condense(turns[1:], goal, store)
    first, last = turns[0], turns[-1]
    period = _period(first.created_at, last.created_at, summarizer.zone)
    encrypted = contents.ids(store, [turn.stored_id for turn in turns])
    return Memory(
        content=f"Goal reached, {period}: {goal}. {text}",
        type=TASK_SUMMARY,
        created_at=last.created_at,
        session=last.session,
        user=last.user,
        agent=last.agent,
        sensitivity="personal" if encrypted else "normal",
        provenance=Provenance(turn=last.id),
        metadata={"turns": len(turns), "since": first.created_at, "until": last.created_at},
    )


def admit_summary(
    memory: Memory, of: str, run: TurnRun
) -> tuple[Draft[Memory] | None, list[Issue]]:
    """A summary that passed the gate for writing, with its embedding, or None if it was refused;
    and what went wrong. ``of``: what it is a summary of, in words."""
    memory.recorded_at = run.engine.clock.stamp()
    memory.scope = rule_for(run.engine.rules(), memory.type).scope
    [draft] = admit_memories([memory], run.engine, machine_made=True)
    if draft.refused:
        reason = draft.verdict.reason if draft.verdict is not None else ""
        note = f"the summary of {of} was refused ({reason})"
        return None, [Issue(stage="before_write", code="refused", message=note)]
    problem = embed([draft], run)
    return draft, [issue("embed", problem)] if problem is not None else []


def save_summary(
    draft: Draft[Memory], turns: Iterable[str], writer: Writer, engine: Engine
) -> Memory:
    """Writes a summary with links to its turns, by their ids."""
    kept = save(draft, writer, engine)
    for id in turns:
        writer.add(Link(source=kept.stored_id, relation="derived_from", target=id))
    link_stored([kept], writer)
    return kept


def _subject(kind: str, topic: str | None) -> str:
    """Subject of a summary: ``Observations about tea``."""
    name = kind.replace("_", " ").capitalize()
    plural = name if name.endswith(("s", "y")) else f"{name}s"
    return f"{plural} about {topic}" if topic else plural


def _period(first: str | None, last: str | None, zone: tzinfo) -> str:
    """Dates in words: ``1 May 2026 to 8 May 2026``."""
    days = dict.fromkeys(day_in_words(local_day(at, zone)) for at in (first, last))
    return " to ".join(day for day in days if day) or "undated"
