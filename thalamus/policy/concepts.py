"""What a record is about: the concepts that it is linked with, found without a model.

A concept is the subject or the object of a fact, the topic of a memory, what an insight connects,
or a name that stands in a text. Concepts that are wrong connect what has nothing in common, so a
doubtful one is left out. See docs/concepts.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from thalamus.policy.concept_names import canonical_name, concept_key
from thalamus.policy.entities import USER, fold, key_of
from thalamus.records import (
    CONCEPT_KINDS,
    ConceptKind,
    Fact,
    Insight,
    Memory,
    Project,
    Record,
    Turn,
)
from thalamus.text.days import MONTHS, WEEKDAYS
from thalamus.text.names import ENOUGH_WORDS, capitals_are_names, full_names, inside
from thalamus.text.word_lists import STOP_WORDS

LEAST = 8  # concepts of a short text, at most
EACH = 250  # characters of a longer one for each more
MOST = 24  # of any text
READ = 6000  # characters of a text that are looked at
KEPT = 8192  # names whose key is kept: most are met again
LONGEST = 60  # characters of a name
SHOUTED = 0.75  # share of capitals in a short text from which it is a heading, or shouted
_WORDS = 4  # of an object that names something
_TOKEN = re.compile(r"[^\W_]+(?:['’&-][^\W_]+)*|[^\w\s]|\n")
_NO_TOPICS = frozenset("general misc miscellaneous other none unknown conversation".split())
_NO_CONCEPTS = frozenset("user assistant i me you he she it they we yes no true false".split())
_DAYS = frozenset((*MONTHS, *WEEKDAYS, *(f"{day}s" for day in WEEKDAYS)))


class FoundConcept(NamedTuple):
    """A concept: what it is compared by, how it is written, and of which kind it is."""

    key: str
    name: str
    kind: ConceptKind


def concepts_of(record: Record) -> list[FoundConcept]:
    """The concepts of a record that can be found, at most ``MOST``; those of any other: none."""
    if isinstance(record, Fact):
        return _limited(_of_fact(record), MOST)
    if isinstance(record, Memory):
        return _with_text(_topics([record.topic]), record.content)
    if isinstance(record, Turn):
        found = in_text(record.message)
        return _limited([*found, *in_text(record.answer or "")], len(found) + LEAST)
    if isinstance(record, Project):
        named = list(_found(record.name, "entity"))
        return _with_text([*named, *_topics(record.tags)], record.description or "")
    if isinstance(record, Insight):
        named = [one for name in record.concepts for one in _found(name, "phrase")]
        return _with_text(named, record.content)
    return []


def in_text(text: str) -> list[FoundConcept]:
    """The names in a text, as far as capitals show them."""
    text = text[:READ]
    if not _shows_names(text):
        return []
    found = (one for name in full_names(text) for one in _found(_without_day(name), "name"))
    return _limited(found, min(MOST, LEAST + len(text) // EACH))


def names_something(text: str) -> bool:
    """Whether the object of a fact is the name of something: no number, date, address, sentence."""
    words = _TOKEN.findall(text)
    if not words or len(words) > _WORDS or len(text) > LONGEST:
        return False
    if any(char.isdigit() or char in "@/\\_=<>" for char in text) and not text[0].isupper():
        return False
    if not any(word[0].isalpha() and len(word) > 1 for word in words):
        return False
    if any(not word[0].isalnum() and word not in "&.'’-" for word in words):
        return False
    if words[-1] in WEEKDAYS or all(word in _DAYS or word[0].isdigit() for word in words):
        return False  # a time
    bare = [word for word in words if word.lower() not in STOP_WORDS]
    return bool(bare) and key_of(text) not in _NO_CONCEPTS


def _shows_names(text: str) -> bool:
    """Whether the capitals of a text are names. A short one may be full of names in any language,
    unless there is hardly anything else in it."""
    words = list(inside(text))
    if len(words) >= ENOUGH_WORDS:
        return capitals_are_names(text)
    return sum(word[0].isupper() for word in words) <= SHOUTED * len(words)


def _without_day(name: str) -> str:
    """A name without the day that stands before it ("on Monday Anna …"); empty where it is one."""
    words = name.split()
    while words and words[0] in _DAYS:
        del words[0]
    return " ".join(words)


def _of_fact(fact: Fact) -> Iterator[FoundConcept]:
    for text in (fact.subject, fact.object):
        if names_something(text):
            yield from _found(text, "entity")


def _topics(topics: Iterable[str | None]) -> list[FoundConcept]:
    spaced = (topic.replace("_", " ") for topic in topics if topic)
    return [
        one
        for topic in spaced
        if fold(topic) not in _NO_TOPICS and names_something(topic)
        for one in _found(topic, "topic")
    ]


def _with_text(named: list[FoundConcept], text: str) -> list[FoundConcept]:
    found = in_text(text)
    return _limited([*named, *found], max(LEAST, len(found)) + len(named))


@lru_cache(KEPT)
def _found(name: str, kind: ConceptKind) -> tuple[FoundConcept, ...]:
    """The concept of this name; none when it is too short, too long, or the user."""
    shown = canonical_name(name)
    key = concept_key(shown)
    if len(key) < 2 or len(shown) > LONGEST or key in _NO_CONCEPTS or key_of(shown) == USER:
        return ()
    return (FoundConcept(key, shown, kind),)


def _limited(found: Iterable[FoundConcept], most: int) -> list[FoundConcept]:
    """Each concept once, as the kind that says most; of too many the names first."""
    best: dict[str, FoundConcept] = {}
    for one in found:
        known = best.get(one.key)
        if known is None or _rank(one) < _rank(known):
            best[one.key] = one
    if len(best) <= most:
        return list(best.values())
    ranked = sorted(best.values(), key=_rank)
    return ranked[: max(0, min(most, MOST))]


def _rank(found: FoundConcept) -> int:
    return CONCEPT_KINDS.index(found.kind)
