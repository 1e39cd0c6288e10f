"""What a store promises: the seam behind which another database can stand.

``Store`` and its ``Writer`` are what every database offers: whole records, and a small collection
for each subject. ``Erasable``, ``Backups`` and ``Maintenance`` are optional: what a database may
do its own way, or leave out.

All writing happens in a *unit of work* (``Store.writing``): one transaction that is durable when
the ``with`` block ends, and leaves nothing behind when it raises. The search indexes follow the
tables by themselves; a search is right even while they lag, are missing or damaged.

Times are RFC 3339 text in UTC. A ``key`` is an integer that is unique over memories, facts and
turns, grows with every insertion and is never used again.
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
    Comparison,
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
    "ColumnInfo",
    "Comparison",
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

NOBODY = "user"  # the subject of what belongs to nobody in particular
GENESIS = "0" * 64  # the hash before the first entry of the ledger
FORGOTTEN = "forgotten"  # the name of the entry of the ledger that names emptied ones
ERASURES = "erasures"  # in the table ``meta``: how often something was forgotten
# the kinds of jobs: to finish the flow of a turn, and to conclude insights from one
FINISH, CRYSTALLIZE = "finish", "crystallize"
HIDDEN = "(encrypted)"  # shown for a content whose key is missing

R = TypeVar("R", bound=Record)


class ConceptName(NamedTuple):
    """What a concept is compared by, how it is written, and of which kind it is."""

    key: str
    name: str
    kind: ConceptKind


class Touched(NamedTuple):
    """What a unit of work added and changed of what can be found, and is not encrypted: records by
    their keys, and the keys of changed rows, by their kind."""

    added: dict[int, Record]
    changed: dict[str, list[int]]


# called at the end of a unit of work, in its transaction
Follower = Callable[["Writer", Touched], None]
# under whose key a record is to be encrypted, None for under none; it may ask whether the content
# of any of some evidence is encrypted
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
    """Whether it is encrypted and was not opened."""
    if isinstance(record, WorldChange):
        return not record.operations  # it has some otherwise
    said = _FIRST.get(type(record))
    return said is not None and getattr(record, said) == HIDDEN


# -- every database -------------------------------------------------------------------------------


class Reader(Protocol):
    """What a store and a unit of work read in the same way: whole records (``find``), and small
    collections with what is asked of each subject.

    ``where`` says which records (all conditions hold), ``order`` names fields (``-`` before one:
    from the largest). What the present unit of work wrote is seen.
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
        """The records of a kind."""
        ...

    def find(
        self,
        kind: type[R],
        where: Where | None = None,
        order: Sequence[str] = (),
        limit: int | None = None,
    ) -> list[R]:
        """Records of a kind. Encrypted ones have their content where the key is here, and
        ``HIDDEN`` in its place where it is not. With an order or a limit no condition may have
        more than some hundred values."""
        ...

    def embeddings(self, keys: Sequence[int]) -> list[tuple[bytes, bytes | None]]:
        """The embeddings of entries, and those of their sentences, whatever their models."""
        ...

    def value(self, name: str) -> Any:
        """A value that is kept for the whole store; None without it."""
        ...


class Writer(Reader, Protocol):
    """One unit of work; ``now`` is when it began."""

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
        """Keeps a value for the whole store; None takes it away."""
        ...

    def add(
        self, record: Record, vector: Vector | None = None, *, judged: bool = True, **derived: Any
    ) -> bool:
        """Adds a record, with its embedding where it can be found; ``derived`` are the columns of
        its kind that are no fields, of a fact ``entity`` and ``value``: what its subject and object
        are compared by; and hashes, where the caller made them already (``hash``). The notes and
        beliefs of a fact are added by the caller. False when one with its identity is there
        already, which stays as it is; of a memory the caller knows that it is new.

        A turn that was not ``judged``, that is reflected upon, is kept encrypted as if it were
        personal, for nobody knows yet whether it is (see ``reveal``)."""
        ...

    def add_memories(self, memories: Sequence[NewMemory]) -> None:
        """Adds many memories at once, of which the caller knows that they are new."""
        ...

    def put(self, record: Record, **derived: Any) -> None:
        """Adds a record, or puts it in the place of the one with its identity."""
        ...

    def remove(self, id: str) -> bool:
        """Takes a record out, with all that hangs on it: embeddings, links, rows of other tables;
        False when there is none. The ledger keeps what it says of it."""
        ...

    def renumber(self, id: str) -> int:
        """Gives a record a new key, which is returned: every index takes it for a new one."""
        ...

    def reveal(self, turn: Turn) -> None:
        """Keeps a turn in plain words that was kept encrypted until it was known whether it is
        personal; nothing when it is personal or never was encrypted."""
        ...

    def hash(self, record: Memory | Fact | Turn | Insight, plain: bytes) -> bytes:
        """A hash of the words of a record as it is kept: of words that are to be encrypted one
        that nobody can confirm a guess by."""
        ...

    def put_vector(self, key: int, vector: Vector | None) -> None:
        """Adds the embedding of an entry that is already there; that of an encrypted one is
        encrypted with it. None deletes what there is: the entry says something else now."""
        ...

    def touch(self, keys: Sequence[int]) -> None:
        """Has what entries are about worked out again at the end of the unit of work."""
        ...

    def set_concepts(
        self, about: Mapping[int, tuple[str, Sequence[ConceptName]]], *, new: bool = False
    ) -> None:
        """What entries are about, by their keys: an owner and concepts of his, instead of what
        they were about before (``new``: nothing). A concept that nothing is about goes when the
        unit of work ends."""
        ...

    def add_event(self, event: Event, *more: Event) -> Event:
        """Appends entries to the ledger, in this order; returns the first with its ``seq``,
        ``prev`` and ``hash``."""
        ...


