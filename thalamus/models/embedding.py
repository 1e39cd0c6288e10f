"""Shared parts of the embedding providers: prefixes, packing, and handling of texts that are too
long and of batches that are too large."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TypeVar

from thalamus.errors import ModelFailed
from thalamus.models.protocol import EmbedKind
from thalamus.models.quirks import BATCH, Quirks, ServerRefusal
from thalamus.models.size_refusals import CONTENT_TOO_LARGE, means_too_long, names_batch, numbers
from thalamus.policy.vector import dimension, pack

T = TypeVar("T")
Call = Callable[[list[str]], Sequence[Sequence[float]]]

_INSTRUCTION = "Instruct: Given a question, retrieve passages that answer it\nQuery:"

# Prefixes that a model was trained with for stored texts and for questions, by part of its name. A
# model that is not listed gets the bare text.
_PREFIXES: dict[str, tuple[str, str]] = {
    "nomic-embed": ("search_document: ", "search_query: "),
    "mxbai-embed-large": ("", "Represent this sentence for searching relevant passages: "),
    "embeddinggemma": ("title: none | text: ", "task: search result | query: "),
    "multilingual-e5-large-instruct": ("", f"{_INSTRUCTION} "),
    "multilingual-e5": ("passage: ", "query: "),
    "qwen3-embedding": ("", _INSTRUCTION),
    "snowflake-arctic-embed2": ("", "query: "),
}
# statuses of refused batches: invalid, too large, unprocessable
_INVALID = (400, CONTENT_TOO_LARGE, 422)
_CUTS = 8  # each leaves at most 90 %, or half if the server does not report the limit


class Measured(ABC):
    """Base of embedders that learn their dimension from the first vector."""

    _dimension: int | None = None

    def dimension(self) -> int:
        """Number of dimensions; the first call embeds a word."""
        if self._dimension is None:
            self._dimension = dimension(self.embed(["word"], "document")[0])
        return self._dimension

    @abstractmethod
    def embed(self, texts: Sequence[str], kind: EmbedKind) -> list[bytes]: ...


_TOKENS = re.compile(r"(\d+) tokens")


def prefixed(model: str, text: str, kind: EmbedKind) -> str:
    """The text with the prefix that the model expects."""
    # An empty text has no meaning, but must not make its whole batch fail.
    bare = text if text.strip() else "."
    for part, (document, query) in _PREFIXES.items():
        if part in model.lower():
            return (document if kind == "document" else query) + bare
    return bare


def embed_batches(
    name: str, texts: Sequence[str], most: int, call: Call, quirks: Quirks | None = None
) -> list[bytes]:
    """Embeds ``texts`` in batches of at most ``most`` with ``call`` and packs the vectors.

    If ``call`` raises a ``ModelFailed`` that reports an input as too long, the texts of the batch
    are embedded one by one and shortened until they fit. A batch that is refused is made smaller,
    and the size that is accepted is remembered as a quirk. Raises ``ModelFailed`` if the vectors
    are unusable, and any other error of ``call``.
    """
    vectors: list[bytes] = []
    quirks = quirks or Quirks()
    size = known = min(most, quirks.limit(BATCH) or most)
    while len(vectors) < len(texts):
        batch = list(texts[len(vectors) : len(vectors) + size])
        try:
            vectors += _packed(name, call(batch), len(batch))
        except ModelFailed as error:
            if means_too_long(error.message) or (len(batch) == 1 and _is_too_long(error)):
                vectors += [
                    cut_to_fit(name, text, lambda text: _packed(name, call([text]), 1)[0])
                    for text in batch
                ]
            elif _refuses_batch(error) and len(batch) > 1:
                size = _smaller(len(batch), error)
            else:
                raise
    if size < known:
        quirks.lower(BATCH, size)
        quirks.keep_limits()
    return vectors


def _refuses_batch(error: ModelFailed) -> bool:
    """True if a server may take fewer texts than it was sent."""
    return names_batch(error.message) or (
        isinstance(error, ServerRefusal) and error.status in _INVALID
    )


def _smaller(size: int, error: ModelFailed) -> int:
    """The size of the next batch: the one that the server names, or half."""
    named = numbers(error.message) if names_batch(error.message) else []
    return max((number for number in named if 0 < number < size), default=size // 2)


def cut_to_fit(name: str, text: str, call: Callable[[str], T]) -> T:
    """Result of ``call`` for a text, or for the longest beginning that the model accepts.

    Raises ``ModelFailed`` if even a short text is rejected, and any other error of ``call``.
    """
    for _ in range(_CUTS):
        try:
            return call(text)
        except ModelFailed as error:
            if not _is_too_long(error):
                raise
            text = text[: max(1, int(len(text) * _share_that_fits(error.message)))]
    raise ModelFailed(name, "it rejects even a short text as too long")


def _is_too_long(error: ModelFailed) -> bool:
    too_large = isinstance(error, ServerRefusal) and error.status == CONTENT_TOO_LARGE
    return too_large or means_too_long(error.message)


def _share_that_fits(message: str) -> float:
    """Share of a text that fits: for "5031 tokens … 2048 tokens" slightly less than 2048/5031; a
    half if the message has no numbers."""
    counts = [int(digits) for digits in _TOKENS.findall(message)[:2]]
    if len(counts) < 2 or not min(counts):
        return 0.5
    return min(0.9, 0.95 * min(counts) / max(counts))


def _packed(name: str, rows: Sequence[Sequence[float]], wanted: int) -> list[bytes]:
    if len(rows) != wanted:
        raise ModelFailed(name, f"it returned {len(rows)} vectors for {wanted} texts")
    try:
        packed = [pack(row) for row in rows]
    except (ValueError, TypeError, OverflowError):
        raise ModelFailed(name, "it returned a vector that is empty, zero or not finite") from None
    if len({len(vector) for vector in packed}) > 1:
        raise ModelFailed(name, "it returned vectors of different dimensions")
    return packed
