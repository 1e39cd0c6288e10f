"""Names of users, agents, personas, projects, sessions, tenants and files in their normal form.

One name can be written as different characters: "é" is one character on most systems and two on
macOS. Every name is normalized where it comes in, so that it denotes one person or thing.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import force_setattr

LONGEST = 200  # bytes of a name in UTF-8: a tenant's is the name of a folder and of files
_JOINERS = "\u200c\u200d"
_JOINING = "\u0590"  # the first character of the scripts in which joiners are visible


@functools.lru_cache(maxsize=4096)
def normal_name(name: str) -> str:
    """Composed form (NFC) of a name, without invisible characters and with single spaces. Letters
    keep their case."""
    if name.isascii():
        return " ".join(name.split())
    import unicodedata

    text = unicodedata.normalize("NFC", name)
    text = "".join(
        character
        for at, character in enumerate(text)
        if unicodedata.category(character) != "Cf"
        or (character in _JOINERS and _joins(text[at - 1 : at], text[at + 1 : at + 2]))
    )
    return " ".join(unicodedata.normalize("NFC", text).split())


def normalize(record: Struct, fields: Iterable[str]) -> None:
    """Normalizes names in fields of a record, which may be frozen. A blank name is left as it is:
    none would mean everybody."""
    for field in fields:
        given = getattr(record, field)
        if isinstance(given, str) and (name := normal_name(given)) and name != given:
            force_setattr(record, field, name)


def composed_path(path: str) -> str:
    """Composed form (NFC) of the name of a file or of an address; blanks are a part of it."""
    if path.isascii():
        return path
    import unicodedata

    return unicodedata.normalize("NFC", path)


def _joins(before: str, after: str) -> bool:
    """True for a joiner between characters whose shape it changes."""
    return min(before, after) >= _JOINING


def too_long(name: str) -> str:
    """The problem with a name that is too long; empty if it is not."""
    size = len(name.encode("utf-8", "replace"))
    return f"is too long: {size:,} bytes, at most {LONGEST}" if size > LONGEST else ""
