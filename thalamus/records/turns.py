"""One message and what the stages make of it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from thalamus.records.base import Decision, EvidenceKind, Issue, Mode, Record, Scope, Text, Unit
from thalamus.records.memories import Fact, Memory, PartialDate, Provenance
from thalamus.records.profiles import ProfileLine
from thalamus.records.worlds import World, WorldOperation

Route = Literal["context", "world", "answer"]
SourceKind = Literal[
    "chat_turns", "memories", "facts", "documents", "notes", "world", "manifest", "tool"
]


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
    """What the next turn of a session and its user should have at hand, chosen at the end of this
    one."""

    retrieval_instructions: list[Instruction] = []
    id: str | None = None
    session: str | None = None
    turn: str | None = None
    created_at: str | None = None
    user: str | None = None


class Evidence(Record, tag="evidence"):
    """Something recalled: ``score`` orders it (higher is better, comparable within one answer),
    ``scores`` holds its parts, ``relevance`` says how much it has to do with the question whatever
    else was found (None where the question asks for nothing in particular), ``why`` in words how
    it was found, ``stale`` why it may no longer be true, ``suspicious`` which pattern of an
    instruction a piece of a document holds."""

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
    type: str | None = None
    topic: str | None = None
    user: str | None = None
    trust: Unit = 1.0
    provenance: Provenance | None = None
    stale: str | None = None
    suspicious: str | None = None


class Verdict(Record, tag="verdict"):
    """A decision about one thing and its reason.

    ``decision``: add (stored), exists (already there), reinforce (said again), update (a fuller
    version), supersede (no longer so), ignore (too little), quarantine (kept, not recalled), refuse
    (not stored), retract (taken back), keep, drop, forget …; ``rule`` is stable.
    """

    decision: Decision
    reason: str
    rule: str
    id: str | None = None
    content: str = ""


class Ending(Struct, kw_only=True, forbid_unknown_fields=True):
    """A memory or a fact that is over, by its ``id``, with nothing in its place: since
    ``valid_to``, or since it was said; ``quote`` is what the user said of it."""

    id: str
    quote: str | None = None
    valid_to: PartialDate | None = None


class Reflection(Record, tag="reflection"):
    """What is worth keeping of a turn: memories and facts, what is over (``no_longer``), and what
    was refused and why.

    On its own it can be piped to ``store``; ``session`` … ``created_at`` then apply to what it
    holds where that does not say otherwise.
    """

    memories_to_store: list[Memory] = []
    facts: list[Fact] = []
    no_longer: list[Ending] = []
    refused: list[Verdict] = []
    turn: str | None = None
    session: str | None = None
    user: str | None = None
    agent: str | None = None
    created_at: str | None = None


class Step(Struct, kw_only=True, forbid_unknown_fields=True):
    """One stage's entry in the ledger.

    ``inputs`` and ``outputs`` are ids; ``ms`` milliseconds; tokens as the model counted them, or
    estimated when it does not, ``tokens_cached`` those of ``tokens_in`` that it knew from an
    earlier call (absent when it does not say); ``detail`` what the stage wants to be remembered
    (the prompt's parts, a reply that could not be used …).
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
    """Which earlier exchanges of the session stand in the prompt, by their ids, oldest first:
    ``shown`` does, ``evicted`` are those of the last that no longer find room or are too
    many."""

    shown: list[str] = []
    evicted: list[str] = []


class MemoryRequest(Struct, kw_only=True, forbid_unknown_fields=True):
    """What the context builder wants to have looked up: at most ``k`` results for ``query``, of
    these ``types`` and of this ``topic`` only, where they are given."""

    query: Text
    k: Annotated[int, Meta(ge=1, le=50)] = 6
    types: list[str] = []
    topic: str | None = None


class SourceItem(Struct, kw_only=True, forbid_unknown_fields=True):
    """One thing in a source: what is evidence stands in ``Turn.evidence`` and is only named by its
    ``id``; of anything else the ``text`` stands here."""

    id: str | None = None
    text: str | None = None


class ContextSource(Struct, kw_only=True, forbid_unknown_fields=True):
    """Something that the context of a turn was built of: what a ``tool`` gave for its ``args``.

    ``cut``: what of it was left out because it would have taken more than its share of the prompt.
    """

    kind: SourceKind
    title: str
    items: list[SourceItem] = []
    tool: str | None = None
    args: dict[str, Any] = {}
    at: str | None = None
    cut: str | None = None


class TurnContext(Struct, kw_only=True, forbid_unknown_fields=True):
    """The context that `route` and `gather` built for an answer. ``complete``: the model said that
    nothing is missing; ``next`` and ``memory_request`` are what it asked for last; ``rounds`` how
    often it was asked."""

    sources: list[ContextSource] = []
    next: str | None = None
    complete: bool = False
    memory_request: MemoryRequest | None = None
    rounds: int = 0


class ToolCall(Struct, kw_only=True, forbid_unknown_fields=True):
    """One call of a tool: its ``result``, or the ``error`` because of which there is none; ``ms``
    milliseconds."""

    id: str
    stage: str
    name: str
    args: dict[str, Any] = {}
    result: Any = None
    error: str | None = None
    ms: int = 0


class Turn(Record, tag="turn"):
    """One message and everything that the stages made of it.

    The least one is ``{"record":"turn","message":"…"}``; each stage fills in its part.
    ``dialogue`` is decided once, by `retrieve` or, without it, by `answer`; absent where nothing
    was said before. ``profile`` are the lines of the user's profile as `answer` put them in the
    prompt.
    ``route`` … ``proposals`` are there in a routed turn only: where it went, the ``context`` that
    was built for it, the ``world`` as it was, the ``tool_calls`` of all stages in order, what they
    want changed in the world (``world_operations``) and remembered (``proposals``), which is
    decided about and done when the turn is stored.
    ``draft`` and ``search_plan`` are there in a deliberate turn only: a first answer without
    memory, and what was looked up because of it. ``status`` is ``degraded`` where the model of the
    router, or of these, could not be used and the turn went the way of the classic flow.
    ``interrupted`` names the stage in which the user interrupted it, ``ref`` the message of another
    system's export that it was made of: Thalamus sets them, an export has them, and `store` leaves
    out what a record says of them.
    """

    message: Text
    id: str | None = None
    session: str | None = None
    user: str | None = None
    agent: str | None = None
    created_at: str | None = None
    recorded_at: str | None = None
    interrupted: str | None = None
    ref: str | None = None
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
