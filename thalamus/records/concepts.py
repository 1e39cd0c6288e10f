"""Concepts: what stored records are about."""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple, get_args

from msgspec import Meta, Struct

from thalamus.records.base import EvidenceKind, Record, Text
from thalamus.records.memories import Fact

ConceptKind = Literal["entity", "name", "topic", "phrase"]
CONCEPT_KINDS: tuple[ConceptKind, ...] = get_args(ConceptKind)  # the most specific first


class Concept(Record, tag="concept"):
    """Something that turns, memories, facts, documents or insights are about.

    ``kind``: the subject or object of facts (entity), a name in a text (name), the topic of a
    memory or a tag of a project (topic), or part of an insight (phrase). ``aliases``: other
    spellings, and names merged into it by hand. ``seen``: the number of records about it;
    ``seen_at``: when the last of them was said. Concepts are derived from other records; deleting
    one loses no information.
    """

    id: str
    name: Text
    aliases: list[str] = []
    kind: ConceptKind = "phrase"
    seen: Annotated[int, Meta(ge=0)] = 0
    seen_at: str | None = None
    user: str | None = None


class ConceptName(NamedTuple):
    """Key, display name and kind of a concept."""

    key: str
    name: str
    kind: ConceptKind


class ConceptEntry(Struct, kw_only=True, forbid_unknown_fields=True):
    """A record that is about a concept: a turn, a memory, a fact, a chunk of a document …"""

    id: str
    kind: EvidenceKind
    text: str
    at: str | None = None


class RelatedConcept(Struct, kw_only=True, forbid_unknown_fields=True):
    """A concept that shares ``shared`` records with another one."""

    id: str
    name: str
    shared: Annotated[int, Meta(ge=1)]


class ConceptDetails(Record, tag="concept_details"):
    """A concept with the records about it, newest first, the concepts that share most records with
    it, and the facts about it that hold at present."""

    concept: Concept
    entries: list[ConceptEntry] = []
    related: list[RelatedConcept] = []
    facts: list[Fact] = []
