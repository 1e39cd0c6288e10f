"""Figures of how well a store serves, each with its target."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from thalamus.records.base import Record
from thalamus.records.statistics import Count, StageTimes

MetricUnit = Literal["share", "per_100_turns", "ms"]


class Metric(Struct, kw_only=True, forbid_unknown_fields=True):
    """One figure, with its ``description`` in words. ``value``: null without data; ``of``: number
    of observations behind it. ``target`` and ``bound`` (the value must be ``below`` or ``above``
    it) are null for a figure without a target, and so is ``verdict``; without data it is
    unknown."""

    name: str
    description: str = ""
    value: float | None = None
    unit: MetricUnit = "share"
    of: Count = 0
    target: float | None = None
    bound: Literal["below", "above"] | None = None
    verdict: Literal["met", "missed", "unknown"] | None = None


class Metrics(Record, tag="metrics"):
    """Figures from the ledger, ``since`` a time and before ``until`` (null: any), and from the
    file of an evaluation. ``turns``: number of turns; ``refusals``: refused statements by rule;
    ``tools``: calls by tool; ``stages``: times and tokens by stage and model."""

    at: str
    since: str | None = None
    until: str | None = None
    turns: Count = 0
    figures: list[Metric] = []
    refusals: dict[str, Count] = {}
    tools: dict[str, Count] = {}
    stages: list[StageTimes] = []
