"""The default turn of commands that take a turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thalamus.api import Thalamus


def last_turn(thalamus: Thalamus) -> str:
    """The id of the user's last turn: in any session, because each chat is a new one, or in the
    session that was named. Raises ``NoStore``, ``NothingMatches``."""
    anywhere = "session" not in thalamus.config.origin
    found = thalamus.sessions.last_turn(anywhere=anywhere)
    if found is None:
        raise no_turns("" if anywhere else thalamus.session)
    return found


def no_turns(session: str = "") -> Exception:
    """The error for a store or a session without turns."""
    from thalamus.errors import NothingMatches

    where = f" in the session {session!r}" if session else " yet"
    fix = "`thalamus trace --last 10` lists the last turns of all sessions." if session else ""
    return NothingMatches(f"There are no turns{where}.", fix=fix)
