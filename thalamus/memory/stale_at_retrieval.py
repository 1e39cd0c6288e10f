"""Why something that is found may no longer be true."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, tzinfo
from typing import TYPE_CHECKING, Any

from msgspec import json

from thalamus.memory.fact_history import extended
from thalamus.policy.staleness import CORRECTED, ended_reason
from thalamus.records import EXCHANGE, Fact
from thalamus.storage.protocol import at_most, other_than

if TYPE_CHECKING:
    from thalamus.storage.protocol import IndexedRow, Store, Where

Ended = tuple[int, Mapping[str, Any]]  # the key of what rests on a fact, and the fact's row
# of a fact as it stands, an encrypted one without its object: what is said of it is shown
_FACT = ("key", "id", "subject", "predicate", "object", "valid_to", "retired_at", "metadata")
_SAYS = ("user", "entity", "predicate", "value")


def stale_reasons(
    store: Store, entries: Sequence[IndexedRow], now: str, zone: tzinfo = UTC
) -> dict[int, str]:
    """Why what was found may no longer be true, by its key: the mark of a memory, and the facts
    that were taken from a turn and have ended by ``now``. A memory of an exchange says no more than
    its turn. What is fine is left out."""
    said = {entry.id: entry for entry in entries if entry.record == "memory"}
    turns = {entry.key: entry.id for entry in entries if entry.record == "turn"}
    turns |= _copied_turns(store, entries)
    marked = {"key": [entry.key for entry in said.values()], "stale": other_than(None)}
    found: dict[int, str] = dict(store.select("memory", ("key", "stale"), marked) if said else [])
    corrected = corrected_turns(store, tuple(turns.values())) if turns else {}
    found |= {key: corrected[id] for key, id in turns.items() if id in corrected}
    unmarked = said
    if found:
        unmarked = {id: entry for id, entry in said.items() if entry.key not in found}
    ended = [*_ended_of_turns(store, turns, now), *_ended_of_memories(store, unmarked, now)]
    for key, fact in ended:
        reason = ended_reason(_as_it_stands(fact), zone=zone)
        found[key] = f"{found[key]}; {reason}" if key in found else reason
    return found


def _copied_turns(store: Store, entries: Sequence[IndexedRow]) -> dict[int, str]:
    """The turn of each memory of an exchange, by the memory's key."""
    keys = {entry.id: entry.key for entry in entries if entry.type == EXCHANGE}
    return {keys[id]: turn for id, turn in _linked(store, "derived_from", source=tuple(keys))}


def corrected_turns(store: Store, turns: Sequence[str]) -> dict[str, str]:
    """Why turns say what is wrong, by their ids: a memory says it as the user corrected it."""
    found = _linked(store, "supersedes", target=turns)
    return {turn: f"{CORRECTED} [{memory}]" for memory, turn in found}


def ended_facts_of(store: Store, turns: Sequence[str], now: str) -> dict[str, list[Fact]]:
    """The facts that were taken from turns and have ended by ``now`` or were retracted, by the id
    of the turn. Turns of which everything still holds are left out."""
    found: dict[str, list[Fact]] = {}
    for key, fact in _ended_of_turns(store, dict(enumerate(turns)), now):
        found.setdefault(turns[key], []).append(_as_it_stands(fact))
    return found


def _as_it_stands(fact: Mapping[str, Any]) -> Fact:
    known = {name: fact[name] for name in _FACT if name not in ("key", "metadata")}
    said = fact["metadata"] or ""
    metadata = json.decode(said) if said.startswith("{") else {}  # else it is encrypted
    return Fact(metadata=metadata, **known)


def _ended_of_turns(store: Store, turns: Mapping[int, str], now: str) -> list[Ended]:
    """The facts that were taken from turns and have ended since, or were retired as wrong.
    ``turns``: the id of the turn by the key of what says it."""
    keys: dict[str, list[int]] = {}
    for key, id in turns.items():
        keys.setdefault(id, []).append(key)
    ends = _linked(store, "derived_from", target=tuple(keys))
    facts = _facts(store, _FACT, {"id": {source for source, _ in ends}})
    ended = {
        id: fact
        for id, fact in facts.items()
        if fact["retired_at"] or (fact["valid_to"] and fact["valid_to"] <= now)
    }
    retired = {id: fact["object"] or "" for id, fact in ended.items() if fact["retired_at"]}
    right = extended(store, retired) if retired else set()
    ended = {id: fact for id, fact in ended.items() if id not in right}
    found = [
        (key, ended[source]) for source, target in ends if source in ended for key in keys[target]
    ]
    return sorted(found, key=lambda item: int(item[1]["key"]))


def _ended_of_memories(store: Store, said: Mapping[str, IndexedRow], now: str) -> list[Ended]:
    """The facts that memories are about, whose end was known before, and which are over now:
    nothing happened then that could have marked what is about them."""
    ends = _linked(store, "about", source=tuple(said))
    over = {"id": {target for _, target in ends}, "retired_at": None, "valid_to": at_most(now)}
    facts = _facts(store, (*_FACT, "user", "entity", "value"), over)
    found = [
        (said[source].key, facts[target])
        for source, target in ends
        if target in facts
        and facts[target]["valid_to"] > (said[source].created_at or "")
        and not _said_otherwise(store, facts[target], now)
    ]
    return sorted(found, key=lambda item: int(item[1]["key"]))


def _said_otherwise(store: Store, fact: Mapping[str, Any], now: str) -> bool:
    """Whether another fact says the same and is not over."""
    same = {name: fact[name] for name in _SAYS}
    others = store.select("fact", ("valid_to",), {**same, "retired_at": None})
    return any(other["valid_to"] is None or other["valid_to"] > now for other in others)


def _linked(store: Store, relation: str, **end: Sequence[str]) -> list[tuple[str, str]]:
    """(source, target) of the links with one of these ends."""
    if not any(end.values()):
        return []
    found = store.select("link", ("source", "target"), {"relation": relation, **end})
    return [(row["source"], row["target"]) for row in found]


def _facts(store: Store, columns: Sequence[str], where: Where) -> dict[str, Any]:
    """Columns of facts by their ids."""
    return {row["id"]: row for row in store.select("fact", columns, where)} if where["id"] else {}
