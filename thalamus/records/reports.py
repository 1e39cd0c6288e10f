"""What is told: events, errors, and what an evaluation measured."""

from __future__ import annotations

from typing import Any, Literal

from thalamus.records.base import Record


class Event(Record, tag="event"):
    """Something that happened: a status, a message, an entry of the ledger.

    ``name`` is stable; ``data`` depends on it. ``seq`` and ``hash`` are there for ledger entries;
    ``body`` is the digest of what an entry says, made with ``salt``. An entry whose words were
    forgotten keeps ``body`` alone.
    """

    name: str
    at: str
    turn: str | None = None
    session: str | None = None
    data: dict[str, Any] = {}
    seq: int | None = None
    prev: str | None = None
    hash: str | None = None
    body: str | None = None
    salt: str | None = None


class Error(Record, tag="error"):
    """A failure, as ``--json`` prints it on standard error. ``code`` is the exit status."""

    code: int
    name: str
    message: str
    fix: str = ""
    line: int | None = None
    field: str | None = None


class Finding(Record, tag="finding"):
    """Something in the store that was changed by something else than Thalamus.

    ``what``: edited, removed, inserted or rolled back; ``table`` and ``id`` name it: the id of a
    memory, the number of a ledger entry or a seal.
    """

    table: str
    what: str
    id: str = ""
    detail: str = ""


class Batch(Record, tag="batch"):
    """What was changed together and can be undone together.

    ``action``: prune, edit, pin, unpin, promote or demote. ``counts``: how many were retired,
    changed and made. ``until``: when what it retired is deleted; then it can no longer be undone.
    """

    id: str
    at: str
    action: str
    counts: dict[str, int] = {}
    undone_at: str | None = None
    purged_at: str | None = None
    until: str | None = None


class Evaluation(Record, tag="evaluation"):
    """What ``thalamus eval retrieval`` measured.

    ``scores``: any@k, all@k and recall@k as shares over all ``questions``, in ``types`` by kind;
    ``left_out``: those not asked, by reason; ``references``: gold that led nowhere; ``ms``: of one
    question; ``resumed``: answers that were there before. Without figures it heads a results file.
    """

    file: str
    sha256: str
    format: str
    level: Literal["session", "turn"]
    k: list[int]
    embedder: str
    questions: int = 0
    scores: dict[str, float] = {}
    types: dict[str, dict[str, float]] = {}
    left_out: dict[str, int] = {}
    references: int = 0
    haystacks: int = 0
    records: int = 0
    resumed: int = 0
    seconds: dict[str, float] = {}
    ms: dict[str, float] = {}


class EvaluationResult(Record, tag="evaluation_result"):
    """One question of an evaluation: what was ``gold``, what was found and how long it took."""

    id: str
    question: str
    gold: list[str]
    ranked: list[str]
    type: str = ""
    ms: float = 0.0
