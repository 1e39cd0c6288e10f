"""How much is remembered: what holds, and not what was superseded, retired or retracted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thalamus.records import DOCUMENT_TYPES, Document, Fact, Insight, Memory, Turn
from thalamus.storage.protocol import PRESENT, at_most

if TYPE_CHECKING:
    from thalamus.storage.protocol import Reader, Where


def is_empty(store: Reader) -> bool:
    """Whether nothing was ever remembered, or nothing is left of it."""
    kinds = (Turn, Memory, Fact, Insight, Document)
    return not any(store.records(kind).exists() for kind in kinds)


def memory_types(store: Reader, user: str | None) -> dict[str, int]:
    """How many memories there are of each type, of this user and of nobody in particular, whatever
    became of them."""
    where: Where = {} if user is None else {"user": (None, user)}
    return store.memories.count_by("type", where)


def memory_topics(store: Reader, user: str | None) -> dict[str, int]:
    """The same of each topic that can be read, those of the most memories first."""
    where: Where = {"topic": PRESENT} if user is None else {"topic": PRESENT, "user": (None, user)}
    found = store.memories.count_by("topic", where)
    return dict(sorted(found.items(), key=lambda one: (-one[1], one[0])))


def remembered(store: Reader, user: str | None, agent: str | None, now: str) -> dict[str, int]:
    """How many memories are active and have not expired, but for those that are pieces of
    documents, and how many facts hold: as many as the listings have that are not narrowed."""
    whose = {"user": user, "agent": agent}
    where: Where = {name: (None, value) for name, value in whose.items() if value is not None}
    active = {**where, "status": "active"}
    expired = {**active, "expires_at": at_most(now)}
    return {
        "memory": _whole(store, active) - _whole(store, expired),
        "fact": store.facts.count_held({**where, "retired_at": None}, now),
    }


def _whole(store: Reader, where: Where) -> int:
    """How many memories there are that are no pieces of documents."""
    pieces = {**where, "type": DOCUMENT_TYPES}
    return store.memories.count(where) - store.memories.count(pieces)
