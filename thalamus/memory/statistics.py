"""Statistics: what a store holds and how it is used, counted by the database."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta, tzinfo
from itertools import islice
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.json import decode

from thalamus.memory.explain import describe
from thalamus.records import (
    DOCUMENT_TYPES,
    Period,
    PeriodUnit,
    Quarantine,
    RecallCount,
    StageTimes,
    Statistics,
)
from thalamus.storage.protocol import PRESENT
from thalamus.text.local_time import local_date, midnight

if TYPE_CHECKING:
    from thalamus.storage.protocol import CountingStore, Where

MOST_PERIODS = 28  # that are shown: four weeks, half a year, or two years
SHOWN = 10  # of what was recalled most
OLDEST = 5  # of what never was
ENTRIES = 5000  # of the ledger, which the times of stages are taken from
ENCRYPTED = "encrypted"  # the rule of a quarantine that cannot be read
# the longest time, in units, for which days and weeks are shown
_SPANS: tuple[tuple[PeriodUnit, int], ...] = (("day", 1), ("week", 7))
_COUNTED = (
    *("turn", "memory", "fact", "insight", "document", "project", "plan", "world_change"),
    *("concept", "link", "stage_log"),
)
_TABLES = {"turns": "turn", "memories": "memory", "facts": "fact", "insights": "insight"}


def collect(store: CountingStore, user: str | None, zone: tzinfo, now: str) -> Statistics:
    """The statistics of a store, with the texts of what belongs to ``user`` or to nobody."""
    unit, found = periods(store, zone, most=MOST_PERIODS)
    entries, counts = store.last_stages(ENTRIES), _counts(store)
    return Statistics(
        at=now,
        bytes=store.sizes(),
        counts=counts,
        types=_grouped(store, "memory", ("type",)),
        statuses=_statuses(store, counts.get("memory", 0)),
        encrypted=_grouped(store, "encrypted", ("kind",)),
        unit=unit,
        periods=found,
        most_recalled=_most_recalled(store, user),
        never_recalled=store.count_never_recalled(DOCUMENT_TYPES),
        oldest_never_recalled=_never_recalled(store, user),
        quarantined=_quarantined(store),
        contradicted=_count(store, "memory", {"stale": PRESENT, "status": "active"}),
        jobs=_jobs(store),
        stages=stage_times(data for _, data in entries),
        stages_since=entries[-1][0] if entries else None,
    )


# -- periods ---------------------------------------------------------------------------------------


def periods(
    store: CountingStore, zone: tzinfo, where: Where | None = None, *, most: int
) -> tuple[PeriodUnit, list[Period]]:
    """What was said ``where`` (a condition that turns, memories, facts and insights all know), by
    local days, weeks or months: whichever is the shortest of which ``most`` hold everything, or the
    last ``most`` months. None are left out between the first and the last."""
    where = where or {}
    first, last = _said_between(store, where)
    if not first or not last:
        return "day", []
    days = local_date(first, zone), local_date(last, zone)
    unit = _unit((days[1] - days[0]).days + 1, most)
    starts = _starts(_first_day(days[0], unit), days[1], unit)[-most:]
    end = _next(starts[-1], unit)
    times = [midnight(day, zone) for day in (*starts, end)]
    counted = {name: store.count_between(table, times, where) for name, table in _TABLES.items()}
    pieces = store.count_between("memory", times, {**where, "type": DOCUMENT_TYPES})
    recalls = store.recalls_between(times, where)
    made = []
    for n, start in enumerate(starts):
        counts = {name: counts[n] for name, counts in counted.items()}
        counts["memories"] -= pieces[n]
        recalling, recalled = recalls[n]
        period = Period(start=start.isoformat(), recalling=recalling, recalled=recalled, **counts)
        made.append(period)
    return unit, made


def _said_between(store: CountingStore, where: Where) -> tuple[str, str]:
    """When the first and the last of it was said; empty without any."""
    # one end at a time: then an index has it
    ends = [
        store.select(table, (f"{end}(created_at)",), where)[0][0]
        for end in ("min", "max")
        for table in _TABLES.values()
    ]
    known = [at for at in ends if at]
    return min(known, default=""), max(known, default="")


def _unit(days: int, most: int) -> PeriodUnit:
    return next((unit for unit, length in _SPANS if days <= (most - 1) * length), "month")


def _first_day(day: date, unit: PeriodUnit) -> date:
    """The first day of the period that a day is in; weeks begin on Monday."""
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
    """What the ledger says of a stage that ran, as far as it is counted."""

    stage: str = ""
    ms: int = 0
    model: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    detail: dict[str, Any] = {}


def stage_times(entries: Iterable[str]) -> list[StageTimes]:
    """The times of stages by stage and model, those that took longest in all first. Stages that
    were skipped, whose entries have no more than a note, are not counted."""
    found: dict[tuple[str, str | None], list[_Entry]] = {}
    for data in entries:
        entry = decode(data, type=_Entry)
        if entry.stage and set(entry.detail) != {"note"}:
            found.setdefault((entry.stage, entry.model), []).append(entry)
    times = [
        StageTimes(
            stage=stage,
            model=model,
            calls=len(of_stage),
            ms=round(statistics.median(entry.ms for entry in of_stage)),
            tokens_in=sum(entry.tokens_in or 0 for entry in of_stage),
            tokens_out=sum(entry.tokens_out or 0 for entry in of_stage),
        )
        for (stage, model), of_stage in found.items()
    ]
    return sorted(times, key=lambda one: (-one.ms * one.calls, one.stage, one.model or ""))


# -- recalls ---------------------------------------------------------------------------------------


def _most_recalled(store: CountingStore, user: str | None) -> list[RecallCount]:
    # some may belong to somebody else, or be gone
    return list(islice(_recall_counts(store, store.most_recalled(SHOWN * 5), user), SHOWN))


def _never_recalled(store: CountingStore, user: str | None) -> list[RecallCount]:
    oldest = [(id, 0) for id in store.oldest_never_recalled(DOCUMENT_TYPES, OLDEST * 5)]
    return list(islice(_recall_counts(store, oldest, user), OLDEST))


def _recall_counts(
    store: CountingStore, counted: Sequence[tuple[str, int]], user: str | None
) -> Iterator[RecallCount]:
    ids = tuple(id for id, _ in counted)
    encrypted = {row[0] for row in store.select("encrypted", ("id",), {"id": ids})}
    for id, times in counted:
        record = store.get(id)
        if record is None or (user and getattr(record, "user", None) not in (None, user)):
            continue
        origin = describe(store, id)
        text = None if id in encrypted else origin.text
        yield RecallCount(id=id, kind=origin.kind, text=text, times=times, at=origin.at)


# -- counts ----------------------------------------------------------------------------------------


def _counts(store: CountingStore) -> dict[str, int]:
    found = {table: _count(store, table, {}) for table in _COUNTED}
    found["embedding"] = sum(row[0] for row in store.select("space", ("count",)))
    # entries of the ledger are never deleted
    found["event"] = store.select("event", ("max(seq)",))[0][0] or 0
    return {name: count for name, count in found.items() if count}


def _statuses(store: CountingStore, memories: int) -> dict[str, int]:
    others = store.inactive_memories()
    active = memories - sum(others.values())
    return ({"active": active} if active else {}) | others


def _quarantined(store: CountingStore) -> dict[str, int]:
    """How many memories and insights are in quarantine, by the rule that put them there."""
    where = {"status": "quarantined"}
    insights = [row[0] for row in store.select("insight", ("quarantine",), where)]
    rules: Counter[str] = Counter()
    for text in (*store.quarantined_memories(), *insights):
        reason = decode(text, type=Quarantine | None) if text else None
        rules[reason.rule if reason else ENCRYPTED] += 1
    return dict(rules.most_common())


def _jobs(store: CountingStore) -> dict[str, int]:
    """The jobs that are not done, such as ``finish waiting``."""
    found = _grouped(store, "job", ("kind", "state"))
    return {name: count for name, count in found.items() if not name.endswith(" done")}


def _grouped(store: CountingStore, table: str, columns: Sequence[str]) -> dict[str, int]:
    """How many rows have which values, most first."""
    rows = store.select(table, (*columns, "count(*)"), group=columns)
    found = {" ".join(row[: len(columns)]): int(row[len(columns)]) for row in map(tuple, rows)}
    return dict(sorted(found.items(), key=lambda one: (-one[1], one[0])))


def _count(store: CountingStore, table: str, where: Mapping[str, Any]) -> int:
    return int(store.select(table, ("count(*)",), where)[0][0])
