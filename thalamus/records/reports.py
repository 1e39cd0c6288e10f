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
    "discovery_source",
    "insight",
    "plan",
    "world_change",
    "missing",
]


class Event(Record, tag="event"):
    """An event: a status, a message, or an entry of the ledger.

    ``name`` is stable and determines ``data``. ``seq`` and ``hash`` are set for ledger entries;
    ``body``: the digest of the entry's content, made with ``salt``. An entry whose content was
    forgotten keeps only ``body``.
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
    reflect, summarize, reject or source. ``counts``: numbers of retired, changed and new records;
    ``changes``: the first of them, as long as the batch can be undone; ``operations``: those of a
    world state change. ``until``: when the retired records are deleted and the batch can no longer
    be undone.
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


class Evaluation(Record, tag="evaluation"):
    """Results of ``thalamus eval retrieval``.

    ``scores``: any@k, all@k and recall@k over all ``questions``; ``types``: the same by kind;
    ``left_out``: skipped questions by reason; ``references``: gold references that could not be
    resolved; ``ms``: milliseconds per question; ``resumed``: results from an earlier run. Without
    figures it is the header of a results file.
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
    """One question of an evaluation with its gold ids, the ranked results and the time taken."""

    id: str
    question: str
    gold: list[str]
    ranked: list[str]
    type: str = ""
    ms: float = 0.0


class Score(Struct, kw_only=True):
    """Precision and recall. Of the kept items, ``right`` and ``wrong`` ones; of the wanted items,
    ``found`` and ``missed`` ones.

    ``precision``: the share of kept items that are right; ``recall``: the share of wanted items
    that were found; null if the divisor is zero.
    """

    right: int = 0
    wrong: int = 0
    found: int = 0
    missed: int = 0
    precision: float | None = None
    recall: float | None = None


class Tally(Struct, kw_only=True):
    """Figures over several cases. ``empty``: cases with nothing to keep; ``empty_kept``: those in
    which something was kept anyway. ``statements``: cases with something to keep and a reply;
    ``refusals`` and ``echoes``: counts of such replies to them."""

    cases: int = 0
    facts: Score
    memories: Score
    empty: int = 0
    empty_kept: int = 0
    statements: int = 0
    refusals: int = 0
    echoes: int = 0


class MemoryEvaluation(Record, tag="memory_evaluation"):
    """Results of ``thalamus eval memory``.

    ``models``: the model of each stage; ``prompts``: a fingerprint of the prompts. ``all``: figures
    over all cases; ``kinds`` and ``languages``: figures of each. ``seconds``: the median time of a
    turn; ``resumed``: cases from an earlier run. Without figures it is the header of a results
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
    """A fact or memory with its verdict: ``right`` or ``wrong`` if it was kept, ``missed`` if it
    should have been."""

    what: Literal["fact", "memory"]
    verdict: Literal["right", "wrong", "missed"]
    text: str


class MemoryCase(Record, tag="memory_case"):
    """One case of a memory evaluation: the message, the reply, and the kept items.

    ``wanted``: the number of facts and memories to keep; ``empty``: there is nothing to keep.
    ``reply``: the fault of the answer, if any. ``seconds``: of each turn; ``issues``: failures.
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
    """Answers to one question, by the model or memory that gave them."""

    question: str
    answers: dict[str, str] = {}
