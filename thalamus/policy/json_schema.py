"""JSON Schemas of what a model is to write: short and flat, as constrained decoders want them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def object_schema(optional: Sequence[str] = (), **properties: Any) -> dict[str, Any]:
    """The schema of an object with these properties, all but the ``optional`` ones required, and no
    others."""
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in optional],
        "additionalProperties": False,
    }
