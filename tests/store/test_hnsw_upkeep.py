"""HNSW indexes are built and extended by themselves, and neither a kill nor a forget harms that."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.forked import python
from tests.store.making import finish, open_store, start
from tests.store.test_hnsw import (
    MAIN,
    ROWS,
    add,
    clustered,
    index_of,
    questions,
    recall,
    unit,
)
from thalamus.store.indexes import folding, hnsw
from thalamus.store.indexes import index_files as manifests
from thalamus.store.indexes.indexes import Indexes
from thalamus.store.options import StoreOptions
from thalamus.store.sqlite.connection import FILE, open_file
from thalamus.store.sqlite.store import SqliteStore
from thalamus.store.values import Filter, Vector

pytestmark = pytest.mark.sqlite

ROOT = Path(__file__).parents[2]
LOW = """
from thalamus.store.indexes import hnsw
hnsw.MINIMUM, hnsw.THREADS = 1000, 1
"""
HALF = 500  # rows beyond an HNSW index of a thousand and some, above which it is extended


@pytest.fixture(autouse=True)
def _lower_minimum(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hnsw, "MINIMUM", 1000)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with 3000 vectors and no HNSW index; it is not to be changed."""
    folder = tmp_path_factory.mktemp("filled") / "store"
    store = SqliteStore(folder, StoreOptions(create=True, hnsw=False))
    add(store, clustered(ROWS))
    store.close()
    return folder


@pytest.fixture
def folder(filled: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(filled, tmp_path / "store"))


def hnsw_files(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "index/vectors-1/hnsw").glob("*"))


def covered(folder: Path) -> int:
    """How many rows the HNSW index covers; 0 without one."""
    made = hnsw.published(folder / "index" / "vectors-1")
    return made.entries if made is not None and made.files else 0


def due(folder: Path) -> bool:
    """Whether a process would be started for the HNSW index; none is, from here it would know of
    no other minimum."""
    with closing(open_file(folder / FILE, 30)) as connection:
        return Indexes(folder / "index", connection).hnsw_due()


def wait_until(true: Callable[[], object], seconds: float = 40) -> None:
    give_up = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < give_up
        time.sleep(0.05)


def lock_of(folder: Path) -> Path:
    return folder / "index" / folding.HNSW_LOCK


# -- through the command line -----------------------------------------------------------------


@pytest.fixture
def command(environment: dict[str, str], tmp_path: Path) -> Callable[..., str]:
    """Runs a command; in it and whatever it starts an HNSW index is due from 1000 rows on."""
    (tmp_path / "low").mkdir()
    (tmp_path / "low" / "sitecustomize.py").write_text(LOW)
    path = f"{tmp_path / 'low'}{os.pathsep}{ROOT}"

    def run(*arguments: str, input: str = "", code: int = 0, **variables: str) -> str:
        done = subprocess.run(
            [*python(), "-c", LOW + MAIN, *arguments],
            env=environment | {"PYTHONPATH": path} | variables,
            cwd=tmp_path,
            input=input,
            capture_output=True,
            text=True,
        )
        assert done.returncode == code, done.stderr
        return done.stdout + done.stderr

    return run


def records(first: int, count: int) -> str:
    lines = (
        f'{{"record":"memory","content":"Note {n} on heron {n % 97}."}}\n' for n in range(count)
    )
    return "".join(line.replace("Note ", f"Note {first}-") for line in lines)


def test_a_store_that_grows_gets_one_and_keeps_it(
    command: Callable[..., str], environment: dict[str, str]
) -> None:
    folder = Path(environment["THALAMUS_HOME"]) / "data" / "default"
    command("store", input=records(0, 900))
    assert not due(folder) and hnsw_files(folder) == [] and not lock_of(folder).exists()
    command("store", input=records(1, 300))
    wait_until(lambda: covered(folder) == 1200)
    wait_until(lambda: lock_of(folder).stat().st_size == 0)
    first = hnsw_files(folder)
    command("store", input=records(2, 300))
    assert not due(folder) and hnsw_files(folder) == first  # the few beyond it are scanned
    command("store", input=records(3, HALF))
    wait_until(lambda: covered(folder) == 2000)
    wait_until(lambda: len(hnsw_files(folder)) == 2)
    assert hnsw_files(folder) != first
    assert "2,000 entries" in command("store", "reindex") and covered(folder) == 2000
    assert "2,000 entries, up to date; HNSW index over 2,000, recall@10 " in command(
        "doctor", "--no-model"
    )


