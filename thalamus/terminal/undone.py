"""Lines about an undone turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from thalamus.terminal.lines import counted, quoted

if TYPE_CHECKING:
    from thalamus.records import Verdict

SHORT = 70  # characters of a message


def undone_lines(verdicts: Sequence[Verdict]) -> Iterator[str]:
    """The undone message, the entries deleted with it, and the restored ones."""
    turn, *others = verdicts
    yield f"undone: {quoted(turn.content, SHORT)}"
    dropped = [verdict for verdict in others if verdict.decision == "drop"]
    if dropped:
        names = (verdict.reason.replace("_", " ") for verdict in dropped)
        yield f"deleted with it: {counted(Counter(names))}"
    for verdict in others:
        if verdict.decision == "restore":
            yield f"restored: {quoted(verdict.content, SHORT)}  [{verdict.id}]"
