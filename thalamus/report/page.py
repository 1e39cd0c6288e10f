"""The page: one file that loads nothing and runs only its own style and script."""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from msgspec import Struct

from thalamus.records.metrics import Metric
from thalamus.records.statistics import Period
from thalamus.records.timelines import TimelineItem, TimelineKind
from thalamus.report import charts, graph
from thalamus.report.charts import Series, StackedBar
from thalamus.report.content import Content
from thalamus.report.template import part, render
from thalamus.text.figures import figure_text, target_text

KINDS = {"turns": "turn", "memories": "memory", "facts": "fact", "insights": "insight"}
_PLURALS: Mapping[TimelineKind, str] = {
    "turn": "turns",
    "memory": "memories",
    "fact": "facts",
    "insight": "insights",
    "document": "documents",
    "prune": "prunes",
}
_OPEN = 10  # things on the timeline, after which further days are closed


def page(content: Content) -> str:
    """The whole page."""
    from markupsafe import Markup

    style, early, script = part("page.css"), part("early.js"), part("page.js")
    return render(
        "page.html",
        content=content,
        policy=policy(style, early, script),
        lead=_lead(content),
        totals=_totals(content),
        figures=_figures(content.periods),
        period_rows=_period_rows(content.periods),
        days=_days(content),
        rows={row.id for row in content.rows},
        picture=graph.picture(content) if content.nodes else None,
        graph_rows=graph.table(content),
        figure_rows=_figure_rows(content.figures),
        slowest=max((one.ms for one in content.stages), default=0),
        kinds=_kinds(content),
        charts=charts,
        graph=graph,
        style=Markup(style),
        early=Markup(early),
        script=Markup(script),
    )


def policy(style: str, *scripts: str) -> str:
    """The Content-Security-Policy: nothing is loaded from anywhere, and only this style and these
    scripts run."""
    allowed = " ".join(map(_hash, scripts))
    return (
        f"default-src 'none'; style-src {_hash(style)}; script-src {allowed};"
        " base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _lead(content: Content) -> str:
    parts = [*content.scope, f"made {content.made_at}"]
    if content.hidden:
        things = "record is" if content.hidden == 1 else "records are"
        parts.append(f"{content.hidden:,} personal {things} left out")
    return " · ".join(parts)


class Total(Struct, frozen=True):
    """Number of records of a kind, and its growth as ``points``, which are empty without any."""

    kind: str
    plural: str
    count: int
    points: str

    @property
    def name(self) -> str:
        return self.kind if self.count == 1 else self.plural


def _totals(content: Content) -> list[Total]:
    totals = []
    for plural, kind in KINDS.items():
        values = [getattr(period, plural) for period in content.periods]
        points = charts.growth(values) if any(values) else ""
        totals.append(Total(kind, plural, content.counts.get(kind, 0), points))
    return totals


class Figure(Struct, frozen=True):
    """A chart over time, with ``most`` as the height of its highest bar."""

    title: str
    series: Sequence[Series]
    bars: Sequence[StackedBar]
    most: int

    @property
    def legend(self) -> list[tuple[str, str]]:
        """The colours of the series with their names."""
        return [(one.kind, one.name) for one in self.series]


def _figures(periods: Sequence[Period]) -> list[Figure]:
    drawn = [
        Series(kind, name, [getattr(p, name) for p in periods]) for name, kind in KINDS.items()
    ]
    drawn = [series for series in drawn if any(series.values)]
    recalled = [Series("recalled", "recalled", [p.recalled for p in periods])]
    names = [period.start for period in periods]
    return [
        Figure(title, series, charts.bars(names, series), charts.highest(series))
        for title, series in (("Said", drawn), ("Recalled as evidence", recalled))
        if any(any(one.values) for one in series)
    ]


def _period_rows(periods: Sequence[Period]) -> list[Sequence[Any]]:
    return [
        (p.start, p.turns, p.memories, p.facts, p.insights, p.recalled, p.recalling)
        for p in periods
    ]


def _figure_rows(figures: Sequence[Metric]) -> list[Sequence[Any]]:
    """Rows of the figures that have data."""
    return [
        (
            one.description,
            figure_text(one.value, one.unit),
            target_text(one.target, one.bound, one.unit),
            one.verdict or "",
            one.of,
        )
        for one in figures
        if one.value is not None
    ]


class Day(Struct, frozen=True):
    """The events of a day, in order; its ``heading`` counts them by kind."""

    heading: str
    items: Sequence[TimelineItem]
    is_open: bool


def _days(content: Content) -> list[Day]:
    """The days of the timeline, newest first; the last ones are open."""
    days: list[Day] = []
    before = 0
    newest = sorted(content.timeline, key=lambda item: item.at, reverse=True)
    for day, of_day in groupby(newest, lambda item: content.days[item.at]):
        items = list(of_day)[::-1]
        count = Counter(item.kind for item in items)
        counted = ", ".join(
            f"{count[kind]:,} {kind if count[kind] == 1 else plural}"
            for kind, plural in _PLURALS.items()
            if count[kind]
        )
        days.append(Day(f"{day}: {counted}", items, before < _OPEN))
        before += len(items)
    return days


def _kinds(content: Content) -> dict[str, str]:
    """The kinds that have rows, with their names."""
    found = {row.kind for row in content.rows}
    return {kind: plural for plural, kind in KINDS.items() if kind in found}
