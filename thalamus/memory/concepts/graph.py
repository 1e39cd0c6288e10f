"""The graph of concepts: facts from subject to object, and concepts that occur together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from thalamus.errors import NothingMatches
from thalamus.memory.concepts.derivation import concept_id, merged_concept, merged_names
from thalamus.memory.concepts.views import Scope, find_rows
from thalamus.memory.facts.entities import names
from thalamus.policy.concepts import concept_key, names_something
from thalamus.policy.entities import USER, key_of
from thalamus.records import Alias, Fact
from thalamus.records.concepts import ConceptName
from thalamus.records.graphs import Graph, GraphEdge, GraphNode
from thalamus.store import concepts, facts
from thalamus.store.values import Filter

if TYPE_CHECKING:
    from thalamus.store.base import Store
    from thalamus.store.concepts import ConceptRow

RELATED = 12  # concepts per node in a graph that share the most entries with it
BESIDE_ON_A_PATH = 200
LONGEST_PATH = 6  # edges
LOOKED_AT = 4000  # nodes visited in search of a path
AT_ONCE = 400  # ids in one query


class GraphOptions(Struct, frozen=True):
    """``depth``: edges from the first node; ``limit``: most nodes; ``as_of``: facts that held then
    instead of current ones; ``every``: ended facts as well."""

    depth: int = 2
    limit: int = 40
    as_of: str | None = None
    every: bool = False


class ConceptGraph:
    """The graph of a store, read on demand. Nodes are named by concept keys, the user by ``USER``;
    concepts of several owners with the same name are one node."""

    def __init__(self, store: Store, scope: Scope, options: GraphOptions, now: str) -> None:
        self._store = store
        self._scope = scope
        self._options = options
        self._now = now

    def around(self, name: str) -> Graph:
        """The neighbourhood of a concept. Raises as ``find_rows``."""
        root = self._node(name)
        distance, edges = {root: 0}, list[GraphEdge]()
        frontier = [root]
        for step in range(1, self._options.depth + 1):
            found = list(self._edges(frontier, RELATED))
            edges += found
            frontier = []
            for edge in sorted(found, key=self._first):
                for key in (edge.source, edge.target):
                    if key not in distance and len(distance) < self._options.limit:
                        distance[key] = step
                        frontier.append(key)
            if not frontier:
                break
        edges += self._edges(frontier, RELATED) if frontier else []
        return self._graph(root, distance, _once(edges, distance))

    def path(self, name: str, other: str) -> Graph:
        """The shortest path between two concepts. Raises as ``find_rows``, and ``NothingMatches``
        when there is none."""
        root, target = self._node(name), self._node(other)
        reached_by: dict[str, GraphEdge | None] = {root: None}
        frontier = [root]
        for _ in range(LONGEST_PATH):
            if target in reached_by or not frontier or len(reached_by) > LOOKED_AT:
                break
            frontier = self._beyond(frontier, reached_by)
        if target not in reached_by:
            raise NothingMatches(
                f"There is no path from {name!r} to {other!r}.",
                fix="--all follows facts that have ended, too.",
            )
        keys = [target]
        while (edge := reached_by[keys[-1]]) is not None:
            keys.append(edge.source if edge.target == keys[-1] else edge.target)
        keys.reverse()
        distance = {key: place for place, key in enumerate(keys)}
        steps = [edge for key in keys if (edge := reached_by[key]) is not None]
        graph = self._graph(root, distance, steps)
        graph.path = [self._id(key) for key in keys]
        return graph

    def _beyond(
        self, frontier: Sequence[str], reached_by: dict[str, GraphEdge | None]
    ) -> list[str]:
        """Unvisited neighbours of these nodes; adds the edges by which they are reached to
        ``reached_by``."""
        new = []
        for edge in sorted(self._edges(frontier, BESIDE_ON_A_PATH), key=self._first):
            for node, neighbour in ((edge.source, edge.target), (edge.target, edge.source)):
                if node in reached_by and neighbour not in reached_by:
                    reached_by[neighbour] = edge
                    new.append(neighbour)
        return new

    # -- nodes ------------------------------------------------------------------------------------

    @cached_property
    def _rows(self) -> dict[str, list[ConceptRow]]:
        found: dict[str, list[ConceptRow]] = {}
        for row in concepts.read(self._store, self._scope.owners):
            found.setdefault(row.key, []).append(row)
        return found

    @cached_property
    def _keys(self) -> dict[int, str]:
        return {row.n: key for key, rows in self._rows.items() for row in rows}

    def _node(self, name: str) -> str:
        """The node of a name."""
        if key_of(name) == USER:
            return USER
        return find_rows(self._store, name, self._scope)[0].key

    def _id(self, key: str) -> str:
        return USER if key == USER else concept_id(self._rows[key][0].owner, key)

    def _name(self, key: str) -> str:
        return USER if key == USER else self._rows[key][0].name

    def _graph_node(self, key: str, distance: int) -> GraphNode:
        if key == USER:
            return GraphNode(id=USER, name=USER, kind="user", distance=distance)
        rows = self._rows[key]
        seen = sum(row.seen for row in rows)
        kind = rows[0].kind
        return GraphNode(
            id=self._id(key), name=rows[0].name, kind=kind, seen=seen, distance=distance
        )

    def _graph(self, root: str, distance: dict[str, int], edges: Iterable[GraphEdge]) -> Graph:
        nodes = [self._graph_node(key, distance[key]) for key in distance]
        for edge in (graph_edges := list(edges)):
            edge.source, edge.target = self._id(edge.source), self._id(edge.target)
        return Graph(root=self._id(root), nodes=nodes, edges=graph_edges, as_of=self._options.as_of)

    # -- edges ------------------------------------------------------------------------------------

    def _edges(self, keys: Sequence[str], limit: int) -> Iterator[GraphEdge]:
        """Edges of these nodes, between nodes named by their keys."""
        numbers = [row.n for key in keys for row in self._rows.get(key, ())]
        for fact in self._facts(numbers, USER in keys):
            ends = self._end(fact, fact.subject), self._end(fact, fact.object)
            if ends[0] is not None and ends[1] is not None and ends[0] != ends[1]:
                yield GraphEdge(
                    source=ends[0],
                    target=ends[1],
                    kind="fact",
                    label=fact.predicate,
                    fact=fact.id,
                    valid_from=fact.valid_from,
                    valid_to=fact.valid_to,
                )
        for one, other, count in concepts.together(self._store, numbers, limit):
            source, target = self._keys[one], self._keys.get(other)
            if target is not None and target != source:
                first, second = sorted((source, target))
                yield GraphEdge(source=first, target=second, kind="together", weight=count)

    def _facts(self, numbers: Sequence[int], of_user: bool) -> Iterator[Fact]:
        """Facts about these concepts, or about the user."""
        keys = concepts.entries(self._store, numbers)
        ids = sorted(facts.ids_about(self._store, keys, USER if of_user else None))
        options = self._options
        for start in range(0, len(ids), AT_ONCE):
            some = tuple(ids[start : start + AT_ONCE])
            where = Filter(ids=some, user=self._scope.user, as_of=options.as_of, now=self._now)
            found = facts.read(self._store, where, history=options.every)
            yield from (fact for fact in found if fact.retired_at is None)

    def _end(self, fact: Fact, name: str) -> str | None:
        """Node of a fact's subject or object; None when that is not a concept."""
        if key_of(name) == USER:
            return USER
        if not names_something(name):
            return None
        known = merged_names(names(self._store, fact.user)) if self._has_aliases else {}
        for one in merged_concept(ConceptName(concept_key(name), name, "entity"), known):
            return one.key if one.key in self._rows else None
        return USER

    @cached_property
    def _has_aliases(self) -> bool:
        return self._store.count(Alias) > 0

    def _first(self, edge: GraphEdge) -> tuple[object, ...]:
        """Sort key of edges: facts first, then concepts by how often they occur together."""
        return (edge.kind != "fact", -edge.weight, edge.source, edge.target, edge.label or "")


def _once(edges: Iterable[GraphEdge], nodes: Iterable[str]) -> list[GraphEdge]:
    """Edges between these nodes without duplicates."""
    node_set = set(nodes)
    found: dict[tuple[object, ...], GraphEdge] = {}
    for edge in edges:
        if edge.source in node_set and edge.target in node_set:
            name = (edge.source, edge.target, edge.kind, edge.label, edge.fact)
            known = found.setdefault(name, edge)
            known.weight = max(known.weight, edge.weight)
    return list(found.values())
