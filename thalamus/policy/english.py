"""Estimate of how much of a store is in English, by its function words."""

from __future__ import annotations

from collections.abc import Sequence

from thalamus.text.tokens import content_words, words

# Least share of function words in an English text: of everyday statements 95 % have it, in twelve
# other languages at most 6 %.
LEAST = 0.2


def share_in_english(texts: Sequence[str]) -> float:
    """Share of the texts that are in English; 1 if there are none with words."""
    shares = [1 - len(content_words(text)) / len(found) for text in texts if (found := words(text))]
    return sum(share >= LEAST for share in shares) / len(shares) if shares else 1.0
