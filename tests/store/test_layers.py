"""Signing and encryption around the tables of any database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.store.making import AT, memory, open_store, vector
from thalamus import config
from thalamus.clock import Clock, parse_time
from thalamus.errors import BadKey, Tampered
from thalamus.records import Event, Memory
from thalamus.records.reports import Finding
from thalamus.security.keys import StoreKeys
from thalamus.store.conditions import PRESENT
from thalamus.store.indexes.removals import Removals
from thalamus.store.layers import Layers
from thalamus.store.options import StoreOptions
from thalamus.store.signing import audit
from thalamus.store.sqlite.store import SqliteStore
from thalamus.store.writer import Writer

Work = Callable[[Writer], object]
CLOCK = Clock(parse_time(AT))
SECRET = "The key is behind the gnome."


class Database:
    """A store's tables with layers around them, whatever the database."""

    def __init__(self, store: SqliteStore, home: Path) -> None:
        self.store = store
        self.keys = StoreKeys(config.load({"home": str(home)}, environ={}))
        self.tables = store._tables
        self.layers = self.layers_with(StoreOptions(keys=self.keys, subject_of=self.subject_of))

    def layers_with(self, options: StoreOptions) -> Layers:
        return Layers(self.tables, options, "somewhere", lambda _: "")

    @staticmethod
    def subject_of(record: object, _: object) -> str | None:
        return "user" if isinstance(record, Memory) and record.sensitivity == "personal" else None

    def write(self, work: Work, erasing: bool = False, layers: Layers | None = None) -> None:
        layers = layers or self.layers
        self.store._db.execute("BEGIN")
        try:
            with layers.unit(CLOCK, Removals, erasing=erasing) as writer:
                work(writer)
        except BaseException:
            self.store._db.execute("ROLLBACK")
            raise
        self.store._db.execute("COMMIT")
        layers.committed()

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
    with closing(open_store(tmp_path / "store")) as store:
        made = Database(store, tmp_path / "home")
        made.write(fill)
        assert made.findings() == []
        yield made


def test_what_is_written_is_signed(database: Database) -> None:
    database.write(lambda writer: writer.update("memory", {"trust": 1}, {"id": "mem_one"}))
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
    database.tables.update(table, fields, {names[table]: values.get(table, 1)})
    assert database.findings() == [found]


def test_a_changed_head_stops_writing(database: Database) -> None:
    database.tables.update("meta", {"value": "77"}, {"name": "next_key"})
    with pytest.raises(Tampered):
        database.write(fill)


def test_a_signed_store_is_read_only_without_keys(database: Database) -> None:
    with pytest.raises(BadKey):
        database.write(fill, layers=database.layers_with(StoreOptions()))


def test_personal_records_are_encrypted(database: Database) -> None:
    rows = [tuple(row) for row in database.tables.select("memory", ("id", "content"))]
    assert SECRET not in str(rows) and len(rows) == 4
    cipher = database.layers.cipher
    assert cipher is not None
    content = cipher.content("memory", "mem_secret")
    assert content is not None and content["content"] == SECRET


def test_erasing_takes_the_names_of_what_was_deleted(database: Database) -> None:
    database.write(lambda writer: writer.remove("mem_two"), erasing=True)
    named = database.tables.select("signature", ("name",), {"name": PRESENT})
    assert not any("mem_two" in row[0] for row in named) and any("mem_one" in r[0] for r in named)
    assert database.findings() == []


def test_everything_is_signed_again(database: Database) -> None:
    database.tables.update("memory", {"trust": 0.5}, {"id": "mem_one"})
    key = database.keys.key(None)
    assert key is not None and database.findings()
    audit.sign_again(database.tables, key, Event(name="key_adopted", at=AT, data={}), CLOCK)
    assert database.findings() == []
