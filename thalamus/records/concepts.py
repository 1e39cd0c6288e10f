"""What the things that were said are about."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct

from thalamus.records.base import EvidenceKind, Record, Text
from thalamus.records.memories import Fact

ConceptKind = Literal["entity", "name", "topic", "phrase"]
CONCEPT_KINDS: tuple[ConceptKind, ...] = get_args(ConceptKind)  # what says most comes first


class Concept(Record, tag="concept"):
    """Something that turns, memories, facts, documents or insights are about.

    ``kind``: the subject or object of facts (entity), a name in a text (name), the topic of a
    memory or a tag of a project (topic), or what an insight connects (phrase). ``aliases`` are
    other spellings, and names that were merged into it by hand. ``seen``: how many records are
    about it; ``seen_at``: when the last of them was said. Worked out from what is stored; nothing
    is lost with it.
    """

    id: str
    name: Text
    aliases: list[str] = []
    kind: ConceptKind = "phrase"
    seen: Annotated[int, Meta(ge=0)] = 0
    seen_at: str | None = None
    user: str | None = None


class ConceptEntry(Struct, kw_only=True, forbid_unknown_fields=True):
    """Something that is about a concept: a turn, a memory, a fact, a piece of a document …"""

    id: str
    kind: EvidenceKind
    text: str
    at: str | None = None


class RelatedConcept(Struct, kw_only=True, forbid_unknown_fields=True):
    """A concept that ``shared`` of the things that are about another one are about, too."""

    id: str
    name: str
    shared: Annotated[int, Meta(ge=1)]


class ConceptDetails(Record, tag="concept_details"):
    """A concept with what is about it, newest first, the concepts that share most with it, and the
    facts that hold about it at present."""

    concept: Concept
    entries: list[ConceptEntry] = []
    related: list[RelatedConcept] = []
    facts: list[Fact] = []
