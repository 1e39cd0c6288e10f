"""Turns: one message and the results of its stages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from thalamus.records.base import (
    Decision,
    EvidenceKind,
    Issue,
    Mode,
    Record,
    Scope,
    Sensitivity,
    Text,
    Unit,
)
from thalamus.records.memories import Fact, Memory, PartialDate, Provenance
from thalamus.records.profiles import ProfileLine
from thalamus.records.worlds import World, WorldOperation

Route = Literal["context", "world", "answer"]
SourceKind = Literal[
    "chat_turns", "memories", "facts", "documents", "notes", "world", "manifest", "tool"
]


class Instruction(Struct, kw_only=True, forbid_unknown_fields=True):
    """One instruction of a retrieval plan: what to look for, where, and how much of it.

    ``mode``: memory, facts (statements), history (past turns), document, or all of these. ``since``
    and ``until`` bound when something was said; ``as_of`` asks for what was true at that time.
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
    """Retrieval instructions for the next turn of a session and its user, made at the end of a
    turn."""

    retrieval_instructions: list[Instruction] = []
    if TYPE_CHECKING:
        id: str = ""  # once stored
    else:
        id: str | None = None
    session: str | None = None
    turn: str | None = None
    created_at: str | None = None
    user: str | None = None


class Signal(Struct, kw_only=True, forbid_unknown_fields=True):
    """One of the signals that a score consists of: its ``value`` (0 to 1) times its ``weight`` is
    what it ``adds``."""

    value: Unit
    weight: float
    adds: float


class Explanation(Struct, kw_only=True, forbid_unknown_fields=True):
    """Explanation of the score of a piece of evidence. ``total``: the sum of the ``signals``;
    ``best``: the total that counts as 1; ``factors``: what their quotient is multiplied by, which
    gives ``score``. Equals exchange places together with the scores of these, and a reranker
    changes places too. ``relevance``: what each signal gives by itself."""

    signals: dict[str, Signal]
    total: float
    best: float
    factors: dict[str, float] = {}
    score: Unit
    relevance: dict[str, float] = {}


class Evidence(Record, tag="evidence"):
    """A recalled entry. ``score``: its rank within one answer (higher is better); ``scores``: what
    was measured for it (BM25, cosines …); ``explanation``: how the score is made of that, if asked
    for; ``relevance``: its absolute relevance to the question, null if the question asks for
    nothing in particular; ``why``: how it was found, in words; ``stale``: why it may no longer be
    true; ``suspicious``: the instruction pattern found in a document chunk."""

    id: str
    kind: EvidenceKind
    text: str
    at: str | None = None
    session: str | None = None
    score: float = 0.0
    relevance: Unit | None = None
    why: str = ""
    metadata: dict[str, Any] = {}
    scores: dict[str, float] = {}
    explanation: Explanation | UnsetType = UNSET
    type: str | None = None
    topic: str | None = None
    user: str | None = None
    trust: Unit = 1.0
    provenance: Provenance | None = None
    stale: str | None = None
    suspicious: str | None = None


class Verdict(Record, tag="verdict"):
    """A decision about one record and its reason.

    ``decision``: add (stored), exists (already there), reinforce (said again), update (a fuller
    version), supersede (no longer true), ignore (too little content), quarantine (stored, not
    recalled), refuse (not stored), retract (withdrawn), keep, drop, forget …; ``rule`` is stable.
    ``sensitivity``: of a refused statement, ``personal`` if it is to be stored encrypted.
    """

    decision: Decision
    reason: str
    rule: str
    id: str | None = None
    content: str = ""
    sensitivity: Sensitivity | UnsetType = UNSET


class Ending(Struct, kw_only=True, forbid_unknown_fields=True):
    """A memory or a fact that no longer holds and has no successor, by its ``id``: since
    ``valid_to``, or since it was said; ``quote``: the user's words."""

    id: str
    quote: str | None = None
    valid_to: PartialDate | None = None


class Reflection(Record, tag="reflection"):
    """The content of a turn worth keeping: memories and facts, endings of known ones
    (``no_longer``), and refused proposals with reasons. ``forget``: ids of the memories and facts
    that the user asks to forget; they are proposed for deletion, and nothing else is kept.

    It can be piped to ``store`` by itself; ``session`` … ``created_at`` then apply to its memories
    and facts unless these have their own.
    """

    memories_to_store: list[Memory] = []
    facts: list[Fact] = []
    no_longer: list[Ending] = []
    forget: list[str] = []
    refused: list[Verdict] = []
    turn: str | None = None
    session: str | None = None
    user: str | None = None
    agent: str | None = None
    created_at: str | None = None


class Step(Struct, kw_only=True, forbid_unknown_fields=True):
    """The ledger entry of one stage.

    ``inputs`` and ``outputs`` are ids; ``ms``: milliseconds; tokens as counted by the model, or
    estimated if it does not count; ``tokens_cached``: the part of ``tokens_in`` it had cached
    (absent if unknown); ``detail``: further details from the stage (parts of the prompt, an
    unusable reply …).
    """

    stage: str
    at: str
    ms: int = 0
    model: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    tokens_cached: int | UnsetType = UNSET
    inputs: list[str] = []
    outputs: list[str] = []
    detail: dict[str, Any] = {}


