"""Novelty of a memory compared with the existing ones, by its words and by its vector.

Words decide, for they show what differs: a name, a number, a "not". Vectors of short sentences
about similar things ("likes cats", "likes dogs") are close whatever they say, so a close vector
alone only makes a memory less novel, never the same.
"""

from __future__ import annotations

from msgspec import Struct

from thalamus.records import Memory
from thalamus.text.statements import share_said


class Neighbour(Struct, frozen=True):
    """A stored memory, and its closeness. ``cosine``: that of the vectors, ``background`` that of
    any two texts of the store; ``recalled``: it was in the prompt of this turn."""

    memory: Memory
    cosine: float | None = None
    background: float = 0.0
    recalled: bool = False

    @property
    def closeness(self) -> float:
        """Excess of the cosine over that of any two texts, as a share of the maximum."""
        if self.cosine is None or self.background >= 1:
            return 0.0
        above = (self.cosine - self.background) / (1 - self.background)
        return min(1.0, max(0.0, above))


def similarity(content: str, neighbour: Neighbour) -> float:
    """Share of a statement that the neighbour has, by words or by vector: 0 to 1."""
    other = neighbour.memory.content
    by_words = share_said(content, other)
    if by_words > 0.5:  # otherwise the rest of the neighbour makes no difference
        by_words = min(by_words, max(share_said(other, content), 0.5))
    return round(max(by_words, neighbour.closeness), 4)
