"""Summaries as memories: of memories that go, and of sessions that are over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from thalamus.policy.ground import only_asks
from thalamus.policy.when import in_words
from thalamus.records import IMPORTANCES, Memory, Provenance, Turn

if TYPE_CHECKING:
    from thalamus.stages.condense import Condenser
    from thalamus.storage.protocol import Store

TURNS = 30  # turns in one summary of a session


def of_sources(sources: Sequence[Memory], condenser: Condenser) -> Memory:
    """One memory for several of one kind and owner; trusted as much as the least of them."""
    first, last = sources[0], sources[-1]
    kind = first.type
    topics = {memory.topic for memory in sources}
    topic = topics.pop() if len(topics) == 1 else None
    subject = _subject(kind, topic)
    text = condenser.condense([memory.content for memory in sources], subject)
    return Memory(
        content=f"{subject}, {_period(first.created_at, last.created_at)}: {text}",
        type="summary",
        topic=topic,
        importance=max((m.importance for m in sources), key=IMPORTANCES.index),
        created_at=last.created_at,
        user=first.user,
        agent=first.agent,
        trust=min(memory.trust for memory in sources),
        sensitivity=first.sensitivity,
        metadata={
            "kind": kind,
            "count": len(sources),
            "since": first.created_at,
            "until": last.created_at,
        },
    )


def of_session(
    session: str, opened: Store, condenser: Condenser
) -> Iterator[tuple[Memory, list[str]]]:
    """(summary, ids of its turns) for each stretch of a session that is not summed up yet."""
    turns = opened.turns_to_sum_up(session)
    owners: dict[tuple[str | None, str | None], list[Turn]] = {}
    for turn in turns:
        owners.setdefault((turn.user, turn.agent), []).append(turn)
    for (user, agent), theirs in owners.items():
        for start in range(0, len(theirs), TURNS):
            part = theirs[start : start + TURNS]
            told = [t.message for t in part if not only_asks(t.message)]
            text = condenser.condense(told or [t.message for t in part], "a conversation")
            first, last = part[0], part[-1]
            period = _period(first.created_at, last.created_at)
            sealed = opened.sealed([turn.id or "" for turn in part])
            memory = Memory(
                content=f"Conversation, {period}: {text}",
                type="session_summary",
                created_at=last.created_at,
                session=session,
                user=user,
                agent=agent,
                sensitivity="personal" if sealed else "normal",
                provenance=Provenance(turn=first.id),
                metadata={"turns": len(part), "since": first.created_at, "until": last.created_at},
            )
            yield memory, [turn.id or "" for turn in part]


def _subject(kind: str, topic: str | None) -> str:
    """``Observations about tea``."""
    name = kind.replace("_", " ").capitalize()
    plural = name if name.endswith(("s", "y")) else f"{name}s"
    return f"{plural} about {topic}" if topic else plural


def _period(first: str | None, last: str | None) -> str:
    """Days in words: ``1 May 2026 to 8 May 2026``."""
    days = dict.fromkeys(in_words(day or "") for day in (first, last))
    return " to ".join(day for day in days if day) or "undated"
