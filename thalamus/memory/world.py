"""The world state of a user: read here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thalamus.records import Issue, World

if TYPE_CHECKING:
    from thalamus.storage.protocol import Reader


def load_world(store: Reader, user: str | None) -> tuple[World, list[Issue]]:
    """The world of a user as it is stored, and what had to be repaired in it."""
    return World(user=user), []
