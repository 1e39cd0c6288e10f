"""What the embedding providers share: prefixes, packing, and texts that are too long."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TypeVar

from thalamus.errors import ModelFailed
from thalamus.models.protocol import EmbedKind
from thalamus.policy.vector import dimension, pack

T = TypeVar("T")
Call = Callable[[list[str]], Sequence[Sequence[float]]]

# What a model was trained to see before a stored text and before a question, by a part of its
# name. A model that is not here gets the bare text.
_PREFIXES: dict[str, tuple[str, str]] = {
    "nomic-embed": ("search_document: ", "search_query: "),
    "mxbai-embed-large": ("", "Represent this sentence for searching relevant passages: "),
    "embeddinggemma": ("title: none | text: ", "task: search result | query: "),
}
_CUTS = 8  # each leaves 90 % or less; half when the server does not say how much is too much
_TOO_LONG = re.compile(
    r"context.{0,20}(length|size|window)|too (large|long) to|input is too long"
    r"|maximum.{0,30}tokens|must have less than \d+ tokens",
    re.IGNORECASE,
)


class Measured(ABC):
    """An embedder that learns its dimension from the first vector it makes."""

    _dimension: int | None = None

    def dimension(self) -> int:
        """The number of dimensions; the first call asks the model."""
        if self._dimension is None:
            self._dimension = dimension(self.embed(["word"], "document")[0])
        return self._dimension

    @abstractmethod
    def embed(self, texts: Sequence[str], kind: EmbedKind) -> list[bytes]: ...


_TOKENS = re.compile(r"(\d+) tokens")


def means_too_long(message: str) -> bool:
    """Whether a model's error says that an input has too many tokens."""
    return bool(_TOO_LONG.search(message))


def prefixed(model: str, text: str, kind: EmbedKind) -> str:
    """The text as the model wants to see it."""
    # An empty text has no meaning, yet must not fail the whole batch that it is in.
    bare = text if text.strip() else "."
    for part, (document, query) in _PREFIXES.items():
        if part in model.lower():
            return (document if kind == "document" else query) + bare
    return bare


def embed_batches(name: str, texts: Sequence[str], size: int, call: Call) -> list[bytes]:
    """Embeds ``texts`` in batches of ``size`` with ``call`` and packs the vectors.

    When ``call`` raises a ``ModelFailed`` that says that an input is too long, the texts of that
    batch go one by one and those that do not fit are cut at the end until they do. Raises
    ``ModelFailed`` when the vectors are unusable, and whatever else ``call`` raises.
    """
    vectors: list[bytes] = []
    for start in range(0, len(texts), size):
        batch = list(texts[start : start + size])
        try:
            vectors += _packed(name, call(batch), len(batch))
        except ModelFailed as error:
            if not means_too_long(error.message):
                raise
            vectors += [
                cut_to_fit(name, text, lambda text: _packed(name, call([text]), 1)[0])
                for text in batch
            ]
    return vectors


def cut_to_fit(name: str, text: str, call: Callable[[str], T]) -> T:
    """What ``call`` makes of a text, or of as much of its beginning as the model takes.

    Raises ``ModelFailed`` when it takes not even little, and what else ``call`` raises.
    """
    for _ in range(_CUTS):
        try:
            return call(text)
        except ModelFailed as error:
            if not means_too_long(error.message):
                raise
            text = text[: max(1, int(len(text) * _share_that_fits(error.message)))]
    raise ModelFailed(name, "it rejects even a short text as too long")


def _share_that_fits(message: str) -> float:
    """Of "5031 tokens … 2048 tokens" a bit less than 2048/5031; a half when it does not say."""
    counts = [int(digits) for digits in _TOKENS.findall(message)[:2]]
    if len(counts) < 2 or not min(counts):
        return 0.5
    return min(0.9, 0.95 * min(counts) / max(counts))


def _packed(name: str, rows: Sequence[Sequence[float]], wanted: int) -> list[bytes]:
    if len(rows) != wanted:
        raise ModelFailed(name, f"it returned {len(rows)} vectors for {wanted} texts")
    try:
        return [pack(row) for row in rows]
    except (ValueError, TypeError, OverflowError):
        raise ModelFailed(name, "it returned a zero vector") from None
