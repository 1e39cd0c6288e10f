"""Text of a piece of evidence: the speaker's own words, and the words that an answer used."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Protocol

from thalamus.text.analyzer import words
from thalamus.text.statements import statement_words
from thalamus.text.tokens import Forms

if TYPE_CHECKING:
    from thalamus.records import Evidence, EvidenceKind, ProfileLine, ToolCall

MOST_SAME = 3  # texts that say the same by one word: a fact, its memory and their turn
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


def credited(texts: Mapping[str, str], message: str, answer: str) -> dict[str, list[str]]:
    """The texts that an answer may rest on, by id, with the words that it may have taken from each:
    as few as have all its added words that any of them has (the greedy set cover of Chvátal, 1979,
    with words weighed by how few texts have them), and those that say the same as one of these. So
    a month or a number that half of the notes have is not taken from all of them."""
    having: dict[str, set[str]] = {}
    for id, text in texts.items():
        for word in used_words(text, message, answer):
            having.setdefault(word, set()).add(id)
    found: dict[str, list[str]] = {}
    left = dict(having)
    while left:
        gains = {id: sum(1 / len(left[word]) for word in left if id in left[word]) for id in texts}
        best = max(gains, key=lambda id: round(gains[id], 6))
        new = [ids for ids in left.values() if best in ids]
        same = set.intersection(*new)
        if len(new) == 1 and len(same) > MOST_SAME:
            same = {best}
        for id in same:
            found[id] = [word for word in having if id in having[word]]
        left = {word: ids for word, ids in left.items() if best not in ids}
    return found


def used_evidence(evidence: Iterable[Evidence], message: str, answer: str) -> list[str]:
    """Ids of the evidence from which an answer may have words, in order."""
    texts = {item.id: item.text for item in evidence}
    found = credited(texts, message, answer)
    return [id for id in texts if id in found]


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
