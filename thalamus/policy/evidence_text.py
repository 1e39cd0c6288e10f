"""Text of a piece of evidence: the speaker's own words, and the words that an answer used."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from typing import TYPE_CHECKING, Protocol

from thalamus.text.analyzer import words
from thalamus.text.statements import statement_words
from thalamus.text.tokens import Forms

if TYPE_CHECKING:
    from thalamus.records import Evidence, EvidenceKind, ProfileLine, ToolCall

ANSWERED = "\nAssistant: "  # between the two sides of a turn


class TextItem(Protocol):
    """An index entry or a piece of evidence."""

    @property
    def kind(self) -> EvidenceKind: ...

    @property
    def text(self) -> str: ...


def without_answer(item: TextItem) -> str:
    """Text of an entry or a piece of evidence; for a turn, only the user's message."""
    return user_words(item.text) if item.kind == "turn" else item.text


def user_words(text: str) -> str:
    """The user's message in the text of a turn."""
    return text.split(ANSWERED, 1)[0].removeprefix("User: ")


def used_words(evidence: str, message: str, answer: str) -> list[str]:
    """The content words of an answer that the evidence has, in any form, and the message has not:
    those it may have taken from there. A rule of overlap, no more: a model may know a word from
    elsewhere, or put what it read into others."""
    return list(filter(Forms(words(evidence)).has, _added_words(message, answer)))


def _added_words(message: str, answer: str) -> list[str]:
    """The content words of an answer that the message has in no form."""
    forms = Forms(words(message))
    return [word for word in statement_words(answer) if not forms.has(word)]


def used_evidence(evidence: Iterable[Evidence], message: str, answer: str) -> list[str]:
    """Ids of the evidence from which an answer may have words."""
    added = _added_words(message, answer)
    return [item.id for item in evidence if any(map(Forms(words(item.text)).has, added))]


def used_results(
    calls: Iterable[ToolCall], used: Container[str], message: str, answer: str
) -> list[str]:
    """Ids of the tool calls from whose results an answer may have words: their own, or those of the
    evidence that they found, of which ``used`` are the ids."""
    found = []
    for call in calls:
        ids = call.result.get("ids") if isinstance(call.result, dict) else None
        if ids is not None:
            stands = any(id in used for id in ids)
        else:
            stands = bool(used_words(" ".join(_values(call.result)), message, answer))
        if stands and call.error is None:
            found.append(call.id)
    return found


def _values(result: object) -> Iterator[str]:
    """The values in a tool's result as text, without the names of its fields."""
    if isinstance(result, dict | list):
        for value in result.values() if isinstance(result, dict) else result:
            yield from _values(value)
    elif result is not None:
        yield str(result)


def used_lines(profile: Iterable[ProfileLine], answer: str) -> Iterator[str]:
    """Ids behind the lines of a profile from which an answer may have words."""
    for line in profile:
        if used_words(line.text, "", answer):
            yield from line.ids
