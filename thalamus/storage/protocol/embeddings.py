"""Embeddings of entries, and the vector spaces of the models that made them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from thalamus.storage.protocol.values import Space, Vector


class Embeddings(Protocol):
    """The embeddings of a store."""

    def spaces(self) -> list[Space]:
        """Embedding models with vectors in the store."""
        ...

    def of(self, ids: Iterable[str]) -> Mapping[str, Vector]:
        """Embeddings of entries, by id: with several models the one that was made last."""
        ...

    def of_keys(self, keys: Sequence[int]) -> list[tuple[bytes, bytes | None]]:
        """Embeddings of entries as they are stored, with their sentence vectors, of any model."""
        ...

    def missing(self, model: str, limit: int, after: int = 0) -> list[tuple[int, str, str]]:
        """(key, text, text to be embedded by sentence) of entries without a vector of this model,
        oldest first; only those with a key larger than ``after``."""
        ...

    def count_missing(self, model: str) -> int:
        """Number of entries without a vector of this model."""
        ...
