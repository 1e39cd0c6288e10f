"""Projects, and the world state: the user's current activities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from thalamus.api.runtime import View
from thalamus.errors import NothingFound
from thalamus.logs import logger
from thalamus.records import WorldChange

if TYPE_CHECKING:
    from thalamus.records import Manifest, Project, ProjectStatus, World, WorldOperation
    from thalamus.records.reports import Origin

log = logger(__name__)
MOST_TURNS = 20  # turns of a project that are listed with what else is linked with it


class ProjectsView(View):
    """Projects, the records linked with them, and the world state."""

    def find(self, status: ProjectStatus | None = None) -> list[Project]:
        """The user's projects, oldest first; of one ``status`` or all. Raises ``NoStore``."""
        from thalamus.memory.user.projects import projects

        return projects(self._database, self._user, status)

    def get(self, name: str) -> Project:
        """The project with this name, in any case, or this id or id prefix. Raises ``NoStore``,
        ``NothingFound``, ``UsageError`` when it is ambiguous."""
        from thalamus.memory.user.projects import find_project

        return find_project(self._database, name, self._user)

    def add(self, project: Project) -> Project:
        """Adds a project and links it with the memories that name it; returns it as stored. Raises
        ``UsageError`` when its name is taken."""
        from thalamus.memory.user.projects import add

        return add(project, self._new_run())

    def set_status(self, name: str, status: ProjectStatus) -> Project:
        """Closes, pauses or reopens a project. Raises as ``get``."""
        from thalamus.memory.user.projects import set_status

        return set_status(self.get(name), status, self._engine)

    def link(self, name: str, ids: Sequence[str], *, linked: bool = True) -> list[str]:
        """Links memories, facts, documents or turns with a project, or removes the links with
        ``linked`` false; returns their full ids. Raises as ``get`` and ``store.find_id``."""
        from thalamus.memory.resolve_id import resolve
        from thalamus.memory.user.projects import link, unlink

        project = self.get(name)
        full = [resolve(self._database, id) for id in ids]
        (link if linked else unlink)(project, full, self._engine)
        return full

    def linked(self, project: Project, turns: int = MOST_TURNS) -> list[Origin]:
        """Records linked with a project, by kind and time; of turns only the newest ``turns``.
        Raises ``NoStore``."""
        from thalamus.memory.user.projects import linked
        from thalamus.memory.views.explain import describe
        from thalamus.store.turns import about

        ids = [id for id in linked(self._database, project) if not id.startswith("turn_")]
        ids += [turn.stored_id for turn in about(self._database, project.stored_id, turns)]
        found = [describe(self._database, id) for id in ids]
        return sorted(found, key=lambda origin: (origin.kind, origin.at or "", origin.id))

    def manifest(self, project: str | None = None) -> Manifest:
        """The state of a project in brief: of the named one, or that of the world state. The same
        store always gives the same manifest. Raises as ``get``."""
        from thalamus.memory.user.manifest import compile_manifest

        config = self._config
        chosen = self.get(project) if project is not None else None
        return compile_manifest(self._database, config.user or None, config.agent or None, chosen)

    def world(self) -> World:
        """The world state: the user's current activities. Damaged fields are logged, and have their
        defaults. Raises ``NoStore``."""
        from thalamus.memory.user.world import load_world

        world, issues = load_world(self._database, self._user)
        for problem in issues:
            log.warning("%s", problem.message)
        return world

    def apply(
        self, operations: Sequence[WorldOperation], *, dry_run: bool = False
    ) -> WorldChange | None:
        """Applies operations to the user's world state, all of them or none; returns the change,
        which ``Thalamus.undo`` reverts, or None when they change nothing. With ``dry_run`` nothing
        is stored. Raises ``InvalidOperation``."""
        from thalamus.memory.user.world import apply_operations, change_of

        if dry_run:
            user = self._user
            return change_of(self._runtime.open_store(False), operations, user, self._clock.stamp())
        return apply_operations(operations, self._new_run())

    def history(self, limit: int | None = None) -> list[WorldChange]:
        """The last changes of the user's world state, newest last. Raises ``NoStore``."""
        from thalamus.memory.user.world import history

        return history(self._database, self._user, limit)

    def change(self, id: str) -> WorldChange:
        """The change of the world state with this id or unique id prefix. Raises as
        ``store.find_id``."""
        from thalamus.memory.resolve_id import resolve

        found = self._database.get(resolve(self._database, id))
        if not isinstance(found, WorldChange):
            raise NothingFound(f"a change of the world state {id!r}")
        return found
