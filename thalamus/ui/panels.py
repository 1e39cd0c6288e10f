"""Panels of the debug console: sections of a turn, with titles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

if TYPE_CHECKING:
    from thalamus.records import Turn

# section of a turn -> title of its panel, in order
PANELS = {
    "plan": "Plan",
    "evidence": "Evidence",
    "reflection": "Reflection",
    "decisions": "Decisions and facts",
    "tools": "Tools",
    "prompts": "Prompts and replies",
    "issues": "Issues",
    "stages": "Time and tokens",
}


def together(answered: Turn, finished: Turn) -> Turn:
    """An answered turn with the results of the background work on it."""
    return structs.replace(
        answered,
        reflection=finished.reflection,
        stored=finished.stored,
        plan=finished.plan,
        trace=[*answered.trace, *finished.trace],
        issues=[*answered.issues, *(i for i in finished.issues if i not in answered.issues)],
    )
