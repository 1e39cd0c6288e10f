"""Encrypted contents."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol


class EncryptedContents(Protocol):
    """The encrypted contents of records."""

    def ids(self, ids: Iterable[str] | None = None) -> set[str]:
        """Ids of records with encrypted content: of these or of all."""
        ...

    def ciphertexts(self, kind: str, id: str) -> list[bytes]:
        """Ciphertexts of a record: one or none."""
        ...

    def count(self) -> dict[str, int]:
        """The number of encrypted records of each kind."""
        ...
