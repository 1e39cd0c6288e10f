"""The indexes: disposable, and never a reason for a wrong answer.

What may kill the process (native code fed damaged bytes) runs in a process of its own.
"""

from __future__ import annotations

import fcntl
import json
import shutil
import sqlite3
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.store.making import fill, finish, found, level, memory, open_store, start, vector
from thalamus.locks import exclusive
from thalamus.records import Memory
from thalamus.store import bm25
from thalamus.store.indexes import pending
from thalamus.store.sqlite.store import SqliteStore
from thalamus.store.values import Filter

pytestmark = pytest.mark.sqlite

NAMES = [f"n{number}" for number in range(260)]


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of 260 memories, all in the indexes; it is not to be changed."""
    store = open_store(tmp_path_factory.mktemp("filled") / "store")
    fill(store, NAMES[:200])
    fill(store, NAMES[200:])
    store.close()
    return store.folder


@pytest.fixture
def store(filled: Path, tmp_path: Path) -> Iterator[SqliteStore]:
    store = open_store(shutil.copytree(filled, tmp_path / "store"), create=False)
    yield store
    store.close()


def healthy(store: SqliteStore) -> bool:
    states = store.index_states()
    return len(states) == 2 and all(
        state.healthy and state.behind == 0 and state.entries == len(NAMES) for state in states
    )


def mended(store: SqliteStore) -> bool:
    """Whether the process that a store starts makes its indexes healthy."""
    give_up = time.monotonic() + 30
    while not healthy(store) and time.monotonic() < give_up:
        time.sleep(0.02)
    return healthy(store)


def reopened(store: SqliteStore) -> SqliteStore:
    return open_store(store.folder, create=False)


# A process that damages the index in many ways, one after the other, and searches each time. It
# says what it does before it does it, so that a crash is known by its last line.
DAMAGE = """
import os, random, shutil, sys

def flip(data, draw):
    for _ in range(draw.choice([1, 1, 8, 100])):
        data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
    return data

def zero(data, draw):
    start = draw.randrange(len(data))
    data[start : start + 512] = bytes(len(data[start : start + 512]))
    return data

WAYS = {
    "flip": flip,
    "zero": zero,
    "cut": lambda data, draw: data[: draw.randrange(len(data))],
    "empty": lambda data, draw: b"",
    "noise": lambda data, draw: draw.randbytes(len(data)),
    "longer": lambda data, draw: data + draw.randbytes(100),
    "missing": lambda data, draw: None,
}
folder = Path(sys.argv[1])
names = [f"n{number}" for number in range(260)]
draw = random.Random(1)
index, kept = folder / "index", folder / "kept"
shutil.copytree(index, kept)
for case, way in enumerate([*WAYS, *WAYS]):  # of one file, then of three at once
    shutil.rmtree(index)
    shutil.copytree(kept, index)
    files = sorted(p for p in index.rglob("*") if p.is_file() and p.stat().st_size)
    for path in draw.sample(files, 1 if case < len(WAYS) else 3):
        print(case, way, path.relative_to(index), flush=True)
        status = path.stat()
        data = WAYS[way](bytearray(path.read_bytes()), draw)
        path.unlink() if data is None else path.write_bytes(data)
        if data is not None and draw.random() < 0.5:  # as a failing disk does it
            os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    store = open_store(folder, create=False)
    lost = [name for name in draw.sample(names, 6) if not found(store, name)]
    fill(store, [f"new{case}"])
    lost += [] if found(store, f"new{case}") else ["new"]
    hits = len(store.search_text(["lisbon", "cat", "dog", "tree"], Filter(), 500))
    store.rebuild_indexes()
    assert hits == len(store.search_text(["lisbon", "cat", "dog", "tree"], Filter(), 500))
    assert not lost, lost
    store.close()
    shutil.rmtree(kept)
    shutil.copytree(index, kept)
