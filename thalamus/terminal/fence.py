"""Triple quotes around a message of several lines."""

from __future__ import annotations

FENCE = '"""'


def unfence(text: str) -> str:
    """The message between triple quotes, or the unchanged text."""
    stripped = text.strip()
    if stripped.startswith(FENCE):
        return stripped.removeprefix(FENCE).removesuffix(FENCE).strip("\n")
    return text.strip("\n")


def complete(text: str) -> bool:
    """True if Enter ends the message: not inside an open triple quote."""
    stripped = text.strip()
    if not stripped.startswith(FENCE):
        return True
    return len(stripped) >= 2 * len(FENCE) and stripped.endswith(FENCE)
