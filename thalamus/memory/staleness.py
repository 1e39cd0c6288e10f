"""cascade: what rests on something that no longer holds is marked, all the way along the links."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from thalamus.records import Verdict

if TYPE_CHECKING:
    from thalamus.storage.protocol import Writer


def mark_dependents(
    writer: Writer,
    changed_ids: Iterable[str],
    reason: str,
    spare: Callable[[str], bool] | None = None,
) -> list[Verdict]:
    """Marks every memory that was derived from, or is about, one of these ids as stale.

    Call it when a fact has ended or was retracted, or a memory was superseded; ``reason`` is what
    the mark says (``policy.staleness.ended`` words it for facts). What is marked already keeps its
    first mark; ``spare`` says which get none. Returns a verdict for each memory that got one.
    """
    verdicts = []
    for id in _resting_on(writer, changed_ids):
        if not (spare and spare(id)) and writer.mark_stale([id], reason):
            told = "what it rests on no longer holds"
            verdicts.append(Verdict(decision="stale", rule="cascade", reason=told, id=id))
    return verdicts


def update_marks(writer: Writer, id: str, reason: str) -> None:
    """What ``id`` caused to be marked is marked with this reason now."""
    for other in _resting_on(writer, [id]):
        if _marked_by(writer, other, id):
            writer.mark_stale([other], reason)


def clear_marks(writer: Writer, id: str) -> None:
    """Takes back the marks that ``id`` caused: it holds again."""
    for other in _resting_on(writer, [id]):
        if _marked_by(writer, other, id):
            writer.mark_stale([other], None)


def _marked_by(writer: Writer, memory: str, cause: str) -> bool:
    found = writer.memory(memory)
    return found is not None and (found.stale or "").endswith(f"[{cause}]")


def _resting_on(writer: Writer, ids: Iterable[str]) -> Iterator[str]:
    """What was derived from, or is about, one of these, and what was derived from that."""
    waiting = list(ids)
    seen = set(waiting)
    while waiting:
        for id in writer.derived(waiting.pop()):
            if id not in seen:
                seen.add(id)
                waiting.append(id)
                yield id
