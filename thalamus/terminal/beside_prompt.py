"""The text at the right end of the prompt line: the current background work and its results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from thalamus.terminal.lines import counted
from thalamus.terminal.turn_lines import VERBATIM, is_stored
from thalamus.text.width import columns

if TYPE_CHECKING:
    from thalamus.records import Turn
    from thalamus.terminal.background import BackgroundWork

STAGES = {"reflect": "reflecting …", "store": "storing …", "plan": "planning …"}
REMEMBERING = "remembering …"  # for other stages, and before the first
TYPED = 12  # columns left for typing
_KINDS = {"mem": "memory", "fact": "fact"}  # by the prefix of an id
_CHANGED = ("supersede", "update", "retract")


class BesidePrompt:
    """Summary of what was remembered since the last line was typed, and of the current background
    work."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._stored = False  # whether a turn was stored

    def stored(self, turn: Turn) -> None:
        """Adds what was stored of a finished turn."""
        self._stored = self._stored or is_stored(turn)
        for verdict in turn.stored:
            kind = _KINDS.get((verdict.id or "").partition("_")[0])
            if verdict.decision == "add" and kind is not None:
                self._counts[kind] += 1
            elif verdict.decision == "quarantine":
                self._counts["in quarantine"] += 1
            elif verdict.decision in _CHANGED:
                self._counts["changed"] += 1
            elif verdict.decision in ("reinforce", "exists"):
                self._counts["known"] += 1

    def concluded(self, insights: int) -> None:
        """Adds the conclusions from a turn."""
        self._counts["insight"] += insights

    def clear(self) -> None:
        """Starts again, because a line was typed."""
        self._counts.clear()
        self._stored = False

    def text(self, work: BackgroundWork, width: int) -> str:
        """The longest text that fits a terminal of this width."""
        room = width - TYPED
        return next((text for text in self._texts(work) if columns(text) <= room), "")

    def outcome(self, most: int = 9) -> str:
        """``remembered 2 memories, 1 fact · 1 changed``, with ``most`` parts; empty before a turn
        is stored."""
        new = {kind: self._counts[kind] for kind in _KINDS.values() if self._counts[kind]}
        parts = [f"remembered {counted(new)}"] if new else []
        if found := self._counts["insight"]:
            parts.append(counted({"new insight": found}))
        parts += [
            f"{self._counts[name]} {name}"
            for name in ("changed", "in quarantine")
            if self._counts[name]
        ]
        if not parts:
            if not self._stored:
                return ""
            return "known already" if self._counts["known"] else VERBATIM
        return " · ".join(parts[:most])

    def _texts(self, work: BackgroundWork) -> Iterator[str]:
        """Texts that may be shown, the longest first."""
        outcome = self.outcome()
        if work.remembering:
            stage = STAGES.get(work.stage, REMEMBERING)
            if work.earlier:
                yield f"an earlier turn: {stage}"
            yield stage
            return
        if work.concluding:
            activity = (
                f"connections: {work.to_connect} left …" if work.to_connect else "connections …"
            )
            yield f"{outcome} · {activity}" if outcome else activity
            yield activity
            return
        if outcome:
            yield outcome
            yield self.outcome(most=2)
            yield self.outcome(most=1)
