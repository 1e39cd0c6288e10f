"""Events: ledger entries, and what is sent while a program runs."""

from __future__ import annotations

from typing import Any, ClassVar

from thalamus.records.base import Record


class Event(Record, tag="event"):
    """An event: a status, a message, or an entry of the ledger.

    ``name`` is stable and determines ``data``. ``seq`` and ``hash`` are set for ledger entries;
    ``body``: the digest of the entry's content, made with ``salt``. An entry whose content was
    forgotten keeps only ``body``. ``user`` and ``agent``: whose entry it is, null if it is about
    something shared; an empty user stands for the one who uses the
    store without a name.
    """

    names: ClassVar[tuple[str, ...]] = ()  # the digest is that of the session as it was written

    name: str
    at: str
    turn: str | None = None
    session: str | None = None
    user: str | None = None
    agent: str | None = None
    data: dict[str, Any] = {}
    seq: int | None = None
    prev: str | None = None
    hash: str | None = None
    body: str | None = None
    salt: str | None = None
