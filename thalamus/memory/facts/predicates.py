"""The packaged predicates (``data/predicates.json``)."""

from __future__ import annotations

import functools

from thalamus import data
from thalamus.policy.predicates import PredicateEntry, Registry


@functools.cache
def packaged_entries() -> tuple[PredicateEntry, ...]:
    """Predicates that come with the package."""
    import msgspec

    return msgspec.json.decode(data.read("predicates.json"), type=tuple[PredicateEntry, ...])


@functools.cache
def packaged() -> Registry:
    """The registry without any predicates of the user's own."""
    return Registry(packaged_entries())


@functools.cache
def kin_words() -> frozenset[str]:
    """Words for relatives, friends and other people in a person's life, in lower case."""
    return frozenset(
        word.casefold() for entry in packaged_entries() if entry.kin for word in entry.words
    )


@functools.cache
def kin_predicates() -> frozenset[str]:
    """Predicates for the people in a person's life."""
    return frozenset(entry.name for entry in packaged_entries() if entry.kin)


@functools.cache
def negative_predicates() -> frozenset[str]:
    """Predicates that express a denial or dislike."""
    return frozenset(entry.name for entry in packaged_entries() if entry.negative)
