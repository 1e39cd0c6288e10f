"""What happened, in order of time."""

from __future__ import annotations

from typing import Literal

from thalamus.records.base import Record

TimelineKind = Literal["turn", "memory", "fact", "document", "insight", "prune"]


class TimelineItem(Record, tag="timeline_item"):
    """One thing on the timeline: a turn, a memory, the beginning or the end of a fact's interval, a
    document, an insight or a prune.

    ``at`` is when it was said, began or was done; ``end`` when what began then ends, null while
    that is not known. ``change`` says of a fact whether it ``began`` then or ``ended``. ``text`` is
    what it says, or ``(encrypted)`` where the key is missing; ``status`` is that of a memory or an
    insight, ``undone`` of a prune that was.
    """

    at: str
    kind: TimelineKind
    id: str
    text: str
    end: str | None = None
    change: Literal["began", "ended"] | None = None
    subject: str | None = None
    topic: str | None = None
    session: str | None = None
    user: str | None = None
    status: str | None = None
