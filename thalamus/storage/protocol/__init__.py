"""What a store promises: the seam behind which another database can stand.

``Store`` and its ``Writer`` are what every database offers. ``Concepts``, ``Erasable``,
``Backups`` and ``Maintenance`` are optional: what a database may do its own way, or leave out.

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
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar, runtime_checkable

from msgspec import UNSET, Struct, UnsetType

from thalamus.records import (
    ConceptKind,
    EvidenceKind,
    Fact,
    Insight,
    Memory,
    Note,
    Project,
    Provenance,
    Record,
    SessionTitle,
    StageLog,
    Turn,
    World,
    WorldChange,
)
from thalamus.storage.protocol.conditions import PRESENT as PRESENT
from thalamus.storage.protocol.conditions import Among as Among
from thalamus.storage.protocol.conditions import Both as Both
from thalamus.storage.protocol.conditions import Comparison as Comparison
from thalamus.storage.protocol.conditions import Where as Where
from thalamus.storage.protocol.conditions import above as above
from thalamus.storage.protocol.conditions import at_most as at_most
from thalamus.storage.protocol.conditions import below as below
from thalamus.storage.protocol.conditions import other_than as other_than
from thalamus.storage.protocol.jobs import JobState as JobState
from thalamus.storage.protocol.jobs import StoredJob as StoredJob

if TYPE_CHECKING:
    from thalamus.records import Document, Event, Evidence, Plan
    from thalamus.storage.protocol.jobs import Jobs, MutableJobs
    from thalamus.storage.protocol.links import Links, MutableLinks

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
    their keys, and the keys of changed rows, by their table."""

    added: dict[int, Record]
    changed: dict[str, list[int]]


# called at the end of a unit of work, in its transaction
Follower = Callable[["Writer", Touched], None]
Interval = tuple[str, str | None]  # from, and to (exclusive); None: no end is known
# under whose key a record is to be encrypted, None for under none; it may ask whether the content
# of any of some evidence is encrypted
SubjectOf = Callable[["Memory | Fact | Turn", Callable[["Sequence[Evidence]"], bool]], "str | None"]


# -- rows, which security wraps --------------------------------------------------------------------


class Cursor(Protocol):
    """What came of a statement."""

    @property
    def rowcount(self) -> int: ...

    def fetchone(self) -> Any: ...

    def fetchall(self) -> list[Any]: ...

    def __iter__(self) -> Iterator[Any]: ...


class Connection(Protocol):
    """What a driver offers: one connection, that runs SQL which SQLite and PostgreSQL both
    understand, with ``?`` for each value and ``IS ?`` for "equal, or both null". A driver
    translates what its database writes otherwise. Rows are read by name and by place."""

    def execute(self, query: str, values: Sequence[Any] = ..., /) -> Cursor: ...

    def executemany(self, query: str, values: Iterable[Sequence[Any]], /) -> Cursor: ...


class ColumnInfo(NamedTuple):
    """A column of a table; ``key``: its place in the primary key, from 1, or 0."""

    name: str
    type: str
    key: int


class Rows(Protocol):
    """The rows of tables: all that reads and writes them. Writing can be wrapped by a layer that
    offers the same (``security.sign_rows``)."""

    @property
    def connection(self) -> Connection: ...

    def describe(self, table: str) -> list[ColumnInfo]:
        """The columns of a table; none when there is no such table."""
        ...

    def select(
        self,
        table: str,
        columns: Sequence[str],
        where: Where | None = None,
        order: Sequence[str] = (),
        limit: int | None = None,
        group: Sequence[str] = (),
    ) -> list[Any]:
        """See ``Reader.select``."""
        ...

    def each(
        self,
        table: str,
        columns: Sequence[str],
        where: Where | None = None,
        order: Sequence[str] = (),
        limit: int | None = None,
        group: Sequence[str] = (),
    ) -> Iterator[Any]:
        """The same, one after the other."""
        ...

    def numbered(
        self, table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]
    ) -> tuple[Sequence[str], Sequence[Sequence[Any]]]:
        """The rows with their numbers, where the table numbers its rows and they have none."""
        ...

    def insert(
        self,
        table: str,
        columns: Sequence[str],
        rows: Sequence[Sequence[Any]],
        key: Sequence[str] = (),
        replace: bool = False,
    ) -> int:
        """Inserts rows and returns how many. Those with the same ``key`` as one that is there are
        left out, or with ``replace`` take its place."""
        ...

    def update(self, table: str, fields: Mapping[str, Any], where: Where) -> int:
        """Sets columns of rows; how many rows those were."""
        ...

    def delete(self, table: str, where: Where) -> int:
        """Deletes rows; how many."""
        ...


# -- values ---------------------------------------------------------------------------------------


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


