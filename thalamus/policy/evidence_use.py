"""The evidence that an answer used, as far as its words show."""

from __future__ import annotations

from functools import lru_cache

from thalamus.text.tokens import Forms, content_words, words

_EVERYWHERE = {"user", "user's", "assistant"}  # memories are written about them


def used_words(evidence: str, message: str, answer: str) -> list[str]:
    """The content words of an answer that the evidence has, in any form, and the message has not:
    those it may have taken from there. A rule of overlap, no more: a model may know a word from
    elsewhere, or put what it read into others."""
    evidence_forms, message_forms = Forms(words(evidence)), Forms(words(message))
    return [
        word
        for word in _words_of(answer)
        if evidence_forms.has(word) and not message_forms.has(word)
    ]


@lru_cache(8)  # an answer is compared with each line of a profile
def _words_of(answer: str) -> tuple[str, ...]:
    return tuple(word for word in dict.fromkeys(content_words(answer)) if word not in _EVERYWHERE)
