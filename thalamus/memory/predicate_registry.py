"""The packaged registry of predicates (``data/predicates.json``)."""

from __future__ import annotations

import functools
from pathlib import Path

from thalamus.policy.predicates import PredicateEntry, Registry

_FILE = Path(__file__).parent.parent / "data" / "predicates.json"


@functools.cache
def packaged_entries() -> tuple[PredicateEntry, ...]:
    """The predicates that come with the package."""
    import msgspec

    return msgspec.json.decode(_FILE.read_bytes(), type=tuple[PredicateEntry, ...])


@functools.cache
def packaged() -> Registry:
    """The registry as it is without any of the user's own."""
    return Registry(packaged_entries())
