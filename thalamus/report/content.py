"""Content of a report, independent of its presentation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct, field

from thalamus.records.metrics import Metric
from thalamus.records.statistics import Period, PeriodUnit, StageTimes
from thalamus.records.timelines import TimelineItem

RowKind = Literal["turn", "memory", "fact", "insight"]


class RowLink(Struct, frozen=True):
    """A link from a row to another: its words, such as "from", the other's id, and its text if the
    report shows it."""

    words: str
    id: str
    text: str = ""


class ReportRow(Struct):
    """A turn or a record of the table. ``day``: in local time; ``at``: the moment; ``answer``: of a
    turn; ``quotes``: the words it was taken from; ``details``: further names and values;
    ``recalled``: number of turns that recalled it; ``more``: number of links not listed."""

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


class DrawnNode(Struct, frozen=True):
    """A concept, an insight or the user; ``seen``: number of rows about it."""

    id: str
    name: str
    kind: str
    seen: int


class DrawnEdge(Struct, frozen=True):
    """A connection: ``weight`` rows are about both, or a fact connects them (``label``)."""

    source: str
    target: str
    weight: int = 1
    label: str = ""


class Content(Struct, frozen=True):
    """Content of a report. ``scope``: the selection in words; ``counts``: selected records by kind;
    ``hidden``: records left out because they are personal, ``older``: because there are too many;
    ``all_nodes``: number of concepts, of which ``nodes`` are the most connected; ``earlier``: there
    are earlier entries than in the timeline. ``made_at`` and ``days`` are local times."""

    title: str
    made_at: str
    version: str
    scope: Sequence[str]
    counts: Mapping[str, int]
    older: int
    timeline: Sequence[TimelineItem]
    earlier: bool
    days: Mapping[str, str]
    rows: Sequence[ReportRow]
    hidden: int = 0
    unit: PeriodUnit = "day"
    periods: Sequence[Period] = ()
    stages: Sequence[StageTimes] = ()
    figures: Sequence[Metric] = ()
    nodes: Sequence[DrawnNode] = ()
    edges: Sequence[DrawnEdge] = ()
    all_nodes: int = 0
