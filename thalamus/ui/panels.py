"""Panels of the debug console: sections of a turn, with titles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

if TYPE_CHECKING:
    from thalamus.records import Turn

# section of a turn -> title of its panel, in the order in which they are shown
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
    """A turn as it was answered, with what was found and stored behind the answer."""
    return structs.replace(
        answered,
        reflection=finished.reflection,
        stored=finished.stored,
        plan=finished.plan,
        trace=[*answered.trace, *finished.trace],
        issues=[*answered.issues, *(i for i in finished.issues if i not in answered.issues)],
    )
