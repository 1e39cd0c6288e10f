"""Writing to a store: one unit of work."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct

from thalamus.storage.protocol.reader import Reader

if TYPE_CHECKING:
    from thalamus.records import Event, Fact, Insight, Memory, Record, StageLog, Turn
    from thalamus.records.ownership import Owner
    from thalamus.storage.protocol.batches import MutableBatches
    from thalamus.storage.protocol.concepts import MutableConcepts
    from thalamus.storage.protocol.events import MutableEvents
    from thalamus.storage.protocol.facts import MutableFacts
    from thalamus.storage.protocol.jobs import MutableJobs
    from thalamus.storage.protocol.links import MutableLinks
    from thalamus.storage.protocol.memories import MutableMemories, NewMemory
    from thalamus.storage.protocol.records import MutableRecords
    from thalamus.storage.protocol.values import Vector


class Touched(Struct, frozen=True):
    """Searchable, unencrypted rows that a unit of work added or changed: records by their keys, and
    the keys of changed rows, by kind."""

    added: dict[int, Record]
    changed: dict[str, list[int]]


class Writer(Reader, Protocol):
    """One unit of work; ``now`` is the time at which it began; ``rewrote_plain``: rows that were
    stored in plain text before were encrypted, so their words have to be erased from the files."""

    now: str
    rewrote_plain: bool

    @property
    def acting(self) -> Owner:
        """The owner of what is done in this unit of work: of ledger entries about nobody's records,
        of batches and of written files."""
        ...

    @property
    def batches(self) -> MutableBatches: ...

    @property
    def concepts(self) -> MutableConcepts: ...

    @property
    def events(self) -> MutableEvents: ...

    @property
    def facts(self) -> MutableFacts: ...

    @property
    def jobs(self) -> MutableJobs: ...

    @property
    def links(self) -> MutableLinks: ...

    @property
    def memories(self) -> MutableMemories: ...

    def records(self, kind: type[Record]) -> MutableRecords: ...

    def set_value(self, name: str, value: str | None) -> None:
        """Sets a store-wide value; None deletes it."""
        ...

    def add(
        self,
        record: Record,
        vector: Vector | None = None,
        *,
        judged: bool = True,
        new: bool = False,
        **derived: Any,
    ) -> bool:
        """Adds a record, with its embedding if it is searchable. ``derived`` has the columns of its
        kind that are not fields: for a fact ``entity`` and ``value``, the keys by which its subject
        and object are compared; and hashes that the caller has computed already (``hash``). Notes
        and beliefs of a fact are added by the caller. False when a record with its identity exists,
        which is left unchanged; for a memory, or with ``new``, the caller must have checked that.

        A turn that was not ``judged``, that is reflected on, is encrypted as if it were personal,
        because that is not known yet (see ``reveal``).
        """
        ...

    def add_logs(self, logs: Sequence[StageLog]) -> None:
        """Adds many stage logs at once; those that exist are left unchanged."""
        ...

    def add_memories(self, memories: Sequence[NewMemory]) -> None:
        """Adds many memories at once; the caller must have checked that they are new."""
        ...

    def put(self, record: Record, **derived: Any) -> None:
        """Adds a record, or replaces the one with its identity."""
        ...

    def remove(self, id: str) -> bool:
        """Deletes a record with everything that belongs to it: embeddings, links, rows of other
        tables; False when it is missing. Ledger entries about it stay."""
        ...

    def renumber(self, id: str) -> int:
        """Gives a record a new key, which is returned, so that every index treats it as new."""
        ...

    def reveal(self, turn: Turn) -> None:
        """Stores a turn in plain text that was encrypted until its sensitivity was known; does
        nothing when it is personal or was never encrypted."""
        ...

    def encrypt(self, records: Mapping[str, str]) -> None:
        """Encrypts stored records in plain text, given by id with their kinds, and the ledger
        entries about them; at the end also what they were made of. Does nothing in a store that
        encrypts nothing."""
        ...

    def hash(self, record: Memory | Fact | Turn | Insight, plain: bytes) -> bytes:
        """Hash of a record's words as stored; for words to be encrypted, one that cannot be used to
        confirm a guess."""
        ...

    def put_vector(self, key: int, vector: Vector | None) -> None:
        """Sets the embedding of a stored entry; that of an encrypted one is encrypted with it. None
        deletes the present one, because the content changed."""
        ...

    def add_event(self, event: Event, *more: Event) -> Event:
        """Appends entries to the ledger, in this order; returns the first with its ``seq``,
        ``prev`` and ``hash``."""
        ...


# called at the end of a unit of work, in its transaction
Follower = Callable[["Writer", Touched], None]
