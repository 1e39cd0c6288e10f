"""A new kind of record: one entry in the registry, one table, one migration."""

from __future__ import annotations

import json
import sqlite3
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import field

from tests.stored import ROLE, SCHEMA
from thalamus.api import Thalamus
from thalamus.clock import Clock, parse_time
from thalamus.memory.forget.erase import ForgetOptions
from thalamus.records import Record
from thalamus.records.kinds import Kind, Part, kinds, numbered, register, unregister
from thalamus.store import embeddings, entries, migrations
from thalamus.store.signing.tables import signed_tables
from thalamus.store.sqlite import migrations as sqlite_migrations
from thalamus.store.values import Filter, Vector
from thalamus.transfer.export import export_lines

AT = "2026-05-08T13:56:00Z"
VECTOR = Vector("m", struct.pack("<16f", *(0.3 - n / 25 for n in range(16))))
TABLE = """CREATE TABLE recipe (
    key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, dish TEXT NOT NULL, steps TEXT NOT NULL,
    created_at TEXT NOT NULL, session TEXT, "user" TEXT, agent TEXT,
    metadata TEXT NOT NULL DEFAULT '{}')"""


class Recipe(Record, tag="recipe"):
    """A toy."""

    dish: str
    steps: str
    id: str | None = None
    created_at: str | None = None
    session: str | None = None
    user: str | None = None
    agent: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict)


SHOWN = (Part("dish"), Part("steps", ": "))
KIND = Kind(
    Recipe,
    required=("id",),
    columns=("id", "dish", "steps", "created_at", "session", "user", "agent"),
    packed={"metadata": dict[str, Any]},
    numbered=True,
    shown=SHOWN,
    searched=SHOWN,
    embedded=SHOWN,
    own_words=("steps",),
    texts=("dish", "steps"),
)


def m0002_recipes(db: Any) -> None:
    db.execute(TABLE)
    for name in ("entry", *(f"{kind.name}_entry" for kind in numbered())):
        db.execute(f"DROP VIEW IF EXISTS {name}")
    for statement in entries.definitions():
        db.execute(statement)


@pytest.fixture(autouse=True)
def recipes(server: str, tmp_path: Path) -> Iterator[None]:
    """The kind, with its table in SQLite and in PostgreSQL."""
    register(KIND)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(migrations, "MIGRATIONS", (*migrations.MIGRATIONS, m0002_recipes))
        script = tmp_path / "schema.sql"
        script.write_text(sqlite_migrations.schema_script())
        patch.setattr(sqlite_migrations, "SCHEMA", script)
        if server:
            make_tables(server)
        yield
    unregister("recipe")
    if server:
        make_tables(server, again=True)


def make_tables(server: str, again: bool = False) -> None:
    """Migrates the tables in PostgreSQL, or makes them again."""
    import psycopg

    from thalamus.store.postgres.schema import initialize
    from thalamus.store_url import parse_store_url

    if again:
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f"DROP SCHEMA {SCHEMA} CASCADE")
    initialize(parse_store_url(server), ROLE)


def engine(home: Path) -> Thalamus:
    clock = Clock(parse_time(AT))
    return Thalamus(clock=clock, home=str(home), model="scripted", embedder="scripted")


def filled(home: Path) -> Thalamus:
    """A store with two recipes, one with an embedding."""
    thalamus = engine(home)
    opened = thalamus.open_store(True)
    assert opened is not None
    with opened.writing() as writer:
        soup = Recipe(dish="Leek soup", steps="Simmer the leeks.", id="rec_1", created_at=AT)
        assert writer.add(soup, VECTOR) and not writer.add(soup)
        writer.add(Recipe(dish="Toast", steps="Toast the bread.", id="rec_2", created_at=AT))
    return thalamus


def test_stored_found_and_shown(home: Path) -> None:
    with filled(home) as thalamus:
        found = thalamus.database.get("rec_1")
        assert isinstance(found, Recipe) and found.dish == "Leek soup"
        assert thalamus.database.complete_id("rec_") == ["rec_1", "rec_2"]
        assert thalamus.database.counts()["recipe"] == 2
        [hit] = thalamus.database.search_text(["leeks"], Filter(), 5)
        assert (hit.entry.id, hit.entry.record) == ("rec_1", "recipe")
        assert hit.entry.text == "Leek soup: Simmer the leeks."
        hits = thalamus.database.search([], VECTOR, Filter(), 5).vector
        assert [hit.entry.id for hit in hits] == ["rec_1"]
        assert [text for _, text, _ in embeddings.missing(thalamus.database, "m", 5)] == [
            "Toast: Toast the bread."
        ]
        with thalamus.database.writing() as writer:
            writer.update("recipe", {"steps": "Fry the leeks."}, "id = ?", "rec_1")
        [hit] = thalamus.database.search_text(["fry"], Filter(), 5)
        assert hit.entry.id == "rec_1" and not thalamus.database.search_text(
            ["simmer"], Filter(), 5
        )


@pytest.mark.sqlite
def test_exported_and_imported(home: Path, tmp_path: Path) -> None:
    from thalamus.terminal import jsonl
    from thalamus.transfer.importer import Importer, importable

    with filled(home) as thalamus:
        lines = list(export_lines(thalamus.database))
    assert [json.loads(line)["record"] for line in lines] == ["recipe", "recipe"]
    with engine(tmp_path / "other") as other:
        importer = Importer(other.engine)
        for _ in range(2):
            records = [
                importer.check(jsonl.decode(line, number, *importable()))
                for number, line in enumerate(lines, 1)
            ]
            importer.add(records)
        assert (importer.added["recipe"], importer.there["recipe"]) == (2, 2)
        assert list(export_lines(other.database)) == lines
    with pytest.raises(ValueError, match="missing"):
        importer.check(Recipe(dish="Nothing", steps="."))


@pytest.mark.sqlite
def test_erased_with_nothing_left(home: Path) -> None:
    with filled(home) as thalamus:
        report = thalamus.forget(ForgetOptions(query="leeks"))
        assert [verdict.id for group, verdict in report.items if group == "recipe"] == ["rec_1"]
        assert report.complete and thalamus.database.get("rec_1") is None
        assert thalamus.database.get("rec_2") is not None
        assert b"leeks" not in thalamus.database.path.read_bytes().lower()


@pytest.mark.sqlite
def test_signed_and_verified(home: Path) -> None:
    assert "recipe" in signed_tables()
    with filled(home) as thalamus:
        path = thalamus.database.path
        with thalamus.store.verify() as verified:
            assert list(verified.findings()) == []
    with sqlite3.connect(path) as db:
        db.execute("UPDATE recipe SET steps = 'Burn it.' WHERE id = 'rec_2'")
    with engine(home) as thalamus, thalamus.store.verify() as verified:
        assert [(f.table, f.id, f.what) for f in verified.findings()] == [
            ("recipe", "rec_2", "edited")
        ]


def test_a_name_is_registered_once() -> None:
    with pytest.raises(ValueError, match="registered already"):
        register(KIND)


@pytest.mark.parametrize("kind", [*kinds()], ids=lambda kind: kind.name)
def test_every_field_is_stored_or_said_not_to_be(kind: Kind) -> None:
    fields = {*kind.record.__struct_fields__} - {"v"}
    if not kind.body:
        assert fields == fields & {*kind.stored} | {*kind.unstored}
        assert not {*kind.stored} & {*kind.unstored}
    assert {*kind.encrypted} <= fields
