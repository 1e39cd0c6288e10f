"""What a store promises about ageing: reading memories with what decides how long they are kept,
retiring them, and taking back what was changed together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from thalamus.policy.retention import Signals
    from thalamus.records import Batch, Memory, Turn

# kind, topic in lower case, user, agent
Subject = tuple[str, str | None, str | None, str | None]


class BatchWriter(Protocol):
    """The part of a unit of work that changes memories so that it can be undone."""

    def begin_batch(self, batch: Batch) -> None:
        """Notes what the changes below belong to."""
        ...

    def retire(self, ids: Sequence[str], batch: str) -> int:
        """Retires the memories that may go still: active, not pinned, not core. How many."""
        ...

    def retire_all(self, ids: Sequence[str], batch: str) -> bool:
        """Retires these memories, or none of them when one is gone or may not go any more."""
        ...

    def change_memory(self, id: str, fields: Mapping[str, object], batch: str) -> bool:
        """Changes fields of a memory, not its content; False when there is none."""
        ...

    def note_made(self, id: str, batch: str) -> None:
        """Notes that a batch made this memory: undoing it takes it out again."""
        ...

    def changed_by(self, batch: str) -> list[str]:
        """The ids of the memories that a batch changed."""
        ...

    def undo_batch(self, id: str, at: str) -> dict[str, int]:
        """Brings back what a batch retired and changed, takes out what it made; how many."""
        ...

    def purge(self, batch: str, limit: int) -> int:
        """Deletes up to ``limit`` of what a batch retired; how many. The links of summaries keep
        the ids."""
        ...

    def close_batch(self, batch: str, at: str) -> None:
        """Notes that a batch can no longer be undone."""
        ...


class BatchReader(Protocol):
    """The part of a store that prune and undo read."""

    def one_prune(self) -> AbstractContextManager[None]:
        """Only one process prunes or undoes at a time. Raises ``StoreBusy``."""
        ...

    def ageing(self, kinds: Sequence[str] = ()) -> Iterator[tuple[Memory, Signals]]:
        """Every active memory in the order of keys, not all at once."""
        ...

    def active_memories(self, ids: Sequence[str]) -> list[Memory]:
        """Those of ``ids`` that are active memories, in the order in which they were said."""
        ...

    def count_active(self) -> int:
        """How many active memories there are."""
        ...

    def batches(self, undoable: bool = False) -> list[Batch]:
        """Batches, newest first; with ``undoable`` those that can be undone."""
        ...

    def retired_by(self, batch: str) -> list[str]:
        """The ids of the memories that a batch retired."""
        ...

    def resting_on(self, batch: str) -> list[str]:
        """The later batches, newest first, that changed or retired what this one made or changed,
        and can be undone."""
        ...

    def idle_sessions(self, before: str) -> list[str]:
        """The sessions whose last turn is older, and that have turns not summed up yet."""
        ...

    def turns_to_sum_up(self, session: str) -> list[Turn]:
        """The turns of a session that no summary of it was made from, oldest first."""
        ...

    def distilled(self, turns: Sequence[str]) -> set[str]:
        """Those of the turns of which an episodic memory was kept when they left the prompt."""
        ...
