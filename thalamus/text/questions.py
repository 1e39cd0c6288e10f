"""Detection of questions by their question marks."""

from __future__ import annotations

from thalamus.text.sentences import CLOSERS, sentences
from thalamus.text.tokens import QUESTION_MARKS


def has_question(text: str) -> bool:
    """True if a text contains a question mark."""
    return any(mark in text for mark in QUESTION_MARKS)


def is_question(sentence: str) -> bool:
    """True if a sentence ends in a question mark."""
    return sentence.rstrip().rstrip(CLOSERS).endswith(QUESTION_MARKS)


def only_asks(text: str) -> bool:
    """True if a text consists of questions."""
    found = sentences(text)
    return bool(found) and all(map(is_question, found))


def without_questions(text: str) -> str:
    """Sentences of a text that are not questions."""
    if not has_question(text):
        return text
    return " ".join(part for part in sentences(text) if not is_question(part))
