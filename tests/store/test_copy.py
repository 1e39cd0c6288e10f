"""`store copy` from a file to another or to PostgreSQL, and back: everything as it is, in one
piece, resumed after a kill."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.conftest import Result
from tests.store.everything import (
    copy_and_die,
    engine,
    exported,
    folder,
    rows,
    sound,
)
from tests.stored import as_role
from thalamus.errors import BadKey, CopyDiffers, UnfinishedCopy, UsageError
from thalamus.memory.forget.erase import ForgetOptions
from thalamus.records import Memory

Run = Callable[..., Result]


class There(NamedTuple):
    """Where a store in a file is copied to, with the settings of an engine that uses it there."""

    address: str
    settings: dict[str, str]


@pytest.fixture
def there(full: Path, server: str) -> There:
    """With `--store postgres` a database, otherwise the folder of another tenant."""
    if server:
        return There(as_role(server), {"store": as_role(server)})
    keys = full / "config" / "keys"
    shutil.copy(keys / "default.key", keys / "second.key")
    return There(str(folder(full, "second")), {"tenant": "second"})


def test_there_and_back_it_is_the_same_store(full: Path, there: There) -> None:
    back = full / "back"
    with engine(full) as thalamus:
        lines = exported(thalamus)
        report = thalamus.store.copy(str(folder(full)), there.address)
        assert report.counts["event"] > 40 and not report.resumed
    with engine(full, **there.settings) as thalamus:
        assert exported(thalamus) == lines and sound(thalamus) and not thalamus.database.check()
        assert thalamus.store.copy(there.address, str(back)).counts == report.counts
        found = [item.id for item in thalamus.recall("Where is Lisbon?", limit=5)]
        assert all(state.healthy for state in thalamus.store.index_states())
        # each is a store of its own
        thalamus.remember([Memory(content="A heron stands still.")])
        assert sound(thalamus)
    assert rows(folder(full) / "thalamus.db") == rows(back / "thalamus.db")
    shutil.rmtree(folder(full))
    shutil.move(back, folder(full))
    with engine(full) as thalamus:
        assert exported(thalamus) == lines and sound(thalamus)
        assert found == [item.id for item in thalamus.recall("Where is Lisbon?", limit=5)]


def test_copies_are_written_further(full: Path, there: There) -> None:
    """Numbers, encryption and signatures go on where they were."""
    with engine(full) as thalamus:
        thalamus.store.copy(str(folder(full)), there.address)
    made = []
    for settings in ({}, there.settings):
        with engine(full, **settings) as thalamus:
            thalamus.turn("My sister Ana keeps bees, and my blood type is B+.")
            thalamus.undo()
            thalamus.turn("Where does my sister live?")
            assert sound(thalamus) and not thalamus.database.check()
            made.append(thalamus.database.counts())
    assert made[0] == made[1]


@pytest.mark.slow
def test_a_copy_that_was_killed_goes_on(full: Path, there: There) -> None:
    source, back = folder(full), full / "back"
    copy_and_die(full, source, there.address, 20)
    for create in (False, True):
        with engine(full, **there.settings) as thalamus, pytest.raises(UnfinishedCopy):
            thalamus.open_store(create)
    copy_and_die(full, source, there.address, 60)
    with engine(full) as thalamus:
        with pytest.raises(UnfinishedCopy):
            thalamus.store.copy(there.address, str(folder(full, "third")))
        lines = exported(thalamus)
        report = thalamus.store.copy(str(source), there.address)
        assert report.resumed and not report.restarted
    with engine(full, **there.settings) as thalamus:
        assert exported(thalamus) == lines and sound(thalamus)
    copy_and_die(full, there.address, back, 25)
    copy_and_die(full, there.address, back, 60)
    with engine(full, **there.settings) as thalamus:
        assert thalamus.store.copy(there.address, str(back)).resumed
    assert rows(back / "thalamus.db") == rows(source / "thalamus.db")


def test_it_begins_again_when_the_source_has_changed(full: Path, there: There) -> None:
    source = str(folder(full))
    copy_and_die(full, source, there.address, 30)
    with engine(full) as thalamus:
        thalamus.remember([Memory(content="A heron stands still.")])
        thalamus.forget(ForgetOptions(query="Tejo"))
        report = thalamus.store.copy(source, there.address)
        assert report.restarted and not report.resumed
        lines = exported(thalamus)
    with engine(full, **there.settings) as thalamus:
        assert exported(thalamus) == lines and sound(thalamus)
        assert thalamus.recall("heron")


def test_a_backup_takes_the_place_of_an_unfinished_copy(
    full: Path, there: There, tmp_path: Path
) -> None:
    with engine(full) as thalamus:
        lines = exported(thalamus)
        thalamus.store.backup(tmp_path / "b.db")
    copy_and_die(full, folder(full), there.address, 30)
    with engine(full, **there.settings) as thalamus:
        assert thalamus.store.exists()
        thalamus.store.restore(tmp_path / "b.db")
        assert exported(thalamus) == lines and sound(thalamus)
        values = thalamus.database.values("tenant", "copy_of")
        assert values == {"tenant": there.settings.get("tenant", "default")}


# -- from one file to another ----------------------------------------------------------------------


@pytest.mark.sqlite
def test_only_an_empty_place_is_written_to(full: Path, tmp_path: Path) -> None:
    source, target = str(folder(full)), str(folder(full, "second"))
    copy_and_die(full, source, target, 30)
    with engine(tmp_path / "other") as other:
        other.remember([Memory(content="A heron stands still.")])
    heron = str(folder(tmp_path / "other"))
    with engine(full) as thalamus:
        with pytest.raises(UsageError, match="cannot be copied to itself"):
            thalamus.store.copy(source, source)
        with pytest.raises(UsageError, match="already a store"):
            thalamus.store.copy(source, heron)
    with engine(tmp_path / "other") as other:
        with pytest.raises(UsageError, match="unfinished copy of another store"):
            other.store.copy(heron, target)
        assert not other.store.copy(heron, target, force=True).resumed


@pytest.mark.sqlite
def test_without_its_key_nothing_is_copied(full: Path, tmp_path: Path) -> None:
    with engine(tmp_path / "elsewhere") as thalamus:
        thalamus.remember([Memory(content="A heron stands still.")])
        with pytest.raises(BadKey, match="which tenant default does not have"):
            thalamus.store.copy(str(folder(full)), str(tmp_path / "copy"))
    assert not (tmp_path / "copy").exists()


@pytest.mark.sqlite
def test_a_source_that_was_tampered_with_is_not_copied(full: Path) -> None:
    source = folder(full)
    with closing(sqlite3.connect(source / "thalamus.db")) as db, db:
        db.execute("UPDATE memory SET content = 'edited' WHERE key = (SELECT max(key) FROM memory)")
    with engine(full) as thalamus:
        for _ in range(2):
            with pytest.raises(CopyDiffers, match="does not match signature"):
                thalamus.store.copy(str(source), str(folder(full, "second")))


@pytest.mark.sqlite
def test_keys_stay_as_long_as_either_store_needs_them(full: Path) -> None:
    keys = full / "config" / "keys" / "default.key"
    copy = full / "copy"
    with engine(full) as thalamus:
        thalamus.store.copy(str(folder(full)), str(copy))
        report = thalamus.store.erase()
        assert not report.key_removed and keys.exists()
    ring = json.loads(keys.read_text())
    assert str(copy) in str(ring["copies"]) and str(folder(full)) not in str(ring)
    with engine(full) as thalamus:
        shutil.rmtree(folder(full))
        shutil.copytree(copy, folder(full))
        assert len(exported(thalamus)) > 40 and sound(thalamus)


@pytest.mark.sqlite
def test_a_file_is_a_backup(run: Run, full: Path, tmp_path: Path) -> None:
    backup = tmp_path / "backup.db"
    copied = run("store", "copy", str(folder(full)), str(backup), env={"THALAMUS_HOME": str(full)})
    assert copied.code == 0 and copied.stdout.startswith("copied: 7 turns, ")
    before = run("export", env={"THALAMUS_HOME": str(full)}).stdout
    restored = run("store", "restore", "--yes", str(backup), env={"THALAMUS_HOME": str(full)})
    assert restored.code == 0, restored.stderr
    assert run("export", env={"THALAMUS_HOME": str(full)}).stdout == before
    there = run(
        *("store", "copy", "--json", str(backup), str(tmp_path / "again")),
        env={"THALAMUS_HOME": str(full)},
    )
    assert there.records[0]["name"] == "copied" and there.records[0]["data"]["counts"]["turn"] == 7
    again = run(
        *("store", "copy", str(backup), str(tmp_path / "again")), env={"THALAMUS_HOME": str(full)}
    )
    assert again.code == 2 and "already a store" in again.stderr
    assert run("store", "copy", str(tmp_path / "nothing"), str(tmp_path / "x")).code == 10


@pytest.mark.sqlite
def test_neither_a_password_nor_a_wrong_tenant_is_taken(run: Run, full: Path) -> None:
    environment = {"THALAMUS_HOME": str(full)}
    addresses = [
        "PostgreSQL://app:hunter2@host/db",
        "mysql://app:hunter2@host/db",
        "postgresql:/app:hunter2@host/db",
        "host=host user=app password = hunter2",
    ]
    for address in addresses:
        refused = run("store", "copy", address, str(full / "copy"), env=environment)
        assert refused.code == 2 and "hunter2" not in refused.stderr
    arguments = ("--from-tenant", "a?b", str(folder(full)), str(full / "copy"))
    assert run("store", "copy", *arguments, env=environment).code == 2
