"""`store copy` between files: everything as it is, in one piece, resumed after a kill."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

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
from thalamus.errors import BadKey, CopyDiffers, UnfinishedCopy, UsageError
from thalamus.memory.forget.erase import ForgetOptions
from thalamus.records import Memory

pytestmark = pytest.mark.sqlite
Run = Callable[..., Result]


def test_the_copy_is_the_same_store(full: Path) -> None:
    with engine(full) as thalamus:
        lines = exported(thalamus)
    with engine(full, tenant="second") as thalamus:
        report = thalamus.store.copy(str(folder(full)), str(folder(full, "second")))
        assert report.counts["event"] > 40 and not report.resumed
        assert exported(thalamus) == lines and sound(thalamus)
        assert thalamus.store.index_states()[0].entries == 0 or thalamus.recall("Lisbon")
        one, other = (rows(folder(full, name) / "thalamus.db") for name in ("default", "second"))
        assert one == other
        # it is written further, and each is a store of its own
        thalamus.remember([Memory(content="A heron stands still.")])
        assert sound(thalamus)
    with engine(full) as thalamus:
        assert exported(thalamus) == lines and sound(thalamus)


@pytest.mark.slow
def test_a_copy_that_was_killed_goes_on(full: Path) -> None:
    source, target = folder(full), folder(full, "second")
    copy_and_die(full, source, target, 20)
    some = sum(rows(target / "thalamus.db").values())
    with engine(full, tenant="second") as thalamus, pytest.raises(UnfinishedCopy):
        thalamus.store.is_empty()
    copy_and_die(full, source, target, 60)
    assert sum(rows(target / "thalamus.db").values()) > some
    with engine(full) as thalamus, pytest.raises(UnfinishedCopy):
        thalamus.store.copy(str(target), str(folder(full, "third")))
    with engine(full) as thalamus:
        lines = exported(thalamus)
        report = thalamus.store.copy(str(source), str(target))
        assert report.resumed and not report.restarted
    shutil.copy(full / "config" / "keys" / "default.key", full / "config" / "keys" / "second.key")
    with engine(full, tenant="second") as thalamus:
        assert exported(thalamus) == lines and sound(thalamus)


def test_it_begins_again_when_the_source_has_changed(full: Path) -> None:
    source, target = str(folder(full)), str(folder(full, "second"))
    copy_and_die(full, source, target, 30)
    with engine(full) as thalamus:
        thalamus.remember([Memory(content="A heron stands still.")])
        thalamus.forget(ForgetOptions(query="Tejo"))
        report = thalamus.store.copy(source, target)
        assert report.restarted and not report.resumed
    counted = [rows(Path(place) / "thalamus.db") for place in (source, target)]
    assert counted[0] == counted[1] | {"meta": counted[0]["meta"]}
    with closing(sqlite3.connect(Path(target) / "thalamus.db")) as db:
        assert "heron" in str(db.execute("SELECT content FROM memory").fetchall())


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


def test_a_backup_takes_the_place_of_an_unfinished_copy(full: Path, tmp_path: Path) -> None:
    with engine(full) as thalamus:
        lines = exported(thalamus)
        thalamus.store.backup(tmp_path / "b.db")
    copy_and_die(full, folder(full), folder(full, "second"), 30)
    with engine(full, tenant="second") as thalamus:
        assert thalamus.store.exists()
        thalamus.store.restore(tmp_path / "b.db")
        assert len(exported(thalamus)) > len(lines) // 2  # without the key of what is encrypted
    with closing(sqlite3.connect(folder(full, "second") / "thalamus.db")) as db:
        values = dict(db.execute("SELECT name, value FROM meta").fetchall())
    assert values["tenant"] == "second" and "copy_of" not in values


def test_without_its_key_nothing_is_copied(full: Path, tmp_path: Path) -> None:
    with engine(tmp_path / "elsewhere") as thalamus:
        thalamus.remember([Memory(content="A heron stands still.")])
        with pytest.raises(BadKey, match="which tenant default does not have"):
            thalamus.store.copy(str(folder(full)), str(tmp_path / "copy"))
    assert not (tmp_path / "copy").exists()


def test_a_source_that_was_tampered_with_is_not_copied(full: Path) -> None:
    source = folder(full)
    with closing(sqlite3.connect(source / "thalamus.db")) as db, db:
        db.execute("UPDATE memory SET content = 'edited' WHERE key = (SELECT max(key) FROM memory)")
    with engine(full) as thalamus:
        for _ in range(2):
            with pytest.raises(CopyDiffers, match="does not match signature"):
                thalamus.store.copy(str(source), str(folder(full, "second")))


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
