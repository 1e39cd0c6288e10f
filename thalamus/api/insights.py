"""Insights: conclusions from what the user said on different days."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from thalamus.api.runtime import View

if TYPE_CHECKING:
    from thalamus.cancel import CancelToken
    from thalamus.pipeline.consolidate import ConsolidateOptions, Result, Step
    from thalamus.pipeline.crystallize import Crystallized
    from thalamus.pipeline.jobs import JobResult
    from thalamus.records import Insight, Turn
    from thalamus.records.reports import DeepReflection, Origin
    from thalamus.store.jobs import JobState

TREE = 20  # steps down from an insight


class InsightsView(View):
    """Insights, and the slow loop that makes and merges them."""

    def find(
        self,
        *,
        status: str | None = "active",
        topic: str | None = None,
        least_strength: float = 0.0,
    ) -> list[Insight]:
        """Insights, the strongest first; of one ``status`` or
        (None) of any, about a ``topic``. Raises ``NoStore``."""
        from thalamus.memory.insights.lookup import insights

        user = self._user
        return insights(self._database, user, status=status, topic=topic, least=least_strength)

    def get(self, id: str) -> Insight:
        """The insight with this id or unique id prefix. Raises ``NoStore``, ``NothingFound``,
        ``UsageError``."""
        from thalamus.memory.insights.lookup import find_insight

        return find_insight(self._database, id)

    def reject(self, id: str) -> Insight:
        """Marks an insight as wrong: it is no longer recalled, and not concluded again; ``undo``
        reverts that. Raises as ``get``, and ``UsageError`` for one that was merged."""
        from thalamus.memory.insights.rejection import reject

        return reject(self.get(id), self._engine)

    def tree(self, id: str) -> Origin:
        """Sources of an insight: the insights merged into it, down to the words that were said.
        Raises as ``get``."""
        from thalamus.memory.views.explain import trace_back

        return trace_back(self._database, self.get(id).id or "", TREE)

    def crystallize(
        self, limit: int | None = None, *, failed: bool = False, cancel: CancelToken | None = None
    ) -> Iterator[JobResult[Crystallized]]:
        """Concludes insights from turns that wait for it, the oldest first, at most ``limit``; with
        ``failed`` also from those that failed too often. Yields the result of each, and ends after
        one that cannot be done now, or that ``cancel`` stopped. A model that is known to be too
        small is not asked, and the turns keep waiting. Raises ``StoreBusy``, ``StoreFull``, and
        ``ModelMissing``, ``ModelUnreachable`` or ``UsageError`` when there is no model."""
        from thalamus.pipeline.jobs import work
        from thalamus.store.jobs import CRYSTALLIZE

        if not self._has_store():
            return iter(())
        return work(CRYSTALLIZE, self._engine, limit=limit, failed=failed, cancel=cancel)

    def crystallize_turn(self, turn: Turn, *, dry_run: bool = False) -> Crystallized:
        """Concludes insights from one stored turn, unless that was done before; with ``dry_run``
        stores nothing. What is stored is one batch, which can be undone. Raises ``NothingFound``
        for a turn that is not stored, and what the model raises."""
        from thalamus.memory.insights.writing import add_to_batch
        from thalamus.pipeline.crystallize import crystallize_turn
        from thalamus.pipeline.jobs import load_turn

        run = self._new_run()
        found = crystallize_turn(load_turn(turn.stored_id, run), run, dry_run=dry_run)
        if found.insights and not dry_run:
            add_to_batch([insight.stored_id for insight in found.insights], None, run.engine)
        return found

    def too_small_to_crystallize(self) -> str | None:
        """The name of the model that would conclude insights, if it is known to be too small for
        that and is not asked. Raises what finding the model raises."""
        if not self._engine.too_small("crystallize"):
            return None
        return self._engine.models.chat("crystallize").name

    def consolidate(
        self, options: ConsolidateOptions | None = None
    ) -> Iterator[tuple[Step, Result]]:
        """Runs the slow loop: extracts memories from imported turns, concludes insights from turns
        that wait for it, merges those about the same, summarizes finished sessions, and prunes if
        requested. Yields each step with its result, ``extract`` and ``crystallize`` once for each
        turn; nothing without a store. Ends after a turn that cannot be worked on now. Raises
        ``StoreBusy``, ``StoreFull``, and what the model raises."""
        from thalamus.pipeline.consolidate import ConsolidateOptions, consolidate

        if not self._has_store():
            return iter(())
        return consolidate(self._new_run(), options or ConsolidateOptions())

    def count_not_extracted(self) -> int:
        """The number of imported turns that nothing was extracted from yet."""
        from thalamus.store.turns import count_not_extracted

        return count_not_extracted(self._database) if self._has_store() else 0

    def count_jobs(self) -> dict[JobState, int]:
        """Numbers of turns that wait to be crystallized, are taken, done or failed; empty without
        a store."""
        from thalamus.memory.jobs import count_jobs
        from thalamus.store.jobs import CRYSTALLIZE

        if not self._has_store():
            return {}
        return count_jobs(self._database, CRYSTALLIZE, self._clock.stamp())

    def _has_store(self) -> bool:
        return self._config.memory and self._runtime.open_store(False) is not None

    def merge(self, *, dry_run: bool = False) -> DeepReflection:
        """Merges groups of active insights that share concepts; with ``dry_run`` only reports them.
        A second call changes nothing. Raises ``NoStore``, ``StoreBusy`` when another process does
        the same, and what the model raises."""
        from thalamus.pipeline.merge_insights import reflect_deeply

        return reflect_deeply(self._new_run(), dry_run=dry_run)
