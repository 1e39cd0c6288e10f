"""The default embedder: static embeddings of words, in English and a hundred other languages.

A vector has two halves of equal weight: the first 128 dimensions of WordLlama, which knows English,
and those of potion-multilingual. Both come with the installation and need no server.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from thalamus.models.potion import Potion
from thalamus.models.protocol import EmbedKind
from thalamus.models.wordllama import WordLlamaEmbedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_HALF = 128  # dimensions of each; WordLlama was trained so that its first can be used alone


class StaticEmbedder:
    """Embeds with WordLlama and potion-multilingual. ``embed`` raises ``ModelMissing`` if a file of
    them is missing."""

    name: str = "static:wordllama_potion_256"

    def __init__(self) -> None:
        self._english = WordLlamaEmbedder()

    @cached_property
    def _multilingual(self) -> Potion:
        return Potion()

    def dimension(self) -> int:
        return 2 * _HALF

    def embed(self, texts: Sequence[str], kind: EmbedKind) -> list[bytes]:
        """One unit vector per text."""
        import numpy as np

        if not texts:
            return []
        data = b"".join(self._english.embed(texts, kind))
        english = np.frombuffer(data, "<f4").reshape(len(texts), -1)[:, :_HALF]
        lengths = np.linalg.norm(english, axis=1, keepdims=True)
        english = english / np.where(lengths > 0, lengths, np.float32(1))
        vectors: NDArray[np.float32] = np.concatenate(
            (english, self._multilingual.embed(texts)), axis=1
        )
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return [vector.tobytes() for vector in vectors.astype("<f4")]

    def embed_sentences(self, texts: Sequence[str]) -> list[bytes]:
        """See ``protocol.SentenceEmbedder``: by WordLlama, whose dimensions are the first of a
        question's vector."""
        return self._english.embed_sentences(texts)
