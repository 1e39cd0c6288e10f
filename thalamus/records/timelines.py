"""Timelines: records in order of time."""

from __future__ import annotations

from typing import Literal

from thalamus.records.base import Record

TimelineKind = Literal["turn", "memory", "fact", "document", "insight", "prune"]


class TimelineItem(Record, tag="timeline_item"):
    """One entry of the timeline: a turn, a memory, the beginning or the end of a fact's interval, a
    document, an insight or a prune.

    ``at``: when it was said, began or was done; ``end``: when the interval that begins here ends,
    null if unknown. ``change``: for a fact, ``began`` or ``ended``. ``text``: its text, or
    ``(encrypted)`` if the key is missing; ``status``: that of a memory or insight, ``undone`` for a
    reverted prune.
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
