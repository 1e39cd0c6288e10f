"""Sessions: conversations, as turns with a common session name."""

from __future__ import annotations

from thalamus.records.base import Record, Sensitivity, Text


class SessionTitle(Record, tag="session_title"):
    """The title that a user gave to a session, since ``at``. ``sensitivity``: ``personal`` if it is
    to be stored encrypted."""

    title: Text
    session: str | None = None
    id: str | None = None
    user: str | None = None
    at: str | None = None
    sensitivity: Sensitivity = "normal"


class Session(Record, tag="session"):
    """A conversation: its number of ``turns``, the times of the first and the last, and its
    ``first`` message.

    ``title``: null until it is renamed; ``user``: null if the turns have no owner. If the
    decryption key is missing, ``first`` is null and ``unreadable`` counts the encrypted turns; in a
    list, ``unreadable`` is always 0.
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
    """A match of a search over conversations: the ``turn``, its time, and an excerpt as ``text``; a
    higher ``score`` is better. ``turn``: null if the session's title matches."""

    session: str
    text: str
    title: str | None = None
    turn: str | None = None
    at: str | None = None
    score: float = 0.0
