"""Courses of turns, read from the ledger: stages, decisions, tool calls, and corrections by the
turns that followed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

if TYPE_CHECKING:
    from thalamus.records import Event

FOLLOWING = 3  # next turns of the session that may correct a turn
# decisions that revoke earlier statements
CORRECTING = ("supersede", "retract", "stale")


class Course(Struct):
    """The course of a turn: the codes of its ``issues``, the data of its ``stages``, the number of
    them that were ``cut`` short, and the ``decisions`` of `store`. ``calls``: its calls of tools;
    ``used``: ids of the evidence, ``tools_used`` of the calls, whose words its answer uses; None if
    that was not judged."""

    session: str | None = None
    at: str = ""
    issues: list[str] = field(default_factory=list)
    stages: list[dict[str, Any]] = field(default_factory=list)
    cut: int = 0
    decisions: list[dict[str, Any]] = field(default_factory=list)
    calls: list[dict[str, Any]] = field(default_factory=list)
    used: list[str] | None = None
    tools_used: list[str] | None = None

    @property
    def brought(self) -> set[str]:
        """Ids of records that the turn added or confirmed."""
        return {one["id"] for one in self._decided if one["decision"] not in CORRECTING}

    @property
    def corrected(self) -> set[str]:
        """Ids of records that the turn corrected."""
        return {one["id"] for one in self._decided if one["decision"] in CORRECTING}

    @property
    def _decided(self) -> list[dict[str, Any]]:
        return [one for one in self.decisions if one.get("id")]

    def add(self, event: Event) -> None:
        """Adds a ledger entry of the turn."""
        self.session, self.at = self.session or event.session, self.at or event.at
        if event.name == "issue":
            self.issues.append(str(event.data.get("code")))
        if event.name != "stage":
            return
        self.stages.append(event.data)
        detail = event.data.get("detail") or {}
        self.cut += bool(detail.get("cut_short") or detail.get("loop_cut"))
        self.calls += detail.get("calls") or ()
        if event.data.get("stage") == "store":
            self.decisions += detail.get("decisions") or ()
        if event.data.get("stage") == "answer":
            self.used, self.tools_used = detail.get("used"), detail.get("tools_used")


def read_courses(events: Iterable[Event]) -> dict[str, Course]:
    """The course of each turn, in the order of the ledger."""
    courses: dict[str, Course] = defaultdict(Course)
    for event in events:
        if event.turn is not None:
            courses[event.turn].add(event)
    return dict(courses)


def with_following(courses: Mapping[str, Course]) -> dict[str, list[Course]]:
    """For each turn, the courses of the next turns of its session."""
    sessions: dict[str | None, list[str]] = defaultdict(list)
    for turn, course in courses.items():
        sessions[course.session].append(turn)
    return {
        turn: [courses[later] for later in turns[place : place + FOLLOWING]]
        for turns in sessions.values()
        for place, turn in enumerate(turns, 1)
    }


def is_corrected(own: Course, used: Collection[str], later: Sequence[Course]) -> bool:
    """True if one of the following turns corrected something that a turn added or used for its
    answer."""
    basis = own.brought | set(used)
    return any(not basis.isdisjoint(course.corrected) for course in later[:FOLLOWING])
