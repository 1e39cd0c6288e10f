"""The part of the Python API that keeps a memory true and small: prune, undo, edit, forget."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from thalamus.errors import NothingFound, UsageError

if TYPE_CHECKING:
    from thalamus.clock import Clock
    from thalamus.config import Config
    from thalamus.engine import Thalamus
    from thalamus.forgetting import ForgetReport
    from thalamus.policy.retention import Rules
    from thalamus.records import Batch, Memory, Verdict
    from thalamus.stages.context import Context
    from thalamus.stages.prune import Pruned, Wish
    from thalamus.storage.sqlite.store import SqliteStore


class Upkeep:
    """Part of ``Thalamus``."""

    config: Config
    clock: Clock

    if TYPE_CHECKING:

        @cached_property
        def context(self) -> Context: ...

        @property
        def store(self) -> SqliteStore: ...

    @property
    def _whole(self) -> Thalamus:
        return cast("Thalamus", self)

    @cached_property
    def rules(self) -> Rules:
        """The retention rules by kind. Raises ``ConfigError``."""
        from thalamus.retention import load_rules

        return load_rules(self.config.config_dir)

    def prune(
        self, wish: Wish | None = None, tell: Callable[[Verdict], None] | None = None
    ) -> Pruned:
        """Retires what the retention rules let go, summed up first; deletes what was retired
        long ago. ``tell`` hears each decision to change something, before it is done. Raises
        ``NoStore``, ``StoreBusy``."""
        from thalamus.stages import prune as stage

        wish = wish or self._wish()
        with self.store.one_prune():
            decided = stage.plan(self.store, self.context, self.rules, wish)
            if tell is not None:
                for verdict in stage.verdicts(decided, self.store, self.rules, wish):
                    if verdict.decision != "keep":
                        tell(verdict)
            return stage.prune(decided, self.store, self.context, self.rules, wish)

    def would_prune(self, wish: Wish | None = None) -> Iterator[Verdict]:
        """What ``prune`` would do: one verdict for each memory. Changes nothing."""
        from thalamus.stages import prune as stage

        wish = wish or self._wish()
        decided = stage.plan(self.store, self.context, self.rules, wish)
        yield from stage.verdicts(decided, self.store, self.rules, wish)

    def batches(self, undoable: bool = False) -> list[Batch]:
        """What was changed together, newest first; ``until`` says when it can no longer be
        undone."""
        from thalamus.clock import days_later

        found = self.store.batches(undoable)
        for batch in found:
            if batch.undone_at is None and batch.purged_at is None:
                batch.until = days_later(batch.at, self.config.undo_days)
        return found

    def undo(self, batch: str | None = None) -> tuple[Batch, dict[str, int]]:
        """Takes back the last batch, or the one whose id begins like this: what it retired is
        active again, what it changed is as before, what it made is gone.

        Returns it with how many were restored, changed and removed. Raises ``NothingFound``, and
        ``UsageError`` when a later batch rests on it.
        """
        from thalamus.records import Event
        from thalamus.stages.cascade import revive

        with self.store.one_prune():
            chosen = self._undoable(batch)
            later = self.store.resting_on(chosen.id)
            if later:
                raise UsageError(
                    f"What {chosen.id} made or changed was changed again by {later[0]}.",
                    fix=f"Undo that first: `thalamus undo {later[0]}`.",
                )
            now = self.clock.stamp()
            with self.store.writing() as writer:
                changed = writer.changed_by(chosen.id)
                counts = writer.undo_batch(chosen.id, now)
                for id in changed if chosen.action == "edit" else ():
                    revive(writer, id)
                data = {"batch": chosen.id, "action": chosen.action, **counts}
                writer.add_event(Event(name="undone", at=now, data=data))
        chosen.undone_at = now
        return chosen, counts

    def edit_memory(self, id: str, **changes: Any) -> Memory:
        """Changes fields of a memory (content, topic, type, importance, scope, expires_at).

        New content makes a new memory, which is returned. Raises ``NothingFound``,
        ``UsageError``.
        """
        from thalamus.stages.edit import edit

        return edit(self.find_memory(id), changes, self.context, self.store)

    def pin_memory(self, id: str, pinned: bool = True) -> Memory:
        """Pins a memory, so that it is never pruned; with ``pinned`` false no longer."""
        from thalamus.stages.edit import pin

        return pin(self.find_memory(id), pinned, self.context, self.store)

    def promote_memory(self, id: str) -> Memory:
        """Makes a memory core. Raises ``UsageError`` when it may not be, or core is full."""
        from thalamus.stages.edit import promote

        return promote(self.find_memory(id), self.context, self.store)

    def demote_memory(self, id: str) -> Memory:
        """Core becomes archival; anything else loses a step of importance."""
        from thalamus.stages.edit import demote

        return demote(self.find_memory(id), self.context, self.store)

    def _wish(self) -> Wish:
        from thalamus.stages.prune import Wish

        return Wish(most=self.config.max_memories)

    def find_memory(self, id: str) -> Memory:
        """The memory with this id, or the only one whose id begins like this. Raises
        ``NothingFound``, ``UsageError``."""
        from thalamus.provenance import resolve
        from thalamus.records import Memory

        full = resolve(self.store, id)
        memory = self.store.get(full)
        if not isinstance(memory, Memory):
            raise UsageError(
                f"{full} is no memory.", fix=f"`thalamus why {full}` shows what it is."
            )
        return memory

    def _undoable(self, prefix: str | None) -> Batch:
        found = self.store.batches(undoable=True)
        if prefix is None:
            if not found:
                raise NothingFound("a batch that can be undone")
            return found[0]
        chosen = [batch for batch in found if batch.id == prefix] or [
            batch for batch in found if batch.id.startswith(prefix)
        ]
        if not chosen:
            fix = "`thalamus undo --list` shows them."
            raise NothingFound(f"a batch {prefix!r} that can be undone", fix=fix)
        if len(chosen) > 1:
            names = ", ".join(batch.id for batch in chosen)
            raise UsageError(f"Several batches begin with {prefix!r}: {names}.")
        return chosen[0]

    # -- forgetting ------------------------------------------------------------------------------

    def forget(
        self,
        *ids: str,
        subject: str | None = None,
        query: str | None = None,
        session: str | None = None,
        source: str | None = None,
        about: str | None = None,
        dry_run: bool = False,
        prove: bool = False,
        confirm: Callable[[ForgetReport], bool] | None = None,
        progress: Callable[[str], None] = lambda _: None,
    ) -> ForgetReport:
        """Deletes something for good with all that rests on it, and looks whether anything is
        left: see ``complete`` and ``residue`` of the report.

        What: ``ids``, or one of ``subject``, ``query`` (words), ``session``, ``source`` (a
        document) and ``about`` (what speaks of something, whatever the form of its words). With
        ``dry_run`` the report only says what would go; ``confirm`` is asked with it. ``prove``
        puts a signed receipt on the report. Raises ``NothingFound``.
        """
        from thalamus.forgetting import forget

        selected = (ids, subject, query, session, source, about)
        return forget(self._whole, *selected, dry_run, prove, confirm, progress)

    def finish_forgetting(self, progress: Callable[[str], None] = lambda _: None) -> list[str]:
        """Does what an interrupted forget left to be done; what still cannot be done."""
        from thalamus.forgetting import finish

        return finish(self._whole, progress)