def test_forget_leaves_none_and_a_new_one_follows(
    command: Callable[..., str], environment: dict[str, str]
) -> None:
    folder = Path(environment["THALAMUS_HOME"]) / "data" / "default"
    command("store", input=records(0, 1100))
    wait_until(lambda: covered(folder) == 1100)
    first = hnsw_files(folder)
    command("forget", "--query", "0-77", "--yes")
    wait_until(lambda: 1000 < covered(folder) < 1100)
    assert hnsw_files(folder) != first


def test_prune_and_reindex_do_it_themselves(
    command: Callable[..., str], environment: dict[str, str]
) -> None:
    folder = Path(environment["THALAMUS_HOME"]) / "data" / "default"
    off = {"THALAMUS_HNSW": "false"}
    command("store", input=records(0, 1100), **off)
    command("prune", **off)
    assert "switched off" in command("store", "reindex", "--hnsw", code=2, **off)
    assert hnsw_files(folder) == []
    command("prune")
    assert covered(folder) == 1100
    shutil.rmtree(folder / "index")
    assert "HNSW index of scripted: 1,100 rows" in command("store", "reindex")
    assert covered(folder) == 1100


# -- extending --------------------------------------------------------------------------------


def test_extending_adds_only_the_new_rows(folder: Path) -> None:
    store = open_store(folder, create=False)
    [built] = store.keep_hnsw(lambda _: None)
    assert built.kept and built.rows == ROWS and store.keep_hnsw(lambda _: None) == []
    first = hnsw_files(folder)
    more = clustered(2 * ROWS)[ROWS:]
    add(store, more[:HALF], first=ROWS)
    store._indexes.fold()
    assert store.keep_hnsw(lambda _: None) == []
    add(store, more[HALF : HALF + 1], first=ROWS + HALF)
    store._indexes.fold()
    steps: list[int] = []
    [extended] = store.keep_hnsw(steps.append)
    assert extended.kept and extended.rows == ROWS + HALF + 1
    assert steps == [ROWS, HALF + 1]
    assert hnsw_files(folder) != first and len(hnsw_files(folder)) == 2
    rows = np.vstack([clustered(ROWS), more[: HALF + 1]])
    assert recall(store, rows, Filter()) >= 0.97
    assert index_of(store).served == "hnsw"
    store.close()


def test_one_that_finds_too_little_is_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hnsw, "GOOD", 1.01)
    count = 1200
    rows = unit(np.random.default_rng(2).standard_normal((2 * count, 256)))  # without clusters
    store = open_store(tmp_path / "store")
    add(store, rows[:count])
    [tried] = store.keep_hnsw(lambda _: None)
    assert not tried.kept and hnsw_files(store.folder) == ["manifest"]
    assert tried.recall is not None and 0 < tried.recall <= 1
    assert f"{tried.recall:.3f}" in tried.note
    add(store, rows[count:-1], first=count)
    assert store.keep_hnsw(lambda _: None) == []
    assert recall(store, rows[:-1], Filter()) == 1
    [state] = [state for state in store.index_states() if state.name == "vectors"]
    assert state.extra["hnsw"]["kept"] is False and state.healthy and not state.note
    add(store, rows[-1:], first=2 * count - 1)
    store._indexes.fold()
    [tried] = store.keep_hnsw(lambda _: None)
    assert tried.rows == 2 * count
    monkeypatch.setattr(hnsw, "GOOD", 0.9)
    [built] = store.build_hnsw(lambda _: None)  # who asks for it gets another try
    assert built.kept and covered(store.folder) == 2 * count
    store.close()


def test_a_damaged_one_is_built_anew(folder: Path) -> None:
    store = open_store(folder, create=False)
    store.keep_hnsw(lambda _: None)
    [name] = [name for name in hnsw_files(folder) if name != "manifest"]
    path = folder / "index" / "vectors-1" / "hnsw" / name
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    assert recall(store, clustered(ROWS), Filter()) == 1  # by scanning
    assert index_of(store).damaged and store._indexes.hnsw_due()
    steps: list[int] = []
    [built] = store.keep_hnsw(steps.append)
    assert built.kept and steps[0] == 0
    assert recall(store, clustered(ROWS), Filter()) >= 0.97
    assert index_of(store).served == "hnsw" and not store._indexes.hnsw_due()
    store.close()


