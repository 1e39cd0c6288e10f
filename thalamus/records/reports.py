"""Reports of commands: stages, errors, findings, batches, deep reflections, origins."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from thalamus.records.base import Record
from thalamus.records.turns import Instruction
from thalamus.records.worlds import WorldOperation

OriginKind = Literal[
    "turn",
    "memory",
    "fact",
    "document",
    "project",
    "discovery_source",
    "insight",
    "plan",
    "world_change",
    "missing",
]


class StageDescription(Record, tag="stage"):
    """A stage that a flow may name.

    ``role``: the role of the chat model it calls, null if none; ``reads`` and ``writes``: fields of
    the turn. Any stage may add to ``issues`` and ``trace``.
    """

    name: str
    role: str | None
    reads: list[str]
    writes: list[str]


class Error(Record, tag="error"):
    """A failure, as printed by ``--json`` on standard error. ``code`` is the exit status."""

    code: int
    name: str
    message: str
    fix: str = ""
    line: int | None = None
    field: str | None = None


class Finding(Record, tag="finding"):
    """A change in the store that Thalamus did not make.

    ``what``: edited, removed, inserted or rolled back; ``table`` and ``id``: the place, by the id
    of a memory, or the number of a ledger entry or a signature.
    """

    table: str
    what: str
    id: str = ""
    detail: str = ""


BatchChangeKind = Literal["changed", "retired", "made"]


class BatchChange(Struct, kw_only=True, forbid_unknown_fields=True):
    """A change of one record in a batch, with its text."""

    id: str
    change: BatchChangeKind
    text: str


class Batch(Record, tag="batch"):
    """Changes that were made together and can be undone together.

    ``action``: prune, edit, pin, unpin, promote, demote, end, retract, correct, world, crystallize,
    reflect, summarize, reject, source, withdraw (turns that another export no longer has) or ingest
    (a new version of a document). ``counts``: numbers of retired, changed and new records;
    ``changes``: the first of them, as long as the batch can be undone; ``operations``: those of a
    world state change. ``until``: when the retired records are deleted and the batch can no longer
    be undone. ``user`` and ``agent``: who made them; an empty user stands for the one who uses the
    store without a name.
    """

    id: str
    at: str
    action: str
    user: str | None = None
    agent: str | None = None
    counts: dict[str, int] = {}
    changes: list[BatchChange] = []
    operations: list[WorldOperation] = []
    undone_at: str | None = None
    purged_at: str | None = None
    until: str | None = None


class InsightGroup(Struct):
    """Insights that share a ``concept``, by their ids (``members``). ``decision``: merged, or left
    for a ``reason``; ``insight``: the merged insight, with its ``content``, ``strength`` and
    ``batch``. A dry run only gives the members."""

    concept: str
    members: list[str]
    decision: Literal["merged", "left"]
    reason: str = ""
    insight: str | None = None
    content: str | None = None
    strength: float = 0.0
    batch: str | None = None


class DeepReflection(Record, tag="deep_reflection"):
    """Result of a deep reflection; with ``dry_run``, a preview.

    ``merged``: the number of ``groups`` merged; ``archived``: insights merged into others;
    ``alone``: insights that share no concept with another. ``strength``: the total over all active
    insights, which merging does not change.
    """

    groups: list[InsightGroup] = []
    merged: int = 0
    archived: int = 0
    alone: int = 0
    strength: float = 0.0
    dry_run: bool = False


class Origin(Record, tag="origin"):
    """A record and its origins, as a tree.

    ``relation``: how the parent in the tree came from it: ``said_in``, ``read_in``, ``evidence``,
    or the name of a link. ``quote``: the words taken from it; ``model``: the model that extracted
    the memory or fact, or answered the turn. ``missing``: only the id is known. ``answer``: that of
    a turn; ``note``: why the walk stopped, or why evidence was not in the prompt. For evidence,
    ``in_prompt``: whether it was part of the prompt, and ``shared``: words that it shares with the
    answer but not with the message; null if unknown. ``draft`` and ``search_plan``: those of a
    deliberate turn. ``published``: the date of a web page. ``precision``: that of a fact's times
    that are not exact days.
    """

    id: str
    kind: OriginKind
    text: str
    relation: str | None = None
    quote: str | None = None
    at: str | None = None
    session: str | None = None
    valid_from: str | None = None
    valid_to: str | None = None
    precision: dict[str, str] = {}
    answer: str | None = None
    path: str | None = None
    published: str | None = None
    page: int | None = None
    offset: int | None = None
    heading: str | None = None
    model: str | None = None
    note: str | None = None
    stale: str | None = None
    status: str | None = None
    in_prompt: bool | None = None
    shared: list[str] | None = None
    draft: str | None = None
    search_plan: list[Instruction] = []
    origins: list[Origin] = []
