"""Every record that crosses a pipe.

One JSON object per line; ``record`` names the kind, ``v`` its version. Unknown fields are
refused (a misspelt ``created_at`` must not be silently stamped "now"); ``metadata`` is the place
for one's own. Fields are only ever added. ``schemas/*.json`` are generated from these classes.

Times are RFC 3339 text in UTC (``2023-05-08T13:56:00Z``); a bare date is accepted. An empty text
or a null means "not given".
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

Importance = Literal["low", "medium", "high"]
Scope = Literal["core", "episodic", "archival"]
Mode = Literal["all", "memory", "facts", "history", "document"]
EvidenceKind = Literal["memory", "fact", "turn", "document"]
Unit = Annotated[float, Meta(ge=0, le=1)]
Text = Annotated[str, Meta(min_length=1)]


class Record(Struct, kw_only=True, tag_field="record", forbid_unknown_fields=True):
    """What all records share."""

    v: Literal[1] = 1


class Provenance(Struct, kw_only=True, forbid_unknown_fields=True):
    """Where something came from, down to the words.

    ``quote`` holds the words themselves; ``turn`` the turn they were said in; for documents the
    ``page`` (from 1) and the ``offset`` in characters within the document's text.
    """

    turn: str | None = None
    quote: str | None = None
    document: str | None = None
    page: int | None = None
    offset: int | None = None
    heading: str | None = None


class Memory(Record, tag="memory"):
    """Something to remember. The least one is ``{"record":"memory","content":"…"}``.

    ``type`` is its kind (user_identity, preference, project, observation, …); ``trust`` is how far
    it may be believed (1 the user's own words, lower for documents and other people's text).
    ``created_at`` is when it was said, ``recorded_at`` when this store learned it.
    ``embedding`` may be brought along, with the name of its model in ``embedding_model``; it is
    kept in the store and not written back.
    """

    content: Text
    id: str | None = None
    type: Text = "observation"
    topic: str | None = None
    importance: Importance = "medium"
    scope: Scope = "archival"
    created_at: str | None = None
    recorded_at: str | None = None
    session: str | None = None
    user: str | None = None
    agent: str | None = None
    trust: Unit = 1.0
    status: Literal["active", "superseded", "quarantined"] = "active"
    sensitivity: Literal["normal", "personal"] = "normal"
    expires_at: str | None = None
    metadata: dict[str, Any] = {}
    provenance: Provenance | None = None
    embedding: list[float] | UnsetType = UNSET
    embedding_model: str | UnsetType = UNSET


class Fact(Record, tag="fact"):
    """A statement with four clocks.

    ``valid_from`` and ``valid_to`` are times in the world, ``recorded_at`` and ``retired_at`` times
    in the store: when it learned the fact and when it stopped holding it for true.
    ``quote`` is the sentence it was taken from; ``created_at`` is when that was said.
    """

    subject: Text
    predicate: Text
    object: Text
    id: str | None = None
    valid_from: str | None = None
    valid_to: str | None = None
    recorded_at: str | None = None
    retired_at: str | None = None
    quote: str | None = None
    created_at: str | None = None
    session: str | None = None
    user: str | None = None
    agent: str | None = None
    trust: Unit = 1.0
    metadata: dict[str, Any] = {}
    provenance: Provenance | None = None
    embedding: list[float] | UnsetType = UNSET
    embedding_model: str | UnsetType = UNSET


class Instruction(Struct, kw_only=True, forbid_unknown_fields=True):
    """One instruction of a retrieval plan: what to look for, where, and how much of it.

    ``mode``: memory, facts (statements), history (past turns), document, or all of these.
    ``since`` and ``until`` bound when something was said; ``as_of`` asks what was true then.
    """

    mode: Mode = "memory"
    query: str = ""
    topic: str | None = None
    types: list[str] = []
    scope: Scope | None = None
    since: str | None = None
    until: str | None = None
    as_of: str | None = None
    limit: Annotated[int, Meta(ge=1, le=1000)] = 5


class Plan(Record, tag="plan"):
    """What the next turn of a session should have at hand, chosen at the end of this one."""

    retrieval_instructions: list[Instruction] = []
    id: str | None = None
    session: str | None = None
    turn: str | None = None
    created_at: str | None = None


class Evidence(Record, tag="evidence"):
    """Something recalled: ``score`` orders it (higher is better, comparable within one answer),
    ``scores`` holds its parts, ``why`` says in words how it was found."""

    id: str
    kind: EvidenceKind
    text: str
    at: str | None = None
    session: str | None = None
    score: float = 0.0
    why: str = ""
    metadata: dict[str, Any] = {}
    scores: dict[str, float] = {}
    type: str | None = None
    topic: str | None = None
    user: str | None = None
    trust: Unit = 1.0
    provenance: Provenance | None = None


class Verdict(Record, tag="verdict"):
    """A decision about one thing and its reason.

    ``decision``: add (stored), exists (already there), refuse (not stored) …; ``rule`` is stable.
    """

    decision: Literal["add", "exists", "refuse", "supersede"]
    reason: str
    rule: str
    id: str | None = None
    content: str = ""


class Reflection(Record, tag="reflection"):
    """What is worth keeping of a turn: memories and facts, and what was refused and why.

    On its own it can be piped to ``store``; ``session`` … ``created_at`` then apply to what it
    holds where that does not say otherwise.
    """

    memories_to_store: list[Memory] = []
    facts: list[Fact] = []
    refused: list[Verdict] = []
    turn: str | None = None
    session: str | None = None
    user: str | None = None
    agent: str | None = None
    created_at: str | None = None


class Issue(Struct, kw_only=True, forbid_unknown_fields=True):
    """Something that went wrong without stopping the turn. ``code`` is stable."""

    stage: str
    code: str
    message: str
    fix: str = ""


class Step(Struct, kw_only=True, forbid_unknown_fields=True):
    """One stage's entry in the ledger.

    ``inputs`` and ``outputs`` are ids; ``ms`` milliseconds; tokens as the model counted them, or
    estimated when it does not; ``detail`` what the stage wants to be remembered (the prompt's
    parts, a reply that could not be used …).
    """

    stage: str
    at: str
    ms: int = 0
    model: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    inputs: list[str] = []
    outputs: list[str] = []
    detail: dict[str, Any] = {}


class Turn(Record, tag="turn"):
    """One message and everything that the stages made of it.

    The least one is ``{"record":"turn","message":"…"}``; each stage fills in its part.
    """

    message: Text
    id: str | None = None
    session: str | None = None
    user: str | None = None
    agent: str | None = None
    created_at: str | None = None
    recorded_at: str | None = None
    metadata: dict[str, Any] = {}
    retrieval_instructions: list[Instruction] = []
    evidence: list[Evidence] = []
    answer: str | None = None
    reflection: Reflection | None = None
    stored: list[Verdict] = []
    plan: Plan | None = None
    issues: list[Issue] = []
    trace: list[Step] = []


class Document(Record, tag="document"):
    """What became of one file given to ``ingest``.

    ``status``: ingested, unchanged (the same bytes are already there) or failed, then with the
    ``kind`` of failure (encrypted, broken, no_text, too_slow, too_large, unsupported, missing,
    unreadable) and the ``reason``.
    """

    path: str
    status: Literal["ingested", "unchanged", "failed"]
    id: str | None = None
    title: str | None = None
    format: str | None = None
    pages: int | None = None
    chunks: int = 0
    characters: int = 0
    summary: str | None = None
    topic: str | None = None
    sha256: str | None = None
    recorded_at: str | None = None
    kind: str | None = None
    reason: str | None = None
    issues: list[Issue] = []
    ms: int = 0


class Link(Record, tag="link"):
    """A provenance link between two ids: ``source`` relation ``target``."""

    source: str
    relation: Literal[
        "derived_from", "evidence_of", "supersedes", "merged_into", "about", "part_of"
    ]
    target: str


class Event(Record, tag="event"):
    """Something that happened: a status, a message, an entry of the ledger.

    ``name`` is stable; ``data`` depends on it. ``seq`` and ``hash`` are there for ledger entries.
    """

    name: str
    at: str
    turn: str | None = None
    session: str | None = None
    data: dict[str, Any] = {}
    seq: int | None = None
    prev: str | None = None
    hash: str | None = None


class Error(Record, tag="error"):
    """A failure, as ``--json`` prints it on standard error. ``code`` is the exit status."""

    code: int
    name: str
    message: str
    fix: str = ""
    line: int | None = None
    field: str | None = None


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


RECORDS: dict[str, type[Record]] = {
    "turn": Turn,
    "memory": Memory,
    "fact": Fact,
    "reflection": Reflection,
    "plan": Plan,
    "evidence": Evidence,
    "verdict": Verdict,
    "document": Document,
    "link": Link,
    "event": Event,
    "error": Error,
    "evaluation": Evaluation,
    "evaluation_result": EvaluationResult,
}
