"""Which turns succeeded, so that they are worth learning from."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

FOLLOWING = 3  # turns of its session in which a turn may be corrected
# decisions that take back what was said before
CORRECTING = ("supersede", "retract", "stale")


@dataclass
class Course:
    """How a turn went, as the ledger says: how many ``issues`` it had, how many of its ``stages``
    were cut short, and what `store` decided: (decision, id)."""

    issues: int = 0
    cut: int = 0
    decisions: list[tuple[str, str]] = field(default_factory=list)

    @property
    def brought(self) -> set[str]:
        """The ids of what it brought or said again."""
        return {id for decision, id in self.decisions if decision not in CORRECTING}

    @property
    def corrected(self) -> set[str]:
        """The ids of what it took back."""
        return {id for decision, id in self.decisions if decision in CORRECTING}


def is_corrected(own: Course, used: Collection[str], later: Sequence[Course]) -> bool:
    """Whether one of the turns that followed took back what a turn brought, or used for its
    answer."""
    rests_on = own.brought | set(used)
    return any(not rests_on.isdisjoint(course.corrected) for course in later[:FOLLOWING])
