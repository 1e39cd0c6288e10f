"""The page: one file that loads nothing and runs no script but its own."""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby
from string import Template

from thalamus.records import Period, StageTimes, TimelineItem, TimelineKind
from thalamus.report import charts, graph
from thalamus.report.charts import Series
from thalamus.report.content import Content
from thalamus.report.markup import figures_table, folded, plain, scrolled, short
from thalamus.report.records_table import table

KINDS = ("turns", "memories", "facts", "insights")
_KIND = {"turns": "turn", "memories": "memory", "facts": "fact", "insights": "insight"}
_PLURALS: Mapping[TimelineKind, str] = {
    "turn": "turns",
    "memory": "memories",
    "fact": "facts",
    "insight": "insights",
    "document": "documents",
    "prune": "prunes",
}
_OPEN = 10  # entries of the timeline after which days are closed
_TEXT = 200  # characters of a text on the timeline


def page(content: Content) -> str:
    """The whole page."""
    style, early, script = _part("page.css"), _part("early.js"), _part("page.js")
    sections = [(name, heading, inner) for name, heading, inner in _sections(content) if inner]
    return Template(_part("page.html")).substitute(
        policy=plain(policy(style, early, script)),
        title=plain(content.title),
        version=plain(content.version),
        lead=_lead(content),
        navigation="".join(f'<li><a href="#{name}">{h}</a></li>' for name, h, _ in sections),
        sections="\n".join(
            f'<section id="{name}" aria-labelledby="{name}-heading">'
            f'<h2 id="{name}-heading">{heading}</h2>\n{inner}</section>'
            for name, heading, inner in sections
        ),
        style=style,
        early=early,
        script=script,
    )


