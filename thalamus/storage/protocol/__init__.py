"""The interface of a store, behind which another database can be used.

``Store`` and its ``Writer`` are mandatory for every database: whole records, and a small collection
for each subject. ``Erasable``, ``Backups`` and ``Maintenance`` are optional: a database may
implement them its own way, or not at all.

All writing happens in a *unit of work* (``Store.writing``): one transaction that is durable when
the ``with`` block ends, and is rolled back completely when it raises. The search indexes are synced
automatically; a search is right even while they lag, are missing or damaged.

Times are RFC 3339 text in UTC. A ``key`` is an integer that is unique over memories, facts and
turns, grows with every insertion and is never reused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from msgspec import Struct

from thalamus.records import (
    ConceptKind,
    Fact,
    Insight,
    Memory,
    Project,
    Record,
    SessionTitle,
    StageLog,
    Turn,
    World,
    WorldChange,
)
from thalamus.storage.protocol.conditions import (
    PRESENT,
    About,
    Both,
    ColumnComparison,
    Encrypted,
    Where,
    above,
    at_most,
    below,
    other_than,
)
from thalamus.storage.protocol.rows import ColumnInfo, Connection, Cursor, Rows
from thalamus.storage.protocol.values import (
    Change,
    FactQuery,
    FactState,
    Filter,
    Hit,
    IndexedRow,
    Interval,
    Similarities,
    Space,
    Vector,
)

if TYPE_CHECKING:
    from thalamus.records import Document, Event, Evidence, Plan
    from thalamus.storage.protocol.batches import Batches, MutableBatches
    from thalamus.storage.protocol.concepts import Concepts
    from thalamus.storage.protocol.encrypted import EncryptedContents
    from thalamus.storage.protocol.events import Events, MutableEvents
    from thalamus.storage.protocol.facts import Facts, MutableFacts
    from thalamus.storage.protocol.jobs import Jobs, MutableJobs
    from thalamus.storage.protocol.links import Links, MutableLinks
    from thalamus.storage.protocol.memories import Memories, MutableMemories, NewMemory
    from thalamus.storage.protocol.records import MutableRecords, Records
    from thalamus.storage.protocol.sessions import Sessions

__all__ = [
    "PRESENT",
    "About",
    "Both",
    "Change",
    "ColumnComparison",
    "ColumnInfo",
    "Connection",
    "Cursor",
    "Encrypted",
    "FactQuery",
    "FactState",
    "Filter",
    "Hit",
    "IndexedRow",
    "Interval",
    "Rows",
    "Similarities",
    "Space",
    "Vector",
    "Where",
    "above",
    "at_most",
    "below",
    "other_than",
]

NOBODY = "user"  # subject of unowned records
GENESIS = "0" * 64  # hash before the first ledger entry
FORGOTTEN = "forgotten"  # name of the ledger entry that names emptied ones
ERASURES = "erasures"  # key in ``meta``: number of erasures
HIDDEN = "(encrypted)"  # shown instead of content whose key is missing

R = TypeVar("R", bound=Record)


class ConceptName(NamedTuple):
    """Key, display name and kind of a concept."""

    key: str
    name: str
    kind: ConceptKind


class Touched(NamedTuple):
    """Searchable, unencrypted rows that a unit of work added or changed: records by their keys, and
    the keys of changed rows, by kind."""

    added: dict[int, Record]
    changed: dict[str, list[int]]


# called at the end of a unit of work, in its transaction
Follower = Callable[["Writer", Touched], None]
# (record, is_encrypted) -> subject under whose key the record is encrypted, or None;
# ``is_encrypted`` tests evidence for encrypted content
SubjectOf = Callable[["Memory | Fact | Turn", Callable[["Sequence[Evidence]"], bool]], "str | None"]


_FIRST: dict[type, str] = {
    Memory: "content",
    Fact: "object",
    Turn: "message",
    Project: "name",
    Insight: "content",
    World: "project",
    StageLog: "reply",
    SessionTitle: "title",
}


def is_hidden(record: Record) -> bool:
    """True for an encrypted record that was not decrypted."""
    if isinstance(record, WorldChange):
        return not record.operations  # otherwise it has some
    field = _FIRST.get(type(record))
    return field is not None and getattr(record, field) == HIDDEN


# -- every database -------------------------------------------------------------------------------


class Reader(Protocol):
    """Common reading interface of a store and a unit of work: whole records (``find``), and small
    collections with queries for each subject.

    ``where`` selects records (all conditions must hold), ``order`` names fields (with ``-`` in
    descending order). Writes of the current unit of work are visible.
    """

    @property
    def batches(self) -> Batches: ...

    @property
    def concepts(self) -> Concepts: ...

    @property
    def encrypted(self) -> EncryptedContents: ...

    @property
    def events(self) -> Events: ...

    @property
    def facts(self) -> Facts: ...

    @property
    def jobs(self) -> Jobs: ...

    @property
    def links(self) -> Links: ...

    @property
    def memories(self) -> Memories: ...

    @property
    def sessions(self) -> Sessions: ...

    def records(self, kind: type[Record]) -> Records:
        """Records of a kind."""
        ...

    def find(
        self,
        kind: type[R],
        where: Where | None = None,
        order: Sequence[str] = (),
        limit: int | None = None,
    ) -> list[R]:
        """Records of a kind. Encrypted ones are decrypted if the key is available, else their
        content is ``HIDDEN``. With an order or a limit no condition may have more than a few
        hundred values."""
        ...

    def embeddings(self, keys: Sequence[int]) -> list[tuple[bytes, bytes | None]]:
        """Embeddings of entries, with their sentence vectors, of any model."""
        ...

    def value(self, name: str) -> Any:
        """A store-wide value; None when it is not set."""
        ...


class Writer(Reader, Protocol):
    """One unit of work; ``now`` is the time at which it began."""

    now: str

    @property
    def batches(self) -> MutableBatches: ...

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

    def set_value(self, name: str, value: Any) -> None:
        """Sets a store-wide value; None deletes it."""
        ...

    def add(
        self, record: Record, vector: Vector | None = None, *, judged: bool = True, **derived: Any
    ) -> bool:
        """Adds a record, with its embedding if it is searchable. ``derived`` has the columns of its
        kind that are not fields: for a fact ``entity`` and ``value``, the keys by which its subject
        and object are compared; and hashes that the caller has computed already (``hash``). Notes
        and beliefs of a fact are added by the caller. False when a record with its identity exists,
        which is left unchanged; for a memory the caller must have checked that.

        A turn that was not ``judged``, that is reflected on, is encrypted as if it were personal,
        because that is not known yet (see ``reveal``).
        """
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

    def hash(self, record: Memory | Fact | Turn | Insight, plain: bytes) -> bytes:
        """Hash of a record's words as stored; for words to be encrypted, one that cannot be used to
        confirm a guess."""
        ...

    def put_vector(self, key: int, vector: Vector | None) -> None:
        """Sets the embedding of a stored entry; that of an encrypted one is encrypted with it. None
        deletes the present one, because the content changed."""
        ...

    def touch(self, keys: Sequence[int]) -> None:
        """Queues entries whose concepts are recomputed at the end of the unit of work."""
        ...

    def set_concepts(
        self, about: Mapping[int, tuple[str, Sequence[ConceptName]]], *, new: bool = False
    ) -> None:
        """Replaces the concepts of entries, given by key as an owner and concepts of that owner
        (``new``: they had none). Concepts without entries are deleted when the unit of work
        ends."""
        ...

    def add_event(self, event: Event, *more: Event) -> Event:
        """Appends entries to the ledger, in this order; returns the first with its ``seq``,
        ``prev`` and ``hash``."""
        ...


class Store(Reader, Protocol):
    """A store of one tenant."""

    def writing(self, more: bool = False, *, wait: bool = True) -> AbstractContextManager[Writer]:
        """A unit of work. Raises ``StoreBusy`` or ``StoreFull``, in which case nothing was written.

        ``more``: further ones follow at once, so the search indexes are only synced now and then,
        and when the store is closed. ``wait`` false is for dispensable writes that are in no index:
        it raises ``StoreBusy`` at once instead of waiting for another process.
        """
        ...

    def exclusive(self, task: str, wait: bool = False) -> AbstractContextManager[None]:
        """Holds the lock of a task that one process at a time may run. Raises ``StoreBusy``, unless
        it is to ``wait`` for as long as that takes."""
        ...

    def search_text(
        self, tokens: Sequence[str], where: Filter, limit: int, *, informative: bool = False
    ) -> list[Hit]:
        """Full text: the best ``limit`` entries by BM25 for these query tokens. With
        ``informative`` a large store may ignore tokens that are too common to be informative, which
        take the longest: for queries made of all words of a text."""
        ...

    def text_scores(self, tokens: Sequence[str], keys: Sequence[int]) -> dict[int, float]:
        """BM25 scores of the entries with these keys, as from ``search_text``; without entries that
        have none of the words, and encrypted ones."""
        ...

    def search_vector(self, vector: Vector, where: Filter, limit: int) -> list[Hit]:
        """The ``limit`` nearest entries by cosine similarity in the vector's space."""
        ...

    def similarities(
        self, vector: Vector, keys: Sequence[int], sentences: Sequence[int] = ()
    ) -> Similarities:
        """Cosines of the entries with these ``keys``, the store's average cosine, and the cosine of
        the nearest sentence of the entries in ``sentences``."""
        ...

    def entries(self, where: Filter, limit: int, newest: bool = True) -> list[IndexedRow]:
        """Entries without a query, by time."""
        ...

    def spaces(self) -> list[Space]:
        """Embedding models with vectors in the store."""
        ...

    def unembedded(self, model: str, limit: int, after: int = 0) -> list[tuple[int, str, str]]:
        """(key, text, text to be embedded by sentence) of entries without a vector of this model,
        oldest first; only those with a key larger than ``after``."""
        ...

    def count_unembedded(self, model: str) -> int:
        """Number of entries without a vector of this model."""
        ...

    def get(
        self, id: str
    ) -> Turn | Memory | Fact | Document | Project | Insight | Plan | WorldChange | None:
        """The record with this id."""
        ...

    def complete_id(self, prefix: str) -> list[str]:
        """Ids that begin with ``prefix`` (at most 10)."""
        ...

    def entries_by_key(self, keys: Sequence[int], where: Filter) -> dict[int, IndexedRow]:
        """Searchable entries with these keys."""
        ...

    def keys_after(self, key: int, limit: int) -> list[tuple[int, str]]:
        """(key, kind of record) of the next entries in storage order."""
        ...

    def each(self, kind: type[R]) -> Iterator[R]:
        """All records of a kind in storage order, read in steps."""
        ...

    def everything(self) -> Iterator[Any]:
        """Every record, in an order in which they can be imported."""
        ...

    def vectors_of(self, ids: Iterable[str]) -> Mapping[str, Vector]:
        """Embeddings of entries, by id."""
        ...

    def counts(self) -> dict[str, int]:
        """Number of rows of each kind."""
        ...

    def close(self) -> None:
        """Closes files and releases locks."""
        ...


