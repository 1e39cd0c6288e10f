"""The table ``alias``: other names of entities."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thalamus.records import Alias
from thalamus.store.tables import OWN_OR_SHARED

if TYPE_CHECKING:
    from thalamus.store.reader import Reader
    from thalamus.store.writer import Writer

# those of everyone have the owner ''
WITH_KEY = "SELECT * FROM alias WHERE folded = ? ORDER BY owner, folded"
OF_USER = 'SELECT * FROM alias WHERE "user" IS ? ORDER BY owner, folded'
REACHING = f"SELECT * FROM alias WHERE {OWN_OR_SHARED} ORDER BY owner, folded"
REACHING_WITH_KEY = f"""
SELECT * FROM alias WHERE {OWN_OR_SHARED} AND folded = ? ORDER BY owner, folded"""


def with_key(reader: Reader, key: str) -> list[Alias]:
    """Aliases of a name, given by its key, of all users; shared ones first."""
    return reader.read(Alias, WITH_KEY, key)


def of_user(reader: Reader, user: str | None) -> list[Alias]:
    """Aliases of a user; without a user the shared ones."""
    return reader.read(Alias, OF_USER, user)


def reaching(reader: Reader, user: str | None, key: str | None = None) -> list[Alias]:
    """Aliases of a user and shared ones, which come first; with a ``key`` only those of that
    name."""
    if key is None:
        return reader.read(Alias, REACHING, user)
    return reader.read(Alias, REACHING_WITH_KEY, user, key)


def delete_of_user(writer: Writer, user: str) -> None:
    """Deletes all aliases of a user."""
    writer.delete("alias", '"user" = ?', user)
