"""What is known and is shown to the model that extracts: the memories and facts that a message may
repeat, change or end, each under a short id."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from msgspec import structs

from thalamus.extract.source import Kind, KnownItem
from thalamus.memory.dialogue import is_later, stored_at
from thalamus.memory.search import comparable_models, make_query, recall
from thalamus.policy.entities import USER
from thalamus.policy.prompt_budget import estimate_tokens
from thalamus.policy.prompts import fence
from thalamus.policy.timeline import moment
from thalamus.records import Fact, Instruction, Memory, Turn
from thalamus.storage.protocol import Filter, Store, is_hidden
from thalamus.text.days import as_said
from thalamus.text.local_time import local_day

if TYPE_CHECKING:
    from thalamus.context import Context

NEAREST = 12  # memories, and as many facts, that are looked for with the words of the message
FEW = 40  # memories that are all shown where there are no more; and facts about the user
MOST_TOKENS = 1500  # of all that is shown


@dataclass
class Known:
    """What is shown, in order, and by its short id on which day it was ``said``."""

    items: list[KnownItem] = field(default_factory=list)
    said: dict[str, str] = field(default_factory=dict)

    @property
    def by_id(self) -> dict[str, KnownItem]:
        return {item.id: item for item in self.items}

    @property
    def lines(self) -> list[str]:
        """A line of the prompt for each."""
        return [f"[{item.id}] {fence(item.text)} ({self.said[item.id]})" for item in self.items]


def known_items(
    turn: Turn, before: Sequence[Turn], store: Store | None, context: Context, room: int
) -> Known:
    """What a turn may change: what was made of the exchanges ``before`` it, what is nearest to its
    message, and where little is known all of it, within ``room`` and ``MOST_TOKENS`` tokens."""
    known = Known()
    if store is None:
        return known
    where = Filter(user=turn.user, agent=turn.agent, now=context.clock.stamp())
    found = [*_made_of(before, store), *_nearest(turn, store, where, context)]
    memories = [one for one in found if isinstance(one, Memory)]
    memories += store.memories.read(structs.replace(where, kinds=("memory",)), FEW)
    facts = [one for one in found if isinstance(one, Fact)]
    facts += _about_user(store, where)
    now, since = where.now or "", stored_at(turn, context, store)
    holding = [one for one in memories if _holds(one, now) and not is_later(one, since)]
    half = min(MOST_TOKENS, room) // 2
    left = _add(known, "m", holding, half, context)
    true = [one for one in facts if _holds(one, now) and not is_later(one, since)]
    _add(known, "f", true, half + left, context)
    return known


def _about_user(store: Store, where: Filter) -> list[Fact]:
    """Facts about the user, the newest first; those that are to come among them."""
    found = store.facts.read(structs.replace(where, now=None), USER)
    return sorted(found, key=lambda fact: fact.recorded_at or "", reverse=True)[:FEW]


def _made_of(turns: Sequence[Turn], store: Store) -> list[Memory | Fact]:
    """The memories and facts that were made of exchanges, the newest first."""
    ids = tuple(turn.id for turn in turns if turn.id)
    if not ids:
        return []
    made = store.links.sources(ids, "derived_from")
    found: list[Memory | Fact] = list(store.find(Memory, {"id": made, "status": "active"}))
    found += store.find(Fact, {"id": made})
    return sorted(found, key=lambda one: one.created_at or "", reverse=True)


def _nearest(turn: Turn, store: Store, where: Filter, context: Context) -> list[Memory | Fact]:
    """The memories and facts that a search for the message finds."""
    embedder = context.models.embedder()
    query = make_query(turn.message, embedder, known=comparable_models(store), zone=context.zone)
    found: list[Memory | Fact] = []
    for mode in ("memory", "facts"):
        asked = Instruction(mode=mode, query=turn.message, limit=NEAREST)
        ids = [item.id for item in recall(store, query, asked, where)]
        records: list[Memory | Fact] = [*store.find(Memory, {"id": ids})]
        records += store.find(Fact, {"id": ids})
        found += sorted(records, key=lambda record: ids.index(record.id or ""))
    return found


def _add(
    known: Known, letter: str, records: Iterable[Memory | Fact], room: int, context: Context
) -> int:
    """Adds the records that find room, each once; the tokens that are left."""
    seen = {item.ref for item in known.items}
    number = 0
    for record in records:
        id = record.id or ""
        if id in seen:
            continue
        seen.add(id)
        text = _shown(record, context)
        cost = estimate_tokens(text) + 4
        if cost > room:
            continue
        room -= cost
        number += 1
        kind: Kind = "memory" if isinstance(record, Memory) else "fact"
        known.items.append(KnownItem(f"{letter}{number}", id, kind, text))
        known.said[f"{letter}{number}"] = f"said {local_day(record.created_at, context.zone)}"
    return room


def _holds(record: Memory | Fact, now: str) -> bool:
    """Whether a record can be read and is not over."""
    if is_hidden(record):
        return False
    if isinstance(record, Memory):
        fine = record.status == "active" and record.stale is None
        return fine and not record.is_document
    over = record.valid_to is not None and moment(record.valid_to) <= moment(now)
    return record.retired_at is None and not over


def _shown(record: Memory | Fact, context: Context) -> str:
    """A record as a line: a memory's sentence, or a fact with bars and since when it holds."""
    if isinstance(record, Memory):
        return record.content
    parts = [record.subject, record.predicate, record.object]
    if record.valid_from:
        day = as_said(
            local_day(record.valid_from, context.zone), record.valid_from, record.metadata
        )
        parts.append(f"since {day}")
    return " | ".join(parts)
