"""Counts of current memories and facts (without superseded, retired and retracted ones), and their
types, topics and scopes."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from thalamus.policy.retrieval_plan import Vocabulary
from thalamus.records import Document, Fact, Insight, Memory, Turn
from thalamus.store import facts, memories, records

if TYPE_CHECKING:
    from thalamus.store.reader import Reader


def is_empty(store: Reader) -> bool:
    """True for a store without records."""
    kinds = (Turn, Memory, Fact, Insight, Document)
    return not any(records.any_of(store, kind) for kind in kinds)


def memory_types(store: Reader, user: str | None) -> dict[str, int]:
    """Number of memories of each type, of this user and shared ones, in any status."""
    return memories.count_by_type(store, user)


def memory_topics(store: Reader, user: str | None) -> dict[str, int]:
    """Number of memories of each readable topic, the largest first."""
    found = memories.count_by_topic(store, user)
    return dict(sorted(found.items(), key=lambda one: (-one[1], one[0])))


def remembered(store: Reader, user: str | None, agent: str | None, now: str) -> dict[str, int]:
    """Number of active, unexpired memories (without document chunks) and of current facts: the same
    as in the unfiltered listings."""
    return {
        "memory": memories.count_listed(store, user, agent, now),
        "fact": facts.count_held(store, user, agent, now),
    }


MOST = 24  # types, and topics, returned


def vocabulary(store: Reader, user: str | None) -> Vocabulary:
    """Types, topics and scopes of active memories: of this user and shared ones, or of everyone
    without a user."""
    types, topics, scopes = Counter[str](), Counter[str](), Counter[str]()
    for one in memories.count_words(store, user or None):
        types[one.type] += one.number
        topics[one.topic or ""] += one.number
        scopes[one.scope] += one.number
    return Vocabulary(
        types=_names(types),
        topics=_names(topics),
        scopes=_names(scopes),  # type: ignore[arg-type]
    )


def _names(counts: Counter[str]) -> list[str]:
    """The names with the largest counts."""
    return sorted(filter(None, counts), key=lambda name: (-counts[name], name))[:MOST]
