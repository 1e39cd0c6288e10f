"""Statistics of a store's contents and use, counted by the database."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta, tzinfo
from itertools import islice
from typing import TYPE_CHECKING, Any

from msgspec import Struct, convert
from msgspec.json import decode

from thalamus.memory.jobs import count_jobs
from thalamus.memory.views.explain import describe
from thalamus.records import (
    Document,
    Fact,
    Insight,
    Link,
    Memory,
    Plan,
    Project,
    Quarantine,
    StageLog,
    Turn,
    WorldChange,
)
from thalamus.records.kinds import kind_of
from thalamus.records.statistics import Period, PeriodUnit, RecallCount, StageTimes, Statistics
from thalamus.store import concepts, embeddings, insights, ledger, memories
from thalamus.store import statistics as statistic_rows
from thalamus.store.encryption import contents
from thalamus.store.jobs import CRYSTALLIZE, FINISH
from thalamus.store.statistics import Said
from thalamus.text.local_time import local_date, midnight

if TYPE_CHECKING:
    from thalamus.store.base import Store

MOST_PERIODS = 28  # periods shown: four weeks, half a year, or two years
MOST_LISTED = 10  # most recalled entries shown
OLDEST = 5  # never recalled entries shown
ENTRIES = 5000  # ledger entries from which the times of stages are taken
ENCRYPTED = "encrypted"  # rule of a quarantine that cannot be read
# the longest time, in units, for which days and weeks are shown
_SPANS: tuple[tuple[PeriodUnit, int], ...] = (("day", 1), ("week", 7))
_DATED_KINDS = (Turn, Memory, Fact, Insight, Document, Project, Plan, WorldChange)


def collect(store: Store, user: str | None, zone: tzinfo, now: str) -> Statistics:
    """The statistics of a store, with the texts of what belongs to ``user`` or to nobody."""
    unit, found = periods(store, zone, most=MOST_PERIODS)
    entries, counts = statistic_rows.last_stages(store, ENTRIES), _counts(store)
    return Statistics(
        at=now,
        database=store.database,
        bytes=store.sizes(),
        counts=counts,
        types=_most_first(memories.count_by_type(store)),
        statuses=_statuses(store, counts.get("memory", 0)),
        encrypted=_most_first(contents.count(store)),
        unit=unit,
        periods=found,
        most_recalled=_most_recalled(store, user),
        never_recalled=statistic_rows.count_never_recalled(store),
        oldest_never_recalled=_never_recalled(store, user),
        quarantined=_quarantined(store),
        contradicted=memories.count_stale(store),
        jobs=_jobs(store, now),
        stages=stage_times(data for _, data in entries),
        stages_since=entries[-1][0] if entries else None,
    )


# -- periods ---------------------------------------------------------------------------------------


def periods(
    store: Store, zone: tzinfo, said: Said = Said(), *, most: int
) -> tuple[PeriodUnit, list[Period]]:
    """Counts of the selected records, by local days, weeks or months: the shortest unit of which
    ``most`` cover everything, or the last ``most`` months. Empty periods are included."""
    span = statistic_rows.span(store, said)
    if span is None:
        return "day", []
    days = local_date(span[0], zone), local_date(span[1], zone)
    unit = _unit((days[1] - days[0]).days + 1, most)
    starts = _starts(_first_day(days[0], unit), days[1], unit)[-most:]
    end = _next(starts[-1], unit)
    times = [midnight(day, zone) for day in (*starts, end)]
    counted = statistic_rows.counts(store, times, said)
    return unit, [
        Period(start=start.isoformat(), **counts._asdict())
        for start, counts in zip(starts, counted, strict=True)
    ]


def _unit(days: int, most: int) -> PeriodUnit:
    return next((unit for unit, length in _SPANS if days <= (most - 1) * length), "month")


def _first_day(day: date, unit: PeriodUnit) -> date:
    """First day of the period that a day is in; weeks begin on Monday."""
    if unit == "month":
        return day.replace(day=1)
    return day - timedelta(days=day.weekday()) if unit == "week" else day


def _starts(first: date, last: date, unit: PeriodUnit) -> list[date]:
    found = [first]
    while _next(found[-1], unit) <= last:
        found.append(_next(found[-1], unit))
    return found


def _next(start: date, unit: PeriodUnit) -> date:
    return _first_day(start + timedelta(days={"day": 1, "week": 7, "month": 31}[unit]), unit)


# -- stages ----------------------------------------------------------------------------------------


class _Entry(Struct):
    """Counted fields of a ledger entry of a stage that ran."""

    stage: str = ""
    ms: int = 0
    model: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    detail: dict[str, Any] = {}


def stage_times(entries: Iterable[str | Mapping[str, Any]]) -> list[StageTimes]:
    """Times of stages by stage and model, the longest total first; ``entries``: data of the ledger,
    as JSON or decoded. Skipped stages, whose entries have only a note, are not counted."""
    found: dict[tuple[str, str | None], list[_Entry]] = {}
    for data in entries:
        entry = decode(data, type=_Entry) if isinstance(data, str) else convert(data, _Entry)
        if entry.stage and set(entry.detail) != {"note"}:
            found.setdefault((entry.stage, entry.model), []).append(entry)
    times = [
        StageTimes(
            stage=stage,
            model=model,
            calls=len(of_stage),
            ms=round(statistics.median(entry.ms for entry in of_stage)),
            total_ms=sum(entry.ms for entry in of_stage),
            tokens_in=sum(entry.tokens_in or 0 for entry in of_stage),
            tokens_out=sum(entry.tokens_out or 0 for entry in of_stage),
        )
        for (stage, model), of_stage in found.items()
    ]
    return sorted(times, key=lambda one: (-one.ms * one.calls, one.stage, one.model or ""))


# -- recalls ---------------------------------------------------------------------------------------


def _most_recalled(store: Store, user: str | None) -> list[RecallCount]:
    # some may belong to someone else, or be deleted
    most = statistic_rows.most_recalled(store, MOST_LISTED * 5)
    return list(islice(_recall_counts(store, most, user), MOST_LISTED))


def _never_recalled(store: Store, user: str | None) -> list[RecallCount]:
    oldest = [(id, 0) for id in statistic_rows.oldest_never_recalled(store, OLDEST * 5)]
    return list(islice(_recall_counts(store, oldest, user), OLDEST))


def _recall_counts(
    store: Store, counted: Sequence[tuple[str, int]], user: str | None
) -> Iterator[RecallCount]:
    ids = tuple(id for id, _ in counted)
    encrypted = contents.ids(store, ids)
    for id, times in counted:
        record = store.get(id)
        if record is None or (user and getattr(record, "user", None) not in (None, user)):
            continue
        origin = describe(store, id)
        text = None if id in encrypted else origin.text
        yield RecallCount(id=id, kind=origin.kind, text=text, times=times, at=origin.at)


# -- counts ----------------------------------------------------------------------------------------


def _counts(store: Store) -> dict[str, int]:
    found = {kind_of(kind).name: store.count(kind) for kind in _DATED_KINDS}
    found["concept"] = concepts.count(store)
    found |= {kind_of(kind).name: store.count(kind) for kind in (Link, StageLog)}
    found["embedding"] = sum(space.count for space in embeddings.spaces(store))
    found["event"], _ = ledger.end(store)  # ledger entries are never deleted
    return {name: count for name, count in found.items() if count}


def _statuses(store: Store, memories: int) -> dict[str, int]:
    inactive = statistic_rows.inactive_memories(store)
    active = memories - sum(inactive.values())
    return ({"active": active} if active else {}) | inactive


def _quarantined(store: Store) -> dict[str, int]:
    """Number of memories and insights in quarantine, by rule."""
    rules: Counter[str] = Counter()
    for text in (*statistic_rows.quarantined_memories(store), *insights.quarantine_reasons(store)):
        reason = decode(text, type=Quarantine | None) if text else None
        rules[reason.rule if reason else ENCRYPTED] += 1
    return dict(rules.most_common())


def _jobs(store: Store, now: str) -> dict[str, int]:
    """Number of unfinished jobs, such as ``finish waiting``."""
    return _most_first(
        {
            f"{kind} {state}": count
            for kind in (FINISH, CRYSTALLIZE)
            for state, count in count_jobs(store, kind, now).items()
            if state != "done"
        }
    )


def _most_first(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda one: (-one[1], one[0])))
