"""Lines about the changes of a batch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from thalamus.terminal.lines import quoted
from thalamus.terminal.world import operations_line

if TYPE_CHECKING:
    from thalamus.records import Batch

SHOWN = 2  # things named on either side
SHORT = 160  # characters of one: the difference may be at its end


def undone_line(batch: Batch, counts: Mapping[str, int]) -> str:
    """Summary of an undo; ``counts``: numbers of things restored, changed and removed."""
    from thalamus.terminal.local import day

    changes = changes_line(batch)
    many = undone_counts(counts)
    parts = (
        [changes] if batch.operations else [many or "nothing left", *([changes] if many else [])]
    )
    return f"undone: {batch.action} of {day(batch.at)}: {': '.join(parts)}"


def undone_counts(counts: Mapping[str, int]) -> str:
    """``1 restored, 2 removed``; empty if nothing was left to undo."""
    return ", ".join(f"{count:,} {name}" for name, count in counts.items() if count)


def changes_line(batch: Batch) -> str:
    """``“user lives_in Lisbon” → “user lives_in Porto”``: the changed or retired things, and their
    replacements."""
    if batch.operations:
        return operations_line(batch.operations)
    before = _side(batch, "changed", "retired")
    made = _side(batch, "made")
    return " → ".join(filter(None, (before, made))) or _counted(batch)


def _side(batch: Batch, *changes: str) -> str:
    named = [item for item in batch.changes if item.change in changes][:SHOWN]
    more = sum(batch.counts.get(change, 0) for change in changes) - len(named)
    texts = [quoted(item.text, SHORT) for item in named]
    return ", ".join(texts) + (f" and {more:,} more" if texts and more > 0 else "")


def _counted(batch: Batch) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in batch.counts.items())
