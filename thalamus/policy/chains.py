"""Selection of successful turns, which are worth learning from."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

FOLLOWING = 3  # next turns of the session that may correct a turn
# decisions that revoke earlier statements
CORRECTING = ("supersede", "retract", "stale")


@dataclass
class Course:
    """The outcome of a turn according to the ledger: the number of its ``issues``, of its stages
    that were ``cut`` short, and `store`'s ``decisions`` as (decision, id)."""

    issues: int = 0
    cut: int = 0
    decisions: list[tuple[str, str]] = field(default_factory=list)

    @property
    def brought(self) -> set[str]:
        """Ids of records that the turn added or confirmed."""
        return {id for decision, id in self.decisions if decision not in CORRECTING}

    @property
    def corrected(self) -> set[str]:
        """Ids of records that the turn corrected."""
        return {id for decision, id in self.decisions if decision in CORRECTING}


def is_corrected(own: Course, used: Collection[str], later: Sequence[Course]) -> bool:
    """True if one of the following turns corrected something that a turn added or used for its
    answer."""
    basis = own.brought | set(used)
    return any(not basis.isdisjoint(course.corrected) for course in later[:FOLLOWING])
