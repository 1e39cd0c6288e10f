"""Reading of a store: whole records, and a collection for each subject."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

from thalamus.records import Record

if TYPE_CHECKING:
    from thalamus.records.ownership import Owner
    from thalamus.storage.protocol.batches import Batches
    from thalamus.storage.protocol.concepts import Concepts
    from thalamus.storage.protocol.conditions import Where
    from thalamus.storage.protocol.embeddings import Embeddings
    from thalamus.storage.protocol.encrypted import EncryptedContents
    from thalamus.storage.protocol.events import Events
    from thalamus.storage.protocol.facts import Facts
    from thalamus.storage.protocol.jobs import Jobs
    from thalamus.storage.protocol.links import Links
    from thalamus.storage.protocol.memories import Memories
    from thalamus.storage.protocol.records import Records
    from thalamus.storage.protocol.sessions import Sessions

R = TypeVar("R", bound=Record)


class Spellings(Protocol):
    """The Unicode forms of names of users, agents and sessions. A condition on a name finds all of
    them."""

    def of(self, name: str) -> tuple[str, ...]:
        """Every form of a name in the store, the normal one first."""
        ...


class Reader(Protocol):
    """Common reading interface of a store and a unit of work: whole records (``find``), and small
    collections with queries for each subject.

    ``where`` selects records (all conditions must hold), ``order`` names fields (with ``-`` in
    descending order). Writes of the current unit of work are visible.
    """

    @property
    def owner(self) -> Owner:
        """The user and agent whose rows are read and written with it."""
        ...

    @property
    def batches(self) -> Batches: ...

    @property
    def concepts(self) -> Concepts: ...

    @property
    def embeddings(self) -> Embeddings: ...

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

    @property
    def spellings(self) -> Spellings: ...

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

    def by_id(self, kind: type[R], id: str | None) -> R | None:
        """The record of a kind with this id."""
        ...

    def by_ids(self, kind: type[R], ids: Collection[str]) -> list[R]:
        """Records of a kind with these ids, in any order."""
        ...

    def value(self, name: str) -> str | None:
        """A store-wide value; None when it is not set."""
        ...

    def values(self, *names: str) -> dict[str, str]:
        """Some store-wide values, without those that are not set."""
        ...


# records in plain text that must be encrypted because these ids are personal, with their kinds
PlainSources = Callable[[Reader, Iterable[str]], dict[str, str]]