# -- optional -------------------------------------------------------------------------------------


class ErasedContent(Struct):
    """Deleted content, kept in memory only: for the search for residue, and for the receipt.

    ``texts``: (id, kind, text); ``vectors``: first bytes of embeddings and encrypted values;
    ``before`` and ``after``: the head of the ledger; ``changes``: facts whose intervals changed
    because of the deletion.
    """

    counts: dict[str, int] = {}
    texts: list[tuple[str, str, str]] = []
    names: list[str] = []
    vectors: list[bytes] = []
    keys: list[int] = []
    before: dict[str, object] = {}
    after: dict[str, object] = {}
    changes: list[Change] = []


class Residue(Struct, frozen=True):
    """A remainder of forgotten content: its file, byte offset (-1: not a place in a file), and
    description. ``copy``: the file is not part of the store and was not touched."""

    file: str
    offset: int
    what: str
    copy: bool = False


class ResidueReport(Struct):
    """Result of the search for residue. ``words``: forgotten words that also occur in what was
    kept."""

    files: int = 0
    bytes: int = 0
    probes: int = 0
    found: list[Residue] = []
    words: list[str] = []
    copies: list[str] = []


Holds = Callable[[bytes], bool]  # tests bytes for forgotten content
Clean = Callable[[Holds], None]  # removes forgotten content from a file


