"""Known memories and facts shown to the extracting model, each under a short id: those that a
message may repeat, change or end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct, field, structs

from thalamus.extract.source import Kind, KnownItem
from thalamus.memory.recall.dialogue import is_later, stored_at
from thalamus.memory.recall.search import SearchQuery, nearest, question
from thalamus.memory.recall.validity import fact_in_words, in_words
from thalamus.memory.standing.core import persona_for
from thalamus.policy.entities import USER
from thalamus.policy.persona import applies
from thalamus.policy.prompt_budget import estimate_tokens
from thalamus.policy.prompts import fence
from thalamus.policy.speakers import AGENT, said_by_agent
from thalamus.policy.timeline import moment
from thalamus.records import Fact, Memory, Turn
from thalamus.records.kinds import kind_of
from thalamus.store import facts as fact_rows
from thalamus.store import links
from thalamus.store import memories as memory_rows
from thalamus.store.base import Store
from thalamus.store.encrypted import is_hidden
from thalamus.store.values import Filter
from thalamus.text.local_time import local_day

if TYPE_CHECKING:
    from thalamus.turn_run import TurnRun

NEAREST = 12  # memories, and as many facts, found by a search for the message
NEWEST = 40  # newest memories and facts about the user that are added
MOST_TOKENS = 1500  # for all items


class KnownItems(Struct):
    """The items shown, in order, and when each was said and holds, by its short id."""

    items: list[KnownItem] = field(default_factory=list)
    days: dict[str, str] = field(default_factory=dict)

    @property
    def by_id(self) -> dict[str, KnownItem]:
        return {item.id: item for item in self.items}

    def within(self, tokens: int) -> KnownItems:
        """The first of the memories and of the facts that fit into half of ``tokens`` each; all if
        they fit together."""
        if sum(_cost(item.text) for item in self.items) <= tokens:
            return self
        kept = KnownItems(days=self.days)
        for kind in ("memory", "fact"):
            left = tokens // 2
            for item in self.items:
                if item.kind == kind and _cost(item.text) <= left:
                    left -= _cost(item.text)
                    kept.items.append(item)
        return kept

    @property
    def lines(self) -> list[str]:
        """One prompt line per item."""
        return [f"[{item.id}] {fence(item.text)} ({self.days[item.id]})" for item in self.items]


def known_items(turn: Turn, before: Sequence[Turn], run: TurnRun, room: int) -> KnownItems:
    """Items that a turn may change: those derived from the exchanges ``before`` it, those nearest
    to its message and the newest ones, within ``room`` and ``MOST_TOKENS`` tokens; of another
    persona than that of the turn none."""
    store = run.engine.memory_store
    known = KnownItems()
    if store is None:
        return known
    where = Filter(user=turn.user, agent=turn.agent, now=run.engine.clock.stamp())
    query = question(turn.message, turn, run)
    with store.reading():
        found = [*_derived_from(before, store), *_nearest(query, where, store)]
        memories = [one for one in found if isinstance(one, Memory)]
        memories += memory_rows.read(store, structs.replace(where, kinds=("memory",)), NEWEST)
        facts = [one for one in found if isinstance(one, Fact)]
        facts += _about_user(store, where)
    now, since = where.now or "", stored_at(turn, run)
    persona = persona_for(turn, run)

    def was_known(one: Memory | Fact) -> bool:
        """True unless it was said after the turn. What earlier messages said may have been stored
        after it, because they were extracted later."""
        return _holds(one, now) and not (
            is_later(one, since) and moment(one.created_at or "") > moment(turn.created_at or "")
        )

    holding = [
        one for one in memories if was_known(one) and applies(one.type, one.metadata, persona)
    ]
    half = min(MOST_TOKENS, room) // 2
    left = _add(known, "m", holding, half, run)
    true = [one for one in facts if was_known(one)]
    _add(known, "f", true, half + left, run)
    return known


def _about_user(store: Store, where: Filter) -> list[Fact]:
    """Facts about the user, newest first, including future ones."""
    found = fact_rows.read(store, structs.replace(where, now=None), USER)
    return sorted(found, key=lambda fact: fact.recorded_at or "", reverse=True)[:NEWEST]


def _derived_from(turns: Sequence[Turn], store: Store) -> list[Memory | Fact]:
    """Memories and facts derived from the exchanges, newest first."""
    ids = tuple(turn.id for turn in turns if turn.id)
    if not ids:
        return []
    made = links.sources(store, ids, "derived_from")
    found: list[Memory | Fact] = [*memory_rows.active(store, made)]
    found += store.by_ids(Fact, made)
    return sorted(found, key=lambda one: one.created_at or "", reverse=True)


def _nearest(query: SearchQuery, where: Filter, store: Store) -> list[Memory | Fact]:
    """Memories and facts found by a search for the message."""
    found: list[Memory | Fact] = []
    kinds: tuple[type[Memory | Fact], ...] = (Memory, Fact)
    for kind in kinds:
        only = structs.replace(where, kinds=(kind_of(kind).name,))
        ids = [entry.id for entry in nearest(store, query, only, 2 * NEAREST)[:NEAREST]]
        by_id = {record.stored_id: record for record in store.by_ids(kind, ids)}
        found += [by_id[id] for id in ids if id in by_id]
    return found


def _add(
    known: KnownItems, letter: str, records: Iterable[Memory | Fact], room: int, run: TurnRun
) -> int:
    """Adds the records that fit, each once, and returns the tokens left."""
    seen = {item.ref for item in known.items}
    number = 0
    for record in records:
        id = record.stored_id
        if id in seen:
            continue
        seen.add(id)
        text = _line(record)
        cost = _cost(text)
        if cost > room:
            continue
        room -= cost
        number += 1
        kind: Kind = "memory" if isinstance(record, Memory) else "fact"
        known.items.append(KnownItem(f"{letter}{number}", id, kind, text))
        by = f" by {AGENT}" if said_by_agent(record) else ""
        days = f"said{by} {local_day(record.created_at, run.zone)}"
        period = _period(record, run)
        known.days[f"{letter}{number}"] = f"{days}, holds {period}" if period else days
    return room


def _cost(text: str) -> int:
    return estimate_tokens(text) + 4


def _holds(record: Memory | Fact, now: str) -> bool:
    """True if a record is readable and still holds."""
    if is_hidden(record):
        return False
    if isinstance(record, Memory):
        active = record.status == "active" and record.stale is None
        return active and not record.is_document
    over = record.valid_to is not None and moment(record.valid_to) <= moment(now)
    return record.retired_at is None and not over


def _line(record: Memory | Fact) -> str:
    """A record as a line: the memory's sentence, or the fact as "subject | predicate | object"."""
    if isinstance(record, Memory):
        return record.content
    return " | ".join((record.subject, record.predicate, record.object))


def _period(record: Memory | Fact, run: TurnRun) -> str:
    """When a record holds, in words; empty if that is not known."""
    today = local_day(run.engine.clock.stamp(), run.zone)
    if isinstance(record, Memory):
        return in_words(record.valid_from, record.valid_to, today)
    period = record.valid_from, record.valid_to
    return fact_in_words(*period, record.metadata, run.zone, today)
