"""The mark of an unfinished copy: a store-wide value of the target until all of it is there."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from thalamus.errors import UnfinishedCopy

COPY_OF = "copy_of"  # name in ``meta``


class CopyMark(msgspec.Struct, frozen=True):
    """The source of a copy. ``store``: its id; ``state``: digest of its store-wide values, of which
    every write changes one; ``place``: in words."""

    store: str
    state: str
    place: str


def mark_in(values: Mapping[str, str]) -> CopyMark | None:
    """The mark among a store's values; None in a whole store."""
    text = values.get(COPY_OF)
    return None if text is None else msgspec.json.decode(text, type=CopyMark)


def check_whole(values: Mapping[str, str], place: object) -> None:
    """Raises ``UnfinishedCopy`` for the values of a store that was not copied to its end."""
    if (mark := mark_in(values)) is not None:
        raise UnfinishedCopy(place, mark.place)
