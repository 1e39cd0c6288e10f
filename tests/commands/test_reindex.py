"""`thalamus store reindex`."""

from __future__ import annotations

import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.conftest import Result
from tests.forked import Process, python
from thalamus.api import Thalamus
from thalamus.records import Memory
from thalamus.store import embeddings

Run = Callable[..., Result]


@pytest.fixture
def filled(thalamus: Thalamus) -> Thalamus:
    thalamus.remember([Memory(content=f"Memory number n{number}.") for number in range(60)])
    thalamus.database.rebuild_indexes()
    return thalamus


@pytest.mark.sqlite
def test_the_indexes_are_made_anew(run: Run, filled: Thalamus, home: Path) -> None:
    index = home / "data" / "default" / "index"
    (index / "vectors-99").mkdir()
    shutil.rmtree(index / "fulltext")
    result = run("store", "reindex")
    assert result.stdout == "fulltext: 60 entries\nvectors of scripted: 60 entries\n"
    assert not (index / "vectors-99").exists()
    [record] = run("store", "reindex", "--json").records
    assert [state["healthy"] for state in record["data"]["indexes"]] == [True, True]
    assert filled.recall("n7")[0].text == "Memory number n7."


def test_embeddings_of_a_new_model(run: Run, filled: Thalamus) -> None:
    new = {"THALAMUS_EMBEDDER": "wordllama"}
    missing = run("store", "reindex", env=new)
    assert "l2_supercat_256: 60 entries; " in missing.stdout
    [record] = run("store", "reindex", "--embed", "--json", env=new).records
    data = record["data"]
    assert (data["embedded"], data["missing"]) == (60, 0)
    assert [state["entries"] for state in data["indexes"]] == [60, 60, 60]
    assert run("store", "reindex", "--embed", "--json", env=new).records[0]["data"]["embedded"] == 0


def test_auto_keeps_the_embedder_of_the_store(run: Run, filled: Thalamus) -> None:
    auto = {"THALAMUS_EMBEDDER": "auto", "THALAMUS_OLLAMA_HOST": "127.0.0.1:9"}
    [record] = run("store", "reindex", "--embed", "--json", env=auto).records
    assert record["data"]["embedded"] == 0
    [used] = [m for m in run("models", "--json", env=auto).records if "embedder" in m["roles"]]
    assert used["name"] == "scripted"


def test_auto_keeps_the_embedder_of_a_store_in_which_all_is_encrypted(run: Run) -> None:
    run("turn", "Ich bin gegen Nüsse allergisch.", env={"THALAMUS_EMBEDDER": "wordllama"})
    [used] = [
        model
        for model in run("models", "--json", env={"THALAMUS_EMBEDDER": "auto"}).records
        if "embedder" in model["roles"]
    ]
    assert used["name"] == "wordllama:l2_supercat_256"


def test_without_an_embedder(run: Run, filled: Thalamus) -> None:
    assert run("store", "reindex", "--embed", env={"THALAMUS_EMBEDDER": "none"}).code == 2
    assert run("store", "reindex", env={"THALAMUS_EMBEDDER": "none"}).code == 0
    down = {"THALAMUS_EMBEDDER": "ollama:x", "THALAMUS_OLLAMA_HOST": "127.0.0.1:9"}
    result = run("store", "reindex", "--embed", env=down)
    assert result.code in (12, 13) and filled.database.counts()["embedding"] == 60


def test_a_killed_run_is_continued(
    filled: Thalamus, run: Run, environment: dict[str, str], tmp_path: Path
) -> None:
    """Each batch is kept; the next run makes only what is missing."""
    names = [Memory(content=f"Another memory, x{number}.") for number in range(1500)]
    none = Thalamus(config=replace(filled.config, embedder="none"), clock=filled.clock)
    none.remember(names)
    assert embeddings.count_missing(none.database, "scripted") == 1500
    process = Process(
        [*python(), "-m", "thalamus", "store", "reindex", "--embed"],
        env=environment | {"THALAMUS_BATCH_SIZE": "20"},
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
    )
    while embeddings.count_missing(none.database, "scripted") == 1500:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    left = embeddings.count_missing(none.database, "scripted")
    assert 0 < left < 1500 and left % 20 == 0
    [record] = run("store", "reindex", "--embed", "--json").records
    assert (record["data"]["embedded"], record["data"]["missing"]) == (left, 0)
    none.close()
