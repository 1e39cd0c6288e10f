"""Is what a draft says known? A small model says its draft again, whatever the notes say."""

from __future__ import annotations

from collections.abc import Sequence

from thalamus.text.tokens import content_words, share_found, words


def is_supported(draft: str, message: str, notes: Sequence[str]) -> bool:
    """Whether the notes have every word that a draft adds to the message it answers. One that adds
    none says nothing."""
    asked = set(words(message))
    added = [word for word in content_words(draft) if word not in asked]
    return bool(added) and share_found(added, words(" ".join(notes))) == 1.0
