"""Sessions: they are their turns, and the titles that users gave them."""

from __future__ import annotations

from typing import NamedTuple, Protocol


class SessionCount(NamedTuple):
    """What is counted of the turns of a user in a session: how many, when the first and the last
    were said, and the keys of those that were stored first and last."""

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
        """The counts of all sessions, or of one, by user."""
        ...

    def ends(self) -> list[tuple[str, str]]:
        """Each session with the time of its last turn, that of the oldest last turn first."""
        ...

    def recent(self, user: str | None, turns: int) -> list[tuple[str | None, str]]:
        """The sessions and times of the last ``turns`` turns of a user, newest first."""
        ...

    def not_summed_up(self) -> set[str]:
        """The sessions with turns of which no summary was made."""
        ...

    def titles_without_turns(self) -> list[str]:
        """The ids of the titles of sessions that have no turn."""
        ...
