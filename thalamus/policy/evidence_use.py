"""The evidence that an answer used, as far as its words show."""

from __future__ import annotations

from thalamus.text.tokens import content_words, similar, words

_EVERYWHERE = {"user", "user's", "assistant"}  # memories are written about them


def used_words(evidence: str, message: str, answer: str) -> list[str]:
    """The content words of an answer that the evidence has, in any form, and the message has not:
    those it may have taken from there. A rule of overlap, no more: a model may know a word from
    elsewhere, or put what it read into others."""
    there, said = words(evidence), words(message)
    return [
        word
        for word in dict.fromkeys(content_words(answer))
        if word not in _EVERYWHERE
        and any(similar(word, other) for other in there)
        and not any(similar(word, other) for other in said)
    ]