class Counting(Protocol):
    """Counts by the database, without reading every record."""

    def sizes(self) -> dict[str, int]:
        """Bytes on disk of the tables and of each index."""
        ...

    def recalls_between(
        self, times: Sequence[str], where: Where | None = None
    ) -> list[tuple[int, int]]:
        """(turns with evidence, pieces of evidence) of the turns in each period, as in
        ``count_between``."""
        ...

    def inactive_memories(self) -> dict[str, int]:
        """Number of memories by status, without active ones."""
        ...

    def quarantined_memories(self) -> list[str | None]:
        """Reasons for the quarantine of memories, as JSON; None for an encrypted one."""
        ...

    def most_recalled(self, limit: int) -> list[tuple[str, int]]:
        """(id, number of turns that it is evidence of), most often first."""
        ...

    def count_never_recalled(self, without: Sequence[str]) -> int:
        """Number of active non-core memories never used as evidence, excluding these types."""
        ...

    def oldest_never_recalled(self, without: Sequence[str], limit: int) -> list[str]:
        """Ids of the oldest of them."""
        ...

    def last_stages(self, entries: int) -> list[tuple[str, str]]:
        """(time, data as JSON) of stage entries among the last ``entries`` of the ledger, newest
        first."""
        ...


class CountingStore(Store, Counting, Protocol):
    """A store with ``Counting``."""