print("done")
"""


def test_damaged_files_are_noticed_and_made_anew(store: SqliteStore) -> None:
    store.close()
    assert finish(start(DAMAGE, store.folder)).endswith("done\n")


def test_a_damaged_index_is_mended_after_the_search_that_meets_it(store: SqliteStore) -> None:
    store.close()
    for path in (store.folder / "index").rglob("*"):
        if path.is_file():
            path.write_bytes(path.read_bytes()[:-1] + b"\x00")
    again = reopened(store)
    assert not any(state.healthy for state in again.index_states())
    assert found(again, "n7") and mended(again)


def test_an_index_that_is_being_published_is_not_called_damaged(store: SqliteStore) -> None:
    """Its files do not match its manifest then, as long as the writer holds the lock."""
    folder = store.folder / "index"
    meta, aside = folder / "fulltext" / "meta.json", folder / "fulltext" / "meta.aside"
    locked = threading.Event()

    def publish() -> None:
        with exclusive(folder / "index.lock"):
            meta.rename(aside)
            locked.set()
            time.sleep(0.3)
            aside.rename(meta)

    writer = threading.Thread(target=publish)
    writer.start()
    assert locked.wait(10)
    assert healthy(store)
    writer.join()


def test_a_missing_index_is_made_anew(store: SqliteStore) -> None:
    store.close()
    shutil.rmtree(store.folder / "index")
    assert found(reopened(store), "n7") and mended(reopened(store))


def test_an_index_taken_away_under_an_open_store(store: SqliteStore) -> None:
    assert found(store, "n7")
    shutil.rmtree(store.folder / "index")
    assert found(store, "n8") and mended(store)


@pytest.mark.parametrize("copy", [shutil.copy, shutil.copy2], ids=["new times", "kept times"])
def test_an_older_index_put_back_catches_up(tmp_path: Path, copy: object) -> None:
    store = open_store(tmp_path / "store")
    fill(store, NAMES[:60])
    old = tmp_path / "old"
    shutil.copytree(store.folder / "index", old)
    fill(store, NAMES[60:])
    store.close()
    shutil.rmtree(store.folder / "index")
    shutil.copytree(old, store.folder / "index", copy_function=copy)  # type: ignore[arg-type]
    again = reopened(store)
    assert all(found(again, name) for name in ("n1", "n59", "n60", "n119"))
    level(again)
    assert healthy(again)


def test_the_index_of_another_store_is_not_believed(store: SqliteStore, tmp_path: Path) -> None:
    other = open_store(tmp_path / "other")
    fill(other, [f"other{number}" for number in range(260)])
    for each in (store, other):
        each.close()
    shutil.rmtree(store.folder / "index")
    shutil.copytree(other.folder / "index", store.folder / "index")
    again = reopened(store)
    assert found(again, "n7") and mended(again)


def test_a_raised_epoch_makes_the_indexes_anew(store: SqliteStore) -> None:
    with sqlite3.connect(store.path) as connection:
        connection.execute("UPDATE meta SET value = value + 1 WHERE name = 'epoch'")
    assert not any(state.entries for state in store.index_states())
    assert found(store, "n7") and mended(store)


def test_a_database_put_back_by_hand_is_told_from_the_one_indexed(
    store: SqliteStore, tmp_path: Path
) -> None:
    """The same store, so the same store id; its keys have come as far again with other rows."""
    store.backup(tmp_path / "copy.db")
    fill(store, ["gone1", "gone2"])
    store.close()
    for suffix in ("-wal", "-shm"):
        store.path.with_name(store.path.name + suffix).unlink(missing_ok=True)
    shutil.copy(tmp_path / "copy.db", store.path)
    again = reopened(store)
    with again.writing() as writer:
        for name in ("new1", "new2", "new3"):
            writer.add(memory(name), vector(name))
    assert all(found(again, name) for name in ("new1", "new2", "new3", "n7"))


def test_removed_rows_leave_the_indexes(store: SqliteStore) -> None:
    assert found(store, "n7")
    with sqlite3.connect(store.path) as connection:
        key = connection.execute("SELECT key FROM memory WHERE id = 'mem_n7'").fetchone()[0]
        connection.execute("DELETE FROM memory WHERE key = ?", (key,))
        connection.execute("DELETE FROM embedding WHERE key = ?", (key,))
        connection.execute("INSERT INTO removal (key) VALUES (?)", (key,))
        connection.execute("UPDATE meta SET value = value + 1 WHERE name = 'next_removal'")
    assert store.search_text(["n7"], Filter(), 3) == []
    near = store.search([], vector("n7"), Filter(), 300).vector
    assert len(near) == 259 and "mem_n7" not in {hit.entry.id for hit in near}
    level(store)
    assert store.index_states()[0].entries == 259
    fill(store, ["n300"])
    assert found(store, "n300") and found(store, "n8")


def test_all_embeddings_of_a_model_may_go(store: SqliteStore) -> None:
    with sqlite3.connect(store.path) as connection:
        connection.execute("DELETE FROM embedding")
    shutil.rmtree(store.folder / "index")
    assert store.search([], vector("n7"), Filter(), 3).vector == []
    assert [hit.entry.id for hit in store.search_text(["n7"], Filter(), 1)] == ["mem_n7"]
    fill(store, ["n300"])
    assert found(store, "n300")


def test_while_another_process_holds_the_index_lock(store: SqliteStore) -> None:
    """What came since is searched in the tables, and weighs as much as what is in the index."""
    with (store.folder / "index" / "index.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        fill(store, ["n300", "n301"])
        with store.writing() as writer:
            writer.add(memory("twin", "n5 lisbon n5"), vector("twin"))
        assert store.index_states()[0].behind == 3
        assert found(store, "n300") and found(store, "n301") and found(store, "n7")
        first, second, *_ = store.search_text(["n5", "cat"], Filter(), 10)
        assert {first.entry.id, second.entry.id} == {"mem_n5", "mem_twin"}
    level(store)
    assert found(store, "n300") and store.index_states()[0].behind == 0


def test_a_manifest_is_believed_only_when_whole(store: SqliteStore) -> None:
    """A watermark that is too high by a flipped digit would hide rows."""
    path = store.folder / "index" / "fulltext" / "manifest"
    text = path.read_text()
    assert json.loads(text.partition(" ")[2])["watermark"] == 260
    with store.writing() as writer:
        writer.add(memory("after"), vector("after"))
    path.write_text(text.replace('"watermark": 260', '"watermark": 261'))
    again = reopened(store)
    assert [hit.entry.id for hit in again.search_text(["after"], Filter(), 1)] == ["mem_after"]


def test_an_idle_reader_sees_what_others_write(store: SqliteStore) -> None:
    assert found(store, "n7")
    code = "import sys\nfill(open_store(Path(sys.argv[1])), ['news1', 'news2'])"
    finish(start(code, store.folder))
    assert found(store, "news1") and found(store, "news2") and found(store, "n7")
    finish(start("import sys\nopen_store(Path(sys.argv[1])).rebuild_indexes()", store.folder))
    assert found(store, "news1") and found(store, "n7")


def test_words_of_every_script_are_found(store: SqliteStore) -> None:
    texts = {
        "cafe": "Über das Café in Zürich",
        "han": "我搬到了里斯本",
        "thai": "ฉันย้ายไปลิสบอน",
        "syntax": 'AND OR "unclosed (paren: field:value* +-!^~\\',
        "nul": "before\x00after",
    }
    with store.writing() as writer:
        for name, text in texts.items():
            writer.add(Memory(id=name, content=text, created_at="x", recorded_at="x"))
    for words, name in (("zurich", "cafe"), ("里斯本", "han"), ("unclosed", "syntax")):
        assert [hit.entry.id for hit in store.search_text([words], Filter(), 1)] == [name]
    assert store.search_text(['"', "(", "AND"], Filter(), 3) is not None
    assert store.get("nul").content == "before\x00after"  # type: ignore[union-attr]


def test_files_that_go_while_they_are_opened(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the look at the files and the opening another process deletes them, to rebuild."""
    import tantivy

    store.close()
    reader = reopened(store)
    folder, real, deleted = reader.folder / "index" / "fulltext", tantivy.Index, []

    def opened(*arguments: object, **options: object) -> object:
        if not deleted:
            deleted.append(shutil.rmtree(folder))
            folder.mkdir()
        return real(*arguments, **options)

    monkeypatch.setattr(tantivy, "Index", opened)
    assert [hit.entry.id for hit in reader.search_text(["n7"], Filter(), 1)] == ["mem_n7"]
    assert deleted and found(reader, "n119")