class Store(Reader, Protocol):
    """A store of one tenant."""

    def writing(self, more: bool = False, *, wait: bool = True) -> AbstractContextManager[Writer]:
        """A unit of work. Raises ``StoreBusy`` or ``StoreFull``; then nothing was written.

        ``more``: others follow at once. Then the search indexes are brought up to date now and
        again, and when the store is closed. Without ``wait``, for what may as well be left out and
        stands in no index: it never waits for another process, and raises ``StoreBusy`` at once.
        """
        ...

    def exclusive(self, task: str, wait: bool = False) -> AbstractContextManager[None]:
        """Only one process at a time does this task. Raises ``StoreBusy``, unless it is to
        ``wait`` for as long as that takes."""
        ...

    def search_text(
        self, tokens: Sequence[str], where: Filter, limit: int, *, telling: bool = False
    ) -> list[Hit]:
        """Full text: the best ``limit`` entries by BM25 for these query tokens. With ``telling``
        a large store may leave out tokens that so many entries have that they say little of any:
        for a search with all words of a text, in which these take the longest."""
        ...

    def text_scores(self, tokens: Sequence[str], keys: Sequence[int]) -> dict[int, float]:
        """The BM25 scores of the entries with these keys, as ``search_text`` gives them; without
        those that have none of the words, and those that are encrypted."""
        ...

    def search_vector(self, vector: Vector, where: Filter, limit: int) -> list[Hit]:
        """The ``limit`` entries nearest by cosine similarity in that model's space."""
        ...

    def similarities(
        self, vector: Vector, keys: Sequence[int], sentences: Sequence[int] = ()
    ) -> Similarities:
        """The cosines of the entries with these ``keys``, and that of any entry; of the entries
        with the keys in ``sentences`` that of the nearest of their sentences."""
        ...

    def entries(self, where: Filter, limit: int, newest: bool = True) -> list[IndexedRow]:
        """Entries without a query, by time."""
        ...

    def spaces(self) -> list[Space]:
        """The embedding models that have vectors here."""
        ...

    def unembedded(self, model: str, limit: int, after: int = 0) -> list[tuple[int, str, str]]:
        """(key, text, text whose sentences are embedded) of entries that have no vector of this
        model yet, oldest first; only those whose key is larger than ``after``."""
        ...

    def count_unembedded(self, model: str) -> int:
        """How many entries have no vector of this model yet."""
        ...

    def get(
        self, id: str
    ) -> Turn | Memory | Fact | Document | Project | Insight | Plan | WorldChange | None:
        """The record with this id."""
        ...

    def complete_id(self, prefix: str) -> list[str]:
        """The ids that begin with ``prefix`` (at most 10)."""
        ...

    def entries_by_key(self, keys: Sequence[int], where: Filter) -> dict[int, IndexedRow]:
        """The entries with these keys that a search may return."""
        ...

    def keys_after(self, key: int, limit: int) -> list[tuple[int, str]]:
        """(key, kind of record) of the next entries in the order in which they were stored."""
        ...

    def each(self, kind: type[R]) -> Iterator[R]:
        """All records of a kind in the order in which they were stored, not all at once."""
        ...

    def everything(self) -> Iterator[Any]:
        """Every record, in an order in which it can be stored again."""
        ...

    def vectors_of(self, ids: Iterable[str]) -> Mapping[str, Vector]:
        """The embeddings of entries, by id."""
        ...

    def counts(self) -> dict[str, int]:
        """How many rows each kind has."""
        ...

    def close(self) -> None:
        """Closes files and releases locks."""
        ...


# -- optional -------------------------------------------------------------------------------------