class Backups(Protocol):
    """Copies of a store, and their locations."""

    def backup(self, target: Path) -> None:
        """Writes a consistent copy of the tables to a file, while others may write."""
        ...

    def backups(self) -> list[Path]:
        """Known locations of copies of the store."""
        ...


class Erasable(Protocol):
    """Erasure of deleted content from a store's files."""

    def mark(self) -> tuple[int, ...]:
        """A value that changes with every write to the store."""
        ...

    def forgetting(self) -> AbstractContextManager[Writer]:
        """A unit of work whose deletions can be erased completely: after it the store is
        ``unfinished``. Raises ``StoreBusy`` or ``StoreFull``, in which case nothing was deleted."""
        ...

    def unfinished(self) -> bool:
        """True when something was deleted and not yet erased from the files."""
        ...

    def erase(self, progress: Callable[[str], None]) -> list[str]:
        """Erases deleted content from the indexes and the files; returns the failures."""
        ...

    def finished(self) -> None:
        """Records that nothing remains to be erased."""
        ...

    def residue(
        self,
        forgotten: ErasedContent,
        copies: Iterable[Path],
        progress: Callable[[str], None],
        outside: Mapping[Path, Clean] | None = None,
    ) -> ResidueReport:
        """Searches for residue in all files of the store, in those ``outside`` it, which are
        cleaned first, and in ``copies``."""
        ...


class ErasableStore(Backups, Erasable, Store, Protocol):
    """A store that can forget, and search its own backups for residue."""


class HnswResult(Struct):
    """Result of building an HNSW index over one model's vectors.

    ``recall``: share of the nearest 10 that it finds; None when none was built.
    """

    model: str
    rows: int
    kept: bool = False
    recall: float | None = None
    expansion: int = 0
    note: str = ""


class IndexState(Struct):
    """State of an index relative to the tables."""

    name: str
    entries: int
    behind: int
    healthy: bool
    note: str = ""
    extra: dict[str, Any] = {}


class Maintenance(Protocol):
    """Checks of a store, and upkeep of its indexes."""

    def check(self) -> list[str]:
        """Problems of the tables; empty when they are sound."""
        ...

    def count_encrypted(self) -> tuple[int, int]:
        """(encrypted rows, those of them whose key is missing)."""
        ...

    def index_states(self) -> list[IndexState]:
        """State of each index, its files verified byte by byte."""
        ...

    def rebuild_indexes(self) -> list[IndexState]:
        """Rebuilds every index from the tables. HNSW indexes are deleted; ``keep_hnsw`` builds new
        ones."""
        ...

    def build_hnsw(self, progress: Callable[[int], None]) -> list[HnswResult]:
        """Builds an HNSW index over the vectors of each model, which takes minutes.

        Keeps those whose recall against a scan is good enough. ``progress`` is called with the
        number of rows added.
        """
        ...

    def keep_hnsw(self, progress: Callable[[int], None]) -> list[HnswResult]:
        """Builds or extends HNSW indexes that are missing or cover too little, like the background
        process; does nothing while that is running. Returns the attempts."""
        ...
