"""JSON Schemas for a model's output: short and flat, as constrained decoders need them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def object_schema(optional: Sequence[str] = (), **properties: Any) -> dict[str, Any]:
    """Schema of an object with exactly these properties, all required except the ``optional``
    ones."""
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in optional],
        "additionalProperties": False,
    }
