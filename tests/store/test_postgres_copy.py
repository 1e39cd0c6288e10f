"""Copies, backups and restores between a file and PostgreSQL: with `--store postgres`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Thread

import pytest

from tests.conftest import Result
from tests.store.everything import (
    engine,
    exported,
    folder,
    sound,
)
from thalamus.errors import StoreBusy, StoreDamaged
from thalamus.records import Memory

psycopg = pytest.importorskip("psycopg")
Run = Callable[..., Result]


def test_another_tenant_takes_the_keys(run: Run, full: Path, url: str) -> None:
    environment = {"THALAMUS_HOME": str(full)}
    with engine(full) as thalamus:
        lines = exported(thalamus)
    done = run("--tenant", "copied", "store", "copy", str(folder(full)), url, env=environment)
    assert done.code == 0, done.stderr
    with engine(full, store=url) as thalamus:
        assert not thalamus.store.exists()
    with engine(full, store=url, tenant="copied") as thalamus:
        assert exported(thalamus) == lines and sound(thalamus)
        thalamus.remember([Memory(content="A heron stands still.")])
        assert sound(thalamus)
    done = run(
        *("--tenant", "more", "store", "copy", "--from-tenant", "copied", url, url),
        env=environment,
    )
    assert done.code == 0, done.stderr
    with engine(full, store=url, tenant="more") as thalamus:
        assert len(exported(thalamus)) > len(lines) and sound(thalamus)


def test_a_text_that_cannot_be_stored_is_named(tmp_path: Path, url: str) -> None:
    home = tmp_path / "home"
    with engine(home, key_store="none") as thalamus:
        thalamus.remember([Memory(id="mem_1", content="A heron."), Memory(content="Stands still.")])
        with thalamus.database.writing() as writer:
            writer.update("memory", {"topic": "a\0b"}, "id = ?", "mem_1")
        key = thalamus.database.fetch("SELECT key FROM memory WHERE id = 'mem_1'")[0][0]
        with pytest.raises(StoreDamaged, match=f"cannot store memory {key}, which holds"):
            thalamus.store.copy(str(folder(home)), url)


# -- backups --------------------------------------------------------------------------------------


def test_a_backup_moves_between_databases(run: Run, full: Path, url: str, tmp_path: Path) -> None:
    environment, there = {"THALAMUS_HOME": str(full)}, tmp_path / "there.db"
    with engine(full) as thalamus:
        lines = exported(thalamus)
        thalamus.store.backup(there)
    on_server = environment | {"THALAMUS_STORE": url}
    restored = run("store", "restore", str(there), env=on_server)
    assert restored.code == 0, restored.stderr
    with engine(full, store=url) as thalamus:
        assert exported(thalamus) == lines and sound(thalamus)
        backup = run("store", "backup", str(tmp_path / "back.db"), env=on_server)
        assert backup.code == 0, backup.stderr
        assert thalamus.database.backups() == [there, tmp_path / "back.db"]
        thalamus.remember([Memory(content="A heron stands still.")])
        more = exported(thalamus)
    on_files = environment | {"THALAMUS_STORE": ""}
    assert run("store", "restore", "--yes", str(tmp_path / "back.db"), env=on_files).code == 0
    with engine(full) as thalamus:
        assert exported(thalamus) == lines and sound(thalamus)
    # what was there is kept
    again = run("store", "restore", "--yes", "--json", str(there), env=on_server)
    assert again.code == 0, again.stderr
    kept = again.records[0]["data"]["kept"]
    with engine(full, store=url) as thalamus:
        assert exported(thalamus) == lines and sound(thalamus)
        thalamus.store.restore(Path(kept))
        assert exported(thalamus) == more and sound(thalamus)


def test_whoever_waits_for_a_restore_goes_on(full: Path, url: str, server: str) -> None:
    with engine(full, store=url) as thalamus, engine(full, store=url) as other:
        thalamus.remember([Memory(content="A heron stands still.")])
        waiting = Thread(target=other.remember, args=([Memory(content="A wren sings.")],))

        def emptied() -> None:
            waiting.start()
            query = (
                "SELECT count(*) FROM pg_stat_activity"
                " WHERE wait_event_type = 'Lock' AND datname = current_database()"
            )
            with psycopg.connect(server, autocommit=True) as owner:
                while owner.execute(query).fetchone() != (1,):
                    pass

        thalamus.location.empty_out("2026-01-01T00:00:00.000000Z", emptied)
        waiting.join()
        assert [found.content for found in thalamus.database.each(Memory)] == ["A wren sings."]


def test_a_restore_waits_for_no_copy(full: Path, url: str, tmp_path: Path) -> None:
    with engine(full) as thalamus:
        thalamus.store.backup(tmp_path / "b.db")
    with engine(full, store=url, busy_timeout=0.1) as thalamus:
        thalamus.remember([Memory(content="A heron stands still.")])
        with thalamus.database.exclusive("copy"), pytest.raises(StoreBusy):
            thalamus.store.restore(tmp_path / "b.db")


def test_what_is_no_backup_changes_nothing(full: Path, url: str, tmp_path: Path) -> None:
    (tmp_path / "x.db").write_bytes(b"SQLite format 3\0" + b"x" * 500)
    with engine(full) as thalamus:
        thalamus.store.copy(str(folder(full)), url)
    with engine(full, store=url) as thalamus:
        lines = exported(thalamus)
        with pytest.raises(StoreDamaged):
            thalamus.store.restore(tmp_path / "x.db")
        assert exported(thalamus) == lines
