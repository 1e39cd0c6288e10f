"""Reports: events, errors, origins, and the results of evaluations."""

from __future__ import annotations

from typing import Any, Literal

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
    "insight",
    "plan",
    "world_change",
    "missing",
]


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


class StageDescription(Record, tag="stage"):
    """A stage that a flow may name.

    ``role``: of the chat model that it asks, null when it asks none; ``reads`` and ``writes``:
    fields of the turn; ``issues`` and ``trace`` may be added to by any stage.
    """

    name: str
    role: str | None
    reads: list[str]
    writes: list[str]


class Error(Record, tag="error"):
    """A failure, as ``--json`` prints it on standard error. ``code`` is the exit status."""

    code: int
    name: str
    message: str
    fix: str = ""
    line: int | None = None
    field: str | None = None


class Finding(Record, tag="finding"):
    """Something in the store that was changed by something other than Thalamus.

    ``what``: edited, removed, inserted or rolled back; ``table`` and ``id`` name it: the id of a
    memory, the number of a ledger entry or a signature.
    """

    table: str
    what: str
    id: str = ""
    detail: str = ""


BatchChangeKind = Literal["changed", "retired", "made"]


class BatchChange(Struct, kw_only=True, forbid_unknown_fields=True):
    """What a batch did to one thing, and what that says."""

    id: str
    change: BatchChangeKind
    text: str


class Batch(Record, tag="batch"):
    """What was changed together and can be undone together.

    ``action``: prune, edit, pin, unpin, promote, demote, end, retract, correct, world, reflect or
    reject. ``counts``: how many were retired, changed and made; ``changes``: the first of them, as
    long as the batch can be undone; ``operations``: those of a change of the world state.
    ``until``: when what it retired is deleted; then it can no longer be undone.
    """

    id: str
    at: str
    action: str
    counts: dict[str, int] = {}
    changes: list[BatchChange] = []
    operations: list[WorldOperation] = []
    undone_at: str | None = None
    purged_at: str | None = None
    until: str | None = None


class InsightGroup(Struct):
    """Insights that have a ``concept`` in common, by their ids (``members``). ``decision``: merged,
    or left for a ``reason``; ``insight``: the one that they were merged into, with its ``content``,
    its ``strength`` and its ``batch``. In a dry run only the members are known."""

    concept: str
    members: list[str]
    decision: Literal["merged", "left"]
    reason: str = ""
    insight: str | None = None
    content: str | None = None
    strength: float = 0.0
    batch: str | None = None


class DeepReflection(Record, tag="deep_reflection"):
    """What a deep reflection did, or with ``dry_run`` would do.

    ``merged``: how many of the ``groups`` became one insight, ``archived``: how many insights were
    merged into others, ``alone``: how many share no concept with another one. ``strength``: of all
    active insights together, which merging does not change.
    """

    groups: list[InsightGroup] = []
    merged: int = 0
    archived: int = 0
    alone: int = 0
    strength: float = 0.0
    dry_run: bool = False


class Origin(Record, tag="origin"):
    """A thing and what it came from, as a tree.

    ``relation`` says how the thing above it in the tree came from it: ``said_in``, ``read_in``,
    ``evidence``, or the name of a link. ``quote`` has the words that were taken from it; ``model``
    extracted the memory or fact, or answered the turn. ``missing``: only the id is known.
    ``answer`` is that of a turn; ``note`` says why the walk stopped, or why a piece of
    evidence was not in the prompt. For evidence, ``in_prompt``
    says whether it was part of the prompt, and ``shared`` which of its words the answer has and
    the message has not; null where unknown. ``draft`` and ``search_plan`` are those of a deliberate
    turn that was asked about: its first answer without memory, and what was looked up for it.
    ``precision`` says of the times of a fact that were not said as a day how precisely they were.
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
    reranker: str = "none"
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


class Score(Struct, kw_only=True):
    """Of what was kept: ``right`` and ``wrong``; of what should be: ``found`` and ``missed``.

    ``precision`` is the share of the first that is right, ``recall`` the share of the second that
    was found; null where there is nothing to divide by.
    """

    right: int = 0
    wrong: int = 0
    found: int = 0
    missed: int = 0
    precision: float | None = None
    recall: float | None = None


class Tally(Struct, kw_only=True):
    """The figures of several cases. ``empty``: those that hold nothing to be kept, and
    ``empty_kept``: those of them of which something was kept. ``statements``: those that hold
    something and were replied to; ``refusals`` and ``echoes`` count such replies to them."""

    cases: int = 0
    facts: Score
    memories: Score
    empty: int = 0
    empty_kept: int = 0
    statements: int = 0
    refusals: int = 0
    echoes: int = 0


class MemoryEvaluation(Record, tag="memory_evaluation"):
    """What ``thalamus eval memory`` measured.

    ``models`` names the model of each stage, ``prompts`` is a fingerprint of their prompts. ``all``
    has the figures over all cases, ``kinds`` and ``languages`` those of each. ``seconds`` is the
    median of a turn; ``resumed``: cases that were there before. Without figures it heads a results
    file.
    """

    file: str
    sha256: str
    models: dict[str, str]
    embedder: str
    prompts: str
    all: Tally | None = None
    kinds: dict[str, Tally] = {}
    languages: dict[str, Tally] = {}
    seconds: float = 0.0
    resumed: int = 0


class Judged(Struct, kw_only=True):
    """A fact or a memory with its verdict: ``right`` or ``wrong`` for what was kept, ``missed``
    for what should have been."""

    what: Literal["fact", "memory"]
    verdict: Literal["right", "wrong", "missed"]
    text: str


class MemoryCase(Record, tag="memory_case"):
    """One case of an evaluation of the memory: what was said, the reply, and what was kept.

    ``wanted`` counts the facts and memories that should be kept; ``empty``: nothing should.
    ``reply`` says what is wrong with the answer. ``seconds``: of each turn; ``issues``: what
    failed.
    """

    id: str
    message: str
    at: str
    before: list[str] = []
    kind: str = ""
    language: str = ""
    half: str = ""
    kept: list[Judged] = []
    wanted: dict[str, int] = {}
    empty: bool = False
    answer: str | None = None
    reply: Literal["", "refusal", "echo"] = ""
    seconds: list[float] = []
    issues: list[str] = []


class PersonaAnswers(Record, tag="persona_answers"):
    """The answers to one question, by the model or the memory that gave each."""

    question: str
    answers: dict[str, str] = {}
