"""What a store takes and gives besides records."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from thalamus.records import EvidenceKind, Provenance


class Filter(Struct, frozen=True):
    """Which entries a search or a listing may return; None and empty mean "any".

    ``since`` and ``until`` bound ``created_at`` (inclusive, exclusive); ``as_of`` keeps the facts
    that held at that time and what had been said by then; ``now`` leaves out what has expired.
    ``known_at`` asks what the store believed then (facts only); without ``as_of`` of that time.
    ``status`` lists memories of another status than active (``all`` for any; searches know the
    active ones only). ``user`` and ``agent`` also let entries through that belong to nobody in
    particular.
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
    exclude: tuple[str, ...] = ()
    status: str | None = None


class Change(Struct, frozen=True):
    """A fact that holds otherwise than before: ``id``, when it held and when it holds now.

    ``lost``: what it says is no longer true at some time at which it was. Otherwise it only holds
    longer, or another fact that says the same holds in its place.
    """

    id: str
    before: list[tuple[str, str | None]]
    after: list[tuple[str, str | None]]
    lost: bool


class Entry(Struct, frozen=True):
    """One row that can be found: a memory, a fact, a turn or a piece of a document."""

    key: int
    id: str
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

    entry: Entry
    score: float


class Space(Struct, frozen=True):
    """A space of vectors: those of one embedding model."""

    model: str
    dimension: int
    count: int = 0


class Vector(Struct, frozen=True):
    """A packed vector with the name of the model that made it."""

    model: str
    data: bytes


class Likeness(Struct, frozen=True):
    """Cosines of entries with a vector, by key; ``background``: that of any entry of the store."""

    cosines: dict[int, float]
    background: float


class Graph(Struct):
    """What came of building a graph over one model's vectors.

    ``recall``: the share of the nearest 10 that it finds; None when none was built.
    """

    model: str
    rows: int
    kept: bool = False
    recall: float | None = None
    expansion: int = 0
    note: str = ""


class IndexState(Struct):
    """How an index stands against the tables."""

    name: str
    entries: int
    behind: int
    healthy: bool
    note: str = ""
    extra: dict[str, Any] = {}
