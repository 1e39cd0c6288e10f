"""The tables ``world`` and ``world_change``."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from thalamus.records import World, WorldChange
from thalamus.store.records import delete
from thalamus.store.tables import AMONG, EVERY

if TYPE_CHECKING:
    from thalamus.store.reader import Reader
    from thalamus.store.writer import Writer

STATES = 'SELECT * FROM world WHERE "user" IS ? ORDER BY updated_at DESC'
UPDATED = 'SELECT max(updated_at) FROM world WHERE "user" IS ?'
OWNERS = "SELECT owner FROM world ORDER BY owner"
OWNERS_OF = 'SELECT owner FROM world WHERE "user" = ?'
OF_TURN = "SELECT * FROM world_change WHERE turn = ? ORDER BY key"
IDS_OF_TURN = "SELECT id FROM world_change WHERE turn = ?"
OF_BATCHES = "SELECT * FROM world_change WHERE batch IN (SELECT value FROM json_each(?))"
OLDER = "SELECT * FROM world_change WHERE at < ? AND key < ? ORDER BY key DESC LIMIT ?"
BATCHES = f"SELECT batch FROM world_change WHERE id {AMONG} AND batch IS NOT NULL"


def states(reader: Reader, user: str | None) -> list[World]:
    """World states of one user, or (None) the shared one, newest first: one for each spelling of
    the name."""
    return reader.read(World, STATES, user)


def updated(reader: Reader, user: str | None) -> str | None:
    """Time of the newest of these states."""
    found: str | None = reader.fetch(UPDATED, user)[0][0]
    return found


def owners(reader: Reader) -> list[str]:
    """Owners of the states, sorted; '' for the shared one."""
    return [row[0] for row in reader.fetch(OWNERS)]


def delete_states(writer: Writer, user: str) -> None:
    """Deletes the states of a user under every spelling of the name."""
    delete(writer, World, [row[0] for row in writer.fetch(OWNERS_OF, user)])


# -- changes ---------------------------------------------------------------------------------------


def changes(reader: Reader, user: str | None, limit: int | None = None) -> list[WorldChange]:
    """Changes of the state of one user, or (None) of the shared one, newest first."""
    sql = """
    SELECT * FROM world_change WHERE "user" IS ? ORDER BY key DESC LIMIT ?"""
    return reader.read(WorldChange, sql, user, EVERY if limit is None else limit)


def changes_after(reader: Reader, id: str, user: str | None) -> list[WorldChange]:
    """Changes of a user that followed one and were not undone, newest first."""
    sql = """
    SELECT * FROM world_change WHERE "user" IS ?
    AND key > (SELECT key FROM world_change WHERE id = ?) AND undone_at IS NULL ORDER BY key DESC"""
    return reader.read(WorldChange, sql, user, id)


def changes_of_turn(reader: Reader, turn: str) -> list[WorldChange]:
    """Changes that came with a turn, in the order of storing."""
    return reader.read(WorldChange, OF_TURN, turn)


def change_ids_of_turn(reader: Reader, turn: str) -> list[str]:
    """Ids of these changes."""
    return [row[0] for row in reader.fetch(IDS_OF_TURN, turn)]


def changes_of_batches(reader: Reader, batches: Collection[str]) -> list[WorldChange]:
    """Changes of these batches, each of which has one."""
    return reader.read(WorldChange, OF_BATCHES, batches) if batches else []


def changes_before(reader: Reader, at: str, key: int | None, limit: int) -> list[WorldChange]:
    """Changes made before a time and stored before the one with a ``key``, newest first."""
    return reader.read(WorldChange, OLDER, at, EVERY if key is None else key, limit)


def last_key(reader: Reader) -> int | None:
    """Key of the change stored last."""
    found: int | None = reader.fetch("SELECT max(key) FROM world_change")[0][0]
    return found


def batches_of(reader: Reader, ids: Collection[str]) -> list[str]:
    """Batches of these changes, as far as they have one."""
    return [row[0] for row in reader.fetch(BATCHES, ids)] if ids else []
