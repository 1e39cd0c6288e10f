"""What a report shows, before it is a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from thalamus.records import Period, PeriodUnit, StageTimes, TimelineItem

RowKind = Literal["turn", "memory", "fact", "insight"]


@dataclass(frozen=True)
class RowLink:
    """That a row has to do with another: in words, such as "from", the id of the other one, and
    what it says, empty where the report does not show it."""

    words: str
    id: str
    text: str = ""


@dataclass
class ReportRow:
    """Something that was said or concluded. ``day`` is the local one, ``at`` the moment; ``answer``
    that of a turn; ``quotes`` the words that it was taken from; ``details`` further names and
    values; ``recalled``: in how many turns; ``more``: links that are not listed."""

    kind: RowKind
    id: str
    at: str
    day: str
    text: str
    label: str = ""
    status: str = ""
    answer: str = ""
    quotes: Sequence[str] = ()
    details: Mapping[str, str] = field(default_factory=dict)
    links: list[RowLink] = field(default_factory=list)
    recalled: int = 0
    more: int = 0


@dataclass(frozen=True)
class DrawnNode:
    """A concept, an insight or the user; ``seen``: how many rows are about it."""

    id: str
    name: str
    kind: str
    seen: int


@dataclass(frozen=True)
class DrawnEdge:
    """That so many rows (``weight``) are about both, or what facts say of them (``label``)."""

    source: str
    target: str
    weight: int = 1
    label: str = ""


@dataclass(frozen=True)
class Content:
    """What is shown of a store. ``scope``: what was chosen, in words; ``counts``: by kind, of all
    that was chosen; ``hidden``: how many records are left out because they are personal, ``older``:
    because there are too many; ``all_nodes``: how many concepts there are, of which ``nodes`` are
    the most connected. ``earlier``: whether more happened before the timeline. ``made_at``
    and ``days`` are local times."""

    title: str
    made_at: str
    version: str
    scope: Sequence[str]
    counts: Mapping[str, int]
    hidden: int
    older: int
    unit: PeriodUnit
    periods: Sequence[Period]
    stages: Sequence[StageTimes]
    timeline: Sequence[TimelineItem]
    earlier: bool
    days: Mapping[str, str]
    nodes: Sequence[DrawnNode]
    edges: Sequence[DrawnEdge]
    all_nodes: int
    rows: Sequence[ReportRow]
