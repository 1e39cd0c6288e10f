"""Options with which a store is opened, whatever its database."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from thalamus.records.ownership import Owner

if TYPE_CHECKING:
    from thalamus.clock import Clock
    from thalamus.store.encryption.cipher import SubjectOf
    from thalamus.store.keys import Keys
    from thalamus.store.reader import PlainSources
    from thalamus.store.writer import Follower


class StoreOptions(Struct, frozen=True):
    """``create``: create a missing store (else ``NoStore``); ``busy_timeout``: seconds to wait for
    another process's write; ``follow``: called at the end of each unit of work; ``keys``: the store
    key, without which a signed store is read-only; ``subject_of``: selects the key under which a
    personal record is encrypted, without it nothing is; ``plain_sources``: finds the records from
    which personal ones were made; ``remind``: log a warning about an erasure that was not finished;
    ``owner``: whose rows are read and written with it.

    Of PostgreSQL: ``connections``: those of this process to the database at most. Of SQLite:
    ``hnsw``: use HNSW indexes, and update them in the background.
    """

    tenant: str = "default"
    create: bool = False
    busy_timeout: float = 30.0
    connections: int = 4
    clock: Clock | None = None
    follow: Follower | None = None
    keys: Keys | None = None
    subject_of: SubjectOf | None = None
    plain_sources: PlainSources | None = None
    hnsw: bool = True
    remind: bool = False
    owner: Owner = Owner()
