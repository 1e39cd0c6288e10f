"""Staleness: marks along the links on everything that rests on something that no longer holds."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from thalamus.memory import memories
from thalamus.memory.insights.lookup import mark_unsupported, restore_supported
from thalamus.records import Verdict
from thalamus.store import links

if TYPE_CHECKING:
    from thalamus.store.reader import Reader
    from thalamus.store.writer import Writer

_MADE_FROM = ("derived_from", "part_of")


def derived_from(reader: Reader, ids: Collection[str]) -> dict[str, list[str]]:
    """Ids of records derived from each of these, or about it."""
    derived, merged = links.around(reader, ids, ("about", *_MADE_FROM), ("merged_into",))
    found: dict[str, set[str]] = {id: set() for id in ids}
    for link in derived:
        found[link.target].add(link.source)
    for link in merged:
        found[link.source].add(link.target)
    return {id: sorted(some) for id, some in found.items()}


def resting_on(reader: Reader, ids: Iterable[str]) -> list[str]:
    """Direct and indirect derivations of these ids, level by level."""
    start = level = dict.fromkeys(ids)
    found: dict[str, None] = {}
    while level:
        derived = derived_from(reader, tuple(level))
        known = start | found
        level = {id: None for one in level for id in derived[one] if id not in known}
        found |= level
    return list(found)


def sources_of(reader: Reader, id: str) -> list[str]:
    """Ids of the sources of a record."""
    found = links.outgoing(reader, id, *_MADE_FROM)
    return [link.target for link in sorted(found, key=lambda link: (link.relation, link.target))]


def mark_dependents(
    writer: Writer,
    changed_ids: Iterable[str],
    reason: str,
) -> list[Verdict]:
    """Marks every memory derived from or about one of these ids as stale.

    Call it when a fact has ended or was retracted, or a memory was superseded. ``reason`` is the
    text of the mark (``policy.staleness.ended_reason`` for facts). A marked memory keeps its first
    mark. Returns a verdict for each new mark.
    """
    resting = resting_on(writer, changed_ids)
    verdicts = [_lost(id) for id in mark_unsupported(writer, resting)]
    for id in resting:
        if memories.mark_stale(writer, id, reason):
            reason_of_insights = "a fact it is based on no longer holds"
            verdicts.append(
                Verdict(decision="stale", rule="cascade", reason=reason_of_insights, id=id)
            )
    return verdicts


def update_marks(writer: Writer, id: str, reason: str) -> None:
    """Replaces the reason of the marks caused by ``id``."""
    for other in resting_on(writer, [id]):
        if _marked_by(writer, other, id):
            memories.mark_stale(writer, other, reason)


def clear_marks(writer: Writer, id: str) -> None:
    """Removes the marks caused by ``id``, which holds again, and restores the insights that rest on
    it unless other support has ended as well."""
    resting = resting_on(writer, [id])
    for other in resting:
        if _marked_by(writer, other, id):
            memories.mark_stale(writer, other, None)
    restore_supported(writer, resting)


def _lost(id: str) -> Verdict:
    reason = "something that it rests on no longer holds"
    return Verdict(decision="stale", rule="unsupported", reason=reason, id=id)


def _marked_by(writer: Writer, memory: str, cause: str) -> bool:
    found = memories.with_id(writer, memory)
    return found is not None and (found.stale or "").endswith(f"[{cause}]")
