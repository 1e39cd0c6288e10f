"""What is remembered: memories, facts, documents, and the links between them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from thalamus.records.base import Importance, Issue, Record, Scope, Sensitivity, Text, Unit

# a year, a month or a day of the user's
PartialDate = Annotated[str, Meta(pattern=r"^\d{4}(-(0[1-9]|1[0-2])(-\d{2})?)?$")]
# the types of memories that are found as documents
DOCUMENT_TYPES = ("document", "document_chunk", "document_summary")


class Provenance(Struct, kw_only=True, forbid_unknown_fields=True):
    """Where something came from, down to the words.

    ``quote`` holds the words themselves; ``turn`` the turn they were said in; for documents the
    ``page`` (from 1), the ``offset`` in characters within the document's text, and the number of
    the ``chunk`` (from 0).
    """

    turn: str | None = None
    quote: str | None = None
    document: str | None = None
    page: int | None = None
    offset: int | None = None
    heading: str | None = None
    chunk: int | None = None


class Quarantine(Struct, kw_only=True, forbid_unknown_fields=True):
    """Why a memory is in quarantine: the stable name of the rule, and the reason in words."""

    rule: str
    reason: str = ""


class Memory(Record, tag="memory"):
    """Something to remember. The least one is ``{"record":"memory","content":"…"}``.

    ``type`` is its kind (user_identity, preference, project, observation, …); ``trust`` is how far
    it may be believed (1 the user's own words, lower for documents and other people's text).
    ``created_at`` is when it was said, ``recorded_at`` when this store learned it.
    ``sensitivity`` is ``personal`` when the content is to be kept encrypted.
    ``pinned`` memories are never pruned; ``batch`` names the prune that retired one.
    ``salience`` is how much it matters by itself (0..1, scored when it is stored), ``strength``
    grows each time it is said again: ``seen`` times so far, last at ``seen_at``. ``stale`` says why
    it may no longer be true, null when it is fine.
    ``quarantine`` says why it is in quarantine, ``suspicious`` names the pattern of an instruction
    that a piece of a document holds, ``released`` that a person took it out of quarantine: Thalamus
    sets these, an export has them, and `store` leaves out what a record says of them.
    ``valid_from`` and ``valid_to`` say when it holds, as precisely as it was said (``2026``,
    ``2026-06``, ``2026-06-19``).
    ``replaces`` is the id of the memory whose place this one takes, because things have changed;
    ``corrects`` that of one which was wrong.
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
    status: Literal["active", "superseded", "quarantined", "retired"] = "active"
    sensitivity: Sensitivity = "normal"
    expires_at: str | None = None
    pinned: bool = False
    batch: str | None = None
    salience: Unit | None = None
    strength: Annotated[float, Meta(ge=0)] = 1.0
    seen: Annotated[int, Meta(ge=0)] = 1
    seen_at: str | None = None
    stale: str | None = None
    quarantine: Quarantine | None = None
    suspicious: str | None = None
    released: bool = False
    valid_from: PartialDate | None = None
    valid_to: PartialDate | None = None
    metadata: dict[str, Any] = {}
    provenance: Provenance | None = None
    replaces: str | UnsetType = UNSET
    corrects: str | UnsetType = UNSET
    embedding: list[float] | UnsetType = UNSET
    embedding_model: str | UnsetType = UNSET

    @property
    def is_document(self) -> bool:
        """Whether it is a piece or the summary of a document."""
        return self.type in DOCUMENT_TYPES


class Note(Struct, kw_only=True, forbid_unknown_fields=True):
    """What was told of a fact after it: that it is so (``mention``, or ``since`` when it came with
    a date), or that it stopped being true (``end``)."""

    kind: Literal["mention", "since", "end"]
    at: str
    recorded_at: str


class Belief(Struct, kw_only=True, forbid_unknown_fields=True):
    """An interval in which a fact held, as the store believed it from ``believed_from`` until
    ``believed_to``; still, where there is none."""

    valid_from: str
    believed_from: str
    valid_to: str | None = None
    believed_to: str | None = None


class Fact(Record, tag="fact"):
    """A statement with four clocks.

    ``valid_from`` and ``valid_to`` are times in the world, ``recorded_at`` and ``retired_at`` times
    in the store: when it learned the fact and when it stopped holding it for true.
    ``quote`` is the sentence it was taken from; ``created_at`` is when that was said.
    ``sensitivity`` is ``personal`` when the object and its quote are to be kept encrypted.

    ``valid_from`` and ``valid_to`` follow from everything that was told. An export and
    `facts history` tell how: ``stated_from`` and ``stated_to`` as told with the fact itself, the
    ``notes`` that came later, and the ``beliefs``, past ones too. ``subject_said`` is the subject
    as it was said, where another name is shown. ``replaces`` is the id of the fact that this one
    ends, ``corrects`` that of the one whose place it takes because that was wrong.
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
    sensitivity: Sensitivity = "normal"
    metadata: dict[str, Any] = {}
    provenance: Provenance | None = None
    subject_said: str | UnsetType = UNSET
    stated_from: str | UnsetType | None = UNSET
    stated_to: str | UnsetType | None = UNSET
    notes: list[Note] | UnsetType = UNSET
    beliefs: list[Belief] | UnsetType = UNSET
    replaces: str | UnsetType = UNSET
    corrects: str | UnsetType = UNSET
    embedding: list[float] | UnsetType = UNSET
    embedding_model: str | UnsetType = UNSET


class Alias(Record, tag="alias"):
    """A name that means another one. ``reason``: ``hand`` (merged by hand), ``name`` (the user is
    called so) or ``apart`` (kept apart by hand). ``user``: whose facts it concerns; all, if none.
    """

    name: Text
    target: Text
    reason: Literal["hand", "name", "apart"] = "hand"
    user: str | None = None
    recorded_at: str | None = None


class Predicate(Record, tag="predicate"):
    """A predicate: how many values it has at a time, its spellings and its opposite. ``source``:
    ``packaged``, or ``own``."""

    name: Text
    cardinality: Literal["one", "many"] = "many"
    spellings: list[Text] = []
    opposite: str | None = None
    description: str = ""
    source: Literal["packaged", "own"] = "own"


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
