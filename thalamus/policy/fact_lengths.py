"""Limits of the length of a fact: it is a statement, and text belongs into memories."""

from __future__ import annotations

LONGEST = {"subject": 200, "predicate": 200, "object": 2_000}  # characters


def too_long(field: str, text: str) -> str:
    """The problem with a part of a fact that is too long; empty if it is not."""
    if len(text) <= LONGEST[field]:
        return ""
    advice = "; store a longer text as a memory" if field == "object" else ""
    return f"is too long: {len(text):,} characters, at most {LONGEST[field]:,}{advice}"
