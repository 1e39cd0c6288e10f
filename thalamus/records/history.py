"""Times of the history of a fact."""

from __future__ import annotations


def sortable(at: str) -> str:
    """A time as the beliefs about a fact are stored: its order as text is its order in time."""
    return at.removesuffix("Z")
