"""A message that says nothing by itself ("And what about her?"): what it goes on with.

Its own words find anything at all. Those of the message before it are what is being talked of; with
them recall finds as much as that message did (docs/retrieval.md has the figures).
"""

from __future__ import annotations

from collections.abc import Iterable

from thalamus.text.tokens import without_function_words, words

MOST = 64  # words taken from an earlier message: as many as a search takes


def says_nothing(message: str) -> bool:
    """True if a message has no content words of its own, in one of the five languages."""
    return not own_words(message)


def with_subject(message: str, before: Iterable[str]) -> str:
    """The message, and if it says nothing by itself the words of what was said before it.

    ``before``: the user's earlier messages in the session, newest first; the first one that says
    something is what the message goes on with.
    """
    if not says_nothing(message):
        return message
    return " ".join([message, *subject_of(before)])


def subject_of(said: Iterable[str]) -> list[str]:
    """The words that a session is about at present: those of the newest message that says
    something. ``said``: the user's messages, newest first."""
    return next((own for message in said if (own := own_words(message))), [])[:MOST]


def own_words(message: str) -> list[str]:
    """The distinct content words of a message in one of five languages."""
    return without_function_words(words(message))
