"""A store that an earlier version wrote."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.conftest import NOW
from thalamus.api import Thalamus
from thalamus.clock import Clock, parse_time
from thalamus.records import Memory
from thalamus.storage.relational.tables import COUNTERS
from thalamus.storage.sqlite.migrations import reference_schema, schema

STORES = Path(__file__).parent / "stores"  # dumps, each with its key
pytestmark = pytest.mark.sqlite


def engine(home: Path) -> Thalamus:
    clock = Clock(parse_time(NOW))
    return Thalamus(clock=clock, home=str(home), model="scripted", embedder="scripted")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Of a signed store of version 20, in which the last memory was deleted."""
    home = tmp_path / "home"
    (home / "data/default").mkdir(parents=True)
    (home / "config/keys").mkdir(parents=True)
    shutil.copy(STORES / "version_20.key", home / "config/keys/default.key")
    (home / "config/keys/default.key").chmod(0o600)
    with closing(sqlite3.connect(home / "data/default/thalamus.db")) as db:
        db.executescript((STORES / "version_20.sql").read_text())
        db.execute("PRAGMA user_version = 20")
        db.execute("PRAGMA journal_mode = WAL")
    return home


def findings(thalamus: Thalamus) -> list[object]:
    with thalamus.store.verify() as verification:
        return list(verification.findings())


def test_its_signatures_hold(home: Path) -> None:
    with engine(home) as thalamus:
        assert findings(thalamus) == []
        thalamus.remember([Memory(content="The gnome has moved.")])
        assert findings(thalamus) == []
        assert len(thalamus.memories.find()) == 4
        assert thalamus.database.check() == []


def test_it_has_the_tables_of_a_new_store(home: Path) -> None:
    with engine(home) as thalamus:
        assert schema(thalamus.database._db) == reference_schema()


def test_its_numbers_are_not_used_again(home: Path) -> None:
    """Those of its last memory, whose rows are gone, neither."""
    with engine(home) as thalamus:
        database = thalamus.database
        names = {"event": 8, "embedding": 6, "removal": 2, "job": 2, "concept": 4, "batch": 1}
        for table, number in names.items():
            assert database.value(COUNTERS[table]) == str(number), table
        types = database.query("SELECT DISTINCT typeof(value) FROM meta")
        assert [row[0] for row in types] == ["text"]
        assert database.query("SELECT count(*) FROM sqlite_sequence")[0][0] == 0
