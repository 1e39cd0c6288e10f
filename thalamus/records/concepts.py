"""What the things that were said are about."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from msgspec import Meta

from thalamus.records.base import Record, Text

ConceptKind = Literal["entity", "name", "topic", "phrase"]
CONCEPT_KINDS: tuple[ConceptKind, ...] = get_args(ConceptKind)  # what says most comes first


class Concept(Record, tag="concept"):
    """Something that turns, memories, facts, documents or insights are about.

    ``kind``: the subject or object of facts (entity), a proper noun (name), the topic of a memory
    or of the world state (topic), or a noun phrase. ``aliases`` are other spellings, and names that
    were merged into it by hand. ``seen``: how many records are about it; ``seen_at``: when the last
    of them was said. Worked out from what is stored; nothing is lost with it.
    """

    id: str
    name: Text
    aliases: list[str] = []
    kind: ConceptKind = "phrase"
    seen: Annotated[int, Meta(ge=0)] = 0
    seen_at: str | None = None
    user: str | None = None
