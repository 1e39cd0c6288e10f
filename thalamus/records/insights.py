"""Insights: conclusions that Thalamus draws from several records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, get_args

from msgspec import Meta

from thalamus.records.base import Record, Sensitivity, Text, Unit
from thalamus.records.memories import Quarantine

InsightStatus = Literal["active", "archived", "quarantined", "rejected", "unsupported"]
INSIGHT_STATUSES: tuple[InsightStatus, ...] = get_args(InsightStatus)


class Insight(Record, tag="insight"):
    """A connection between concepts, concluded from several records.

    ``concepts``: names of the connected concepts; ``sources``: ids of the turns, memories and facts
    it rests on, or of the insights merged into it. ``strength``: 1 for a new insight; for a merged
    one, whose ``level`` is 2 or more, the sum of its members'. Members become ``archived`` and name
    it in ``merged_into``. ``rejected``: by hand; ``quarantined``: its sources do not support it,
    with the reason in ``quarantine``; ``unsupported``: its sources no longer hold. Only active
    insights are recalled. ``trust``: at most that of its least trusted source. ``batch``: the last
    merge that changed it, for `thalamus undo`.
    """

    content: Text
    if TYPE_CHECKING:
        id: str = ""  # once stored
    else:
        id: str | None = None
    concepts: list[Text] = []
    strength: Annotated[float, Meta(ge=0)] = 1.0
    status: InsightStatus = "active"
    level: Annotated[int, Meta(ge=1)] = 1
    sources: list[str] = []
    merged_into: str | None = None
    trust: Unit = 1.0
    created_at: str | None = None
    recorded_at: str | None = None
    session: str | None = None
    user: str | None = None
    agent: str | None = None
    sensitivity: Sensitivity = "normal"
    batch: str | None = None
    quarantine: Quarantine | None = None
