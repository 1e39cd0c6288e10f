"""Concepts of a record, found without a model.

A concept is the subject or the object of a fact, the topic of a memory, part of an insight, or a
name in a text. A wrong concept connects things that have nothing in common, so a doubtful one is
left out. See docs/concepts.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from thalamus.policy.entities import USER, key_of
from thalamus.records import Fact, Insight, Memory, Project, Record, Turn
from thalamus.records.concepts import CONCEPT_KINDS, ConceptKind, ConceptName
from thalamus.text.analyzer import fold
from thalamus.text.days import MONTHS, WEEKDAYS
from thalamus.text.lazy_regex import lazy_regex
from thalamus.text.names import ENOUGH_WORDS, capitals_are_names, full_names, inside
from thalamus.text.word_lists import STOP_WORDS

LEAST = 8  # concepts of a short text at most
CHARACTERS_PER_CONCEPT = 250  # characters of a longer text per additional concept
MOST = 24  # concepts of any text at most
LONGEST_TEXT = 6000  # characters of a text that are read
CACHED_KEYS = 8192  # cached keys of names; most names recur
LONGEST = 60  # characters of a name
HEADING_CAPITALS = 0.75  # share of capitals from which a short text is a heading or shouting
_WORDS = 4  # words of an object that may be a name
_TOKEN = lazy_regex(r"[^\W_]+(?:['’&-][^\W_]+)*|[^\w\s]|\n")
_NO_TOPICS = frozenset("general misc miscellaneous other none unknown conversation".split())
_NO_CONCEPTS = frozenset("user assistant i me you he she it they we yes no true false".split())
_DAYS = frozenset((*MONTHS, *WEEKDAYS, *(f"{day}s" for day in WEEKDAYS)))


def concepts_of(record: Record) -> list[ConceptName]:
    """Concepts of a record, at most ``MOST``; empty for kinds without concepts. Those of a turn are
    in the user's message: capitals in a model's own words ("Noted", "Great Question!") show no
    names, and names that it repeats are those of records it was given."""
    if isinstance(record, Fact):
        return _limited(_of_fact(record), MOST)
    if isinstance(record, Memory):
        return _with_text(_topics([record.topic]), record.content)
    if isinstance(record, Turn):
        return in_text(record.message)
    if isinstance(record, Project):
        named = list(_found(record.name, "entity"))
        return _with_text([*named, *_topics(record.tags)], record.description or "")
    if isinstance(record, Insight):
        named = [concept for name in record.concepts for concept in _found(name, "phrase")]
        return _with_text(named, record.content)
    return []


def in_text(text: str) -> list[ConceptName]:
    """Names in a text, as far as capitals show them."""
    text = text[:LONGEST_TEXT]
    if text[1:] == text[1:].lower():  # no capital inside it, as in many scripts
        return []
    if not _shows_names(text):
        return []
    found = (concept for name in full_names(text) for concept in _found(_without_day(name), "name"))
    return _limited(found, min(MOST, LEAST + len(text) // CHARACTERS_PER_CONCEPT))


def names_something(text: str) -> bool:
    """True if the object of a fact is a name, rather than a number, a date, an address or a
    sentence."""
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
    """True if the capitals of a text mark names. A short text may consist largely of names in any
    language, but not almost entirely."""
    words = list(inside(text))
    if len(words) >= ENOUGH_WORDS:
        return capitals_are_names(text)
    return sum(word[0].isupper() for word in words) <= HEADING_CAPITALS * len(words)


def _without_day(name: str) -> str:
    """A name without a leading day ("on Monday Anna …"); empty if it is just a day."""
    words = name.split()
    while words and words[0] in _DAYS:
        del words[0]
    return " ".join(words)


def _of_fact(fact: Fact) -> Iterator[ConceptName]:
    for text in (fact.subject, fact.object):
        if names_something(text):
            yield from _found(text, "entity")


def _topics(topics: Iterable[str | None]) -> list[ConceptName]:
    spaced = (topic.replace("_", " ") for topic in topics if topic)
    return [
        concept
        for topic in spaced
        if fold(topic) not in _NO_TOPICS and names_something(topic)
        for concept in _found(topic, "topic")
    ]


def _with_text(named: list[ConceptName], text: str) -> list[ConceptName]:
    found = in_text(text)
    return _limited([*named, *found], max(LEAST, len(found)) + len(named))


@lru_cache(CACHED_KEYS)
def _found(name: str, kind: ConceptKind) -> tuple[ConceptName, ...]:
    """The concept with this name; empty if the name is too short, too long, or the user."""
    shown = canonical_name(name)
    key = concept_key(shown)
    if len(key) < 2 or len(shown) > LONGEST or key in _NO_CONCEPTS or key_of(shown) == USER:
        return ()
    return (ConceptName(key, shown, kind),)


def _limited(found: Iterable[ConceptName], most: int) -> list[ConceptName]:
    """The concepts without duplicates, each as its most specific kind; if there are too many, names
    come first."""
    best: dict[str, ConceptName] = {}
    for concept in found:
        known = best.get(concept.key)
        if known is None or _rank(concept) < _rank(known):
            best[concept.key] = concept
    if len(best) <= most:
        return list(best.values())
    ranked = sorted(best.values(), key=_rank)
    return ranked[: max(0, min(most, MOST))]


def _rank(found: ConceptName) -> int:
    return CONCEPT_KINDS.index(found.kind)


_ARTICLE = lazy_regex(
    r"^(?:the|an?|my|our|his|her|their|your|some|der|die|das|eine?n?|el|la|los|las|une?|le|les|o|os"
    r"|uma?)\s+(?=\S)",
    re.I,
)
_POSSESSIVE = lazy_regex(r"['’]s$")


def concept_key(name: str) -> str:
    """Key of a concept: its name without article, case and accents, and in the singular if its last
    word is in lower case."""
    bare = _POSSESSIVE.sub("", " ".join(name.split()))
    bare = _ARTICLE.sub("", bare, count=1)
    folded = fold(bare)
    return _singular(folded) if bare[-1:].islower() and _last(bare).islower() else folded


def canonical_name(name: str) -> str:
    """Display name of a concept: without article, on one line."""
    bare = _POSSESSIVE.sub("", " ".join(name.split()))
    return _ARTICLE.sub("", bare, count=1) if bare[:1].islower() else bare


def _last(name: str) -> str:
    return name.rpartition(" ")[2]


def _singular(folded: str) -> str:
    """The name with its last word in the singular, where that is reasonably certain."""
    if len(folded) < 4 or folded[-1] != "s" or folded.endswith(("ss", "us", "is", "ous", "'s")):
        return folded
    if folded.endswith("ies"):
        return folded[:-3] + "y" if len(_last(folded)) > 4 else folded
    if folded.endswith(("sses", "shes", "ches", "xes", "zzes")):
        return folded[:-2]
    return folded[:-1] if len(_last(folded)) > 3 else folded
