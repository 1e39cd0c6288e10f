"""Memories that are neither the user's own words nor a model's sentence: what an earlier version
made of messages by rules, at times garbled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thalamus.memory.again import READ_AGAIN
from thalamus.records import Memory, Turn
from thalamus.storage.protocol import is_hidden
from thalamus.text.quotes import find

if TYPE_CHECKING:
    from thalamus.storage.protocol import Store

# what the ledger says of every reflection since a model proposes
MARK = "no_longer"


def unfounded(store: Store) -> dict[str, list[Memory]]:
    """The active memories that an earlier version made by rules, by the turn that they came from,
    oldest first. Those of turns that are encrypted or gone are left out."""
    turns, made_again = _turns_reflected_by_rules(store)
    found: dict[str, list[Memory]] = {}
    for memory in store.find(Memory, {"status": "active"}, order=("key",)) if turns else ():
        source = memory.provenance
        if source is None or source.turn not in turns or is_hidden(memory):
            continue
        if memory.id in made_again:
            continue
        turn = store.get(source.turn)
        if not isinstance(turn, Turn) or is_hidden(turn):
            continue
        if find(memory.content, turn.message) is None:
            found.setdefault(source.turn, []).append(memory)
    return found


def _turns_reflected_by_rules(store: Store) -> tuple[set[str], set[str]]:
    """The turns whose reflection the ledger has without the mark, and the ids of what was made when
    they were reflected on again."""
    found: set[str] = set()
    made: set[str] = set()
    for event in store.events.read():
        if event.name == READ_AGAIN:
            made.update(event.data.get("made", ()))
        if event.name == "stage" and event.turn and event.data.get("stage") == "reflect":
            detail = event.data.get("detail") or {}
            if "memories" in detail and MARK not in detail:
                found.add(event.turn)
    return found, made
