"""What is encrypted."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol


class EncryptedContents(Protocol):
    """The encrypted contents of records."""

    def ids(self, ids: Iterable[str] | None = None) -> set[str]:
        """The ids of the records whose content is encrypted: of these or of all."""
        ...

    def ciphertexts(self, kind: str, id: str) -> list[bytes]:
        """What is encrypted of a record: one or none."""
        ...

    def count(self) -> dict[str, int]:
        """The number of encrypted records of each kind."""
        ...
