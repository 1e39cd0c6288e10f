"""Statistics about the content and use of a store."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from thalamus.records.base import Record

Count = Annotated[int, Meta(ge=0)]
PeriodUnit = Literal["day", "week", "month"]


class Period(Struct, kw_only=True, forbid_unknown_fields=True):
    """Figures of one period, which begins on the local day ``start``: numbers of ``turns``,
    ``memories`` (without document chunks), ``facts`` and ``insights``; ``recalling``: turns with
    evidence; ``recalled``: pieces of evidence in total."""

    start: str
    turns: Count = 0
    memories: Count = 0
    facts: Count = 0
    insights: Count = 0
    recalling: Count = 0
    recalled: Count = 0


class RecallCount(Struct, kw_only=True, forbid_unknown_fields=True):
    """A recallable record, the number of turns it was recalled in (``times``), and when it was
    said. ``text``: null if it is encrypted."""

    id: str
    kind: str
    text: str | None
    times: Count = 0
    at: str | None = None


class StageTimes(Struct, kw_only=True, forbid_unknown_fields=True):
    """Cost of a stage with one ``model`` (null: without a model): the median milliseconds of its
    ``calls``, their sum (``total_ms``), and their total tokens."""

    stage: str
    model: str | None
    calls: Count
    ms: Count
    total_ms: Count = 0
    tokens_in: Count = 0
    tokens_out: Count = 0


class Statistics(Record, tag="statistics"):
    """Statistics of a whole store.

    ``database``: its name; ``bytes``: size on disk of the tables and of each index; ``counts``: by
    kind of record; ``types`` and ``statuses``: of memories; ``encrypted``: encrypted records by
    kind. ``periods``:
    the latest, oldest first, each one ``unit`` long. ``most_recalled`` and
    ``oldest_never_recalled``: for the configured user; ``never_recalled``: active memories without
    core ones and document chunks. ``quarantined``: by rule (``consent``: awaiting the user's
    decision); ``contradicted``: active memories that a newer fact contradicts; ``jobs``: pending
    work by kind and state. ``stages``: from the latest ledger entries, from ``stages_since`` on.
    """

    at: str
    database: str = ""
    bytes: dict[str, Count] = {}
    counts: dict[str, Count] = {}
    types: dict[str, Count] = {}
    statuses: dict[str, Count] = {}
    encrypted: dict[str, Count] = {}
    unit: PeriodUnit = "day"
    periods: list[Period] = []
    most_recalled: list[RecallCount] = []
    never_recalled: Count = 0
    oldest_never_recalled: list[RecallCount] = []
    quarantined: dict[str, Count] = {}
    contradicted: Count = 0
    jobs: dict[str, Count] = {}
    stages: list[StageTimes] = []
    stages_since: str | None = None
