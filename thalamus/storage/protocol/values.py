"""What is asked of a store, and what it answers with."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, Struct, UnsetType

from thalamus.records import EvidenceKind, Note, Provenance

Interval = tuple[str, str | None]  # from, and to (exclusive); None: no end is known


class Filter(Struct, frozen=True):
    """Which entries a search or a listing may return; None and empty mean "any".

    ``since`` and ``until`` bound ``created_at`` (inclusive, exclusive); ``as_of`` keeps the facts
    that held at that time and what had been said by then; ``now`` leaves out what has expired.
    ``known_at`` asks what the store believed then (facts only); without ``as_of`` of that time.
    ``status`` lists memories of another status than active (``all`` for any; ``stale`` for the
    active ones that no longer hold; searches know the active ones only). ``user`` and ``agent``
    also let entries through that belong to nobody in particular.
    """

    kinds: tuple[EvidenceKind, ...] = ()
    types: tuple[str, ...] = ()
    topic: str | None = None
    scope: str | None = None
    session: str | None = None
    user: str | None = None
    agent: str | None = None
    since: str | None = None
    until: str | None = None
    as_of: str | None = None
    known_at: str | None = None
    now: str | None = None
    ids: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    status: str | None = None


class FactQuery(Struct, frozen=True):
    """Which facts to read; what is left empty does not restrict. ``user`` None: the facts of nobody
    in particular. ``value``: with this object, in the form by which objects are compared; needs
    ``user``, ``entity`` and ``predicates``. ``retired``: those that were retired too."""

    ids: tuple[str, ...] = ()
    user: str | UnsetType | None = UNSET
    entity: str | None = None
    predicates: tuple[str, ...] = ()
    value: str | None = None
    retired: bool = False


class FactState(Struct, frozen=True):
    """A fact as the resolution of intervals sees it.

    ``entity`` and ``value`` are what its subject and object are compared by; ``notes`` what came
    later, numbered in the order in which the store learned it; ``intervals`` when it holds, as is
    believed at present, and ``believed_since`` from when on, at the latest.
    """

    key: int
    id: str
    user: str | None
    agent: str | None
    subject: str
    subject_said: str | None
    entity: str
    predicate: str
    object: str
    created_at: str
    recorded_at: str
    stated_from: str | None
    stated_to: str | None
    retired_at: str | None
    value: str
    notes: list[tuple[int, Note]]
    intervals: list[Interval]
    believed_since: str


class Change(Struct, frozen=True):
    """A fact that holds otherwise than before: ``id``, when it held and when it holds now.

    ``lost``: what it says is no longer true at some time at which it was. Otherwise it only holds
    longer, or another fact that says the same holds in its place.
    """

    id: str
    before: list[tuple[str, str | None]]
    after: list[tuple[str, str | None]]
    lost: bool


class IndexedRow(Struct, frozen=True):
    """One row that can be found: a memory, a fact, a turn or a chunk of a document. ``record``: the
    kind of its record, ``kind`` as what it is found."""

    key: int
    id: str
    record: str
    kind: EvidenceKind
    text: str
    type: str | None
    topic: str | None
    created_at: str | None
    session: str | None
    user: str | None
    trust: float
    metadata: dict[str, Any]
    provenance: Provenance | None
    suspicious: str | None = None


class Hit(Struct, frozen=True):
    """An entry with the score of one search arm (BM25, or cosine similarity)."""

    entry: IndexedRow
    score: float


class Space(Struct, frozen=True):
    """A space of vectors: those of one embedding model."""

    model: str
    dimension: int
    count: int = 0


class Vector(Struct, frozen=True):
    """A packed vector with the name of the model that made it; ``sentences``: those of the
    sentences of what was answered (``text.sentence_vectors``)."""

    model: str
    data: bytes
    sentences: bytes = b""

    @property
    def dimension(self) -> int:
        return len(self.data) // 4


class Similarities(Struct, frozen=True):
    """Cosines of entries with a vector, by key; ``background``: that of any entry of the store;
    ``sentences``: those of the sentence nearest to it, of entries whose sentences are embedded."""

    cosines: dict[int, float]
    background: float
    sentences: dict[int, float] = {}
