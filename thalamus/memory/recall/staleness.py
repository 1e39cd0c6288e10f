"""Reasons why retrieved entries may be outdated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, tzinfo
from textwrap import shorten
from typing import TYPE_CHECKING, TypeVar

from msgspec import json

from thalamus.memory.facts.history import extended
from thalamus.memory.withdrawn import withdrawn_by
from thalamus.policy.staleness import CORRECTED, REPLACED, WITHDRAWN, ended_reason
from thalamus.records import Fact
from thalamus.store import facts
from thalamus.store import links as link_rows
from thalamus.store import memories as memory_rows
from thalamus.store.encrypted import HIDDEN
from thalamus.store.facts import StoredFact
from thalamus.text.local_time import local_day

if TYPE_CHECKING:
    from thalamus.records import Link
    from thalamus.store.base import Store
    from thalamus.store.values import IndexedRow

Key = TypeVar("Key", int, str)
Ended = tuple[Key, StoredFact]  # (key or id of a dependent, its fact)
LONGEST_SAID = 160  # characters of a replacement quoted in a reason


def stale_reasons(
    store: Store, entries: Sequence[IndexedRow], now: str, zone: tzinfo = UTC
) -> dict[int, str]:
    """Reasons why entries may be outdated, by key: a memory's mark or end, replacements of a turn's
    memories, and facts of a turn that have ended by ``now``. Current entries are left out."""
    memories = {entry.id: entry for entry in entries if entry.record == "memory"}
    turns = {entry.key: entry.id for entry in entries if entry.record == "turn"}
    found = _marks(memories.values(), local_day(now, zone))
    unmarked = {id: entry for id, entry in memories.items() if entry.key not in found}
    for key, fact in _ended_of_memories(store, unmarked, now):
        _add_reason(found, key, fact, zone)
    outdated = outdated_turns(store, tuple(turns.values()), now, zone) if turns else {}
    return found | {key: outdated[id] for key, id in turns.items() if id in outdated}


def outdated_turns(
    store: Store, turns: Sequence[str], now: str, zone: tzinfo = UTC
) -> dict[str, str]:
    """Reasons why turns may be outdated, by id: replacements of their memories, and their facts
    that have ended by ``now``; ``WITHDRAWN`` for a withdrawn one."""
    links = link_rows.incoming(store, turns, "derived_from", "supersedes")
    derived = [link for link in links if link.relation == "derived_from"]
    found = _replaced_turns(store, derived) | _corrected_turns(links)
    for id, fact in _ended_of_turns(store, derived, now):
        _add_reason(found, id, fact, zone)
    return found | dict.fromkeys(withdrawn_by(store, links), WITHDRAWN)


def _add_reason(found: dict[Key, str], key: Key, fact: StoredFact, zone: tzinfo) -> None:
    """Adds the end of a fact to the reasons, by key."""
    reason = ended_reason(_as_it_stands(fact), zone=zone)
    found[key] = f"{found[key]}; {reason}" if key in found else reason


def _marks(memories: Iterable[IndexedRow], today: str) -> dict[int, str]:
    """Marks of memories by key; for an unmarked one a reason when its last day is past."""
    found = {}
    for one in memories:
        if one.stale is not None:
            found[one.key] = one.stale
        elif one.valid_to and one.valid_to < today[: len(one.valid_to)]:
            found[one.key] = f"ended {one.valid_to}"
    return found


def _replaced_turns(store: Store, derived: Sequence[Link]) -> dict[str, str]:
    """Reasons why turns are outdated, by id: a memory made from them was replaced."""
    old = memory_rows.in_status(store, {link.source for link in derived}, "superseded")
    successors = {link.target: link.source for link in link_rows.incoming(store, old, "supersedes")}
    says = _contents(store, successors.values())
    return {
        link.target: _replaced(successors[link.source], says)
        for link in derived
        if link.source in successors
    }


def _replaced(memory: str, says: Mapping[str, str]) -> str:
    """Reason with the content of the ``memory`` that is the replacement."""
    content = f": {says[memory]}" if memory in says else ""
    return f"{REPLACED}{content} [{memory}]"


def _contents(store: Store, ids: Iterable[str]) -> dict[str, str]:
    """Shortened contents of memories, by id; encrypted ones are left out."""
    return {
        one.id: shorten(one.content, LONGEST_SAID, placeholder="…")
        for one in memory_rows.as_stored(store, tuple(ids))
        if one.content not in ("", HIDDEN)
    }


def _corrected_turns(links: Sequence[Link]) -> dict[str, str]:
    """Reasons why turns are wrong, by id: a memory has the user's correction."""
    found = [link for link in links if link.relation == "supersedes"]
    return {link.target: f"{CORRECTED} [{link.source}]" for link in found}


def _as_it_stands(fact: StoredFact) -> Fact:
    metadata = fact.metadata or ""
    return Fact(
        id=fact.id,
        subject=fact.subject,
        predicate=fact.predicate,
        object=fact.object,
        valid_to=fact.valid_to,
        retired_at=fact.retired_at,
        metadata=json.decode(metadata)
        if metadata.startswith("{")
        else {},  # otherwise it is encrypted
    )


def _ended_of_turns(store: Store, links: Sequence[Link], now: str) -> list[Ended[str]]:
    """Facts extracted from turns that have ended since, or were retired as wrong. ``links``: from
    the facts to their turns."""
    ended = {
        fact.id: fact
        for fact in facts.as_stored(store, {link.source for link in links})
        if fact.retired_at or (fact.valid_to and fact.valid_to <= now)
    }
    retired = {id: fact.object or "" for id, fact in ended.items() if fact.retired_at}
    right = extended(store, retired) if retired else set()
    ended = {id: fact for id, fact in ended.items() if id not in right}
    found = [(link.target, ended[link.source]) for link in links if link.source in ended]
    return sorted(found, key=lambda item: item[1].key)


def _ended_of_memories(
    store: Store, memories: Mapping[str, IndexedRow], now: str
) -> list[Ended[int]]:
    """Facts of memories whose end was known in advance and has passed: no event marked their
    dependents."""
    over = {fact.id: fact for fact in facts.over(store, tuple(memories), now)}
    links = link_rows.outgoing(store, memories, "about") if over else []
    found = [
        (memories[link.source].key, over[link.target])
        for link in links
        if link.target in over
        and (over[link.target].valid_to or "") > (memories[link.source].created_at or "")
        and not facts.is_restated(store, over[link.target], now)
    ]
    return sorted(found, key=lambda item: item[1].key)
