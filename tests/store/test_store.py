"""The SQLite store: units of work, searching with filters, and the ways a file can fail."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.store.making import (
    AT,
    WORDS,
    fill,
    finish,
    found,
    in_words,
    memory,
    open_store,
    start,
    vector,
)
from thalamus.errors import NoStore, StoreBusy, StoreDamaged, StoreFull, StoreTooNew, StoreTooOld
from thalamus.memory.facts import assertion as facts
from thalamus.records import Event, Fact, Link, Memory, Turn
from thalamus.store import embeddings, memories
from thalamus.store.migrations import MIGRATIONS
from thalamus.store.sqlite.backup import restore
from thalamus.store.sqlite.migrations import SCHEMA_VERSION, UNRELEASED
from thalamus.store.sqlite.store import SqliteStore
from thalamus.store.values import Filter, Vector


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    store = open_store(tmp_path / "store")
    yield store
    store.close()


def test_there_is_no_store_until_one_is_made(tmp_path: Path) -> None:
    with pytest.raises(NoStore):
        open_store(tmp_path / "none", create=False)
    assert not (tmp_path / "none").exists()


def test_a_unit_of_work_is_whole_or_not_at_all(store: SqliteStore) -> None:
    fill(store, ["before"])
    with pytest.raises(ValueError, match="8 dimensions"), store.writing() as writer:
        writer.add(memory("lost"), vector("lost"))
        writer.add_event(Event(name="stored", at=AT))
        writer.add(Link(source="a", relation="about", target="b"))
        writer.add(memory("wrong"), Vector("m", vector("x").data[:8]))
    assert store.counts()["memory"] == 1 and store.counts()["event"] == 1
    assert store.get("mem_lost") is None and not in_words(store, "lost")
    fill(store, ["after"])
    assert found(store, "before") and found(store, "after")


def test_a_link_tells_whether_it_is_new(store: SqliteStore) -> None:
    link = Link(source="a", relation="about", target="b")
    with store.writing() as writer:
        assert [writer.add(link), writer.add(link)] == [True, False]


def test_everything_is_of_one_moment_and_lets_others_write(store: SqliteStore) -> None:
    fill(store, ["one", "two"])
    records = store.everything()
    first = next(records)
    fill(store, ["three"])
    rest = list(records)
    ids = [record.id for record in (first, *rest) if isinstance(record, Memory)]
    assert ids == ["mem_one", "mem_two"]
    assert sum(isinstance(record, Event) for record in rest) == 1


def test_unembedded_goes_on_after_a_key(store: SqliteStore) -> None:
    with store.writing() as writer:
        for number in range(6):
            writer.add(memory(f"n{number}"), vector("x") if number == 2 else None)
        writer.add(memory("old", status="superseded"))
        fact = Fact(id="fact_1", subject="user", predicate="lives_in", object="Rome")
        fact.created_at = fact.recorded_at = AT
        facts.add(fact, writer)
        writer.add(Turn(id="turn_1", message="Hello", answer="Hi", created_at=AT))
    assert embeddings.count_missing(store, "m") == 7
    keys = [key for key, *_ in embeddings.missing(store, "m", 100)]
    assert [key for key, *_ in embeddings.missing(store, "m", 3, after=keys[1])] == keys[2:5]
    assert [text for _, text, _ in embeddings.missing(store, "m", 9, after=keys[4])] == [
        "user lives in Rome",
        "Hello",
    ]


# -- searching with filters ------------------------------------------------------------------

CHOICES = {
    "user": [None, "ann", "bob"],
    "session": [None, "s1", "s2"],
    "topic": [None, "home"],
    "type": ["preference", "event"],
    "created_at": ["2023-01-01T00:00:00Z", AT, "2025-01-01T00:00:00Z"],
    "expires_at": [None, "2024-01-01T00:00:00Z", "2030-01-01T00:00:00Z"],
}
filters = st.builds(
    Filter,
    user=st.sampled_from([None, "ann", "carl"]),
    session=st.sampled_from([None, "s1"]),
    topic=st.sampled_from([None, "HOME"]),
    types=st.sampled_from([(), ("event",), ("event", "nothing")]),
    since=st.sampled_from([None, AT]),
    until=st.sampled_from([None, AT]),
    now=st.sampled_from([None, AT]),
    exclude=st.sampled_from([(), ("mem_m3", "mem_m4")]),
)


@pytest.fixture(scope="module")
def mixed() -> Iterator[tuple[SqliteStore, list[Memory]]]:
    """300 memories of which a filter lets some few through; some are not active."""
    folder = Path(tempfile.mkdtemp())
    store = open_store(folder)
    made = []
    for number in range(300):
        owner = {name: values[(number // k) % len(values)] for k, (name, values) in _spread()}
        status = "superseded" if number % 11 == 0 else "active"
        made.append(memory(f"m{number}", f"cat {WORDS[number % 15]} m{number}", status=status))
        for name, value in owner.items():
            setattr(made[-1], name, value)
    with store.writing() as writer:
        for record in made:
            writer.add(record, vector(record.id or ""))
    yield store, made
    store.close()
    shutil.rmtree(folder)


def _spread() -> list[tuple[int, tuple[str, list[str | None]]]]:
    return list(zip((1, 2, 3, 5, 7, 13), CHOICES.items(), strict=True))


def passes(record: Memory, where: Filter) -> bool:
    at = record.created_at or ""
    return (
        record.status == "active"
        and record.id not in where.exclude
        and (where.user is None or record.user in (None, where.user))
        and (where.session is None or record.session == where.session)
        and (where.topic is None or record.topic == where.topic.lower())
        and (not where.types or record.type in where.types)
        and (where.since is None or at >= where.since)
        and (where.until is None or at < where.until)
        and (where.now is None or record.expires_at is None or record.expires_at > where.now)
    )


@settings(max_examples=60)
@given(where=filters, limit=st.integers(1, 40))
def test_a_filter_never_comes_back_short(
    mixed: tuple[SqliteStore, list[Memory]], where: Filter, limit: int
) -> None:
    store, made = mixed
    wanted = {record.id for record in made if passes(record, where)}
    text = [hit.entry.id for hit in store.search_text(["cat"], where, limit)]
    near = [hit.entry.id for hit in store.search([], vector("q"), where, limit).vector]
    listed = [record.id for record in memories.read(store, where, limit)]
    both = store.search(["cat"], vector("q"), where, limit, scored=False)
    assert [[hit.entry.id for hit in hits] for hits in (both.text, both.vector)] == [text, near]
    for ids in (text, near, listed):
        assert len(ids) == len(set(ids)) == min(limit, len(wanted)) and set(ids) <= wanted
    query = memoryview(vector("q").data).cast("f")
    cosines = {
        id: sum(a * b for a, b in zip(query, memoryview(vector(id).data).cast("f"), strict=True))
        for id in map(str, wanted)
    }
    best = sorted(cosines.values(), reverse=True)[:limit]
    assert [cosines[id] for id in near] == pytest.approx(best, abs=1e-3)


# -- files that fail -------------------------------------------------------------------------


@pytest.mark.sqlite
def test_a_newer_schema_is_left_alone(store: SqliteStore) -> None:
    with sqlite3.connect(store.path) as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(StoreTooNew, match="schema 99"):
        open_store(store.folder)


@pytest.mark.sqlite
@pytest.mark.parametrize("schema", [1, UNRELEASED])
def test_a_store_from_before_the_first_release_is_left_alone(
    store: SqliteStore, schema: int
) -> None:
    """There is no migration: the error says how its records get into a new store."""
    with sqlite3.connect(store.path) as connection:
        connection.execute(f"PRAGMA user_version = {schema}")
    before = store.path.read_bytes()
    with pytest.raises(StoreTooOld, match=f"schema {schema}") as refused:
        open_store(store.folder)
    assert "thalamus export" in refused.value.fix and "thalamus import" in refused.value.fix
    assert store.path.read_bytes() == before


@pytest.mark.sqlite
def test_the_version_counts_the_migrations(store: SqliteStore) -> None:
    assert SCHEMA_VERSION == UNRELEASED + len(MIGRATIONS) == int(store.schema_version())


@pytest.mark.sqlite
@pytest.mark.parametrize("junk", [b"no database " * 500, b"SQLite format 3\x00" + b"\xff" * 9000])
def test_a_file_that_is_no_database(tmp_path: Path, junk: bytes) -> None:
    (tmp_path / "thalamus.db").write_bytes(junk)
    with pytest.raises(StoreDamaged) as caught:
        open_store(tmp_path)
    assert caught.value.code == 10 and "thalamus store restore" in caught.value.advice
    assert (tmp_path / "thalamus.db").read_bytes() == junk


@pytest.mark.sqlite
def test_a_damaged_page_is_told_as_such(store: SqliteStore) -> None:
    fill(store, [f"n{number}" for number in range(2000)], 500)
    store.close()
    data = bytearray(store.path.read_bytes())
    part = len(data) * 3 // 4 // 4096 * 4096
    data[part:] = b"\x7f" * (len(data) - part)
    store.path.write_bytes(data)
    damaged = open_store(store.folder)  # its first pages are sound
    with pytest.raises(StoreDamaged):
        list(damaged.everything())
    with pytest.raises(StoreDamaged):
        memories.read(damaged, Filter(), 10_000)
    with pytest.raises(StoreDamaged):
        fill(damaged, [f"m{number}" for number in range(100)])
    assert damaged.check()
    with pytest.raises(StoreDamaged):
        damaged.backup(store.folder / "copy.db")
    assert not (store.folder / "copy.db").exists()


@pytest.mark.sqlite
def test_a_writer_that_stays_makes_the_store_busy(store: SqliteStore) -> None:
    other = sqlite3.connect(store.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    waiting = open_store(store.folder, busy_timeout=0.05)
    with pytest.raises(StoreBusy) as caught, waiting.writing():
        pass
    assert caught.value.code == 11
    other.execute("ROLLBACK")
    fill(waiting, ["then"])
    assert found(store, "then")


FULL = """
import resource, sys
from thalamus.errors import StoreFull
store = open_store(Path(sys.argv[1]))
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
for number in range(400):
    try:
        fill(store, [f"x{number}"])
    except StoreFull as error:
        print(error.code, error.name)
        break
    print(f"x{number}")
