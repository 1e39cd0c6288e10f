"""Tokenizer of XLM-RoBERTa: SentencePiece with a unigram model.

A text is cut into those pieces of the vocabulary whose scores, log probabilities, have the highest
sum (Kudo, "Subword Regularization", 2018), found with the Viterbi algorithm.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

SPACE = "▁"  # stands for the space before a word
_UNKNOWN_PENALTY = 10.0  # below the lowest score


class Unigram:
    """Tokenizer with these pieces (UTF-8) and their scores; ``unknown``: the id of the others."""

    def __init__(self, pieces: Sequence[bytes], scores: Sequence[float], unknown: int) -> None:
        self._ids = {piece: number for number, piece in enumerate(pieces)}
        self._scores = scores
        self._unknown = unknown
        self._unknown_score = min(scores) - _UNKNOWN_PENALTY
        self._longest = max(map(len, pieces))

    def encode(self, text: str) -> list[int]:
        """Ids of the pieces of a text."""
        text = normalize(text)
        best = [0.0, *[float("-inf")] * len(text)]  # highest sum of scores up to each character
        last = [(0, self._unknown)] * (len(text) + 1)  # the piece that ends there: start, id
        for start in range(len(text)):
            score = best[start] + self._unknown_score
            if score > best[start + 1]:
                best[start + 1], last[start + 1] = score, (start, self._unknown)
            for end in range(start + 1, min(len(text), start + self._longest) + 1):
                number = self._ids.get(text[start:end].encode())
                if number is None:
                    continue
                score = best[start] + self._scores[number]
                if score > best[end]:
                    best[end], last[end] = score, (start, number)
        found: list[int] = []
        place = len(text)
        while place:
            place, number = last[place]
            found.append(number)
        return found[::-1]


def normalize(text: str) -> str:
    """The text in normal form NFKC with single spaces, as SentencePiece reads it. Control and
    format characters count as spaces."""
    text = unicodedata.normalize("NFKC", text)
    if not text.isprintable():
        text = "".join(letter if letter.isprintable() else " " for letter in text)
    return "".join(SPACE + word for word in text.split())
