"""Results of external searches in any form: JSON, a list of paths, or text."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from msgspec import Struct

if TYPE_CHECKING:
    from thalamus.tools.mcp import ToolAnswer

_LISTS = "results matches notes items files hits memories documents data result paths".split()
_NAMES = "path filepath filePath file_path filename file note name title uri id".split()
_TEXTS = "content text excerpt snippet context body match memory summary line".split()
_ENDINGS = (".md", ".markdown", ".txt", ".org", ".canvas")
_BETWEEN = " … "  # between matching places of a note


class FoundNote(Struct, frozen=True):
    """One result: its name and its text. Either may be empty."""

    name: str = ""
    text: str = ""


def found_in(answer: ToolAnswer) -> list[FoundNote]:
    """The results in an answer, in order."""
    if answer.structured is not None and (found := _of_value(answer.structured)):
        return found
    parsed = _of_json(answer.texts)
    return _of_text(answer.text) if parsed is None else parsed


def plain_text(answer: ToolAnswer) -> str:
    """The text of one item that was read."""
    texts = [_only_text(text) for text in answer.texts]
    if not any(texts) and answer.structured is not None:
        return "\n".join(item.text for item in _of_value(answer.structured))
    return "\n".join(texts)


def _only_text(text: str) -> str:
    """The text without JSON around it."""
    value = _as_json(text)
    if value is None:
        return text
    found = [item.text for item in _of_value(value) if item.text]
    return "\n".join(found) or text


def _of_json(texts: Iterable[str]) -> list[FoundNote] | None:
    """Results in the first text that is non-empty JSON, since a line for people may precede it.
    None if no text is JSON."""
    parsed = [value for text in texts if (value := _as_json(text)) is not None]
    return next((found for value in parsed if (found := _of_value(value))), []) if parsed else None


def _as_json(text: str) -> Any:
    """The value of a JSON object, list or string; None for anything else."""
    if not text.lstrip().startswith(("{", "[", '"')):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _of_value(value: Any) -> list[FoundNote]:
    if isinstance(value, str):
        return _of_text(value)
    if isinstance(value, list):
        found = _of_json(item for item in value if isinstance(item, str))
        if found is not None:
            return found
        return [item for one in value if (item := _item(one)) is not None]
    if not isinstance(value, dict):
        return []
    for name in _LISTS:
        inner = value.get(name)
        if isinstance(inner, list) and not _first_text(value):
            return _of_value(inner)
        if isinstance(inner, str | dict) and len(value) == 1:
            return _of_value(inner)
    item = _item(value)
    return [item] if item is not None else []


def _item(value: Any) -> FoundNote | None:
    """A path, or an object with a name and a text."""
    if isinstance(value, str):
        return FoundNote(name=value) if _is_path(value) else FoundNote(text=value)
    if not isinstance(value, dict):
        return None
    name = next((str(value[key]) for key in _NAMES if isinstance(value.get(key), str | int)), "")
    text = _first_text(value) or _matches(value)
    return FoundNote(name, text) if name or text else None


def _first_text(value: dict[str, Any]) -> str:
    return next((value[key] for key in _TEXTS if isinstance(value.get(key), str)), "")


def _matches(value: dict[str, Any]) -> str:
    """The matching places of a note, joined."""
    places = value.get("matches")
    if not isinstance(places, list):
        return ""
    texts = [
        place if isinstance(place, str) else _first_text(place) if isinstance(place, dict) else ""
        for place in places
    ]
    return _BETWEEN.join(text.strip() for text in texts if text.strip())


def _of_text(text: str) -> list[FoundNote]:
    """A list of paths, one per line, or else a single text."""
    lines = [line.strip().removeprefix("- ").removeprefix("* ") for line in text.splitlines()]
    lines = [line for line in lines if line]
    paths = [line for line in lines if _is_path(line)]
    if paths and len(paths) * 2 >= len(lines):  # a line above or below may give their number
        return [FoundNote(name=path) for path in paths]
    return [FoundNote(text=text.strip())] if text.strip() else []


def _is_path(line: str) -> bool:
    return len(line) < 300 and "\n" not in line and line.lower().endswith(_ENDINGS)
