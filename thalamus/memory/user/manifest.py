"""The manifest of a project, compiled from the store without a model and without the clock."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from thalamus.memory.facts.entities import asked_entity
from thalamus.memory.user import projects
from thalamus.memory.user.world import load_world
from thalamus.policy import projects as rules
from thalamus.policy.manifest import MOST, fitted
from thalamus.records import Document, Manifest, ManifestItem, Memory, Project
from thalamus.records.kinds import own_text
from thalamus.store import facts, sessions
from thalamus.store import memories as memory_rows
from thalamus.store import turns as turn_rows
from thalamus.store.encrypted import is_hidden
from thalamus.store.values import Filter
from thalamus.text.tokens import query_words

if TYPE_CHECKING:
    from thalamus.records import World
    from thalamus.store.base import Store
    from thalamus.store.reader import Reader

RECENT = 500  # turns searched for the last sessions
LOOKED_AT = 200  # memories examined


def compile_manifest(
    store: Store, user: str | None, agent: str | None, project: Project | None = None
) -> Manifest:
    """State of a project: of the given one, else of the one in the user's world state, else of the
    only active one. Leaves out what expires, and what cannot be read here."""
    world, _ = load_world(store, user)
    active = projects.projects(store, user, "active")
    if project is None and world.project:
        project = projects.named_project(store, world.project, user)
    elif project is None and len(active) == 1:
        project = active[0]
    name = project.name if project is not None else world.project
    linked = set(projects.linked(store, project)) if project is not None else set()
    return fitted(
        Manifest(
            user=user,
            project=name,
            status=project.status if project is not None else None,
            description=project.description if project is not None else None,
            active_projects=[one.name for one in active if project is None or one.id != project.id],
            goals=_goals(world, store, user, agent),
            topics=world.topics,
            memories=_memories(store, user, agent, name, linked),
            facts=_facts(store, user, agent, name, linked),
            sessions=list(_sessions(store, user)),
            documents=_documents(store, linked),
        )
    )


def _goals(world: World, store: Store, user: str | None, agent: str | None) -> list[str]:
    """Goals of the world state, then those in memories."""
    kept = _lasting(memory_rows.read(store, _where(user, agent, ("goal",)), LOOKED_AT))
    return list(dict.fromkeys([*world.goals, *(memory.content for memory in kept)]))


def _memories(
    store: Store, user: str | None, agent: str | None, project: str | None, linked: set[str]
) -> list[ManifestItem]:
    """Memories about a project, newest first; without one those about any project."""
    found = memory_rows.read(store, _where(user, agent, ("project",)), LOOKED_AT)
    if project is not None:
        hits = store.search_text(query_words(project), _where(user, agent), LOOKED_AT)
        named = {hit.entry.id for hit in hits} | linked
        found += memory_rows.read(store, _where(user, agent, ids=tuple(sorted(named))), LOOKED_AT)
        found = [
            memory
            for memory in found
            if memory.id in linked or rules.is_named(project, memory.content, memory.topic)
        ]
    kept = {memory.id: memory for memory in _lasting(found) if memory.type != "goal"}
    newest = sorted(kept.values(), key=lambda one: (one.created_at or "", one.stored_id))[::-1]
    return [
        ManifestItem(id=memory.stored_id, text=memory.content, at=memory.created_at)
        for memory in newest
    ]


def _where(
    user: str | None, agent: str | None, types: tuple[str, ...] = (), ids: tuple[str, ...] = ()
) -> Filter:
    return Filter(kinds=("memory",), types=types, user=user, agent=agent, ids=ids)


def _lasting(memories: Iterable[Memory]) -> list[Memory]:
    """Readable memories without an expiry, which would make the manifest depend on the time."""
    return [one for one in memories if one.expires_at is None and not is_hidden(one)]


def _facts(
    store: Store, user: str | None, agent: str | None, project: str | None, linked: set[str]
) -> list[ManifestItem]:
    """Facts about a project that were not ended."""
    if project is None:
        return []
    entity = asked_entity(store, user, project)
    found = facts.read(store, Filter(user=user, agent=agent), entity)
    found += facts.current(store, linked)
    about = {
        fact.id: fact
        for fact in found
        if fact.valid_to is None and fact.user in (None, user) and not is_hidden(fact)
    }
    return [
        ManifestItem(id=fact.stored_id, text=own_text(fact), at=fact.valid_from or fact.created_at)
        for fact in about.values()
    ]


def _sessions(store: Reader, user: str | None) -> Iterator[ManifestItem]:
    """Last sessions of a user, with their number of turns."""
    last: dict[str, str] = {}
    for session, at in sessions.recent(store, user, RECENT):
        if session is not None:
            last[session] = max(at, last.get(session, at))
    for session, at in list(last.items())[: MOST["sessions"]]:
        count = turn_rows.count(store, session, user)
        turns = "1 turn" if count == 1 else f"{count} turns"
        yield ManifestItem(id=session, text=turns, at=at)


def _documents(store: Reader, linked: set[str]) -> list[ManifestItem]:
    found = store.by_ids(Document, sorted(linked)) if linked else []
    return [
        ManifestItem(id=document.stored_id, text=document.title or document.path)
        for document in sorted(found, key=lambda one: (one.recorded_at or "", one.stored_id))
    ]
