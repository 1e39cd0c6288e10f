"""What a store holds and how it is used, in figures."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from thalamus.records.base import Record

Count = Annotated[int, Meta(ge=0)]
PeriodUnit = Literal["day", "week", "month"]


class Period(Struct, kw_only=True, forbid_unknown_fields=True):
    """What was said in one period, which begins on the local day ``start``: ``turns``,
    ``memories`` (without pieces of documents), ``facts`` and ``insights``; of the turns,
    ``recalling`` had evidence, ``recalled`` pieces of it together."""

    start: str
    turns: Count = 0
    memories: Count = 0
    facts: Count = 0
    insights: Count = 0
    recalling: Count = 0
    recalled: Count = 0


class RecallCount(Struct, kw_only=True, forbid_unknown_fields=True):
    """Something that can be recalled, in how many turns it was (``times``), and when it was said.
    ``text`` is null where it is encrypted."""

    id: str
    kind: str
    text: str | None
    times: Count = 0
    at: str | None = None


class StageTimes(Struct, kw_only=True, forbid_unknown_fields=True):
    """A stage as one ``model`` ran it (null: without a model): the median of the milliseconds of
    its ``calls``, and the tokens of all of them."""

    stage: str
    model: str | None
    calls: Count
    ms: Count
    tokens_in: Count = 0
    tokens_out: Count = 0


class Statistics(Record, tag="statistics"):
    """Figures about a whole store.

    ``bytes``: of the tables and of each index, on disk; ``counts``: by kind of record; ``types``
    and ``statuses``: of memories; ``encrypted``: records by kind, whose texts stand nowhere here.
    ``periods`` are the last of them, oldest first, each a ``unit`` long. ``most_recalled`` and
    ``oldest_never_recalled`` are of the configured user; ``never_recalled``: how many active
    memories, core ones and pieces of documents apart. ``quarantined``: by the rule that put them
    there (``consent``: they wait for the user's word); ``contradicted``: active memories that a
    newer fact contradicts; ``jobs``: work that is left, by kind and state. ``stages`` are of the
    last entries of the ledger, from ``stages_since`` on.
    """

    at: str
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