def policy(style: str, *scripts: str) -> str:
    """The Content-Security-Policy: nothing is loaded, and only these scripts run."""
    allowed = " ".join(map(_hash, scripts))
    return (
        f"default-src 'none'; style-src {_hash(style)}; script-src {allowed};"
        " base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _part(name: str) -> str:
    from importlib.resources import files

    return files("thalamus.report").joinpath(name).read_text(encoding="utf-8")


def _sections(content: Content) -> Sequence[tuple[str, str, str]]:
    """(id, heading, content) of each section."""
    return (
        ("overview", "Overview", _overview(content)),
        ("over-time", "Over time", _over_time(content)),
        ("timeline", "What happened", _timeline(content)),
        ("connections", "Connections", graph.section(content)),
        ("stages", "Stages", _stages(content.stages)),
        ("records", "Records", _records(content)),
    )


def _lead(content: Content) -> str:
    parts = [*content.scope, f"made {content.made_at}"]
    if content.hidden:
        things = "record is" if content.hidden == 1 else "records are"
        parts.append(f"{content.hidden:,} personal {things} left out")
    return plain(" · ".join(parts))


# -- overview and time -----------------------------------------------------------------------------


def _overview(content: Content) -> str:
    cards = []
    for name in KINDS:
        kind = _KIND[name]
        total = content.counts.get(kind, 0)
        values = [getattr(period, name) for period in content.periods]
        chart = charts.growth(f"Growth of {name}: {total:,} at the end", kind, values)
        cards.append(
            f'<li class="card"><p><span class="total">{total:,}</span>'
            f' <span class="of {kind}">{name if total != 1 else kind}</span></p>'
            f"{chart if any(values) else ''}</li>"
        )
    return f'<ul class="cards">{"".join(cards)}</ul>'


def _over_time(content: Content) -> str:
    periods, unit = content.periods, content.unit
    if not periods:
        return ""
    names = [period.start for period in periods]
    spoken_series = [Series(_KIND[k], k, [getattr(p, k) for p in periods]) for k in KINDS]
    spoken_series = [series for series in spoken_series if any(series.values)]
    recalled = [Series("recalled", "recalled", [p.recalled for p in periods])]
    axis = f'<p class="axis" aria-hidden="true"><span>{names[0]}</span><span>{names[-1]}</span></p>'
    parts = []
    for title, series in (("Said", spoken_series), ("Recalled as evidence", recalled)):
        if any(any(one.values) for one in series):
            heading = f"{title} by {unit}"
            most = max(map(sum, zip(*(one.values for one in series), strict=True)))
            parts.append(
                f"<figure><figcaption><h3>{heading}</h3><p>at most {most:,}</p></figcaption>"
                + charts.bars(f"{heading}, {names[0]} to {names[-1]}", names, series)
                + axis
                + (charts.legend(series) if len(series) > 1 else "")
                + "</figure>"
            )
    return "".join(parts) + folded("The figures as a table", _figures(periods, unit))


def _figures(periods: Sequence[Period], unit: str) -> str:
    heads = (
        unit.capitalize(),
        *(name.capitalize() for name in KINDS),
        "Recalled",
        "Turns with evidence",
    )
    rows = [
        (p.start, p.turns, p.memories, p.facts, p.insights, p.recalled, p.recalling)
        for p in periods
    ]
    return scrolled("The figures as a table", figures_table(f"By {unit}", heads, rows))


def _timeline(content: Content) -> str:
    """Days of the timeline, newest first, with counts by kind; the latest are open."""
    rows, before = {row.id for row in content.rows}, 0
    last = f"The last {len(content.timeline):,} are shown; what happened earlier is left out."
    parts = [f'<p class="note">{last}</p>'] if content.earlier else []
    newest = sorted(content.timeline, key=lambda item: item.at, reverse=True)
    for day, of_day in groupby(newest, lambda item: content.days[item.at]):
        items = list(of_day)[::-1]
        kinds = Counter(item.kind for item in items)
        counted = ", ".join(
            f"{kinds[kind]:,} {kind if kinds[kind] == 1 else plural}"
            for kind, plural in _PLURALS.items()
            if kinds[kind]
        )
        list_items = "".join(_item(item, item.id in rows) for item in items)
        inner = f'<ol class="events">{list_items}</ol>'
        parts.append(folded(f"{day}: {counted}", inner, is_open=before < _OPEN))
        before += len(items)
    return "".join(parts)


def _item(item: TimelineItem, linked: bool) -> str:
    note = " ended" if item.change == "ended" else f" {item.status}" if item.status else ""
    status = f' <span class="status">{plain(note.strip())}</span>' if note else ""
    text = f"<bdi>{plain(short(item.text, _TEXT))}</bdi>"
    if linked:
        text = f'<a href="#row-{plain(item.id)}">{text}</a>'
    return f'<li><span class="badge {item.kind}">{item.kind}</span><span>{text}{status}</span></li>'


# -- stages and records ----------------------------------------------------------------------------


def _stages(stages: Sequence[StageTimes]) -> str:
    if not stages:
        return ""
    heads = ("Stage", "Model", "Calls", "Median", "Tokens in", "Tokens out")
    head = "".join(f'<th scope="col">{name}</th>' for name in heads)
    most = max(one.ms for one in stages)
    body = "".join(
        f'<tr><th scope="row">{plain(one.stage)}</th><td>{plain(one.model or "")}</td>'
        f'<td class="number">{one.calls:,}</td>'
        f'<td class="number">{one.ms:,} ms{charts.share(one.ms, most)}</td>'
        f'<td class="number">{_tokens(one.tokens_in)}</td>'
        f'<td class="number">{_tokens(one.tokens_out)}</td></tr>'
        for one in stages
    )
    return scrolled(
        "Stages",
        '<table class="figures"><caption>How long each stage took with each model</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>",
    )


def _tokens(count: int) -> str:
    return f"{count:,}" if count else ""


def _records(content: Content) -> str:
    if not content.rows:
        return "<p>There are none.</p>"
    kinds = list(dict.fromkeys(row.kind for row in content.rows))
    chosen = "".join(
        f'<label><input type="checkbox" name="kind" value="{kind}" checked> {name}</label>'
        for name, kind in _KIND.items()
        if kind in kinds
    )
    older = (
        f'<p class="note">The newest {len(content.rows):,} are shown; {content.older:,} older ones'
        " are left out (--limit).</p>"
        if content.older
        else ""
    )
    return (
        f'{older}<form id="filter" role="search" aria-label="Records" hidden>'
        '<label class="search">Search <input type="search" id="search" name="q"'
        ' autocomplete="off" spellcheck="false"></label>'
        f"<fieldset><legend>Kinds</legend>{chosen}</fieldset></form>"
        '<p id="status" class="note" role="status" aria-live="polite"></p>'
        f"{table(content.rows)}"
        '<nav id="pages" aria-label="Pages" hidden>'
        '<button type="button" id="before">Previous</button>'
        '<button type="button" id="after">Next</button></nav>'
    )
