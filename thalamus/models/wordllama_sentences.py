"""Sentence vectors by WordLlama, fast enough for everything that is stored.

A sentence is the sum of its words, a word the sum of its tokens. Most words recur, so the sums of
words are cached, and only new words of a text have to be tokenized.

The model was trained so that the first dimensions of a vector can be used alone (Kusupati et al.,
"Matryoshka Representation Learning", 2022); only these are summed.
"""

from __future__ import annotations

import re
from threading import Lock
from typing import TYPE_CHECKING, Any

from thalamus.text.sentence_vectors import DIMENSIONS, LONGEST, MOST, pack
from thalamus.text.sentences import sentences

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CACHED_WORDS = 30_000  # words whose vectors are cached: 15 MB
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


class SentenceVectors:
    """Embeds sentences with a tokenizer and its matrix (tokens x dimensions, float16).
    Thread-safe."""

    def __init__(self, tokenizer: Any, matrix: NDArray[np.float16]) -> None:
        import numpy as np

        self._tokenizer = tokenizer
        self._matrix = matrix[:, :DIMENSIONS]
        self._lock = Lock()
        self._places: dict[str, int] = {}  # row in _sums of each cached word
        # memory pages are allocated as they are filled
        self._sums = np.empty((CACHED_WORDS, DIMENSIONS), np.float32)

    def of(self, text: str) -> bytes:
        """Packed vectors of a text's sentences. Only words count, without the text between them; a
        sentence without words is left out."""
        import numpy as np

        worded = [found for part in sentences(text[:LONGEST]) if (found := _WORD.findall(part))]
        worded = worded[:MOST]
        if not worded:
            return b""
        vectors = self._vectors([word for sentence in worded for word in sentence])
        sums = np.empty((len(worded), DIMENSIONS), np.float32)
        end = 0
        # np.add.reduceat over rows takes ten times as long
        for place, sentence in enumerate(worded):
            begin, end = end, end + len(sentence)
            vectors[begin:end].sum(axis=0, out=sums[place])
        return pack(sums)

    def _vectors(self, words: list[str]) -> NDArray[np.float32]:
        """One row per word."""
        with self._lock:
            new = [word for word in dict.fromkeys(words) if word not in self._places]
            if len(self._places) + len(new) > CACHED_WORDS:
                self._places.clear()
                new = list(dict.fromkeys(words))
            first = len(self._places)
            self._add(self._sums[first : first + len(new)], self._tokens(new))
            self._places |= {word: place for place, word in enumerate(new, first)}
            return self._sums[[self._places[word] for word in words]]

    def _add(self, sums: NDArray[np.float32], tokens: list[list[int]]) -> None:
        """Sums the rows of each list of tokens, position by position, since there are far more
        lists than tokens in a list."""
        sums[:] = 0
        for place in range(max(map(len, tokens), default=0)):
            some = [number for number, found in enumerate(tokens) if len(found) > place]
            sums[some] += self._matrix[[tokens[number][place] for number in some]]

    def _tokens(self, words: list[str]) -> list[list[int]]:
        """Tokens of each word, as if after a space. Most words are one token, which is looked up in
        a tenth of the time; the others are tokenized in this thread, see ``wordllama``."""
        whole = [self._tokenizer.token_to_id("▁" + word) for word in words]
        return [
            self._tokenizer.encode(word, add_special_tokens=False).ids if token is None else [token]
            for word, token in zip(words, whole, strict=True)
        ]
