"""Counts of current memories and facts (without superseded, retired and retracted ones), and their
types, topics and scopes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thalamus.policy.retrieval_plan import Vocabulary
from thalamus.records import DOCUMENT_TYPES, Document, Fact, Insight, Memory, Turn
from thalamus.store.conditions import PRESENT, at_most

if TYPE_CHECKING:
    from thalamus.store.conditions import Where
    from thalamus.store.reader import Reader


def is_empty(store: Reader) -> bool:
    """True for a store without records."""
    kinds = (Turn, Memory, Fact, Insight, Document)
    return not any(store.records(kind).exists() for kind in kinds)


def memory_types(store: Reader, user: str | None) -> dict[str, int]:
    """Number of memories of each type, of this user and shared ones, in any status."""
    where: Where = {} if user is None else {"user": (None, user)}
    return store.memories.count_by("type", where)


def memory_topics(store: Reader, user: str | None) -> dict[str, int]:
    """Number of memories of each readable topic, the largest first."""
    where: Where = {"topic": PRESENT} if user is None else {"topic": PRESENT, "user": (None, user)}
    found = store.memories.count_by("topic", where)
    return dict(sorted(found.items(), key=lambda one: (-one[1], one[0])))


def remembered(store: Reader, user: str | None, agent: str | None, now: str) -> dict[str, int]:
    """Number of active, unexpired memories (without document chunks) and of current facts: the same
    as in the unfiltered listings."""
    owner = {"user": user, "agent": agent}
    where: Where = {name: (None, value) for name, value in owner.items() if value is not None}
    active = {**where, "status": "active"}
    expired = {**active, "expires_at": at_most(now)}
    return {
        "memory": _whole(store, active) - _whole(store, expired),
        "fact": store.facts.count_held({**where, "retired_at": None}, now),
    }


def _whole(store: Reader, where: Where) -> int:
    """Number of memories that are not document chunks."""
    pieces = {**where, "type": DOCUMENT_TYPES}
    return store.memories.count(where) - store.memories.count(pieces)


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
