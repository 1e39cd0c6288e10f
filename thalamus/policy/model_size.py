"""Number of parameters of a model, from its label or its name: "1.5B", "qwen3:4b",
"smollm2-135M"."""

from __future__ import annotations

import re

SMALL = 4.0  # billions of parameters from which a model keeps to the point in a long prompt
# billions from which a model can route messages: one with 0.5 gets 10 of 24 right, one with 1.5
# gets 23
ROUTES = 1.0
_LABEL = re.compile(r"(?<![a-z0-9.])(?:(\d+)x)?(\d+(?:\.\d+)?)\s?([bm])(?![a-z0-9])", re.I)


def billions(*labels: str) -> float | None:
    """Parameters in billions, by the first label that states them; None if none does."""
    for label in labels:
        found = _LABEL.search(label)
        if found:
            count = float(found[2]) * int(found[1] or 1)
            return count / 1000 if found[3].lower() == "m" else count
    return None


def is_small(*labels: str) -> bool | None:
    """True if a model with these labels is small; None if they do not say."""
    size = billions(*labels)
    return None if size is None else size < SMALL
