"""A store of an earlier version, with numbers among its values, is verified and written further."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.storage.test_tampering import ask, database, engine, mutate, named
from thalamus.errors import Tampered
from thalamus.records import Memory
from thalamus.storage.relational.tables import COUNTERS
from thalamus.storage.sqlite.migrations import reference_schema, schema

pytestmark = pytest.mark.sqlite

STORES = Path(__file__).parent / "stores"
NEXT = {"event": 11, "embedding": 8, "removal": 2, "job": 2, "concept": 5, "batch": 1}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A store of version 20 with its key, as it was written."""
    home = tmp_path / "home"
    (home / "config" / "keys").mkdir(parents=True)
    key = (STORES / "version_20.key").read_text()
    (home / "config" / "keys" / "default.key").write_text(key)
    database(home).parent.mkdir(parents=True)
    with closing(sqlite3.connect(database(home))) as db:
        db.executescript((STORES / "version_20.sql").read_text())
        db.execute("PRAGMA user_version = 20")
    return home


def test_it_is_verified_and_written_further(home: Path) -> None:
    with engine(home) as thalamus:
        assert named(thalamus) == []
        assert "The tide at 1 metres." in [memory.content for memory in thalamus.memories.find()]
        [added] = thalamus.remember([Memory(content="A heron stands still.")])
        assert named(thalamus) == []
    assert mutate(home, f"UPDATE memory SET topic = 'x' WHERE id = '{added.id}'") == [
        ("memory", added.id, "edited")
    ]


def test_it_is_copied_as_it_would_be_migrated(home: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    with engine(home) as thalamus:
        thalamus.store.copy(str(database(home)), str(copy))
    with closing(sqlite3.connect(database(home))) as db:
        assert db.execute("PRAGMA user_version").fetchone()[0] == 20
    database(home).unlink()
    shutil.copy(copy / "thalamus.db", database(home))
    with engine(home) as thalamus:
        assert named(thalamus) == []
        thalamus.remember([Memory(content="A heron stands still.")])
        assert named(thalamus) == []


def test_what_was_edited_is_found_before_and_after_a_write(home: Path) -> None:
    with closing(sqlite3.connect(database(home))) as db, db:
        db.execute("UPDATE memory SET trust = 1.5 WHERE key = 9")
        [(id,)] = db.execute("SELECT id FROM memory WHERE key = 9")
    with engine(home) as thalamus:
        assert named(thalamus) == [("memory", id, "edited")]
        thalamus.remember([Memory(content="A heron stands still.")])
        assert named(thalamus) == [("memory", id, "edited")]


def test_its_counter_cannot_be_changed(home: Path) -> None:
    assert mutate(home, "UPDATE meta SET value = '7' WHERE name = 'next_key'") == [
        ("meta", "signed_head", "edited")
    ]
    with engine(home) as thalamus, pytest.raises(Tampered):
        thalamus.remember([Memory(content="A heron stands still.")])


def test_it_has_the_tables_of_a_new_store(home: Path) -> None:
    with engine(home) as thalamus:
        assert schema(thalamus.database._db) == reference_schema()
        assert thalamus.database.check() == []


def test_its_numbers_are_not_used_again(home: Path) -> None:
    """Those of deleted rows neither; all values are texts."""
    with engine(home) as thalamus:
        values = thalamus.database._tables.values()
    assert {table: int(values[COUNTERS[table]]) for table in NEXT} == NEXT
    assert ask(home, "SELECT DISTINCT typeof(value) FROM meta") == [("text",)]
