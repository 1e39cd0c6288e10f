"""Sessions, counted in the table ``turn``."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from thalamus.names import normal_name
from thalamus.store.conditions import PRESENT, Among

if TYPE_CHECKING:
    from thalamus.store.collection import RowReader


class SessionCount(NamedTuple):
    """Counts of a user's turns in a session: their number, times of the first and the last, and
    keys of those stored first and last."""

    session: str
    user: str | None
    turns: int
    begun: str
    ended: str
    first: int
    last: int


class Sessions:
    """The sessions of a store."""

    def __init__(self, rows: RowReader) -> None:
        self._rows = rows

    def counts(self, session: str | None = None) -> list[SessionCount]:
        """Uses an index alone: a condition on the user would read all of that user's turns."""
        times = ("count(*)", "min(created_at)", "max(created_at)", "min(key)", "max(key)")
        where = {"session": PRESENT if session is None else session}
        group = ("session", "user")
        found: dict[tuple[str, str | None], SessionCount] = {}
        for row in self._rows.select("turn", (*group, *times), where, group=group):
            name = (normal_name(row[0]), row[1] and normal_name(row[1]))
            count = SessionCount(*name, *row[2:])
            found[name] = _added(found[name], count) if name in found else count
        return list(found.values())

    def ends(self) -> list[tuple[str, str]]:
        """Sessions with the time of their last turn, the oldest first."""
        columns, where = ("session", "max(created_at)"), {"session": PRESENT}
        found: dict[str, str] = {}
        for row in self._rows.select("turn", columns, where, ("max(key)",), group=("session",)):
            name = normal_name(row[0])
            found[name] = max(row[1], found.pop(name, ""))
        return list(found.items())

    def recent(self, user: str | None, turns: int) -> list[tuple[str | None, str]]:
        """Sessions and times of the last ``turns`` turns of a user, newest first."""
        columns = ("session", "created_at")
        found = self._rows.select("turn", columns, {"user": user}, ("-key",), turns)
        return [(row[0] and normal_name(row[0]), row[1]) for row in found]

    def not_summed_up(self) -> set[str]:
        """Sessions with unsummarized turns."""
        summaries = Among("memory", "id", {"type": "session_summary"})
        where = {"relation": "derived_from", "source": summaries}
        left = {"session": PRESENT, "id": Among("link", "target", where, none=True)}
        found = self._rows.select("turn", ("session",), left, group=("session",))
        return {normal_name(row[0]) for row in found}


def _added(one: SessionCount, other: SessionCount) -> SessionCount:
    """Counts of the turns under two spellings of a session or of its user."""
    return SessionCount(
        one.session,
        one.user,
        one.turns + other.turns,
        min(one.begun, other.begun),
        max(one.ended, other.ended),
        min(one.first, other.first),
        max(one.last, other.last),
    )
