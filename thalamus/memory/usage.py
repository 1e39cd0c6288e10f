"""Ageing: the active memories, and how much each is used: what decides whether it stays."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from thalamus.records import Memory
from thalamus.storage.protocol import PRESENT, above, is_hidden

if TYPE_CHECKING:
    from thalamus.storage.protocol import Reader

PAGE = 1000  # memories that are read at a time
# kind, topic in lower case, user, agent
Subject = tuple[str, str | None, str | None, str | None]


class MemoryUse(Struct, frozen=True):
    """How much a memory is used: how often it was ``recalled`` as evidence and when last, and when
    anything of its kind, topic and owner was said last."""

    recalled: int
    recalled_at: str | None
    active_at: str | None


def ageing(store: Reader, kinds: Sequence[str] = ()) -> Iterator[tuple[Memory, MemoryUse]]:
    """Every active memory in the order of keys, not all at once."""
    said = _last_said(store)
    active = {"status": "active", "type": tuple(kinds)} if kinds else {"status": "active"}
    key = 0
    while page := store.select(
        "memory", ("key", "id"), {**active, "key": above(key)}, order=("key",), limit=PAGE
    ):
        keys, ids = zip(*page, strict=True)
        memories = {memory.id: memory for memory in store.find(Memory, {**active, "key": keys})}
        recalls = _recalls(store, ids)
        for id in ids:
            if id in memories:  # it may have gone meanwhile
                memory, times = memories[id], recalls.get(id, ())
                at = said.get(_subject(memory.type, memory.topic, memory.user, memory.agent))
                yield memory, MemoryUse(len(times), max(times, default="") or None, at)
        key = keys[-1]


def _recalls(store: Reader, ids: Sequence[str]) -> dict[str, list[str]]:
    """When each of these was recalled as evidence, in any order."""
    links = store.links.outgoing(ids, "evidence_of")
    turns = {"id": tuple({link.target for link in links})}
    times = dict(store.select("turn", ("id", "created_at"), turns))
    found = defaultdict(list)
    for link in links:
        found[link.source].append(times.get(link.target, ""))
    return found


def _last_said(store: Reader) -> dict[Subject, str]:
    """When anything of a kind, topic and owner was said last; without a topic nothing ties one
    memory to another."""
    of = ("type", "topic", "user", "agent")
    where = {"status": "active", "topic": PRESENT}
    last: dict[Subject, str] = {}
    for *names, at in store.select("memory", (*of, "max(created_at)"), where, group=of):
        subject = _subject(*names)
        last[subject] = max(at, last.get(subject, ""))
    return last


def _subject(kind: str, topic: str | None, user: str | None, agent: str | None) -> Subject:
    return kind, topic.casefold() if topic else None, user, agent


def count_active(store: Reader) -> int:
    """How many active memories there are."""
    return int(store.select("memory", ("count(*)",), {"status": "active"})[0][0])


def active_memories(store: Reader, ids: Sequence[str]) -> list[Memory]:
    """Those of ``ids`` that are active memories, in the order in which they were said, but for
    encrypted ones without their key."""
    where = {"id": tuple(ids), "status": "active"}
    found = {memory.id: memory for memory in store.find(Memory, where)}
    order = sorted(tuple(row) for row in store.select("memory", ("created_at", "key", "id"), where))
    memories = [found[id] for _, _, id in order if id in found]
    return [memory for memory in memories if not is_hidden(memory)]
