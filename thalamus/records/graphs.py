"""Concepts and how they are connected."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from thalamus.records.base import Record, Text
from thalamus.records.concepts import ConceptKind


class GraphNode(Struct, kw_only=True, forbid_unknown_fields=True):
    """A concept, or the user; ``distance``: how many edges it is from the first node."""

    id: str
    name: Text
    kind: ConceptKind | Literal["user"]
    seen: Annotated[int, Meta(ge=0)] = 0
    distance: Annotated[int, Meta(ge=0)] = 0


class GraphEdge(Struct, kw_only=True, forbid_unknown_fields=True):
    """A fact (its predicate is the ``label``, from subject to object), or that as many things as
    ``weight`` are about both (``together``, which has no direction)."""

    source: str
    target: str
    kind: Literal["fact", "together"]
    weight: Annotated[int, Meta(ge=1)] = 1
    label: str | None = None
    fact: str | None = None
    valid_from: str | None = None
    valid_to: str | None = None


class Graph(Record, tag="graph"):
    """What is connected with a concept. ``root`` is its node; ``path``: the nodes from it to the
    one that was asked for, one after the other."""

    root: str
    nodes: list[GraphNode] = []
    edges: list[GraphEdge] = []
    path: list[str] = []
    as_of: str | None = None
