"""Lines about the changes of a batch, and about an undone change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from thalamus.terminal.lines import counted, quoted
from thalamus.terminal.world import operations_line

if TYPE_CHECKING:
    from thalamus.memory.undo.undo import Undone
    from thalamus.records import Verdict
    from thalamus.records.reports import Batch

SHOWN = 2  # things named on either side
SHORT = 160  # characters of one: the difference may be at its end
MESSAGE = 70  # characters of a message


def undone_lines(undone: Undone) -> Iterator[str]:
    """Lines about an undone change: the things restored, changed and removed; for a turn its
    message, the entries deleted with it, and the restored ones."""
    from thalamus.terminal.local import day

    if undone.verdicts:
        yield from _turn_lines(undone.verdicts)
        return
    batch = undone.change
    changes, many = changes_line(batch), undone_counts(undone.counts)
    parts = [many or "nothing left", *([changes] if many else [])]
    if batch.operations:
        parts = [changes]
    yield f"undone: {batch.action} of {day(batch.at)}: {': '.join(parts)}"


def _turn_lines(verdicts: Sequence[Verdict]) -> Iterator[str]:
    turn, *others = verdicts
    yield f"undone: {quoted(turn.content, MESSAGE)}"
    dropped = [verdict for verdict in others if verdict.decision == "drop"]
    if dropped:
        names = (verdict.reason.replace("_", " ") for verdict in dropped)
        yield f"deleted with it: {counted(Counter(names))}"
    for verdict in others:
        if verdict.decision == "restore":
            yield f"restored: {quoted(verdict.content, MESSAGE)}  [{verdict.id}]"


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
