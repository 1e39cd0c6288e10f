"""Signing and encryption around the tables of any database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.store.making import AT, memory, vector
from thalamus import config
from thalamus.clock import Clock, parse_time
from thalamus.errors import BadKey, Tampered
from thalamus.records import Event, Memory
from thalamus.records.reports import Finding
from thalamus.security.keys import StoreKeys
from thalamus.store.options import StoreOptions
from thalamus.store.signing import audit
from thalamus.store.sqlite.store import SqliteStore
from thalamus.store.writer import Writer

Work = Callable[[Writer], object]
CLOCK = Clock(parse_time(AT))
SECRET = "The key is behind the gnome."


class Database:
    """A store with keys, and its tables as they are."""

    def __init__(self, folder: Path, home: Path) -> None:
        self.folder = folder
        self.keys = StoreKeys(config.load({"home": str(home)}, environ={}))
        self.store = self.opened(keys=self.keys, subject_of=self.subject_of)
        self.tables = self.store.tables

    def opened(self, **options: Any) -> SqliteStore:
        return SqliteStore(self.folder, StoreOptions(create=True, clock=CLOCK, **options))

    @staticmethod
    def subject_of(record: object, _: object) -> str | None:
        return "user" if isinstance(record, Memory) and record.sensitivity == "personal" else None

    def write(self, work: Work, erasing: bool = False) -> None:
        with self.store.forgetting() if erasing else self.store.writing() as writer:
            work(writer)

    def findings(self) -> list[tuple[str, str, str]]:
        verification = audit.verify(self.tables, self.keys, _NoChecks())
        return [(found.table, found.id, found.what) for found in verification.findings()]


class _NoChecks:
    def findings(self) -> Iterator[Finding]:
        return iter(())


def fill(writer: Writer) -> None:
    for name in ("one", "two", "three"):
        writer.add(memory(name, salience=1), vector(name))
    writer.add(memory("secret", SECRET, sensitivity="personal"), vector("secret"))
    writer.add_event(Event(name="stored", at=AT, data={"count": 4}))


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    made = Database(tmp_path / "store", tmp_path / "home")
    with closing(made.store):
        made.write(fill)
        assert made.findings() == []
        yield made


def test_what_is_written_is_signed(database: Database) -> None:
    database.write(lambda writer: writer.update("memory", {"trust": 1}, "id = ?", "mem_one"))
    database.write(lambda writer: writer.remove("mem_two"))
    assert database.findings() == []


@pytest.mark.parametrize(
    ("table", "fields", "found"),
    [
        ("memory", {"trust": 0.5}, ("memory", "mem_one", "edited")),
        ("embedding", {"vector": bytes(16)}, ("embedding", "1", "edited")),
        ("event", {"name": "other"}, ("event", "1", "edited")),
        ("space", {"model": "other"}, ("space", "1", "edited")),
        ("meta", {"value": "77"}, ("meta", "signed_head", "edited")),
    ],
)
def test_what_is_changed_elsewhere_is_found(
    database: Database, table: str, fields: dict[str, object], found: tuple[str, str, str]
) -> None:
    names = {"memory": "id", "embedding": "n", "event": "seq", "space": "id", "meta": "name"}
    values = {"memory": "mem_one", "meta": "next_key"}
    database.tables.update(table, fields, f"{names[table]} = ?", values.get(table, 1))
    assert database.findings() == [found]


def test_a_changed_head_stops_writing(database: Database) -> None:
    database.tables.update("meta", {"value": "77"}, "name = ?", "next_key")
    with pytest.raises(Tampered):
        database.write(fill)


def test_a_signed_store_is_read_only_without_keys(database: Database) -> None:
    with closing(database.opened()) as store, pytest.raises(BadKey), store.writing() as writer:
        fill(writer)


def test_personal_records_are_encrypted(database: Database) -> None:
    rows = [tuple(row) for row in database.tables.fetch("SELECT id, content FROM memory")]
    assert SECRET not in str(rows) and len(rows) == 4
    cipher = database.store.reading_cipher()
    assert cipher is not None
    content = cipher.content("memory", "mem_secret")
    assert content is not None and content["content"] == SECRET


def test_erasing_takes_the_names_of_what_was_deleted(database: Database) -> None:
    database.write(lambda writer: writer.remove("mem_two"), erasing=True)
    named = database.tables.fetch("SELECT name FROM signature WHERE name IS NOT NULL")
    assert not any("mem_two" in row[0] for row in named) and any("mem_one" in r[0] for r in named)
    assert database.findings() == []


def test_everything_is_signed_again(database: Database) -> None:
    database.tables.update("memory", {"trust": 0.5}, "id = ?", "mem_one")
    key = database.keys.key(None)
    assert key is not None and database.findings()
    audit.sign_again(database.tables, key, Event(name="key_adopted", at=AT, data={}), CLOCK)
    assert database.findings() == []
