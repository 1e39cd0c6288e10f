"""Sessions: conversations, as the turns that carry the name of one."""

from __future__ import annotations

from thalamus.records.base import Record, Sensitivity, Text


class SessionTitle(Record, tag="session_title"):
    """The title that a user gave to a session, since ``at``. ``sensitivity`` is ``personal`` when
    it is to be kept encrypted."""

    title: Text
    session: str | None = None
    id: str | None = None
    user: str | None = None
    at: str | None = None
    sensitivity: Sensitivity = "normal"


class Session(Record, tag="session"):
    """A conversation: how many ``turns`` it has, when the first and the last were said, and its
    ``first`` message.

    ``title`` is null until it is renamed, ``user`` null where the turns are those of nobody in
    particular. ``first`` is null, and ``unreadable`` counts turns, where the key of what is
    encrypted is not here; in a list ``unreadable`` is not counted and 0.
    """

    id: str
    turns: int
    started_at: str
    last_at: str
    title: str | None = None
    user: str | None = None
    first: str | None = None
    unreadable: int = 0


class SessionMatch(Record, tag="session_match"):
    """Where a conversation speaks of what was searched for: the ``turn``, when it was said, and an
    excerpt as ``text``; ``score`` orders matches, higher is better. ``turn`` is null where the
    session's title matches."""

    session: str
    text: str
    title: str | None = None
    turn: str | None = None
    at: str | None = None
    score: float = 0.0
