"""Figures of how well a store serves, counted from its ledger alone: an imported ledger gives the
same."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from thalamus.memory.views.courses import Course, is_corrected, read_courses, with_following
from thalamus.memory.views.statistics import stage_times
from thalamus.memory.views.tool_outcomes import ToolOutcome, outcomes_of
from thalamus.policy.tool_choice import SUCCESS
from thalamus.records.metrics import Metric, Metrics, MetricUnit
from thalamus.store import ledger

if TYPE_CHECKING:
    from thalamus.records import Event
    from thalamus.store.base import Store

# figures with a target, and on which side of it the value must be
TARGETS: dict[str, tuple[str, float]] = {
    "recall": ("above", 0.85),
    "tool_gain": ("above", 0.2),
    "corrections": ("below", 2),
    "store_p50": ("below", 150),
    "store_p95": ("below", 150),
}
DESCRIPTIONS = {
    "recall": "Recall of relevant memories",
    "tool_gain": "Tool success over the fixed order",
    "corrections": "Corrections per 100 turns",
    "store_p50": "Time to store, median",
    "store_p95": "Time to store, 95th percentile",
    "retrieve_p50": "Time to retrieve, median",
    "retrieve_p95": "Time to retrieve, 95th percentile",
    "evidence_used": "Evidence that stands in the answer",
    "tool_success": "Tool calls that succeeded",
    "quarantined": "Statements quarantined",
    "unusable_replies": "Model replies that were unusable",
}
FEWEST = 20  # calls of either kind from which tools are compared with the fixed order
_SEARCHING = ("retrieve", "route", "gather")  # stages that find evidence
_NEW = ("add", "update", "reinforce", "ignore", "refuse", "quarantine")  # of what was stated
_BY_HAND = ("fact_corrected", "edited")  # ledger entries of corrections, if they have a batch


class _Tally(Struct):
    """Counts over ledger entries. ``corrections``: by hand; ``decisions``: of `store`, those of
    records without a turn included; ``stated``: statements about which it decided."""

    courses: dict[str, Course] = field(default_factory=dict)
    corrections: int = 0
    decisions: list[dict[str, Any]] = field(default_factory=list)
    stated: int = 0


def collect(
    store: Store,
    now: str,
    since: str | None = None,
    recall: tuple[float, int] | None = None,
    session: str | None = None,
    until: str | None = None,
) -> Metrics:
    """The figures of everything from ``since`` to before ``until``, or of one session. ``recall``:
    share of the relevant memories found by an evaluation, and the number of its questions."""
    tally = _count(
        event for event in ledger.entries(store, since, until) if session in (None, event.session)
    )
    courses = list(tally.courses.values())
    steps = [step for course in courses for step in course.stages if not _skipped(step)]
    outcomes = outcomes_of(tally.courses)
    turns = sum(any(step.get("stage") == "store" for step in one.stages) for one in courses)
    figures = [
        _figure("recall", "share", *(recall or (None, 0))),
        _figure("tool_gain", "share", *_gain(outcomes)),
        _figure("corrections", "per_100_turns", *_corrections(tally, turns)),
        *_times("store", steps),
        *_times("retrieve", steps),
        _figure("evidence_used", "share", *_evidence_used(courses)),
        _figure("tool_success", "share", *_share([one.score >= SUCCESS for one in outcomes])),
        _figure("quarantined", "share", *_quarantined(tally)),
        _figure("unusable_replies", "share", *_unusable(courses, steps)),
    ]
    return Metrics(
        at=now,
        since=since,
        until=until,
        turns=turns,
        figures=figures,
        refusals=dict(sorted(_refusals(tally, steps).items())),
        tools=dict(sorted(Counter(one.tool for one in outcomes).items())),
        stages=stage_times(steps),
    )


def _count(events: Iterable[Event]) -> _Tally:
    tally = _Tally()
    of_turns: list[Event] = []
    for event in events:
        if event.turn is not None:
            of_turns.append(event)
        elif event.name == "stored":
            tally.decisions += event.data.get("decisions") or ()
            tally.stated += int(event.data.get("count") or 0)
        elif event.name in _BY_HAND and _is_correction(event.data):
            tally.corrections += 1
    tally.courses = read_courses(of_turns)
    for course in tally.courses.values():
        tally.decisions += course.decisions
        tally.stated += sum(one.get("decision") in _NEW for one in course.decisions)
    return tally


def _is_correction(data: dict[str, Any]) -> bool:
    """True for a fact corrected, or a memory rewritten, by hand."""
    return bool(data.get("batch")) and ("fact" in data or "supersedes" in data)


def _skipped(step: dict[str, Any]) -> bool:
    """True for a stage that did nothing: its entry has only a note."""
    return set(step.get("detail") or ()) == {"note"}


# -- figures ---------------------------------------------------------------------------------------


def _figure(name: str, unit: MetricUnit, value: float | None, of: int) -> Metric:
    bound, target = TARGETS.get(name, (None, None))
    verdict = None
    if target is not None:
        met = value is not None and (value < target if bound == "below" else value > target)
        verdict = "unknown" if value is None else "met" if met else "missed"
    return Metric(
        name=name,
        description=DESCRIPTIONS[name],
        value=None if value is None else round(value, 4),
        unit=unit,
        of=of,
        target=target,
        bound=bound,  # type: ignore[arg-type]
        verdict=verdict,  # type: ignore[arg-type]
    )


def _share(found: Sequence[bool]) -> tuple[float | None, int]:
    return (sum(found) / len(found) if found else None), len(found)


def _gain(outcomes: Sequence[ToolOutcome]) -> tuple[float | None, int]:
    """Success of the tools that were tried first, of several that do the same, compared with that
    of those that the configuration names first."""
    tried = [one for one in outcomes if one.first is not None]
    success, count = _share([one.score >= SUCCESS for one in tried])
    of_first = [one.score >= SUCCESS for one in tried if one.tool == one.first]
    fixed, of_fixed = _share(of_first)
    if success is None or not fixed or min(of_fixed, count - of_fixed) < FEWEST:
        return None, count
    return success / fixed - 1, count


def _corrections(tally: _Tally, turns: int) -> tuple[float | None, int]:
    """Turns that one of the next three corrected, and corrections by hand, per 100 turns."""
    following = with_following(tally.courses)
    corrected = sum(
        is_corrected(course, course.used or (), following[turn])
        for turn, course in tally.courses.items()
    )
    return (100 * (corrected + tally.corrections) / turns if turns else None), turns


def _times(stage: str, steps: Iterable[dict[str, Any]]) -> list[Metric]:
    """Median and 95th percentile of a stage's milliseconds."""
    times = [int(step.get("ms") or 0) for step in steps if step.get("stage") == stage]
    found: dict[str, float | None] = {"p50": None, "p95": None}
    if times:
        rank = math.ceil(0.95 * len(times)) - 1
        found = {"p50": statistics.median(times), "p95": sorted(times)[rank]}
    return [_figure(f"{stage}_{name}", "ms", value, len(times)) for name, value in found.items()]


