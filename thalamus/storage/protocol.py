"""What a store promises: the seam behind which another database can stand.

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
from typing import TYPE_CHECKING, Any, Protocol

from thalamus.storage.batches import BatchReader, BatchWriter
from thalamus.storage.decisions import Decisions
from thalamus.storage.forgettable import Forgetful
from thalamus.storage.jobs import JobReader, JobWriter
from thalamus.storage.sealing import KnowsSealed
from thalamus.storage.shapes import (
    Change,
    Entry,
    Filter,
    Graph,
    Hit,
    IndexState,
    Likeness,
    Space,
    Vector,
)

if TYPE_CHECKING:
    from thalamus.policy.predicates import Registry
    from thalamus.policy.timeline import NoteKind, Repeat
    from thalamus.records import (
        Alias,
        Document,
        Event,
        Fact,
        Link,
        Memory,
        Plan,
        Predicate,
        Turn,
    )


class Writer(BatchWriter, Decisions, JobWriter, KnowsSealed, Protocol):
    """One unit of work. Every ``add_…`` returns the id under which the thing is kept."""

    def add_turn(self, turn: Turn, vector: Vector | None = None, judged: bool = True) -> bool:
        """Adds a turn (its ``id`` must be set); False when that id is already there. Before it is
        ``judged``, that is reflected upon, nobody knows whether it is personal, so it is kept
        encrypted as if it were (see ``finish_job``)."""
        ...

    def add_memory(self, memory: Memory, vector: Vector | None = None) -> None:
        """Adds a memory (its ``id`` must be set and new)."""
        ...

    def add_fact(self, fact: Fact, vector: Vector | None = None) -> None:
        """Adds a fact (its ``id`` must be set and new)."""
        ...

    def fact(self, id: str) -> Fact | None:
        """A fact with everything that was told of it (``Fact.notes``, ``beliefs`` …)."""
        ...

    def saying_same(self, id: str) -> list[str]:
        """The facts that say the same as this one, itself among them."""
        ...

    def repeats(self, fact: Fact) -> Repeat | None:
        """The known fact that this one says again, or ends."""
        ...

    def note(self, id: str, kind: NoteKind, at: str) -> list[Change]:
        """Notes that a fact was said again or ended, and settles what holds."""
        ...

    def end_fact(self, id: str, valid_to: str) -> list[Change]:
        """Notes when a fact stopped holding in the world, and settles what holds."""
        ...

    def retire_fact(self, id: str) -> list[Change] | None:
        """The fact was never true: what holds is settled without it. None when it is retired
        already."""
        ...

    def settle(self, ids: Iterable[str]) -> list[Change]:
        """Finds anew what holds, of these facts and of those that they exclude. To be called
        after ``add_fact`` (unless the fact brings its beliefs); the other calls do it themselves.
        Returns the facts that hold otherwise than before."""
        ...

    def mixed(self, ids: Iterable[str]) -> list[str]:
        """Of these facts those that exclude, or say the same as, a fact that is none of them."""
        ...

    def merge(self, name: str, into: str, owner: str | None) -> list[Change]:
        """From now on one name means another, for this owner or for all."""
        ...

    def unmerge(self, name: str, owner: str | None) -> list[Change] | None:
        """A name means itself again; None when it does."""
        ...

    def add_alias(self, alias: Alias) -> bool:
        """Adds a name that means another one; False when it is there already."""
        ...

    def set_predicate(self, predicate: Predicate) -> list[Change]:
        """Sets how a predicate is to be taken, and settles the facts that it concerns."""
        ...

    def add_predicate(self, predicate: Predicate) -> bool:
        """The same; False when it is set so already."""
        ...

    def delete(self, id: str) -> bool:
        """Takes a turn, memory or fact out, with its embeddings and links; False when there is
        none. The ledger keeps what it says of it."""
        ...

    def look_up(self, memories: Sequence[Memory]) -> None:
        """Says which memories ``find_memory`` will be asked for: together they cost less."""
        ...

    def find_memory(self, memory: Memory) -> str | None:
        """The id of a stored memory that is the same: by id, or by owner, time and content."""
        ...

    def find_same_content(self, memory: Memory) -> str | None:
        """The id of an active memory of the same owner with the same content, whenever said."""
        ...

    def find_fact(self, fact: Fact) -> str | None:
        """The id of a stored fact that says the same about the same time."""
        ...

    def add_document(self, document: Document) -> None:
        """Adds or replaces a document's row (its ``id`` must be set)."""
        ...

    def add_vector(self, key: int, vector: Vector) -> None:
        """Adds the embedding of an entry that is already there."""
        ...

    def add_link(self, link: Link) -> bool:
        """Adds a provenance link; False when it is there already."""
        ...

    def save_plan(self, plan: Plan) -> None:
        """Saves what the next turn of a session and its user should have at hand."""
        ...

    def add_event(self, event: Event) -> Event:
        """Appends to the ledger; returns the entry with its ``seq``, ``prev`` and ``hash``."""
        ...


