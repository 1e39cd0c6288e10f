"""Forgetting in PostgreSQL: rows, pages, statistics, backups: with `--store postgres`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.commands.planted import fill, kept, said, word
from tests.conftest import Result
from tests.store.everything import engine, sound
from tests.stored import ROLE, SCHEMA, with_tables
from thalamus.api import Thalamus
from thalamus.errors import StoreUnreachable
from thalamus.memory.forget.erase import ForgetOptions
from thalamus.records import Memory
from thalamus.security.receipts import verify_receipt
from thalamus.store.erasure import ErasedContent
from thalamus.store.postgres.location import PostgresLocation

psycopg = pytest.importorskip("psycopg")
Run = Callable[..., Result]
NAME, MORE = word("cat"), word("music")


@pytest.fixture
def planted(home: Path, url: str) -> Iterator[Thalamus]:
    with engine(home, store=url) as thalamus:
        for name in ("k", "l"):
            fill(thalamus, name)
        thalamus.remember(said(NAME, MORE))  # type: ignore[arg-type]
        yield thalamus


def in_rows(owner: Any, *texts: str) -> list[str]:
    """Tables in which a row of any tenant holds one of these texts."""
    tables = owner.execute("SELECT tablename FROM pg_tables WHERE schemaname = %s", (SCHEMA,))
    found = []
    for [table] in tables.fetchall():
        for text in texts:
            query = f'SELECT count(*) FROM "{table}" AS t WHERE t::text ILIKE %s'
            if owner.execute(query, (f"%{text}%",)).fetchone()[0]:
                found.append(f"{table}: {text}")
    return found


def in_statistics(owner: Any, text: str) -> list[str]:
    """Columns of whose values the planner remembers one with this text."""
    query = (
        "SELECT tablename, attname FROM pg_stats WHERE schemaname = %s AND"
        " concat(most_common_vals::text, histogram_bounds::text) ILIKE %s"
    )
    found = owner.execute(query, (SCHEMA, f"%{text}%")).fetchall()
    return [".".join(row) for row in found]


def may_vacuum(owner: Any) -> bool:
    return bool(owner.info.server_version >= 170_000)


def test_nothing_is_left_in_rows_and_statistics(planted: Thalamus, owner: Any) -> None:
    owner.execute("ANALYZE")
    assert in_rows(owner, NAME) and in_statistics(owner, NAME)
    report = planted.forget(ForgetOptions(query=NAME, prove=True))
    assert report.done and report.residue == [] and report.left == []
    assert report.search.rows > 100 and not planted.database.unfinished()
    assert in_rows(owner, NAME) == [] and kept(planted, "k") and sound(planted)
    if may_vacuum(owner):
        assert in_statistics(owner, NAME) == []
    [*_, beyond] = report.search.limits
    assert beyond.startswith("WAL, archives, replicas and base backups may hold it;")
    assert report.receipt is not None and verify_receipt(report.receipt) == []
    assert json.loads(report.receipt)["checks"]["limits"] == report.search.limits
    assert planted.recall(f"What is {NAME}?") == [] or NAME not in str(planted.recall(NAME))


def test_a_role_that_may_not_clean_says_so(
    run: Run, planted: Thalamus, owner: Any, environment: dict[str, str]
) -> None:
    if may_vacuum(owner):
        owner.execute(f"REVOKE MAINTAIN ON ALL TABLES IN SCHEMA {SCHEMA} FROM {ROLE}")
    try:
        done = run("forget", "--query", NAME, "--yes")
        assert done.code == 0, done.stderr
        assert "this role may not VACUUM" in done.stderr and "WAL, archives" in done.stderr
        assert " rows and 1 files" in done.stdout and not planted.database.unfinished()
        assert in_rows(owner, NAME) == []
    finally:
        if may_vacuum(owner):
            owner.execute(f"GRANT MAINTAIN ON ALL TABLES IN SCHEMA {SCHEMA} TO {ROLE}")


def test_a_table_that_others_lock_is_left_for_later(
    planted: Thalamus, owner: Any, url: str, home: Path, run: Run
) -> None:
    if not may_vacuum(owner):
        pytest.skip("the role may not clean")
    with owner.transaction():
        owner.execute("LOCK TABLE removal IN SHARE UPDATE EXCLUSIVE MODE")
        with engine(home, store=url, busy_timeout=0.2) as thalamus:
            report = thalamus.forget(ForgetOptions(query=NAME, prove=True))
            assert report.done and report.left == [
                "the table removal: others kept it locked for 0.2 s"
            ]
            assert [(one.file, one.what) for one in report.residue] == [
                ("removal", "pages not cleaned")
            ]
            assert report.receipt is not None
            assert json.loads(report.receipt)["checks"]["left"] == report.left
            assert thalamus.database.unfinished()
        done = run("forget", "--finish", env={"THALAMUS_BUSY_TIMEOUT": "0.2"})
        assert done.code == 1 and "the table removal: others kept it locked" in done.stderr
    assert run("forget", "--finish").code == 0
    assert not planted.database.unfinished()


def test_a_connection_waits_for_locks_as_before(planted: Thalamus) -> None:
    query = "SELECT current_setting('lock_timeout')"
    connection = planted.database._db
    before = connection.execute(query).fetchall()
    with connection.waiting(0.5):
        assert connection.execute(query).fetchall() == [("500ms",)]
    assert connection.execute(query).fetchall() == before != [("0",)]


def test_personal_rows_and_their_ciphertexts(home: Path, url: str, owner: Any) -> None:
    with engine(home, store=url) as thalamus:
        fill(thalamus, "k")
        secret = Memory(content=f"The blood test of {NAME} is bad.", sensitivity="personal")
        [made] = thalamus.remember([secret])
        count = "SELECT count(*) FROM encrypted"
        assert owner.execute(count).fetchone()[0] == 1
        report = thalamus.forget(ForgetOptions(ids=(made.stored_id,)))
        assert report.done and report.residue == []
        assert owner.execute(count).fetchone()[0] == 0 and sound(thalamus)


def test_backups_that_hold_it_are_named(planted: Thalamus, tmp_path: Path) -> None:
    planted.store.backup(tmp_path / "b.db")
    report = planted.forget(ForgetOptions(query=NAME))
    assert report.copies == [str(tmp_path / "b.db")] and report.residue == []


def test_a_restored_store_knows_its_copies(
    planted: Thalamus, home: Path, url: str, tmp_path: Path, run: Run
) -> None:
    first, second = tmp_path / "first.db", tmp_path / "second.db"
    planted.store.backup(first)
    planted.store.backup(second)
    with engine(home, store=url) as thalamus:
        kept = thalamus.store.restore(first)
        report = thalamus.forget(ForgetOptions(query=NAME))
    assert report.copies == [str(first), str(second), str(kept)] and report.residue == []


def test_what_was_left_behind_is_found(planted: Thalamus, owner: Any) -> None:
    key = planted.database.fetch("SELECT key FROM memory WHERE id = ?", f"mem_cat_{MORE}")[0][0]
    report = planted.forget(ForgetOptions(query=NAME))
    assert report.residue == []
    owner.execute(
        "INSERT INTO posting (tenant, key, n, size, term) SELECT 'default', %s, 1, 1, %s",
        (key, NAME),
    )
    name = json.dumps([key, f"mem_{NAME}"])
    owner.execute(
        "UPDATE signature SET name = %s WHERE n = (SELECT max(n) FROM signature"
        " WHERE name IS NULL)",
        (name,),
    )
    forgotten = ErasedContent(texts=[("m", "memory", f"A cat, {NAME}.")], names=[NAME], keys=[key])
    found = planted.database.residue(forgotten, [], lambda _: None).found
    assert {one.file for one in found} == {"posting", "signature"}


def test_finishing_removes_terms_that_belong_to_no_text(
    planted: Thalamus, owner: Any, run: Run
) -> None:
    """As a program leaves them that knows an older form of the tables."""
    with planted.database.forgetting():
        pass
    owner.execute(
        "INSERT INTO posting (tenant, key, n, size, term) VALUES ('default', 9999, 1, 1, %s)",
        (NAME,),
    )
    assert run("forget", "--finish").code == 0
    assert planted.database.orphans() == {} and not planted.database.unfinished()
    query = "SELECT 1 FROM posting WHERE tenant = 'default' AND term = %s AND key = 9999"
    assert owner.execute(query, (NAME,)).fetchone() is None


def test_an_interrupted_forget_is_finished(
    planted: Thalamus, url: str, home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with planted.database.forgetting() as writer:
        writer.remove(f"mem_cat_{MORE}")
    assert planted.database.unfinished()
    with engine(home, store=url) as thalamus:
        assert thalamus.database.unfinished() and "forget --finish" in caplog.text
        assert thalamus.finish_forgetting() == [] and not thalamus.database.unfinished()


def test_a_tenant_is_erased_and_no_other(
    run: Run, planted: Thalamus, home: Path, url: str, owner: Any
) -> None:
    with engine(home, store=url, tenant="other") as other:
        other.remember([Memory(content="A heron stands still.")])
        keys = home / "config" / "keys"
        assert (keys / "default.key").exists()
        done = run("forget", "--everything", "--confirm", "default")
        assert done.code == 0, done.stderr
        assert "WAL, archives" in done.stderr and "removed" in done.stdout
        assert not (keys / "default.key").exists() and (keys / "other.key").exists()
        assert in_rows(owner, NAME, MORE) == [] and in_rows(owner, "heron")
        assert [memory.content for memory in other.memories.find()] == ["A heron stands still."]
        assert sound(other)
    with engine(home, store=url) as thalamus:
        assert thalamus.store.is_empty() and not thalamus.database.unfinished()
        thalamus.remember([Memory(content="A new beginning.")])
        assert sound(thalamus)


def test_keys_stay_when_nothing_could_be_erased(
    planted: Thalamus, home: Path, url: str, monkeypatch: pytest.MonkeyPatch, owner: Any
) -> None:
    key = home / "config" / "keys" / "default.key"
    before = key.read_text()
    emptied = PostgresLocation.empty_out

    def lost(self: Any, now: str, done: Callable[[], None]) -> None:
        def killed() -> None:
            done()
            assert not key.exists()
            owner.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                f" WHERE usename = '{ROLE}' AND xact_start IS NOT NULL"
            )

        emptied(self, now, killed)

    with engine(home, store=url) as thalamus:
        monkeypatch.setattr(PostgresLocation, "empty_out", lost)
        with pytest.raises(StoreUnreachable):
            thalamus.store.erase()
        monkeypatch.undo()
        assert key.read_text() == before
    with engine(home, store=url) as thalamus:
        assert kept(thalamus, "k") and sound(thalamus)
        thalamus.store.erase()
        assert not key.exists()


def test_what_lost_its_keys_can_be_erased(planted: Thalamus, home: Path, run: Run) -> None:
    """As after a power failure between the two."""
    (home / "config" / "keys" / "default.key").unlink()
    done = run("forget", "--everything", "--confirm", "default")
    assert done.code == 0, done.stderr
    assert run("store", input='{"record":"memory","content":"A new beginning."}').code == 0
    assert run("doctor", "--signatures").code == 0


def test_keys_stay_for_the_same_tenant_in_another_schema(
    planted: Thalamus, home: Path, url: str, server: str, owner: Any
) -> None:
    other = f"{SCHEMA}_second"
    with_tables(f"{server}&schema={other}")
    try:
        with engine(home, store=f"{url}&schema={other}") as second:
            second.remember([Memory(content="A heron stands still.")])
            assert second.store.place != planted.store.place
            assert not second.store.erase().key_removed
        with engine(home, store=url) as thalamus:
            assert kept(thalamus, "k") and sound(thalamus)
            assert thalamus.store.erase().key_removed
    finally:
        with_tables.cache_clear()
        owner.execute(f"DROP SCHEMA {other} CASCADE")
