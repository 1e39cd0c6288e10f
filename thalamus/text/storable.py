"""Characters that databases reject: zero characters, and halves of surrogate pairs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from thalamus.text.lazy_regex import lazy_regex

_SURROGATE = lazy_regex(r"[\ud800-\udfff]")
_REJECTED = lazy_regex(r"[\x00\ud800-\udfff]")


def storable(text: str) -> str:
    """The text without them."""
    if _SURROGATE.search(text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")
    return text.replace("\0", "")


def storable_json(value: Any) -> Any:
    """A JSON value whose texts are storable."""
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, list):
        return [storable_json(item) for item in value]
    if isinstance(value, dict):
        return {storable(str(name)): storable_json(item) for name, item in value.items()}
    return value


def rejected(value: Any, field: str = "") -> tuple[str, str] | None:
    """The field of the first text in a JSON value that cannot be stored, and why not."""
    for place, text in _texts(value, field):
        if found := _REJECTED.search(text):
            if found[0] == "\0":
                return place, "contains a zero character (\\u0000), which databases reject"
            return place, f"\\u{ord(found[0]):04x} is an unpaired surrogate, half of a character"
    return None


def _texts(value: Any, field: str) -> Iterator[tuple[str, str]]:
    """Every text of a JSON value with its field; names count as texts of what they name."""
    if isinstance(value, str):
        yield field, value
    elif isinstance(value, (list, tuple)):
        for number, item in enumerate(value):
            yield from _texts(item, f"{field}[{number}]")
    elif isinstance(value, dict):
        for name, item in value.items():
            inner = f"{field}.{name}" if field else str(name)
            yield storable(inner), str(name)
            yield from _texts(item, storable(inner))
