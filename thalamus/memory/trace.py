"""Lookup of the last turns in the ledger."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thalamus.storage.protocol.store import Store

FIRST_LOOK = 200  # ledger entries read first; more follow if they have too few turns


def last_turns(store: Store, count: int, session: str | None = None) -> list[str]:
    """Ids of the last ``count`` turns in the ledger (of one session), oldest first."""
    look = FIRST_LOOK
    while True:
        entries = list(store.events.read(limit=look))
        found: dict[str, None] = {}
        for event in reversed(entries):
            if event.turn and session in (None, event.session):
                found.setdefault(event.turn)
        if len(found) >= count or len(entries) < look:
            return list(found)[:count][::-1]
        look *= 8
