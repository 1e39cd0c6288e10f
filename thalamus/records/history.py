"""Times of the history of a fact."""

from __future__ import annotations


def sortable(at: str) -> str:
    """A time in the form in which beliefs are stored, where text order is time order."""
    return at.removesuffix("Z")