# -- a large file is verified in a thread -----------------------------------------------------


def test_searches_scan_while_it_is_verified(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(manifests, "SMALL", 0)
    store, rows = open_store(folder, create=False), clustered(ROWS)
    store.keep_hnsw(lambda _: None)
    question, index = Vector("m", questions(rows)[0].tobytes()), index_of(store)

    def served() -> str:
        assert len(store.search([], question, Filter(), 10).vector) == 10
        return index.served

    assert served() == "flat"
    wait_until(lambda: served() == "hnsw")
    add(store, clustered(HALF + 1, seed=8), first=ROWS)
    assert [built.kept for built in store.keep_hnsw(lambda _: None)] == [True]
    assert served() == "hnsw"  # the one before it, until the new one is verified
    wait_until(lambda: served() == "hnsw" and len(index._graph._graph.index) == ROWS + HALF + 1)
    store.close()


def test_a_verification_tells_of_its_own_file_alone(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that ends late must not have a later, damaged file mapped."""
    monkeypatch.setattr(manifests, "SMALL", 0)
    store, rows = open_store(folder, create=False), clustered(ROWS)
    store.keep_hnsw(lambda _: None)
    question, index = Vector("m", questions(rows)[0].tobytes()), index_of(store)
    real, begun, goes_on = hnsw.unfit, threading.Event(), threading.Event()

    def slowly(*arguments: Any) -> str:
        found = real(*arguments)
        begun.set()
        goes_on.wait(30)
        return found

    monkeypatch.setattr(hnsw, "unfit", slowly)
    store.search([], question, Filter(), 10)
    store.search([], question, Filter(), 10)
    assert begun.wait(30) and index.served == "flat"
    monkeypatch.setattr(hnsw, "unfit", lambda *_: "it is damaged")
    manifest = hnsw.published(index.folder)
    assert manifest is not None
    manifests.save(index.folder / hnsw.FOLDER, manifest)  # as if it was published again
    store.search([], question, Filter(), 10)
    goes_on.set()
    wait_until(lambda: all(thread.name != "hnsw" for thread in threading.enumerate()))
    for _ in range(3):
        store.search([], question, Filter(), 10)
        assert index.served == "flat"
    assert index.damaged
    store.close()


def test_damaged_vectors_do_not_end_the_upkeep(folder: Path) -> None:
    store = open_store(folder, create=False)
    store.keep_hnsw(lambda _: None)
    [path] = (folder / "index" / "vectors-1").glob("*.hbin")
    store.close()
    path.write_bytes(path.read_bytes()[:-1] + b"\x00")
    again = open_store(folder, create=False)
    assert again._indexes.keep_hnsw(lambda _: None) == []
    assert again.rebuild_indexes()
    again.close()


# -- processes --------------------------------------------------------------------------------

UPKEEP = """
from thalamus.store.indexes import hnsw, folding
hnsw.MINIMUM, hnsw.THREADS = 1000, 1
folding.main()
"""

# waits for a line after each step
SLOWLY = """
from thalamus.store.indexes import hnsw, folding
hnsw.MINIMUM, hnsw.THREADS, hnsw.BLOCK = 1000, 1, 50
store = open_store(Path(sys.argv[1]), create=False)

def step(_):
    print("step", flush=True)
    sys.stdin.readline()

for made in store.keep_hnsw(step):
    print(made.kept, made.note)
"""


UPKEEP_SLOWLY = """
from thalamus.store.indexes import hnsw, folding
from thalamus.store.indexes.indexes import Indexes
hnsw.MINIMUM, hnsw.THREADS, hnsw.BLOCK = 1000, 1, 50
keep = Indexes.keep_hnsw

def step(_):
    print("step", flush=True)
    sys.stdin.readline()

Indexes.keep_hnsw = lambda indexes, _: keep(indexes, step)
folding.main()
"""


def test_two_at_once_build_one(folder: Path) -> None:
    processes = [start(UPKEEP, folder) for _ in range(2)]
    for process in processes:
        finish(process)
    assert covered(folder) == ROWS and len(hnsw_files(folder)) == 2
    assert lock_of(folder).read_text() == ""
    slow = start(SLOWLY, folder)
    finish(slow)  # nothing is due
    slow = start(SLOWLY.replace("keep_hnsw", "build_hnsw"), folder)
    assert slow.stdout is not None and slow.stdout.readline() == "step\n"
    slow.kill()
    slow.communicate()
    assert covered(folder) == ROWS


def test_while_one_is_at_it_no_other_is_started(folder: Path) -> None:
    slow = start(SLOWLY, folder)
    assert slow.stdout is not None and slow.stdout.readline() == "step\n"
    store = open_store(folder, create=False)
    assert store._indexes.hnsw_due() and not folding._may_start(lock_of(folder))
    assert store.keep_hnsw(lambda _: None) == []
    assert recall(store, clustered(ROWS), Filter()) == 1
    add(store, clustered(5, seed=8), first=ROWS)  # nothing is locked meanwhile
    assert finish_slowly(slow).endswith("True \n")
    assert covered(folder) == ROWS
    store.close()


def finish_slowly(process: subprocess.Popen[str]) -> str:
    out, err = process.communicate("\n" * 1000, timeout=60)
    assert process.returncode == 0, err
    return out


def test_one_that_was_killed_is_not_started_again_at_once(folder: Path) -> None:
    process = start(UPKEEP_SLOWLY, folder)
    assert process.stdout is not None and process.stdout.readline() == "step\n"
    assert lock_of(folder).stat().st_size
    process.kill()
    process.communicate()
    assert hnsw_files(folder) == []
    assert not folding._may_start(lock_of(folder))
    long_ago = time.time() - folding.RETRY_AFTER[folding.HNSW_LOCK] - 1
    os.utime(lock_of(folder), (long_ago, long_ago))
    assert folding._may_start(lock_of(folder))
    store = open_store(folder, create=False)
    [built] = store.keep_hnsw(lambda _: None)
    assert built.kept and lock_of(folder).read_text() == ""
    store.close()


@pytest.mark.parametrize("steps", [1, 61])
def test_a_forget_stops_it(folder: Path, steps: int) -> None:
    slow = start(SLOWLY, folder)
    assert slow.stdout is not None and slow.stdin is not None
    for number in range(steps):
        assert slow.stdout.readline() == "step\n"
        if number < steps - 1:
            slow.stdin.write("\n")
            slow.stdin.flush()
    store = open_store(folder, create=False)
    with store.forgetting() as writer:
        assert writer.remove("mem_n7")
    assert store.erase(lambda _: None) == []
    assert "False not kept: the vectors were rebuilt meanwhile" in finish_slowly(slow)
    assert hnsw_files(folder) == []
    store.close()


def test_rows_that_are_forgotten_at_the_last_moment_are_not_published(folder: Path) -> None:
    """After the last look at whether they are still there: when the manifest is read again."""
    store, other = open_store(folder, create=False), open_store(folder, create=False)
    indexes, index = store._indexes, index_of(store)
    read = 0

    def manifest() -> manifests.IndexManifest | None:
        nonlocal read
        read += 1
        if read == 2:  # the lock is held: the rebuilding waits for it in a real forget
            with other.forgetting() as writer:
                assert writer.remove("mem_n7")
            shutil.rmtree(index.folder)
            other._indexes._catch_up()
        return indexes._manifest(index.folder)

    result = hnsw.build(index.folder, index.opened, manifest, indexes._lock, "m", lambda _: None)
    assert read == 2 and not result.kept and "rebuilt meanwhile" in result.note
    assert hnsw_files(folder) == []
    assert recall(store, clustered(ROWS), Filter(), np.arange(ROWS) != 7) == 1
    other.close()
    store.close()


def test_it_ends_when_the_store_is_gone(folder: Path) -> None:
    slow = start(SLOWLY, folder)
    assert slow.stdout is not None and slow.stdout.readline() == "step\n"
    shutil.rmtree(folder)
    slow.communicate("\n" * 1000, timeout=60)
    assert not folder.exists()
    finish(start(UPKEEP, folder))
    assert not folder.exists()
