"""Query and result values of a store."""

from __future__ import annotations

from typing import Any, NamedTuple

from msgspec import Struct

from thalamus.records import EvidenceKind, Memory, Note, Provenance

Interval = tuple[str, str | None]  # from, and to (exclusive); None: open end
EVER = "9999"  # later than any time


class Filter(Struct, frozen=True):
    """Selection of entries for a search or a listing; None and empty mean "any".

    ``since`` and ``until`` bound ``created_at`` (inclusive, exclusive); ``as_of`` selects the facts
    that held at that time and everything said by then; ``now`` leaves out expired records.
    ``known_at`` selects by the beliefs of that time (facts only), and also for that time unless
    ``as_of`` is given. ``status`` lists memories of another status than active (``all`` for any;
    ``stale`` for active ones that no longer hold; searches return active ones only). ``user`` and
    ``agent`` also match shared entries. ``metadata``: keys with their values as text. ``only``: ids
    among which to search as if the store held nothing else.
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
    only: frozenset[str] | None = None
    exclude: tuple[str, ...] = ()
    status: str | None = None
    metadata: tuple[tuple[str, str], ...] = ()


class FactGroup(Struct, frozen=True):
    """Facts of an owner (None: shared ones) about an entity, with one of these predicates;
    ``value``: key of their object, None for any."""

    owner: str | None
    entity: str
    predicates: tuple[str, ...]
    value: str | None


class FactState(Struct, frozen=True):
    """A fact as input for the resolution of intervals.

    ``entity`` and ``value`` are the keys by which its subject and object are compared; ``notes``
    its later notes, numbered in the order in which the store received them; ``intervals`` the
    periods in which it is currently believed to hold, and ``believed_since`` the latest time at
    which one of these beliefs began.
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
    trust: float
    value: str
    notes: list[tuple[int, Note]]
    intervals: list[Interval]
    believed_since: str


class Change(Struct, frozen=True):
    """A fact whose intervals changed: ``id``, the intervals before and after.

    ``lost``: it no longer holds at some time at which it did. Otherwise it only holds longer, or
    another fact with the same statement holds in its place. ``statement``: all facts with the same
    statement.
    """

    id: str
    before: list[tuple[str, str | None]]
    after: list[tuple[str, str | None]]
    lost: bool
    statement: FactGroup


class IndexedRow(Struct, frozen=True):
    """One searchable row: a memory, a fact, a turn or a chunk of a document. ``record``: the kind
    of its record, ``kind``: the kind of its entry; ``stale``: why a memory no longer holds, if that
    was noted; ``valid_to``: the end of what it says, where it has one."""

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
    stale: str | None = None
    valid_to: str | None = None


class Hit(Struct, frozen=True):
    """An entry with the score of one search arm (BM25, or cosine similarity)."""

    entry: IndexedRow
    score: float


class Found(Struct, frozen=True):
    """Hits of a search by words and of one by a vector, and the BM25 scores of all of them that
    have any of the words, by key."""

    text: list[Hit]
    vector: list[Hit]
    words: dict[int, float]


class Space(Struct, frozen=True):
    """The vector space of one embedding model."""

    model: str
    dimension: int
    count: int = 0


class Vector(Struct, frozen=True):
    """A packed vector with the name of its model; ``sentences``: vectors of the sentences of an
    answered text (``text.sentence_vectors``)."""

    model: str
    data: bytes
    sentences: bytes = b""

    @property
    def dimension(self) -> int:
        return len(self.data) // 4


class NewMemory(NamedTuple):
    """A memory to be added, with its embedding, and its identity (``Writer.hash``) if the caller
    has computed it."""

    memory: Memory
    vector: Vector | None = None
    identity: bytes | None = None


class Similarities(Struct, frozen=True):
    """Cosines of entries with a vector, by key; ``mean``: that of ``sampled`` entries of the store;
    ``sentences``: cosines of the nearest sentence, of entries with sentence vectors."""

    cosines: dict[int, float]
    mean: float
    sampled: int = 0
    sentences: dict[int, float] = {}