def _evidence_used(courses: Iterable[Course]) -> tuple[float | None, int]:
    """Share of what was found for answered turns, after plugins had seen it, that their answers
    use."""
    used = count = 0
    for course in courses:
        if course.used is None:
            continue
        searches = [step for step in course.stages if step.get("stage") in _SEARCHING]
        found = {id for step in searches for id in step.get("outputs") or ()}
        count += len(found)
        used += len(found.intersection(course.used))
    return (used / count if count else None), count


def _quarantined(tally: _Tally) -> tuple[float | None, int]:
    count = sum(one.get("decision") == "quarantine" for one in tally.decisions)
    return (count / tally.stated if tally.stated else None), tally.stated


def _unusable(
    courses: Iterable[Course], steps: Sequence[dict[str, Any]]
) -> tuple[float | None, int]:
    """Share of the stages with a model that gave a reply which could not be used, even if the next
    one could."""
    asked = sum(bool(step.get("model")) for step in steps)
    unusable = sum(bool((step.get("detail") or {}).get("unusable_replies")) for step in steps)
    given_up = sum(code == "unusable_reply" for course in courses for code in course.issues)
    return (min(1.0, max(unusable, given_up) / asked) if asked else None), asked


def _refusals(tally: _Tally, steps: Iterable[dict[str, Any]]) -> Counter[str]:
    """Refused statements, and instructions of plans, by rule."""
    found: Counter[str] = Counter()
    for step in steps:
        detail = step.get("detail") or {}
        found.update(detail.get("refusals") or {})
        if step.get("stage") in _SEARCHING:
            found.update(one["rule"] for one in detail.get("refused") or ())
    found.update(str(one.get("rule")) for one in tally.decisions if one.get("decision") == "refuse")
    return found
