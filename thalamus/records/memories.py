"""Memories, facts, documents, and the links between them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from thalamus.names import composed_path
from thalamus.records.base import Importance, Issue, Record, Scope, Sensitivity, Text, Unit

# a year, a month or a day in the user's time zone
PartialDate = Annotated[str, Meta(pattern=r"^\d{4}(-(0[1-9]|1[0-2])(-\d{2})?)?$")]
# types of memories that are found as documents
DOCUMENT_TYPES = ("document", "document_chunk", "document_summary")


class Provenance(Struct, kw_only=True, forbid_unknown_fields=True):
    """The origin of a record, down to the words.

    ``quote``: the words themselves; ``turn``: the turn they were said in; for documents the
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
    """Reason for a quarantine: the stable name of the rule, and an explanation."""

    rule: str
    reason: str = ""


class Memory(Record, tag="memory"):
    """Something to remember. The minimum is ``{"record":"memory","content":"…"}``.

    ``type``: its kind (user_identity, preference, project, observation, …); ``trust``: how far it
    can be believed (1 for the user's own words, less for documents and other people's text).
    ``created_at``: when it was said; ``recorded_at``: when this store learned it. ``sensitivity``:
    ``personal`` if the content is to be stored encrypted. ``pinned`` memories are never pruned;
    ``batch``: the prune that retired it. ``salience``: how much it matters in itself (0 to 1,
    computed when it is stored); ``strength``: grows each time it is said again, ``seen`` times so
    far, last at ``seen_at``. ``stale``: why it may no longer be true, null if it is fine.
    ``quarantine``: why it is quarantined; ``suspicious``: the instruction pattern found in a
    document chunk; ``released``: a person released it from quarantine. Thalamus sets these three
    and exports them; `store` ignores them in its input. ``valid_from`` and ``valid_to``: when it
    holds, as precisely as it was said (``2026``, ``2026-06``, ``2026-06-19``). ``replaces``: the id
    of the memory it replaces because things have changed; ``corrects``: the id of the memory it
    replaces because that was wrong. ``embedding``: an optional vector of the model
    ``embedding_model``; it is stored but not written back.
    """

    content: Text
    if TYPE_CHECKING:
        id: str = ""  # once stored
    else:
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
        """True for a chunk or the summary of a document."""
        return self.type in DOCUMENT_TYPES


class Note(Struct, kw_only=True, forbid_unknown_fields=True):
    """A later assertion about a fact: that it holds (``mention``, or ``since`` with a date), or
    that it ended (``end``)."""

    kind: Literal["mention", "since", "end"]
    at: str
    recorded_at: str


class Belief(Struct, kw_only=True, forbid_unknown_fields=True):
    """An interval in which a fact held, as believed by the store from ``believed_from`` until
    ``believed_to`` (null: still believed)."""

    valid_from: str
    believed_from: str
    valid_to: str | None = None
    believed_to: str | None = None


class Fact(Record, tag="fact"):
    """A statement with four clocks.

    ``valid_from`` and ``valid_to`` are times in the world; ``recorded_at`` and ``retired_at`` are
    times in the store: when it learned the fact and when the fact was retracted or corrected.
    ``quote``: the sentence it was taken from; ``created_at``: when that was said. ``sensitivity``:
    ``personal`` if the object and its quote are to be stored encrypted.

    ``valid_from`` and ``valid_to`` are computed from all assertions. An export and `facts history`
    show these: ``stated_from`` and ``stated_to`` from the fact itself, later ones in ``notes``, and
    all ``beliefs``, including past ones. ``subject_said``: the original subject, where an alias is
    shown. ``replaces``: the id of the fact that this one ends; ``corrects``: the id of the fact it
    replaces because that was wrong.
    """

    subject: Text
    predicate: Text
    object: Text
    if TYPE_CHECKING:
        id: str = ""  # once stored
    else:
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
    """Another name for an entity. ``reason``: ``hand`` (merged by hand), ``name`` (the user's own
    name) or ``apart`` (kept apart by hand). ``user``: the owner of the facts it applies to; null
    for everyone's."""

    name: Text
    target: Text
    reason: Literal["hand", "name", "apart"] = "hand"
    user: str | None = None
    recorded_at: str | None = None


class Predicate(Record, tag="predicate"):
    """A predicate with its cardinality, its spellings and its opposite. ``source``: ``packaged`` or
    ``own``."""

    name: Text
    cardinality: Literal["one", "many"] = "many"
    spellings: list[Text] = []
    opposite: str | None = None
    description: str = ""
    source: Literal["packaged", "own"] = "own"


class Document(Record, tag="document"):
    """Result of ingesting one file or page.

    ``status``: ingested, unchanged (the same bytes are already stored) or failed, then with the
    ``kind`` of failure (encrypted, broken, no_text, too_slow, too_large, unsupported, missing,
    unreadable, forgotten; of an address also unreachable, refused or busy) and the ``reason``.
    ``path``: the file, or the address of a page, which has the date on which it was ``published``,
    if it says so, and the id of its ``source``; ``etag`` and ``last_modified`` make the next
    request conditional.
    ``user`` and ``agent``: its owner, as of its chunks; an empty user stands for the one who uses
    the store without a name.
    """

    path: str
    status: Literal["ingested", "unchanged", "failed"]
    if TYPE_CHECKING:
        id: str = ""  # once stored
    else:
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
    source: str | None = None
    published: str | None = None
    etag: str | None = None
    last_modified: str | None = None
    user: str | None = None
    agent: str | None = None
    kind: str | None = None
    reason: str | None = None
    issues: list[Issue] = []
    ms: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        self.path = composed_path(self.path)


class Link(Record, tag="link"):
    """A provenance link between two ids: ``source`` relation ``target``. ``proposes``: a memory in
    quarantine that another program wants in the place of a stored one."""

    source: str
    relation: Literal[
        "derived_from", "evidence_of", "supersedes", "merged_into", "about", "part_of", "proposes"
    ]
    target: str
