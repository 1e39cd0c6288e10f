"""Stores of earlier versions are opened with nothing missing, verified and written further.

Version 20 has numbers among its values. Version 24 has a row in every table, users and agents,
personal rows, a name in two Unicode forms, and its export by the program that wrote it.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.json import encode

from tests.store.test_tampering import ask, database, engine, mutate, named
from thalamus import files
from thalamus.api import Thalamus
from thalamus.errors import Tampered
from thalamus.names import normal_name
from thalamus.records import Memory, Session, Turn
from thalamus.records.ownership import DEFAULT_USER
from thalamus.store import ledger
from thalamus.store.sqlite.migrations import SCHEMA, reference_schema, schema, schema_script
from thalamus.store.tables import COUNTERS

pytestmark = pytest.mark.sqlite

STORES = Path(__file__).parent / "stores"
NAMED = {"user", "agent", "session"}
NEXT = {"event": 11, "embedding": 8, "removal": 2, "job": 2, "concept": 5, "batch": 1}


def written(home: Path, version: int) -> Path:
    """A store of an earlier version with its key, as it was written."""
    (home / "config" / "keys").mkdir(parents=True)
    key = (STORES / f"version_{version}.key").read_bytes()
    files.create(home / "config" / "keys" / "default.key", key)
    database(home).parent.mkdir(parents=True)
    with closing(sqlite3.connect(database(home))) as db:
        db.executescript((STORES / f"version_{version}.sql").read_text())
        db.execute(f"PRAGMA user_version = {version}")
    return home


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A store of version 20."""
    return written(tmp_path / "home", 20)


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
        values = thalamus.database.tables.values()
    assert {table: int(values[COUNTERS[table]]) for table in NEXT} == NEXT
    assert ask(home, "SELECT DISTINCT typeof(value) FROM meta") == [("text",)]


def test_nothing_of_version_24_is_missing(tmp_path: Path) -> None:
    """Its export is what the program that wrote it exported, but for new fields and the form of
    names."""
    home = written(tmp_path / "home", 24)
    former = [json.loads(line) for line in (STORES / "version_24.jsonl").open()]
    for record in former:
        if record["record"] != "event":
            record.update(
                {name: normal_name(record[name] or "") or None for name in NAMED & {*record}}
            )
    with engine(home) as thalamus:
        assert named(thalamus) == []
        now = [json.loads(encode(record)) for record in thalamus.store.export()]
        pairs = zip(former, now, strict=True)
        assert [{name: record[name] for name in old} for old, record in pairs] == former
        for kind in ("turn", "memory", "fact", "document", "insight"):
            for id in [record["id"] for record in former if record["record"] == kind]:
                assert thalamus.why(id).id == id
        thalamus.turn("I have put the raft into the boathouse.")
        assert named(thalamus) == []


# the other user of version 24 has the same name in the other form
COMPOSED, DECOMPOSED = "Zo\u00eb", "Zoe\u0308"


@pytest.mark.parametrize("name", [COMPOSED, DECOMPOSED])
def test_a_user_finds_what_is_stored_under_each_form_of_the_name(tmp_path: Path, name: str) -> None:
    with Thalamus(home=str(written(tmp_path / "home", 24)), model="scripted", user=name) as zoe:
        contents = "\n".join(memory.content for memory in zoe.memories.find())
        assert "My passport number is X1234567." in contents
        assert "My sister is called Ida and I live in Cork." in contents
        assert any("passport" in found.text for found in zoe.recall("What is my passport number?"))
        messages = {turn.message for session in zoe.sessions.find() for turn in turns(zoe, session)}
        assert {"I bought a blue kettle in Cork."} < messages


def turns(thalamus: Thalamus, session: Session) -> list[Turn]:
    return thalamus.sessions.turns(session.id)


def test_rows_of_version_24_have_owners(tmp_path: Path) -> None:
    """Documents those of their chunks, ledger entries that of their turn or of the records they
    name. The chain stays, and the owners are signed with the next write."""
    home = written(tmp_path / "home", 24)
    lines = [json.loads(line) for line in (STORES / "version_24.jsonl").open()]
    former = {line["id"]: line for line in lines if line.get("id")}
    hashes = [line["hash"] for line in lines if line["record"] == "event"]
    chunks = {}
    for line in lines:
        if line["record"] == "memory" and (line["provenance"] or {}).get("document"):
            chunks.setdefault(line["provenance"]["document"], set()).add(line["user"])
    with engine(home) as thalamus:
        documents = {one.id: one.user for one in thalamus.memories.documents()}
        assert documents and documents == {
            id: next(iter(chunks.get(id or "", {DEFAULT_USER}))) for id in documents
        }
        events = [*ledger.entries(thalamus.database)]
        assert [event.hash for event in events] == hashes
        about_turns = [event for event in events if event.turn in former]
        assert len({event.user for event in about_turns}) > 1
        for event in about_turns:
            assert event.user == former[event.turn or ""]["user"]
        about_rows = [e for e in events if e.data.get("first") == e.data.get("last") in former]
        for event in about_rows:
            assert event.user == former[event.data["first"]]["user"]
        assert named(thalamus) == []
        thalamus.remember([Memory(content="A heron stands still.")])
        assert named(thalamus) == []
    assert mutate(home, "UPDATE event SET \"user\" = 'mallory' WHERE seq = 2") == [
        ("event", "2", "edited")
    ]


def test_the_schema_of_a_new_store_is_what_the_migrations_make() -> None:
    assert SCHEMA.read_text(encoding="utf-8") == schema_script()
