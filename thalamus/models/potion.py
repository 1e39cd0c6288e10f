"""Static embeddings of a hundred languages: potion-multilingual-128M, reduced to 128 dimensions.

Its vectors are those of pieces of words, learned from a large model (van Dongen and Tulkens,
"Model2Vec", 2024). That of a text is their mean. The weights come with Thalamus; `bench/potion.py`
generates them.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from itertools import takewhile
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
_LONGEST = 64  # bytes of a piece, at most
_INSIDE = bytes(range(0x80, 0xC0))  # bytes of a character after its first
_ASCII_WORD = re.compile(r"[a-z0-9]+")


class Potion:
    """The embeddings in a folder. Raises ``ModelMissing`` if a file is missing or damaged."""

    def __init__(self, folder: Path = WEIGHTS) -> None:
        import numpy as np

        try:
            # a piece a line, in the order of their bytes
            self._text = (folder / PIECES).read_bytes()
            self._ends = np.flatnonzero(np.frombuffer(self._text, "u1") == ord("\n"))
            self._rows = np.load(folder / VECTORS, mmap_mode="r")
            if self._rows.dtype != np.dtype(ROW) or self._rows.shape != self._ends.shape:
                raise ValueError("its files do not match")
        except (OSError, ValueError) as error:
            raise ModelMissing("static", f"{folder}: {error}", fix="Reinstall Thalamus.") from None
        self._words: dict[str, list[int]] = {}

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """A vector of length 1 for each text; of length 0 for a text without a known piece."""
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
        """The pieces of a word: the longest with which the rest of it begins, again and again."""
        found = self._words.get(word)
        if found is not None:
            return found
        found = []
        text, place = f"{START}{word}".encode(), 0
        while place < len(text):
            number = self._longest(text[place : place + _LONGEST])
            if number is not None:
                found.append(number)
                place += len(self._piece(number))
                continue
            place += 1
            while place < len(text) and text[place] in _INSIDE:
                place += 1
        if len(word) <= _LONGEST:  # longer ones hardly ever recur
            if len(self._words) >= CACHED_WORDS:
                self._words.clear()
            self._words[word] = found
        return found

    def _longest(self, text: bytes) -> int | None:
        """The longest piece with which a text begins. Building a table of all pieces would take
        longer than answering a question."""
        while text:
            place = bisect_right(range(len(self._ends)), text, key=self._piece) - 1
            piece = self._piece(place) if place >= 0 else b""
            if piece and text.startswith(piece):
                return place
            text = _common_beginning(piece, text)
        return None

    def _piece(self, number: int) -> bytes:
        begin = self._ends[number - 1] + 1 if number else 0
        return self._text[begin : self._ends[number]]


def _common_beginning(one: bytes, other: bytes) -> bytes:
    pairs = zip(one, other, strict=False)
    return one[: sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))]


def words(text: str) -> list[str]:
    """Words of a text in lower case and normal form NFKC, with their combining marks."""
    if text.isascii():
        return _ASCII_WORD.findall(text.lower())
    folded = unicodedata.normalize("NFKC", text).lower()
    return "".join(letter if _in_word(letter) else " " for letter in folded).split()


def _in_word(letter: str) -> bool:
    return letter.isalnum() or unicodedata.category(letter)[0] == "M"
