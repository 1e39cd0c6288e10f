"""Drafts: records on their way into the store, with what the gate (``memory.write``) has found out
about them.

A draft owns its record: every step may change it in place, and the original record stays as it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Generic, Literal, TypeVar

from msgspec import UNSET, Struct

from thalamus.memory import memories
from thalamus.records import Fact, Link, Memory, Plan, Reflection, Turn
from thalamus.store import links
from thalamus.store.values import NewMemory

if TYPE_CHECKING:
    from thalamus.engine import Engine
    from thalamus.memory.memories import KnownMemories
    from thalamus.policy.novelty import Neighbour
    from thalamus.records import Verdict
    from thalamus.store.reader import Reader
    from thalamus.store.values import Vector
    from thalamus.store.writer import Writer

Storable = Turn | Memory | Fact | Reflection | Plan
R = TypeVar("R", bound=Storable, covariant=True)


class Draft(Struct, Generic[R], eq=False):
    """A record on its way into the store.

    ``index``: its position in the batch; ``dated``: it states its own time; ``vector``: its
    embedding; ``neighbours``: similar stored memories; ``verdict``: why it is not stored unchanged,
    by a plugin or by the checks of the gate; ``parts``: drafts of the reflection of a turn, or of a
    bare reflection; ``by_itself``: it is an independent record that its caller vouches for.
    """

    record: R
    index: int = 0
    dated: bool = True
    vector: Vector | None = None
    neighbours: Sequence[Neighbour] = ()
    verdict: Verdict | None = None
    parts: ReflectionDraft | None = None
    by_itself: bool = False

    @property
    def refused(self) -> bool:
        """True when it must not be stored at all."""
        return self.verdict is not None and self.verdict.decision not in ("add", "quarantine")


class ReflectionDraft(Struct, eq=False):
    """Contents of a reflection. ``rejected``: refused statements that may be kept in quarantine,
    each with its verdict; ``unwanted``: statements that are never kept."""

    reflection: Reflection
    memories: list[Draft[Memory]] = []
    facts: list[Draft[Fact]] = []
    rejected: list[Draft[Memory]] = []
    unwanted: list[Draft[Memory]] = []


def within(drafts: Sequence[Draft[Storable]]) -> Iterator[Draft[Storable]]:
    """The drafts and those inside their reflections."""
    for draft in drafts:
        yield draft
        if draft.parts is not None:
            yield from draft.parts.memories
            yield from draft.parts.facts


def save(
    draft: Draft[Memory],
    writer: Writer,
    engine: Engine,
    known: KnownMemories | None = None,
) -> Memory:
    """Writes a memory under a new id, with its vector and the link to its source, and registers it
    with ``known``."""
    memory = draft.record
    if memory.id is None:
        memory.id = new_id(memory, writer, engine)
    without_embedding(memory)
    identity = None if known is None else known.added(memory)
    writer.add_memories([NewMemory(memory, draft.vector, identity)])
    link_source(memory, writer)
    return memory


def save_all(drafts: Sequence[Draft[Memory]], writer: Writer) -> None:
    """Writes many memories that have their ids, at once."""
    rows = [NewMemory(without_embedding(draft.record), draft.vector) for draft in drafts]
    writer.add_memories(rows)
    links.add(writer, (link for row in rows for link in _links(row.memory)))


class NewMemories:
    """Memories of one transaction that are new and are written together. Call ``save`` before
    anything else is written, or anything is read that concerns them. ``linked``: with links to
    their sources."""

    def __init__(
        self, writer: Writer, engine: Engine, known: KnownMemories, *, linked: bool = True
    ) -> None:
        self._writer = writer
        self._engine = engine
        self._known = known
        self._linked = linked
        self._rows: list[NewMemory] = []

    def take(self, draft: Draft[Memory]) -> Memory:
        """Gives a memory its id, and registers it as known."""
        memory = without_embedding(draft.record)
        if memory.id is None:
            if self._engine.clock.fixed:  # ids derive from content, and can collide
                self.save()
            memory.id = new_id(memory, self._writer, self._engine)
        self._rows.append(NewMemory(memory, draft.vector, self._known.added(memory)))
        return memory

    def save(self) -> None:
        """Writes the memories taken so far."""
        rows, self._rows = self._rows, []
        self._writer.add_memories(rows)
        if self._linked:
            links.add(self._writer, (link for row in rows for link in _links(row.memory)))


def without_embedding(memory: Memory) -> Memory:
    """Removes fields from a memory in place that only serve its storing: its embedding, and
    ``corrects``."""
    memory.embedding = memory.embedding_model = UNSET
    memory.replaces = memory.corrects = UNSET
    return memory


def new_id(memory: Memory, reader: Reader, engine: Engine) -> str:
    """A random id; with a fixed clock one derived from the memory, or the next free one for a
    repeated memory."""
    identity = identity_of(memory)
    id = engine.clock.new_id("mem", *identity)
    repetition = 0
    while engine.clock.fixed and memories.with_id(reader, id) is not None:
        repetition += 1
        id = engine.clock.new_id("mem", *identity, repetition)
    return id


def identity_of(item: Memory | Fact) -> tuple[object, ...]:
    """Fields that the id of a memory or a fact is derived from when the clock is fixed."""
    body = item.content if isinstance(item, Memory) else item.object
    return item.user, item.agent, item.session, item.created_at, body, item.metadata


def link_source(item: Memory | Fact, writer: Writer) -> None:
    """Links a memory or a fact to its source turn and document."""
    links.add(writer, _links(item))


def _links(item: Memory | Fact) -> Iterator[Link]:
    source, id = item.provenance, item.stored_id
    if source is not None and source.turn:
        yield Link(source=id, relation="derived_from", target=source.turn)
    if source is not None and source.document:
        piece = isinstance(item, Memory) and item.type == "document_chunk"
        relation: Literal["part_of", "derived_from"] = "part_of" if piece else "derived_from"
        yield Link(source=id, relation=relation, target=source.document)