class Dialogue(Struct, kw_only=True, forbid_unknown_fields=True):
    """The earlier exchanges of the session in the prompt, by id, oldest first: ``shown`` are
    included, ``evicted`` are recent ones that do not fit or exceed the limit."""

    shown: list[str] = []
    evicted: list[str] = []


class MemoryRequest(Struct, kw_only=True, forbid_unknown_fields=True):
    """A search requested by the context builder: at most ``k`` results for ``query``, restricted to
    ``types`` and ``topic`` if given."""

    query: Text
    k: Annotated[int, Meta(ge=1, le=50)] = 6
    types: list[str] = []
    topic: str | None = None


class SourceItem(Struct, kw_only=True, forbid_unknown_fields=True):
    """One item of a source. Evidence is in ``Turn.evidence`` and only referenced by its ``id``; any
    other item has its ``text`` here."""

    id: str | None = None
    text: str | None = None


class ContextSource(Struct, kw_only=True, forbid_unknown_fields=True):
    """A source of a turn's context: the result of a ``tool`` for its ``args``.

    ``cut``: a note on what was left out to stay within its share of the prompt.
    """

    kind: SourceKind
    title: str
    items: list[SourceItem] = []
    tool: str | None = None
    args: dict[str, Any] = {}
    at: str | None = None
    cut: str | None = None


class TurnContext(Struct, kw_only=True, forbid_unknown_fields=True):
    """The context that `route` and `gather` built for an answer. ``complete``: the model reported
    that nothing is missing; ``next`` and ``memory_request``: its last request; ``rounds``: the
    number of model calls."""

    sources: list[ContextSource] = []
    next: str | None = None
    complete: bool = False
    memory_request: MemoryRequest | None = None
    rounds: int = 0


class ToolCall(Struct, kw_only=True, forbid_unknown_fields=True):
    """One call of a tool: its ``result``, or the ``error`` if it failed; ``ms``: milliseconds;
    ``effect``: write if it changes or proposes something. ``first``: of several tools that do the
    same, the one that the configuration names first; absent if there are no others, or they were
    tried before."""

    id: str
    stage: str
    name: str
    args: dict[str, Any] = {}
    result: Any = None
    error: str | None = None
    ms: int = 0
    effect: Literal["read", "write"] = "read"
    first: str | UnsetType = UNSET


class Turn(Record, tag="turn"):
    """One message and the results of all its stages.

    The minimum is ``{"record":"turn","message":"…"}``; each stage fills in its part. ``dialogue``
    is decided once, by `retrieve` or otherwise by `answer`; absent if nothing was said before.
    ``profile``: lines of the user's profile that `answer` put in the prompt. ``route`` …
    ``proposals`` are set in routed turns only: the route, the ``context`` built for it, the
    ``world`` as it was, the ``tool_calls`` of all stages in order, and the changes they propose to
    the world (``world_operations``) and to memory (``proposals``), which are decided and done when
    the turn is stored. ``draft`` and ``search_plan`` are set in deliberate turns only: a first
    answer without memory, and the retrieval instructions based on it. ``status``: ``degraded`` if
    the model of the router, the draft or the search plan could not be used and the turn continued
    as in the classic flow. ``interrupted``: the stage in which the user interrupted it; ``ref``:
    the message of another system's export it came from. Thalamus sets these two and exports them;
    `store` ignores them in its input. ``sensitivity``: ``personal`` if message and answer are to be
    stored encrypted; of a stored turn, if they are.
    """

    message: Text
    if TYPE_CHECKING:
        id: str = ""  # once stored
    else:
        id: str | None = None
    session: str | None = None
    user: str | None = None
    agent: str | None = None
    created_at: str | None = None
    recorded_at: str | None = None
    interrupted: str | None = None
    ref: str | None = None
    sensitivity: Sensitivity | UnsetType = UNSET
    metadata: dict[str, Any] = {}
    retrieval_instructions: list[Instruction] = []
    dialogue: Dialogue | UnsetType = UNSET
    profile: list[ProfileLine] | UnsetType = UNSET
    route: Route | UnsetType = UNSET
    status: Literal["routed", "degraded"] | UnsetType = UNSET
    context: TurnContext | UnsetType = UNSET
    world: World | UnsetType = UNSET
    world_operations: list[WorldOperation] | UnsetType = UNSET
    tool_calls: list[ToolCall] | UnsetType = UNSET
    proposals: list[Memory] | UnsetType = UNSET
    draft: str | UnsetType = UNSET
    search_plan: list[Instruction] | UnsetType = UNSET
    evidence: list[Evidence] = []
    answer: str | None = None
    reflection: Reflection | None = None
    stored: list[Verdict] = []
    plan: Plan | None = None
    issues: list[Issue] = []
    trace: list[Step] = []
