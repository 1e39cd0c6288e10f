"""Statistics of a store as text: aligned figures, and sparklines over time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from thalamus.terminal.lines import counted, one_line
from thalamus.terminal.local import day
from thalamus.text.width import columns, cut, wrapped

if TYPE_CHECKING:
    from thalamus.records.statistics import Period, RecallCount, StageTimes, Statistics

_BARS, _PLAIN_BARS = "▁▂▃▄▅▆▇█", ".:-=+*#@"
_OVER_TIME = ("turns", "memories", "facts", "insights", "recalled")
_LEAST = 12  # least columns of a text
CONTRADICTED = (
    "No longer true: memories that a newer fact contradicts. They are recalled with a mark and half"
    " their score. `thalamus memory --status stale` lists them; `thalamus memory edit ID` corrects"
    " one, `thalamus forget ID` deletes it."
)
_ENCRYPTED = "(encrypted)"


def lines(found: Statistics, width: int, plain: bool) -> Iterator[str]:
    """The lines, at most ``width`` columns wide if that is forty or more and no name is longer.
    Names are never cut: they are typed in options. ``plain``: ASCII only."""
    sizes = {name: size_text(size) for name, size in found.bytes.items()}
    total = size_text(sum(found.bytes.values()))
    database = f" ({found.database})" if found.database else ""
    yield from _section(f"On disk{database}: {total}", sizes, width)
    yield from _section("Records", _numbers(found.counts), width)
    yield from _section("Memories by type", _numbers(found.types), width)
    yield from _section("Memories by status", _numbers(found.statuses), width)
    yield from _section("Encrypted", _numbers(found.encrypted), width)
    yield from _over_time(found.periods, found.unit, width, plain)
    if found.most_recalled:
        yield from _recalls("Recalled most", found.most_recalled, width, plain)
    if found.never_recalled:
        never = f"Never recalled: {counted({'active memory': found.never_recalled})}"
        never += "; the oldest" if found.oldest_never_recalled else ""
        yield from _recalls(never, found.oldest_never_recalled, width, plain)
    yield from _section("Waiting", _waiting(found), width)
    if found.contradicted:
        yield from wrapped(CONTRADICTED, width, 0)
        yield ""
    yield from _stages(found.stages, found.stages_since, width, plain)


def sparkline(values: Sequence[int], plain: bool = False) -> str:
    """A bar for each value, the largest as high as the line; the lowest bar means zero."""
    bars = _PLAIN_BARS if plain else _BARS
    most = max(values, default=0)
    return "".join(
        bars[0] if not value else bars[max(1, round(value / most * (len(bars) - 1)))]
        for value in values
    )


def size_text(size: float) -> str:
    """``12.3 MB``."""
    for unit in ("B", "kB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "B" or size >= 100 else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:,.1f} GB"


def _numbers(counts: Mapping[str, int]) -> dict[str, str]:
    return {name: f"{count:,}" for name, count in counts.items() if count}


def _section(title: str, figures: Mapping[str, str], width: int) -> Iterator[str]:
    """A title with names and figures below it; nothing without figures. The figure of a name that
    leaves no room for it is on the next line."""
    if not figures:
        return
    names = {one_line(name): figure for name, figure in figures.items()}
    digits = max(map(len, names.values()))
    room = width - digits - 4
    longest = max((columns(name) for name in names if columns(name) <= room), default=0)
    yield title
    for name, figure in names.items():
        blank = longest - columns(name)
        if blank < 0:
            yield f"  {name}"
            name, blank = "", longest
        yield f"  {name}{' ' * blank}  {figure:>{digits}}"
    yield ""


def _over_time(periods: Sequence[Period], unit: str, width: int, plain: bool) -> Iterator[str]:
    """A sparkline for each counted kind, with its sum."""
    if not periods:
        return
    name = max(map(len, _OVER_TIME))
    counts = {kind: [getattr(period, kind) for period in periods] for kind in _OVER_TIME}
    digits = max(len(f"{sum(values):,}") for values in counts.values())
    shown = periods[-max(1, width - name - digits - 6) :]
    first, last = shown[0].start, shown[-1].start
    yield f"By {unit}, from {first}" + (f" to {last}" if len(shown) > 1 else "")
    for kind, values in counts.items():
        values = values[-len(shown) :]
        if any(values):
            yield f"  {kind:{name}}  {sparkline(values, plain)}  {sum(values):>{digits},}"
    yield ""


def _recalls(title: str, found: Sequence[RecallCount], width: int, plain: bool) -> Iterator[str]:
    yield title
    digits = max((len(f"{one.times:,}") for one in found), default=0)
    for one in found:
        head = f"  {one.times:>{digits},}  " if one.times else f"  {day(one.at)}  "
        id = f"  [{one.id}]"
        room = width - len(head)
        if room - len(id) < _LEAST * 2:  # a cut id is of no use: it gets its own line
            yield head + cut(one_line(one.text or _ENCRYPTED), max(_LEAST, room), plain)
            yield f"    [{one.id}]"
        else:
            yield head + cut(one_line(one.text or _ENCRYPTED), room - len(id), plain) + id
    yield ""


def _waiting(found: Statistics) -> dict[str, str]:
    figures = {
        ("consent" if rule == "consent" else f"quarantine: {rule}"): count
        for rule, count in found.quarantined.items()
    }
    figures["no longer true"] = found.contradicted
    figures |= {f"job: {name}": count for name, count in found.jobs.items()}
    return _numbers(figures)


def _stages(
    stages: Sequence[StageTimes], since: str | None, width: int, plain: bool
) -> Iterator[str]:
    """A line for each stage and model; the model on a line of its own if it does not fit."""
    if not stages:
        return
    yield f"Stages since {day(since)} (median)"
    rows = [
        (one.stage, one.model or "", f"{one.calls:,}", f"{one.ms:,} ms", _tokens(one))
        for one in stages
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    heads = ("calls", "time", "tokens in/out")
    widths[2:] = [max(w, len(h)) for w, h in zip(widths[2:], heads, strict=True)]
    if not any(row[4] for row in rows):
        heads, widths[4] = ("calls", "time", ""), 0
    figures = sum(widths[2:]) + 3 * 2
    if 4 + widths[0] + widths[1] + figures > width:
        narrow = width < 4 + widths[0] + figures  # then without tokens
        for stage, model, calls, ms, tokens in rows:
            suffix = "" if narrow or not tokens else f"  {tokens}"
            yield f"  {stage:{widths[0]}}  {calls:>{widths[2]}}  {ms:>{widths[3]}}{suffix}"
            if model:
                yield f"    {one_line(model)}"
        return
    for stage, model, calls, ms, tokens in [("", "", *heads), *rows]:
        line = f"  {stage:{widths[0]}}  {one_line(model):{widths[1]}}  {calls:>{widths[2]}}"
        yield f"{line}  {ms:>{widths[3]}}  {tokens:>{widths[4]}}".rstrip()


def _tokens(one: StageTimes) -> str:
    return f"{one.tokens_in:,}/{one.tokens_out:,}" if one.tokens_in or one.tokens_out else ""