"""


@pytest.mark.sqlite
def test_a_full_disk_loses_nothing(store: SqliteStore) -> None:
    """The kernel refuses to let files grow beyond a size, as a full disk does."""
    fill(store, ["first"])
    limit = store.path.with_name("thalamus.db-wal").stat().st_size + 150_000
    *done, end = finish(start(FULL, store.folder, limit)).split("\n")[:-1]
    assert end == "1 store_full" and 0 < len(done) < 400
    assert [name for name in ("first", *done) if not found(store, name)] == []
    assert store.counts()["memory"] == len(done) + 1 and store.check() == []


IN_THE_WAY = """
import sys
store = open_store(Path(sys.argv[1]))
fill(store, ["a1"])
index = store.folder / "index" / "fulltext"
index.rename(store.folder / "gone")
index.write_text("in the way")
fill(store, ["a2"])
print(found(store, "a1"), found(store, "a2"))
"""


@pytest.mark.sqlite
def test_rows_are_found_when_no_index_can_be_written(store: SqliteStore) -> None:
    assert finish(start(IN_THE_WAY, store.folder)).split() == ["True", "True"]
    assert store.counts()["memory"] == 2


# -- copies ----------------------------------------------------------------------------------


@pytest.mark.sqlite
def test_a_backup_is_one_verified_file(store: SqliteStore, tmp_path: Path) -> None:
    fill(store, ["one", "two"])
    target = tmp_path / "copy.db"
    store.backup(target)
    fill(store, ["three"])
    assert sorted(p.name for p in tmp_path.iterdir()) == ["copy.db", "store"]
    assert target.stat().st_mode & 0o777 == 0o600
    (tmp_path / "other").mkdir()
    shutil.copy(target, tmp_path / "other" / "thalamus.db")
    other = open_store(tmp_path / "other", create=False)
    assert other.counts()["memory"] == 2 and other.check() == []
    assert found(other, "one") and not in_words(other, "three")


def test_a_backup_that_cannot_be_written(store: SqliteStore, tmp_path: Path) -> None:
    with pytest.raises(StoreFull, match="No such file"):
        store.backup(tmp_path / "nowhere" / "copy.db")


@pytest.mark.sqlite
def test_restore_keeps_the_old_store_and_makes_the_indexes_anew(
    store: SqliteStore, tmp_path: Path
) -> None:
    fill(store, ["one", "two"])
    store.backup(tmp_path / "copy.db")
    fill(store, ["three"])
    assert found(store, "three")
    old = restore(store.folder, tmp_path / "copy.db", stamp=AT)
    # the same object goes on: it has the file open
    assert store.get("mem_three") is None and not in_words(store, "three")
    assert found(store, "one") and store.check() == []
    fill(store, ["four"])
    assert found(store, "four") and found(store, "two")
    assert old is not None and old.name == "thalamus.db.before-restore-20240501T100000Z"
    restore(store.folder, old, stamp=AT)
    assert found(store, "three") and store.get("mem_four") is None and store.check() == []


@pytest.mark.sqlite
def test_restore_of_another_models_vectors_into_an_open_store(tmp_path: Path) -> None:
    """Space 1 here has 8 dimensions, there 2: an open store must notice."""
    other = open_store(tmp_path / "other")
    with other.writing() as writer:
        writer.add(memory("far"), Vector("n", vector("far").data[:8]))
    other.backup(tmp_path / "copy.db")
    store = open_store(tmp_path / "store")
    fill(store, ["near"])
    assert found(store, "near")
    restore(store.folder, tmp_path / "copy.db", stamp=AT)
    hits = store.search([], Vector("n", vector("far").data[:8]), Filter(), 3).vector
    assert [hit.entry.id for hit in hits] == ["mem_far"]
    fill(store, ["more"])
    assert found(store, "more")


@pytest.mark.sqlite
def test_restore_over_a_damaged_store_keeps_the_old_file(
    store: SqliteStore, tmp_path: Path
) -> None:
    fill(store, ["one"])
    store.backup(tmp_path / "copy.db")
    store.close()
    store.path.write_bytes(b"junk " * 1000)
    old = restore(store.folder, tmp_path / "copy.db", stamp=AT)
    assert old is not None and old.read_bytes() == b"junk " * 1000
    restored = open_store(store.folder, create=False)
    assert found(restored, "one") and restored.check() == []


@pytest.mark.sqlite
@pytest.mark.parametrize("content", [b"", b"junk " * 1000, b"SQLite format 3\x00" + b"\x00" * 5000])
def test_what_is_no_backup_changes_nothing(
    store: SqliteStore, tmp_path: Path, content: bytes
) -> None:
    fill(store, ["one"])
    (tmp_path / "junk.db").write_bytes(content)
    with pytest.raises(StoreDamaged):
        restore(store.folder, tmp_path / "junk.db", stamp=AT)
    assert found(store, "one") and store.check() == []
    assert not list(store.folder.glob("*before*"))


@pytest.mark.sqlite
def test_a_backup_of_another_schema_is_refused(store: SqliteStore, tmp_path: Path) -> None:
    store.backup(tmp_path / "copy.db")
    with sqlite3.connect(tmp_path / "copy.db") as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(StoreTooNew):
        restore(store.folder, tmp_path / "copy.db", stamp=AT)
    with sqlite3.connect(tmp_path / "copy.db") as connection:
        connection.execute(f"PRAGMA user_version = {UNRELEASED}")
    with pytest.raises(StoreTooOld):
        restore(store.folder, tmp_path / "copy.db", stamp=AT)