class Store(BatchReader, Forgetful, JobReader, KnowsSealed, Protocol):
    """A store of one tenant."""

    def writing(self, more: bool = False) -> AbstractContextManager[Writer]:
        """A unit of work. Raises ``StoreBusy`` or ``StoreFull``; then nothing was written.

        ``more``: others follow at once. Then the search indexes are brought up to date now and
        again, and when the store is closed.
        """
        ...

    def search_text(self, tokens: Sequence[str], where: Filter, limit: int) -> list[Hit]:
        """Full text: the best ``limit`` entries by BM25 for these query tokens."""
        ...

    def search_vector(self, vector: Vector, where: Filter, limit: int) -> list[Hit]:
        """The ``limit`` entries nearest by cosine similarity in that model's space."""
        ...

    def likeness(self, vector: Vector, keys: Sequence[int]) -> Likeness:
        """The cosines of these entries, and that of any entry."""
        ...

    def stale(self, keys: Sequence[int], now: str) -> dict[int, str]:
        """Why what is under these keys may no longer be true: the mark of a memory, the facts of
        a turn that have ended by ``now``. Those that are fine are left out."""
        ...

    def entries(self, where: Filter, limit: int, newest: bool = True) -> list[Entry]:
        """Entries without a query, by time."""
        ...

    def spaces(self) -> list[Space]:
        """The embedding models that have vectors here."""
        ...

    def unembedded(self, model: str, limit: int, after: int = 0) -> list[tuple[int, str]]:
        """(key, text) of entries that have no vector of this model yet, oldest first; only those
        whose key is larger than ``after``."""
        ...

    def count_unembedded(self, model: str) -> int:
        """How many entries have no vector of this model yet."""
        ...

    def recent_turns(self, session: str, user: str | None, limit: int) -> list[Turn]:
        """The last turns of a session, oldest first (message and answer only)."""
        ...

    def last_turn_id(self, session: str, user: str | None = None) -> str | None:
        """The id of the last turn stored in a session; the last of this user, if one is given."""
        ...

    def saved_plan(self, session: str, user: str | None) -> Plan | None:
        """The plan that the last turn of this user in this session saved; None is nobody in
        particular, and no other user."""
        ...

    def core_memories(self, user: str | None, agent: str | None, now: str) -> list[Memory]:
        """Memories of the core scope: persona and profile."""
        ...

    def get(self, id: str) -> Turn | Memory | Fact | Document | Plan | None:
        """The record with this id."""
        ...

    def complete_id(self, prefix: str) -> list[str]:
        """The ids that begin with ``prefix`` (at most 10)."""
        ...

    def memories(self, where: Filter, limit: int) -> list[Memory]:
        """Memories by time, newest first."""
        ...

    def facts(self, where: Filter, subject: str | None = None, history: bool = False) -> list[Fact]:
        """Facts that hold (at ``where.as_of``, or now), or were believed to ``where.known_at``;
        with ``history`` all, in world order."""
        ...

    def with_history(self, facts: Sequence[Fact]) -> list[Fact]:
        """These facts with everything that was told of them and believed about them."""
        ...

    def predicates(self) -> Registry:
        """All predicates that are known, the user's own among them."""
        ...

    def entities(self, owner: str | None) -> list[tuple[str, str | None, int]]:
        """(name, owner, how many facts) of everything that facts are about."""
        ...

    def aliases(self) -> list[Alias]:
        """The names that mean another one."""
        ...

    def find_document(self, sha256: str) -> Document | None:
        """The document with these bytes."""
        ...

    def links(self, id: str) -> list[Link]:
        """The provenance links from and to an id."""
        ...

    def events(self, turn: str | None = None, limit: int | None = None) -> Iterator[Event]:
        """The ledger, oldest first; of one turn, or its last ``limit`` entries."""
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

    def check(self) -> list[str]:
        """What is wrong with the tables; empty when all is well."""
        ...

    def count_sealed(self) -> tuple[int, int]:
        """How many rows are encrypted, and of how many the key is not here."""
        ...

    def index_states(self) -> list[IndexState]:
        """How each index stands, its files verified byte by byte."""
        ...

    def rebuild_indexes(self) -> list[IndexState]:
        """Makes every index anew from the tables. Graphs are thrown away; their states say so."""
        ...

    def build_graphs(self, progress: Callable[[int], None]) -> list[Graph]:
        """Makes a graph over the vectors of each model, which takes minutes; keeps the good ones.

        ``progress`` is told how many more rows are done.
        """
        ...

    def backup(self, target: Path) -> None:
        """Writes a consistent copy of the tables to a file, while others may write."""
        ...

    def close(self) -> None:
        """Lets go of files and locks."""
        ...
