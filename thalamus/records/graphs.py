"""Graphs of concepts and their connections."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from thalamus.records.base import Record, Text
from thalamus.records.concepts import ConceptKind


class GraphNode(Struct, kw_only=True, forbid_unknown_fields=True):
    """A concept or the user; ``distance``: number of edges from the root."""

    id: str
    name: Text
    kind: ConceptKind | Literal["user"]
    seen: Annotated[int, Meta(ge=0)] = 0
    distance: Annotated[int, Meta(ge=0)] = 0


class GraphEdge(Struct, kw_only=True, forbid_unknown_fields=True):
    """An edge: a fact, directed from subject to object with its predicate as ``label``, or
    ``weight`` records about both nodes (``together``, undirected)."""

    source: str
    target: str
    kind: Literal["fact", "together"]
    weight: Annotated[int, Meta(ge=1)] = 1
    label: str | None = None
    fact: str | None = None
    valid_from: str | None = None
    valid_to: str | None = None


class Graph(Record, tag="graph"):
    """The neighbourhood of a concept. ``root``: its node; ``path``: the nodes from it to the
    requested target, in order."""

    root: str
    nodes: list[GraphNode] = []
    edges: list[GraphEdge] = []
    path: list[str] = []
    as_of: str | None = None
