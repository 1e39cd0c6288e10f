"""The evidence that an answer used, as far as its words show."""

from __future__ import annotations

from thalamus.text.statements import statement_words
from thalamus.text.tokens import Forms, words


def used_words(evidence: str, message: str, answer: str) -> list[str]:
    """The content words of an answer that the evidence has, in any form, and the message has not:
    those it may have taken from there. A rule of overlap, no more: a model may know a word from
    elsewhere, or put what it read into others."""
    evidence_forms, message_forms = Forms(words(evidence)), Forms(words(message))
    return [
        word
        for word in statement_words(answer)
        if evidence_forms.has(word) and not message_forms.has(word)
    ]
