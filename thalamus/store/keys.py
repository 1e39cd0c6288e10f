"""The keys of a store as it uses them; ``security.keys`` keeps them."""

from __future__ import annotations

from typing import Protocol


class Keys(Protocol):
    """The store key, with which rows are signed, and the keys of subjects, with which personal
    records are encrypted."""

    # -- the store key ----------------------------------------------------------------------------

    def key(self, fingerprint: str | None) -> bytes | None:
        """The key with this fingerprint, None when it is missing; without one the current key,
        created if it is missing. Raises ``BadKey`` when it cannot be read or created."""
        ...

    def former(self, fingerprint: str) -> bytes | None:
        """A key that was rotated away; None for any other."""
        ...

    def exists(self) -> bool:
        """True when there is a key. Raises ``BadKey`` when it cannot be read."""
        ...

    def upgrade(self) -> None:
        """Stores keys of an earlier format in this one, if they can be written."""
        ...

    def version(self) -> object:
        """A value that changes when another process has changed the keys."""
        ...

    # -- the stores that it signs -----------------------------------------------------------------

    def known(self, store: str) -> bool:
        """True when this key has signed that store."""
        ...

    def remember(self, store: str, folder: str) -> None:
        """Records that this key signs that store, and its folder."""
        ...

    def kept_at(self, store: str, place: str) -> bool:
        """True when this is a known place of a store."""
        ...

    def places(self) -> list[str]:
        """Folders of all stores that this key signs; empty if unknown."""
        ...

    def signs_any(self) -> bool:
        """True when this key has signed a store."""
        ...

    # -- keys of subjects -------------------------------------------------------------------------

    def of_subject(self, subject: str) -> tuple[str, bytes]:
        """Id and key of a subject, created if it is missing. The id reveals nothing."""
        ...

    def by_id(self, id: str) -> bytes | None:
        """The key with this id; None when it is not available."""
        ...