class ErasedContent(Struct):
    """What went, kept in memory only: to look for what may be left of it, and for the receipt.

    ``texts``: (id, kind, text); ``vectors``: the beginnings of their embeddings and
    of what was encrypted; ``before`` and ``after``: the head of the ledger; ``changes``: the facts
    that hold otherwise without those that went.
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
    """Something that is left: in which file, at which byte (-1: not a place in a file), what it is.
    ``copy``: the file is no part of the store and was not touched."""

    file: str
    offset: int
    what: str
    copy: bool = False


class ResidueReport(Struct):
    """How the search for residue went. ``words`` of the forgotten still stand in what was kept."""

    files: int = 0
    bytes: int = 0
    probes: int = 0
    found: list[Residue] = []
    words: list[str] = []
    copies: list[str] = []


Holds = Callable[[bytes], bool]  # whether some bytes hold anything of what was forgotten
Clean = Callable[[Holds], None]  # takes what holds it out of a file


class Counting(Protocol):
    """A store that counts without reading every record."""

    def sizes(self) -> dict[str, int]:
        """How many bytes the tables and each index have on the disk."""
        ...

    def recalls_between(
        self, times: Sequence[str], where: Where | None = None
    ) -> list[tuple[int, int]]:
        """(how many of the turns said between had evidence, how much), in the same way."""
        ...

    def inactive_memories(self) -> dict[str, int]:
        """How many memories have which status other than active."""
        ...

    def quarantined_memories(self) -> list[str | None]:
        """Why memories are in quarantine, as JSON; None for an encrypted one."""
        ...

    def most_recalled(self, limit: int) -> list[tuple[str, int]]:
        """(id, of how many turns it is evidence), most often first."""
        ...

    def count_never_recalled(self, without: Sequence[str]) -> int:
        """How many active memories never were evidence: those that are not core, of other types
        than these."""
        ...

    def oldest_never_recalled(self, without: Sequence[str], limit: int) -> list[str]:
        """The ids of the oldest of them."""
        ...

    def last_stages(self, entries: int) -> list[tuple[str, str]]:
        """(time, data as JSON) of the entries about stages among the last ``entries`` of the
        ledger, newest first."""
        ...


class CountingStore(Store, Counting, Protocol):
    """A store that counts."""


class Backups(Protocol):
    """A store that writes copies of itself, and knows where they are."""

    def backup(self, target: Path) -> None:
        """Writes a consistent copy of the tables to a file, while others may write."""
        ...

    def backups(self) -> list[Path]:
        """Where copies of the store were written, as far as is known."""
        ...


class Erasable(Protocol):
    """A store that can forget."""

    def mark(self) -> tuple[int, ...]:
        """Something that is different after anybody wrote to the store."""
        ...

    def forgetting(self) -> AbstractContextManager[Writer]:
        """A unit of work that leaves nothing of what it deletes: after it the store is
        ``unfinished``. Raises ``StoreBusy`` or ``StoreFull``; then nothing was deleted."""
        ...

    def unfinished(self) -> bool:
        """Whether something was deleted and not yet erased from the files."""
        ...

    def erase(self, progress: Callable[[str], None]) -> list[str]:
        """Erases what was deleted from the indexes and the files; what could not be done."""
        ...

    def finished(self) -> None:
        """Notes that nothing is left to be erased."""
        ...

    def residue(
        self,
        forgotten: ErasedContent,
        copies: Iterable[Path],
        progress: Callable[[str], None],
        outside: Mapping[Path, Clean] | None = None,
    ) -> ResidueReport:
        """Looks for what is left, in all files of the store, in those ``outside`` it, which are
        cleaned first, and in ``copies``."""
        ...


class ErasableStore(Backups, Erasable, Store, Protocol):
    """A store that can forget, and search its own backups for what is left."""


class HnswResult(Struct):
    """What came of building an HNSW index over one model's vectors.

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


class Maintenance(Protocol):
    """A store that can be checked, and has indexes of its own."""

    def check(self) -> list[str]:
        """What is wrong with the tables; empty when all is well."""
        ...

    def count_encrypted(self) -> tuple[int, int]:
        """How many rows are encrypted, and of how many the key is not here."""
        ...

    def index_states(self) -> list[IndexState]:
        """How each index stands, its files verified byte by byte."""
        ...

    def rebuild_indexes(self) -> list[IndexState]:
        """Rebuilds every index from the tables. HNSW indexes are deleted; ``keep_hnsw`` makes new
        ones."""
        ...

    def build_hnsw(self, progress: Callable[[int], None]) -> list[HnswResult]:
        """Builds an HNSW index over the vectors of each model, which takes minutes.

        Keeps those that find enough of what a scan finds.
        ``progress`` is called with the number of rows that were added.
        """
        ...

    def keep_hnsw(self, progress: Callable[[int], None]) -> list[HnswResult]:
        """Builds or extends the HNSW indexes that are missing or cover too little, as a process in
        the background does, too; nothing while that is running. What was tried."""
        ...
