"""Sessions: groups of turns, with titles given by users."""

from __future__ import annotations

from typing import NamedTuple, Protocol


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


class Sessions(Protocol):
    """The sessions of a store."""

    def counts(self, session: str | None = None) -> list[SessionCount]:
        """Counts of all sessions, or of one, by user."""
        ...

    def ends(self) -> list[tuple[str, str]]:
        """Sessions with the time of their last turn, the oldest first."""
        ...

    def recent(self, user: str | None, turns: int) -> list[tuple[str | None, str]]:
        """Sessions and times of the last ``turns`` turns of a user, newest first."""
        ...

    def not_summed_up(self) -> set[str]:
        """Sessions with unsummarized turns."""
        ...
