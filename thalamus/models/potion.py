"""Static embeddings of a hundred languages: potion-multilingual-128M, reduced to 128 dimensions.

Its vectors are those of pieces of words, learned from a large model (van Dongen and Tulkens,
"Model2Vec", 2024). That of a text is their mean. The weights come with Thalamus; `bench/potion.py`
makes them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thalamus.errors import ModelMissing

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WEIGHTS = Path(__file__).with_name("weights")
PIECES, VECTORS = "potion.txt", "potion.npy"
DIMENSION = 128
ROW: list[Any] = [("scale", "<f2"), ("numbers", "i1", DIMENSION)]
START = "▁"  # before a piece that begins a word
CACHED_WORDS = 30_000  # words whose pieces are cached
_LONGEST = 16  # characters of a piece
_ASCII_WORD = re.compile(r"[a-z0-9]+")


class Potion:
    """The embeddings in a folder. Raises ``ModelMissing`` if a file is missing or damaged."""

    def __init__(self, folder: Path = WEIGHTS) -> None:
        import numpy as np

        try:
            # one piece a line, and its vector
            pieces = (folder / PIECES).read_text(encoding="utf-8").split("\n")[:-1]
            self._rows = np.load(folder / VECTORS, mmap_mode="r")
            if self._rows.dtype != np.dtype(ROW) or self._rows.shape != (len(pieces),):
                raise ValueError("its files do not match")
        except (OSError, ValueError) as error:
            raise ModelMissing("static", f"{folder}: {error}", fix="Reinstall Thalamus.") from None
        self._ids = dict(zip(pieces, range(len(pieces)), strict=True))
        self._words: dict[str, list[int]] = {}

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """A vector for each text, of length 1; of length 0 for a text without a known piece."""
        import numpy as np

        found = np.zeros((len(texts), DIMENSION), np.float32)
        for number, text in enumerate(texts):
            pieces = [piece for word in words(text) for piece in self._split(word)]
            rows = self._rows[pieces]
            total = rows["scale"].astype(np.float32) @ rows["numbers"].astype(np.float32)
            length = float(np.linalg.norm(total))
            if length:
                found[number] = total / length
        return found

    def _split(self, word: str) -> list[int]:
        """The pieces of a word: the longest that fits, again and again."""
        found = self._words.get(word)
        if found is None:
            if len(self._words) >= CACHED_WORDS:
                self._words.clear()
            found = self._words[word] = self._longest_pieces(START + word)
        return found

    def _longest_pieces(self, word: str) -> list[int]:
        found: list[int] = []
        start = 0
        while start < len(word):
            for end in range(min(len(word), start + _LONGEST), start, -1):
                piece = self._ids.get(word[start:end])
                if piece is not None:
                    found.append(piece)
                    start = end
                    break
            else:
                start += 1
        return found


def words(text: str) -> list[str]:
    """Words of a text in lower case and normal form NFKC, with their combining marks."""
    if text.isascii():
        return _ASCII_WORD.findall(text.lower())
    folded = unicodedata.normalize("NFKC", text).lower()
    return "".join(letter if _in_word(letter) else " " for letter in folded).split()


def _in_word(letter: str) -> bool:
    return letter.isalnum() or unicodedata.category(letter)[0] == "M"
