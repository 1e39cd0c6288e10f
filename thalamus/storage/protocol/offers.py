"""The optional protocols of a store, which a database may not offer."""

from __future__ import annotations

from typing import Protocol, TypeVar

from thalamus.errors import NotOffered

P = TypeVar("P")
# protocol -> its purpose for a user, and the alternative where it is not offered
_OFFERS = {
    "Backups": ("backups to a file", "Use those of the database, or `thalamus export`."),
    "CountingStore": ("statistics", "`thalamus export` prints every record."),
    "ErasableStore": ("`forget`", "Keep what may have to be erased in a SQLite store."),
    "Maintenance": ("checks and indexes of its own", "The database maintains its indexes itself."),
    "SignedStore": ("signatures", "Keep what has to be signed in a SQLite store."),
}


class Place(Protocol):
    """A store or its location, in a database with a name."""

    @property
    def database(self) -> str: ...


def offered(store: Place, protocol: type[P]) -> P:
    """The store as one that has an optional protocol. Raises ``NotOffered``."""
    if isinstance(store, protocol):
        return store
    what, instead = _OFFERS[protocol.__name__]
    raise NotOffered(store.database, what, fix=instead)
