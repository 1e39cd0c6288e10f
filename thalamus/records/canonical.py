"""Canonical JSON: the same value always gives the same text."""

from __future__ import annotations

import functools
from typing import Any


def pack_json(value: Any) -> str:
    """Compact JSON with sorted keys."""
    if value == {}:  # most metadata
        return "{}"
    return str(_encoder().encode(value))


@functools.cache
def _encoder() -> Any:
    import json  # takes 2 ms, which readers need not spend

    return json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))