class ConceptRow(NamedTuple):
    """A concept as it is stored; ``owner`` '' for nobody in particular. ``seen``: how many entries
    are about it."""

    n: int
    owner: str
    key: str
    name: str
    kind: ConceptKind
    seen: int = 0


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
    """What a store and a unit of work read in the same way.

    A ``table`` is that of a kind of record (``records.kinds``) or one that hangs on it; ``where``
    says which rows (all conditions hold), ``order`` names columns (``-`` before one: from the
    largest). Rows that the present unit of work wrote are seen.
    """

    @property
    def jobs(self) -> Jobs: ...

    @property
    def links(self) -> Links: ...

    def find(
        self,
        kind: type[R],
        where: Where | None = None,
        order: Sequence[str] = (),
        limit: int | None = None,
    ) -> list[R]:
        """Records of a kind. Encrypted ones have their content where the key is here, and
        ``HIDDEN`` in its place where it is not."""
        ...

    def select(
        self,
        table: str,
        columns: Sequence[str],
        where: Where | None = None,
        order: Sequence[str] = (),
        limit: int | None = None,
        group: Sequence[str] = (),
    ) -> list[Any]:
        """Columns of rows, as rows that are read by name or by place. A column may be
        ``count(*)``, ``min(x)`` or ``max(x)``, of each ``group`` where there are any. With an
        order or a limit no condition may have more than some hundred values."""
        ...

    def fact_states(self, query: FactQuery) -> list[FactState]:
        """The facts that a query names, in the order in which they were stored."""
        ...


class Writer(Reader, Protocol):
    """One unit of work; ``now`` is when it began."""

    now: str

    @property
    def jobs(self) -> MutableJobs: ...

    @property
    def links(self) -> MutableLinks: ...

    def add(
        self, record: Record, vector: Vector | None = None, *, judged: bool = True, **derived: Any
    ) -> bool:
        """Adds a record, with its embedding where it can be found; ``derived`` are the columns of
        its kind that are no fields, of a fact ``entity`` and ``value``: what its subject and object
        are compared by; and hashes, where the caller made them already (``hash``). The notes and
        beliefs of a fact are rows of other tables, which the caller inserts. False when one with
        its identity is there already, which stays as it is.

        A turn that was not ``judged``, that is reflected upon, is kept encrypted as if it were
        personal, for nobody knows yet whether it is (see ``reveal``)."""
        ...

    def put(self, record: Record, **derived: Any) -> None:
        """Adds a record, or puts it in the place of the one with its identity."""
        ...

    def insert(self, table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> int:
        """Inserts rows into a table that hangs on records, and returns how many. Those whose
        primary key is there already are left out."""
        ...

    def update(self, table: str, fields: Mapping[str, Any], where: Where) -> int:
        """Sets columns of rows; how many rows. The search indexes follow. What is encrypted of a
        row changes there, if its key is here, and never stands in the row."""
        ...

    def delete(self, table: str, where: Where) -> int:
        """Deletes rows of a table that hangs on records; how many."""
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

    def memories(self, where: Filter, limit: int) -> list[Memory]:
        """Memories by time, newest first."""
        ...

    def facts(self, where: Filter, entity: str | None = None, history: bool = False) -> list[Fact]:
        """Facts, about one ``entity``, that hold (at ``where.as_of``, or now), or were believed to
        ``where.known_at``; with ``history`` all, in world order, each with
        what was recorded of it and believed about it."""
        ...

    def events(self, turn: str | None = None, limit: int | None = None) -> Iterator[Event]:
        """The ledger, oldest first; of one turn, or its last ``limit`` entries."""
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


@runtime_checkable
class Concepts(Protocol):
    """A store that knows what its entries are about (``Writer.set_concepts``)."""

    def concepts(
        self,
        owners: Sequence[str] | None = None,
        kind: str | None = None,
        since: str | None = None,
        limit: int | None = None,
    ) -> list[ConceptRow]:
        """Concepts, those that most is about first: of these owners or of all; ``since``: only
        those that something is about which was said then or later."""
        ...

    def last_seen(self, numbers: Sequence[int]) -> dict[int, str]:
        """When the newest entry was said that is about each of these concepts."""
        ...

    def concepts_together(self, numbers: Sequence[int], limit: int) -> list[tuple[int, int, int]]:
        """(concept, other, how many entries other than facts are about both) of these concepts and
        others: of each the ``limit`` others that share most."""
        ...

    def entries_by_key(self, keys: Sequence[int], where: Filter) -> dict[int, IndexedRow]:
        """The entries with these keys that a search may return."""
        ...

    def without_concepts(self, limit: int) -> list[tuple[int, str, str]]:
        """(key, kind of record, id) of the newest entries that can be found, are not encrypted,
        and are about no concept."""
        ...

    def keys_after(self, key: int, limit: int) -> list[tuple[int, str]]:
        """(key, kind of record) of the next entries in the order in which they were stored."""
        ...


class Counting(Protocol):
    """A store that counts without reading every record."""

    def sizes(self) -> dict[str, int]:
        """How many bytes the tables and each index have on the disk."""
        ...

    def count_between(
        self, table: str, times: Sequence[str], where: Where | None = None
    ) -> list[int]:
        """How many rows were said from each of these times on, and before the next one."""
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


class ConceptStore(Store, Concepts, Protocol):
    """A store with concepts."""


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
