"""The vectors of single sentences by WordLlama, fast enough to make them of all that is stored.

A sentence is the sum of its words, a word that of its tokens. Most words come again and again, so
the sums of words are kept: of a text then only the new ones have to be tokenized.

The model was trained so that the first dimensions of a vector are one by themselves (Kusupati et
al., "Matryoshka Representation Learning", 2022); only these are summed.
"""

from __future__ import annotations

import re
from threading import Lock
from typing import TYPE_CHECKING, Any

from thalamus.text.sentence_vectors import DIMENSIONS, LONGEST, MOST, pack
from thalamus.text.tokens import sentences

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

KEPT = 30_000  # words whose vectors are kept: 15 MB
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


class SentenceVectors:
    """Embeds sentences with a tokenizer and its matrix (tokens x dimensions, float16). May be used
    by several threads at once."""

    def __init__(self, tokenizer: Any, matrix: NDArray[np.float16]) -> None:
        import numpy as np

        self._tokenizer = tokenizer
        self._matrix = matrix[:, :DIMENSIONS]
        self._lock = Lock()
        self._places: dict[str, int] = {}  # of the words that are kept: their rows in _sums
        self._sums = np.empty((KEPT, DIMENSIONS), np.float32)  # pages are taken as they are filled

    def of(self, text: str) -> bytes:
        """The packed vectors of a text's sentences. Of a sentence the words count, without what
        stands between them; one without words is left out."""
        import numpy as np

        said = [found for part in sentences(text[:LONGEST]) if (found := _WORD.findall(part))]
        said = said[:MOST]
        if not said:
            return b""
        vectors = self._vectors([word for sentence in said for word in sentence])
        sums = np.empty((len(said), DIMENSIONS), np.float32)
        end = 0
        # np.add.reduceat over rows takes ten times as long
        for place, sentence in enumerate(said):
            begin, end = end, end + len(sentence)
            vectors[begin:end].sum(axis=0, out=sums[place])
        return pack(sums)

    def _vectors(self, words: list[str]) -> NDArray[np.float32]:
        """A row for each word."""
        with self._lock:
            new = [word for word in dict.fromkeys(words) if word not in self._places]
            if len(self._places) + len(new) > KEPT:
                self._places.clear()
                new = list(dict.fromkeys(words))
            first = len(self._places)
            self._add(self._sums[first : first + len(new)], self._tokens(new))
            self._places |= {word: place for place, word in enumerate(new, first)}
            return self._sums[[self._places[word] for word in words]]

    def _add(self, sums: NDArray[np.float32], tokens: list[list[int]]) -> None:
        """Sums the rows of each list of tokens; first those of all first ones, and so on, for there
        are far more lists than tokens in a list."""
        sums[:] = 0
        for place in range(max(map(len, tokens), default=0)):
            some = [number for number, found in enumerate(tokens) if len(found) > place]
            sums[some] += self._matrix[[tokens[number][place] for number in some]]

    def _tokens(self, words: list[str]) -> list[list[int]]:
        """The tokens of each word, as after a blank. Most are one token, which is looked up in a
        tenth of the time; the others in this thread, see ``wordllama``."""
        whole = [self._tokenizer.token_to_id("▁" + word) for word in words]
        return [
            self._tokenizer.encode(word, add_special_tokens=False).ids if token is None else [token]
            for word, token in zip(words, whole, strict=True)
        ]
