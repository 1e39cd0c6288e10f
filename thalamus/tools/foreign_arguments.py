"""Arguments of external tools, recognised by their usual names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from thalamus.tools.tool import ToolError

Meaning = Literal["query", "count", "path", "content", "user"]
_NAMES: dict[Meaning, tuple[str, ...]] = {
    "query": tuple("query q search search_query searchQuery text keywords keyword term".split()),
    "count": tuple(
        "k limit max_results maxResults top_k topK num_results count n pageSize page_size".split()
    ),
    "path": tuple(
        "path filepath filePath file_path file filename fileName notePath note_path note name title"
        " uri id paths filepaths filePaths files targetIdentifier".split()
    ),
    "content": tuple("content text memory data body".split()),
    "user": tuple("user_id userId user".split()),
}
_NEEDED: tuple[Meaning, ...] = ("query", "path", "content")


def map_arguments(tool: str, schema: Any, values: Mapping[Meaning, Any]) -> dict[str, Any]:
    """The values under the argument names of the tool's schema. Raises ``ToolError`` if a required
    meaning has no argument."""
    properties = schema.get("properties") if isinstance(schema, dict) else None
    known: dict[str, Any] = properties if isinstance(properties, dict) else {}
    listed = schema.get("required") if isinstance(schema, dict) else None
    required = [name for name in listed if name in known] if isinstance(listed, list) else []
    found: dict[str, Any] = {}
    for meaning, value in values.items():
        name = next((name for name in _NAMES[meaning] if name in known), None)
        if name is None and meaning in _NEEDED:
            free = [name for name in required if name not in found]
            name = free[0] if len(free) == 1 else None
            if name is None:
                raise ToolError(f"{tool} has no argument for the {meaning}")
        if name is not None:
            found[name] = _coerced(value, known[name])
    return found


def _coerced(value: Any, schema: Any) -> Any:
    """The value in the form of the argument's schema: in a list, or within its limits."""
    if not isinstance(schema, dict):
        return value
    if schema.get("type") == "array":
        return [value]
    if isinstance(value, int):
        least, most = schema.get("minimum"), schema.get("maximum")
        value = max(value, int(least)) if isinstance(least, int | float) else value
        value = min(value, int(most)) if isinstance(most, int | float) else value
    return value
