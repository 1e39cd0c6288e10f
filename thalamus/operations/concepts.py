"""Acts on the names of concepts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta, Struct

from thalamus.operations import OWNER, Act
from thalamus.terminal.concepts import concept_line

if TYPE_CHECKING:
    from thalamus.api import Thalamus
    from thalamus.records.concepts import Concept


class Merge(Struct, frozen=True):
    """The concept to be merged, and the one that it is merged into."""

    name: Annotated[str, Meta(title="NAME", description="The concept to merge.")]
    into: Annotated[str, Meta(title="INTO", description="The concept to merge it into.")]


class Split(Struct, frozen=True):
    """The name that was merged."""

    name: Annotated[str, Meta(title="NAME", description="The name that was merged.")]


def _split(thalamus: Thalamus, given: Split) -> list[Concept]:
    found = thalamus.memories.split_concept(given.name)
    return [] if found is None else [found]


def _lines(found: Sequence[Concept]) -> Iterator[str]:
    yield from map(concept_line, found)
    if not found:
        yield "It means itself again."


MERGE = Act(
    Merge, lambda t, given: [t.memories.merge_concepts(given.name, given.into)], _lines, OWNER
)
SPLIT = Act(Split, _split, _lines, OWNER)
