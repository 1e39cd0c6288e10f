"""A store whose tables a newer program migrates while another one has it open."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Result
from tests.stored import SCHEMA, edit
from thalamus.api import Thalamus
from thalamus.errors import StoreMigrated
from thalamus.memory.forget.erase import ForgetOptions
from thalamus.memory.retention.prune import PruneOptions
from thalamus.records import Fact, Memory
from thalamus.store.sqlite.migrations import SCHEMA_VERSION

Run = Callable[..., Result]
HERON = "A heron stands still."
ACTS: dict[str, Callable[[Thalamus, str], Any]] = {
    "remember": lambda t, _: t.remember([Memory(content="A wombat digs.")]),
    "fact": lambda t, _: t.facts.add(Fact("Ida", "likes", "wombats")),
    "pin": lambda t, id: t.memories.pin(id),
    "rename": lambda t, _: t.sessions.rename("main", "birds"),
    "forget": lambda t, _: t.forget(ForgetOptions(query="heron")),
    "rotate": lambda t, _: t.keys.rotate(),
    "adopt": lambda t, _: t.keys.adopt(),
    "prune": lambda t, _: t.memories.prune(PruneOptions(most=1)),
}


@contextmanager
def migrated(home: Path) -> Iterator[None]:
    """The tables of a home's store in a newer version until the block ends."""
    former = f"PRAGMA user_version = {SCHEMA_VERSION}"
    newer = f"PRAGMA user_version = {SCHEMA_VERSION + 1}"
    if os.environ.get("THALAMUS_STORE"):
        from thalamus.store.postgres import schema

        comment = f"COMMENT ON SCHEMA {SCHEMA} IS 'Thalamus"
        former, newer = f"{comment} {schema.current()}'", f"{comment} 999.0'"
    edit(home, newer)
    try:
        yield
    finally:
        edit(home, former)


@pytest.mark.parametrize("act", ACTS)
def test_nothing_is_written_into_newer_tables(thalamus: Thalamus, home: Path, act: str) -> None:
    thalamus.turn("I live in Tavira.")
    [added, _] = thalamus.remember([Memory(content=HERON), Memory(content="A crow hops.")])
    before = [*thalamus.store.export()]
    with migrated(home), pytest.raises(StoreMigrated) as refused:
        ACTS[act](thalamus, str(added.id))
    assert refused.value.code == 10 and "Restart this program" in refused.value.advice
    assert [*thalamus.store.export()] == before
    with thalamus.store.verify() as verified:
        assert [*verified.findings()] == []


def test_a_turn_says_that_it_was_not_stored(thalamus: Thalamus, home: Path) -> None:
    thalamus.turn("I live in Tavira.")
    with migrated(home):
        issues = thalamus.turn("I live in Faro.").issues
    assert {issue.code for issue in issues} == {"store_migrated"}
    assert thalamus.database.counts()["turn"] == 1


@pytest.mark.sqlite
def test_nothing_is_read_from_newer_tables(thalamus: Thalamus, home: Path) -> None:
    thalamus.remember([Memory(content=HERON)])
    reads = (thalamus.memories.find, lambda: thalamus.recall("heron"), thalamus.store.stats)
    with migrated(home):
        for read in reads:
            with pytest.raises(StoreMigrated, match="since this program opened it"):
                read()


@pytest.mark.sqlite
@pytest.mark.parametrize("keys", ["file", "none"])
def test_a_program_that_reads_the_version_only_once_is_refused(
    run: Run, home: Path, keys: str
) -> None:
    """What it wrote before its store-wide values is rolled back with them."""
    assert run("turn", HERON, env={"THALAMUS_KEY_STORE": keys}).code == 0
    value = "INSERT OR FAIL INTO meta (name, value) VALUES ('next_key', '9')"
    for upsert in ("DO NOTHING", "DO UPDATE SET value = excluded.value"):
        with closing(sqlite3.connect(home / "data" / "default" / "thalamus.db")) as db, db:
            db.execute("DELETE FROM turn")
            with pytest.raises(sqlite3.IntegrityError, match="restart this program"):
                db.execute(f"{value} ON CONFLICT (name) {upsert}")
            db.rollback()
            assert db.execute("SELECT message FROM turn").fetchall() == [(HERON,)]
