"""What Thalamus concludes by itself from what was said."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from msgspec import Meta

from thalamus.records.base import Record, Sensitivity, Text, Unit
from thalamus.records.memories import Quarantine

InsightStatus = Literal["active", "archived", "quarantined", "rejected", "unsupported"]
INSIGHT_STATUSES: tuple[InsightStatus, ...] = get_args(InsightStatus)


class Insight(Record, tag="insight"):
    """A connection between concepts that Thalamus concluded from several things that were said.

    ``concepts`` are the names of what it connects, ``sources`` the ids of the turns, memories and
    facts, or for a merged one the insights, that it rests on. ``strength`` is 1 for one that was
    just made, and the sum of theirs for one that others were merged into, whose ``level`` is 2 or
    more; those are ``archived`` then and name it in ``merged_into``. ``rejected``: by hand;
    ``quarantined``: it says what its sources do not say, with the reason in ``quarantine``;
    ``unsupported``: what it rests on has ended. Only active ones are recalled. ``trust`` is at most
    that of its weakest source. ``batch``: the merge that changed it last, as `thalamus undo`
    names it.
    """

    content: Text
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
