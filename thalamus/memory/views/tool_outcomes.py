"""Outcomes of tool calls, read from the ledger, and the performance of the tools for a task.

The signature of a task is the embedding of its turn, which is stored already: forgotten turns no
longer have one, and a new embedding model renews them all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from thalamus.errors import MODEL_ERRORS
from thalamus.memory.embeddings import is_of
from thalamus.memory.views.courses import Course, is_corrected, read_courses, with_following
from thalamus.policy.tool_choice import SAME_TASK, PastCall, outcome_of, performances
from thalamus.records.tools import ToolPerformance
from thalamus.store import embeddings, ledger
from thalamus.text.sentence_vectors import cosines

if TYPE_CHECKING:
    from thalamus.engine import Engine
    from thalamus.store.base import Store
    from thalamus.store.values import Vector

ENTRIES = 4000  # last ledger entries in which outcomes are looked for


class ToolOutcome(Struct, frozen=True):
    """A call of a tool in a ``turn``, and its outcome. ``used``: its result was used in the answer;
    None if that was not judged. ``first``: see ``records.ToolCall``."""

    turn: str
    tool: str
    at: str
    ms: int = 0
    failed: bool = False
    used: bool | None = None
    corrected: bool = False
    first: str | None = None

    @property
    def score(self) -> float:
        """The outcome from 0 to 1."""
        return outcome_of(failed=self.failed, used=self.used, corrected=self.corrected)


def recent_outcomes(store: Store) -> list[ToolOutcome]:
    """Outcomes in the last entries of the ledger, oldest first."""
    return outcomes_of(read_courses(ledger.last(store, ENTRIES)))


def outcomes_of(courses: Mapping[str, Course]) -> list[ToolOutcome]:
    """Outcomes of the calls in these courses, in their order."""
    later = with_following(courses)
    return [
        outcome
        for turn, course in courses.items()
        if course.calls
        for outcome in _outcomes(turn, course, later[turn])
    ]


def _outcomes(turn: str, course: Course, later: Sequence[Course]) -> Iterator[ToolOutcome]:
    corrected = is_corrected(course, course.used or (), later)
    for call in course.calls:
        judged = course.tools_used is not None and call.get("effect") != "write"
        yield ToolOutcome(
            turn=turn,
            tool=str(call.get("name")),
            at=course.at,
            ms=int(call.get("ms") or 0),
            failed=bool(call.get("failed")),
            used=call.get("id") in (course.tools_used or ()) if judged else None,
            corrected=corrected,
            first=call.get("first"),
        )


def past_calls(
    outcomes: Sequence[ToolOutcome], task: Vector | None, store: Store
) -> list[PastCall]:
    """The calls as experience for a task by its vector; without one every task counts alike."""
    similarities = _cosines(task, outcomes, store) if task is not None else {}
    return [
        PastCall(
            one.tool, one.score, one.ms, similarities.get(one.turn) if task is not None else 1.0
        )
        for one in outcomes
    ]


def vector_of(task: str, engine: Engine) -> Vector | None:
    """Embedding of a task, as that of its turn will be; None without an embedder, or if it fails,
    which other stages report."""
    from thalamus.store.values import Vector

    try:
        embedder = engine.models.embedder()
        if embedder is None:
            return None
        return Vector(embedder.name, embedder.embed([task], "document")[0])
    except MODEL_ERRORS:
        return None


def _cosines(task: Vector, outcomes: Iterable[ToolOutcome], store: Store) -> dict[str, float]:
    """Similarity of the task of each turn, where its embedding is of the same model."""
    found = embeddings.of(store, dict.fromkeys(one.turn for one in outcomes))
    comparable = {
        turn: vector.data
        for turn, vector in found.items()
        if vector.dimension == task.dimension and is_of(vector.model, task.model)
    }
    return cosines(task.data, comparable)


def performance_by_task(store: Store) -> list[ToolPerformance]:
    """Performance of each tool for each kind of task, in the order of their first calls."""
    outcomes = recent_outcomes(store)
    signatures = _signatures(outcomes, store)
    groups: dict[str | None, list[ToolOutcome]] = {}
    for one in outcomes:
        groups.setdefault(signatures.get(one.turn), []).append(one)
    return [
        ToolPerformance(
            tool=tool,
            context_signature=signature,
            outcome_score=round(found.outcome, 4),
            n=found.n,
            latency=round(found.latency),
        )
        for signature, group in groups.items()
        for tool, found in performances(past_calls(group, None, store), discount=1.0).items()
    ]


def _signatures(outcomes: Sequence[ToolOutcome], store: Store) -> dict[str, str]:
    """For each turn with an embedding, the first turn with a similar task."""
    vectors = embeddings.of(store, dict.fromkeys(one.turn for one in outcomes))
    leaders: dict[str, Vector] = {}
    found: dict[str, str] = {}
    for turn in dict.fromkeys(one.turn for one in outcomes if one.turn in vectors):
        vector = vectors[turn]
        comparable = {
            leader: other.data for leader, other in leaders.items() if other.model == vector.model
        }
        similarities = cosines(vector.data, comparable)
        best = max(similarities, key=similarities.__getitem__, default=None)
        if best is not None and similarities[best] >= SAME_TASK:
            found[turn] = best
        else:
            leaders[turn], found[turn] = vector, turn
    return found
