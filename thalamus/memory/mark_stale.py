"""Staleness: what rests on something that no longer holds is marked, all along the links."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from thalamus.memory import memories
from thalamus.memory.insights import mark_unsupported, restore_supported
from thalamus.records import Verdict

if TYPE_CHECKING:
    from thalamus.storage.protocol import Reader, Writer

_MADE_FROM = ("derived_from", "part_of")


def derived_from(reader: Reader, id: str) -> list[str]:
    """The ids of what was made from this, or is about it."""
    made = reader.links.sources(id, "about", *_MADE_FROM)
    merged = reader.links.targets(id, "merged_into")
    return sorted({*made, *merged})


def sources_of(reader: Reader, id: str) -> list[str]:
    """The ids that a thing was made from."""
    found = reader.links.outgoing(id, *_MADE_FROM)
    return [link.target for link in sorted(found, key=lambda link: (link.relation, link.target))]


def mark_dependents(
    writer: Writer,
    changed_ids: Iterable[str],
    reason: str,
) -> list[Verdict]:
    """Marks every memory that was derived from, or is about, one of these ids as stale.

    Call it when a fact has ended or was retracted, or a memory was superseded; ``reason`` is what
    the mark says (``policy.staleness.ended`` words it for facts). What is marked already keeps its
    first mark. Returns a verdict for each memory that got one.
    """
    resting = list(_resting_on(writer, changed_ids))
    verdicts = [_lost(id) for id in mark_unsupported(writer, resting)]
    for id in resting:
        if memories.mark_stale(writer, id, reason):
            why = "a fact it is based on no longer holds"
            verdicts.append(Verdict(decision="stale", rule="cascade", reason=why, id=id))
    return verdicts


def update_marks(writer: Writer, id: str, reason: str) -> None:
    """What ``id`` caused to be marked is marked with this reason now."""
    for other in _resting_on(writer, [id]):
        if _marked_by(writer, other, id):
            memories.mark_stale(writer, other, reason)


def clear_marks(writer: Writer, id: str) -> None:
    """Removes the marks that ``id`` caused: it holds again, and so do the insights that rest on
    it, unless something else has ended that they rest on as well."""
    resting = list(_resting_on(writer, [id]))
    for other in resting:
        if _marked_by(writer, other, id):
            memories.mark_stale(writer, other, None)
    restore_supported(writer, resting)


def _lost(id: str) -> Verdict:
    why = "something that it rests on no longer holds"
    return Verdict(decision="stale", rule="unsupported", reason=why, id=id)


def _marked_by(writer: Writer, memory: str, cause: str) -> bool:
    found = memories.with_id(writer, memory)
    return found is not None and (found.stale or "").endswith(f"[{cause}]")


def _resting_on(writer: Writer, ids: Iterable[str]) -> Iterator[str]:
    """What was derived from, or is about, one of these, and what was derived from that."""
    waiting = list(ids)
    seen = set(waiting)
    while waiting:
        for id in derived_from(writer, waiting.pop()):
            if id not in seen:
                seen.add(id)
                waiting.append(id)
                yield id
