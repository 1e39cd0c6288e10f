"""Context for a message without a subject of its own ("And what about her?").

Its own words match anything. The words of the message before it name the subject; with them recall
finds as much as that message did (bench/retrieval.md has the figures).
"""

from __future__ import annotations

from collections.abc import Iterable

from thalamus.text.tokens import own_words

MOST = 64  # words taken from an earlier message: as many as a search takes


def has_no_content(message: str) -> bool:
    """True if a message has no content words of its own."""
    return not own_words(message)


def with_subject(message: str, before: Iterable[str]) -> str:
    """The message, followed by the words of its subject if it has no content words of its own.

    ``before``: the user's earlier messages in the session, newest first; the first one with content
    words supplies the subject.
    """
    if not has_no_content(message):
        return message
    return " ".join([message, *subject_of(before)])


def subject_of(messages: Iterable[str]) -> list[str]:
    """Words of the current subject of a session: those of the newest message that has content
    words. ``messages``: the user's messages, newest first."""
    return next((own for message in messages if (own := own_words(message))), [])[:MOST]
