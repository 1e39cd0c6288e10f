"""The table ``predicate``: the user's own predicates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thalamus.records import Predicate

if TYPE_CHECKING:
    from thalamus.store.reader import Reader


def every(reader: Reader) -> list[Predicate]:
    """The user's own predicates, by name."""
    return reader.read(Predicate, "SELECT * FROM predicate ORDER BY name")