def test_common_words_are_left_out_only_of_a_large_index(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(30):
        fill(store, [f"x{number}"])
    level(store)
    common = ["alpha", "beta", "gamma", "delta"]  # of which a row has eight of fifteen
    rare = ["n7", "x1", "x2", "x3"]

    def names(*words: str) -> set[str]:
        hits = store.search(words, None, Filter(), 500, informative=True).text
        return {hit.entry.id.removeprefix("mem_") for hit in hits}

    assert len(names(*common, *rare)) > 100
    monkeypatch.setattr(bm25, "MANY_ROWS", 100)
    assert names(*common, *rare) == set(rare)
    assert names("nowhere", *common, *rare) == set(rare)
    assert len(names(*common)) > 100  # nothing else would be left
    assert names(*common, "n7", "x1") > {"n7", "x1"}
    assert len(store.search_text([*common, *rare], Filter(), 500)) > 100


STATEMENTS = [
    "My sister plays the accordion in Lisbon, happily.",
    "The accordionist recommended a happy little café",
    "Wir haben eine Wohnung in der Münchner Straße gefunden.",
    "Nasz pies Borsuk boi się burzy i wielkich psów.",
    "広島カープのファンで、毎年マツダスタジアムへ遠征します。",
    "ฉันย้ายไปลิสบอนกับน้องสาว",
    "Pancakes 🥞 with maple syrup, recommended by Noor",
]
ASKED = ["accordion", "lisbon", "happy", "wohnungen", "burza", "広島", "ลิสบอน", "🥞", "recommend"]


def test_a_large_store_without_an_index_is_scanned_with_the_same_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bm25, "MANY_ROWS", 100)
    monkeypatch.setattr(pending, "MANY_ROWS", 100)
    store = open_store(tmp_path / "store")
    with store.writing() as writer:
        for number in range(400):
            text = f"{STATEMENTS[number]} {number}" if number < len(STATEMENTS) else None
            writer.add(memory(f"n{number}", text))
    level(store)
    for word in ASKED:
        indexed = store._indexes.search_text([word], 20)
        scanned = store._indexes._search_text([word], 20, None, None)
        assert [key for key, _ in scanned] == [key for key, _ in indexed]
        assert indexed
        # the average length is estimated
        scores = [score for _, score in indexed]
        assert [score for _, score in scanned] == pytest.approx(scores, rel=0.15)
    store.close()


def test_the_index_of_a_large_store_is_built_while_it_is_searched(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pending, "MANY_ROWS", 100)
    shutil.rmtree(store.folder / "index")
    reader = reopened(store)
    assert found(reader, "n7") and found(reader, "n119")
    assert mended(reader) and found(reader, "n119")
    reader.close()
