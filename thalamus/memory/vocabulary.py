"""The types, topics and scopes of a user's memories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thalamus.policy.retrieval_plan import Vocabulary

if TYPE_CHECKING:
    from thalamus.storage.protocol.reader import Reader

MOST = 24  # types, and topics, returned


def vocabulary(store: Reader, user: str | None) -> Vocabulary:
    """Types, topics and scopes of active memories: of this user and shared ones, or of everyone
    without a user."""
    return Vocabulary(
        types=_names(store, "type", user),
        topics=_names(store, "topic", user),
        scopes=_names(store, "scope", user),  # type: ignore[arg-type]
    )


def _names(store: Reader, column: str, user: str | None) -> list[str]:
    counts: dict[str, int] = {}
    for owner in (None, user) if user else (...,):
        where = {"status": "active"} | ({} if owner is ... else {"user": owner})
        for name, count in store.memories.count_by(column, where).items():
            if name:
                counts[name] = counts.get(name, 0) + count
    return sorted(counts, key=lambda name: (-counts[name], name))[:MOST]
