"""Usage of active memories, the basis of retention."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from thalamus.records import Memory
from thalamus.store import links as link_rows
from thalamus.store import memories as memory_rows
from thalamus.store import turns as turn_rows
from thalamus.store.encrypted import is_hidden
from thalamus.text.analyzer import fold

if TYPE_CHECKING:
    from thalamus.store.reader import Reader

PAGE = 1000  # memories read at a time
# type, topic in lower case, user, agent
Subject = tuple[str, str | None, str | None, str | None]


class MemoryUse(Struct, frozen=True):
    """Usage of a memory: how often it was ``recalled`` as evidence and when last, and the last
    statement of its type, topic and owner."""

    recalled: int
    recalled_at: str | None
    active_at: str | None


def ageing(store: Reader, kinds: Sequence[str] = ()) -> Iterator[tuple[Memory, MemoryUse]]:
    """Every active memory that the store's owner reaches, with its usage, in key order, read in
    pages."""
    last_said = _last_said(store)
    key = 0
    while page := memory_rows.next_active(store, key, PAGE, kinds):
        ids = tuple(page.values())
        memories = {memory.id: memory for memory in memory_rows.active(store, ids)}
        recalls = _recalls(store, ids)
        for id in ids:
            if id in memories and store.owner.reaches(memories[id]):  # it may be deleted meanwhile
                memory, times = memories[id], recalls.get(id, ())
                at = last_said.get(_subject(memory.type, memory.topic, memory.user, memory.agent))
                yield memory, MemoryUse(len(times), max(times, default="") or None, at)
        key = max(page)


def _recalls(store: Reader, ids: Sequence[str]) -> dict[str, list[str]]:
    """Times at which each of these was recalled as evidence, unordered."""
    links = link_rows.outgoing(store, ids, "evidence_of")
    times = turn_rows.times(store, {link.target for link in links})
    found = defaultdict(list)
    for link in links:
        found[link.source].append(times.get(link.target, ""))
    return found


def _last_said(store: Reader) -> dict[Subject, str]:
    """Time of the last statement of each type, topic and owner; without a topic memories are
    unrelated."""
    last: dict[Subject, str] = {}
    for one in memory_rows.last_said(store):
        subject = _subject(one.type, one.topic, one.user, one.agent)
        last[subject] = max(one.at, last.get(subject, ""))
    return last


def _subject(kind: str, topic: str | None, user: str | None, agent: str | None) -> Subject:
    return kind, fold(topic) if topic else None, user, agent


def active_memories(store: Reader, ids: Sequence[str]) -> list[Memory]:
    """Active memories among ``ids``, in order of time, without encrypted ones whose key is
    missing."""
    found = {memory.id: memory for memory in memory_rows.active(store, ids)}
    stored = memory_rows.as_stored(store, ids)
    order = [one.id for one in sorted(stored, key=lambda one: (one.created_at, one.key))]
    memories = [found[id] for id in order if id in found]
    return [memory for memory in memories if not is_hidden(memory)]
