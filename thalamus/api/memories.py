"""Memories, the documents in memory, and the concepts that both are about."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import structs

from thalamus.api.runtime import View
from thalamus.records import Document, Memory
from thalamus.store import memories
from thalamus.store.values import Filter

if TYPE_CHECKING:
    from thalamus.memory.retention.prune import PruneOptions, PruneResult
    from thalamus.memory.views.timeline import TimelineQuery
    from thalamus.records import Project, Verdict
    from thalamus.records.concepts import Concept, ConceptDetails, ConceptKind
    from thalamus.records.graphs import Graph
    from thalamus.records.timelines import TimelineItem


class MemoriesView(View):
    """Memories, documents, concepts, and the timeline of everything stored."""

    def find(self, where: Filter | None = None, *, limit: int = 100) -> list[Memory]:
        """Memories, newest first; chunks of documents only when ``where`` asks for them. Raises
        ``NoStore``."""
        if where is None:
            where = structs.replace(self._runtime.here(), kinds=("memory",))
        return memories.read(self._database, where, limit)

    def get(self, id: str) -> Memory:
        """The memory with this id or unique id prefix. Raises ``NoStore``, ``NothingFound``,
        ``UsageError``."""
        from thalamus.memory.resolve_id import find_memory

        return find_memory(self._database, id)

    def edit(self, id: str, **changes: Any) -> Memory:
        """Changes fields of a memory (content, topic, type, importance, scope, expires_at).

        New content creates a new memory, which is returned. Raises ``NoStore``, ``NothingFound``,
        ``UsageError``.
        """
        from thalamus.memory.edit import edit

        return edit(self.get(id), changes, self._new_run())

    def pin(self, id: str, pinned: bool = True) -> Memory:
        """Pins a memory, so that it is never pruned, or unpins it. Raises ``NoStore``,
        ``NothingFound``, ``UsageError``."""
        from thalamus.memory.edit import pin

        return pin(self.get(id), pinned, self._new_run())

    def confirm(self, id: str) -> Memory:
        """Confirms that a memory is still true: it counts as said again now, and is no longer
        marked as outdated. Raises ``NoStore``, ``NothingFound``, ``UsageError``."""
        from thalamus.memory.edit import confirm

        return confirm(self.get(id), self._new_run())

    def promote(self, id: str) -> Memory:
        """Makes a memory core. Raises ``NoStore``, ``NothingFound``, and ``UsageError`` when it may
        not be, or core is full."""
        from thalamus.memory.edit import promote

        return promote(self.get(id), self._new_run())

    def demote(self, id: str) -> Memory:
        """Makes a core memory archival; any other loses a step of importance. Raises ``NoStore``,
        ``NothingFound``, ``UsageError``."""
        from thalamus.memory.edit import demote

        return demote(self.get(id), self._new_run())

    def release(self, id: str) -> Verdict:
        """Releases a memory from quarantine, so that it is recalled like any other. Raises
        ``NoStore``, ``NothingFound``, and ``UsageError`` when it is not in quarantine."""
        from thalamus.memory.quarantine import release
        from thalamus.memory.resolve_id import find_quarantined

        return release(find_quarantined(self._database, id), self._new_run())

    def reject(self, id: str) -> Verdict:
        """Deletes a quarantined memory. Raises as ``release``."""
        from thalamus.memory.quarantine import reject
        from thalamus.memory.resolve_id import find_quarantined

        memory = find_quarantined(self._database, id, deleting=True)
        return reject(memory, self._new_run())

    def proposals(self) -> list[tuple[Memory, Memory]]:
        """Memories that other programs propose in the place of stored ones, newest first, each with
        the present one. ``release`` accepts one, ``reject`` deletes it. Raises ``NoStore``."""
        from thalamus.memory.quarantine import proposals

        where = structs.replace(self._runtime.here(), kinds=("memory",), status="quarantined")
        return proposals(memories.read(self._database, where), self._database)

    def general(self) -> list[tuple[Memory, list[Project]]]:
        """Memories that were said in three projects or more, each with these: they may hold in all.
        Raises ``NoStore``."""
        from thalamus.memory.user.projects import general

        return general(self._config.user or None, self._database)

    def generalize(self, id: str) -> Memory:
        """Lets a memory hold in all projects, so that it belongs to none; returns it. Raises
        ``NoStore``, ``NothingFound``, and ``UsageError`` if it belongs to none."""
        from thalamus.memory.user.projects import generalize

        memory = self.get(id)
        generalize(memory, self._engine)
        return memory

    def propose(self, memories: Sequence[Memory]) -> list[list[Verdict]]:
        """Decides about memories proposed by another program, such as an agent. They are reconciled
        with stored memories; they are trusted no more than statements in an answer (0.5), so they
        are never core. One that is to replace what the same program said replaces it; what would
        replace anything else is among ``proposals``. What reads like an instruction, or needs
        consent, is quarantined. Returns the verdicts on each: first the one on itself, then those
        on others. Raises ``RecordProblem`` as ``remember``; then nothing is stored."""
        from thalamus.memory.write import write_proposed

        return write_proposed(memories, self._new_run())

    def count(self) -> dict[str, int]:
        """Numbers of active, unexpired memories (``memory``, without document chunks), and of facts
        that hold (``fact``): as many as ``find`` of both views lists. Raises ``NoStore``."""
        from thalamus.memory.views.counts import remembered

        config = self._config
        now = self._clock.stamp()
        return remembered(self._database, config.user or None, config.agent or None, now)

    def prune(
        self,
        options: PruneOptions | None = None,
        on_verdict: Callable[[Verdict], None] | None = None,
    ) -> PruneResult:
        """Retires what the retention rules no longer keep, after summarizing it; deletes what was
        retired long ago. ``on_verdict`` is called with each decision to change something, before it
        is carried out. Raises ``NoStore``, ``ConfigError``."""
        from thalamus.memory.retention import prune as stage

        return stage.run(self._new_run(), options or self._prune_options(), on_verdict)

    def would_prune(self, options: PruneOptions | None = None) -> Iterator[Verdict]:
        """Verdicts of a ``prune``, one for each memory, without changing anything. Raises
        ``NoStore``, ``ConfigError``."""
        from thalamus.memory.retention import prune as stage

        options = options or self._prune_options()
        decided = stage.plan(self._new_run(), self._runtime.rules, options, everything=True)
        yield from stage.verdicts(decided, self._database)

    def count_old_logs(self) -> int:
        """Number of the logs of stages that ``prune`` would delete. Raises ``NoStore``."""
        from thalamus.memory.stage_logs import count_old

        return count_old(self._database, self._clock.stamp(), self._config.log_days)

    def _prune_options(self) -> PruneOptions:
        from thalamus.memory.retention.prune import PruneOptions

        return PruneOptions(most=self._config.max_memories)

    def documents(self) -> list[Document]:
        """The documents in memory, newest first; with a configured user or agent, without those of
        others. Raises ``NoStore``."""
        from thalamus.memory.documents.ingest import documents

        return documents(self._database)

    def document(self, id: str) -> tuple[Document, list[Memory]]:
        """A document with its chunks, in order. Raises ``NoStore``, ``NothingFound``."""
        from thalamus.memory.documents.ingest import document

        return document(self._database, id)

    def timeline(self, query: TimelineQuery | None = None) -> list[TimelineItem]:
        """The timeline: turns, memories, intervals of facts, documents, insights and prunes, in
        order of time; those of the configured user and agent if the query names none. Raises
        ``NoStore``."""
        from thalamus.memory.views.timeline import TimelineQuery, timeline

        asked = query or TimelineQuery()
        user = asked.user or self._user
        agent = asked.agent or self._runtime.agent
        return timeline(self._database, structs.replace(asked, user=user, agent=agent))

    def concepts(
        self,
        *,
        kind: ConceptKind | None = None,
        since: str | None = None,
        until: str | None = None,
        limit: int | None = None,
    ) -> list[Concept]:
        """Concepts of everything stored, the most frequent first; of one ``kind``, mentioned from
        ``since`` to before ``until`` (RFC 3339). Raises ``NoStore``."""
        from thalamus.memory.concepts.views import Scope, list_concepts

        return list_concepts(self._database, Scope(self._user), kind, since, until, limit)

    def concept(self, name: str) -> ConceptDetails:
        """A concept, by its name or id, with the entries about it. Raises ``NoStore``,
        ``NothingFound``, ``UsageError`` for an ambiguous id prefix."""
        from thalamus.memory.concepts.views import Scope, details

        return details(self._database, name, Scope(self._user), self._clock.stamp())

    def merge_concepts(self, name: str, into: str) -> Concept:
        """Merges the concept ``name``, and the entity of that name, into ``into``. Raises
        ``NoStore``, ``NothingFound``, ``UsageError`` when they are the same already."""
        from thalamus.memory.concepts.views import merge

        return merge(name, into, self._new_run())

    def split_concept(self, name: str) -> Concept | None:
        """Makes ``name`` a separate concept again and returns it; None when it has no entries.
        Raises ``NoStore``, ``UsageError`` when it was not merged."""
        from thalamus.memory.concepts.views import split

        return split(name, self._new_run())

    def graph(
        self,
        name: str,
        *,
        other: str | None = None,
        depth: int = 2,
        limit: int = 40,
        as_of: str | None = None,
        every: bool = False,
    ) -> Graph:
        """The graph around a concept (or "user"): at most ``limit`` concepts, up to ``depth``
        connections away, by the facts that hold, those that held ``as_of`` a time, or ``every``
        fact; or the shortest path to an ``other`` concept. Raises as ``concept``, and
        ``NothingFound`` when there is no path."""
        from thalamus.memory.concepts.graph import ConceptGraph, GraphOptions
        from thalamus.memory.concepts.views import Scope

        options = GraphOptions(depth, limit, as_of, every)
        scope = Scope(self._user)
        graph = ConceptGraph(self._database, scope, options, self._clock.stamp())
        return graph.around(name) if other is None else graph.path(name, other)
