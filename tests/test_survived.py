"""Recall goes on without an embedder, and without nothing else: what is damaged is told as that."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from tests.conftest import Result
from thalamus.api import Thalamus
from thalamus.errors import ModelUnreachable
from thalamus.models.resolve import Models
from thalamus.records import Memory, Turn

Run = Callable[..., Result]


class Embedder:
    """An embedder that fails in one way."""

    name = "scripted"

    def __init__(self, error: Exception) -> None:
        self._error = error

    def dimension(self) -> int:
        return 3

    def embed(self, texts: Sequence[str], kind: str) -> list[bytes]:
        raise self._error


def failing(thalamus: Thalamus, error: Exception) -> None:
    """From now on the embedder raises this."""
    models = Models(thalamus.config)
    models._embedders = [Embedder(error)]
    thalamus.engine = structs.replace(thalamus.engine, models=models)


@pytest.fixture
def damaged(run: Run, home: Path) -> None:
    """A store whose page with the memories is not what SQLite wrote."""
    lines = [
        json.dumps({"record": "memory", "content": f"The heron fishes at mill {n}."})
        for n in range(60)
    ]
    assert run("store", input="\n".join(lines)).code == 0
    path = home / "data" / "default" / "thalamus.db"
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        size = db.execute("PRAGMA page_size").fetchone()[0]
        query = "SELECT rootpage FROM sqlite_master WHERE name = 'memory'"
        page = db.execute(query).fetchone()[0]
    data = bytearray(path.read_bytes())
    data[(page - 1) * size : page * size] = b"\xff" * size
    path.write_bytes(data)


@pytest.mark.sqlite
def test_a_damaged_page_is_no_empty_memory(run: Run, damaged: None) -> None:
    asked = run("retrieve", "Where does the heron fish?")
    assert asked.code == 10 and asked.stdout == ""
    assert "Cannot read" in asked.stderr and "no memories" not in asked.stderr
    piped = run("retrieve", input='{"record":"turn","message":"Where does the heron fish?"}')
    assert piped.code == 10
    assert [issue["code"] for issue in piped.records[0]["issues"]] == ["store_damaged"]
    stored = run("store", "--decide", input='{"record":"memory","content":"The heron fishes."}')
    assert stored.code == 10


def test_a_bug_is_no_failed_embedder(thalamus: Thalamus) -> None:
    thalamus.remember([Memory(content="The heron fishes at the mill.")])
    failing(thalamus, TypeError("a bug"))
    with pytest.raises(TypeError, match="a bug"):
        thalamus.recall("heron")
    with pytest.raises(TypeError, match="a bug"):
        thalamus.remember([Memory(content="Herons fly.")])
    turn = thalamus.run_stage("retrieve", Turn(message="heron"))
    [issue] = turn.issues
    assert (issue.code, issue.message) == ("failure", "unexpected TypeError: a bug")
    assert [type(error) for _, error in thalamus.failures] == [TypeError]


def test_an_embedder_that_is_down_is_survived(thalamus: Thalamus) -> None:
    thalamus.remember([Memory(content="The heron fishes at the mill.")])
    failing(thalamus, ModelUnreachable("scripted", "no answer"))
    assert [found.text for found in thalamus.recall("heron")] == ["The heron fishes at the mill."]
    [(stage, error)] = thalamus.failures
    assert stage == "retrieve" and isinstance(error, ModelUnreachable)
    [kept] = thalamus.remember([Memory(content="Herons fly.")])
    assert isinstance(kept, Memory) and isinstance(thalamus.unembedded, ModelUnreachable)


@pytest.mark.parametrize("arguments", [("retrieve", "heron"), ("turn", "Where is the heron?")])
def test_an_index_that_cannot_be_read_is_survived(
    run: Run, home: Path, arguments: tuple[str, ...]
) -> None:
    run("store", input='{"record":"memory","content":"The heron fishes at the mill."}')
    index = home / "data" / "default" / "index"
    for path in index.rglob("*"):
        if path.is_file():
            path.write_bytes(b"no index")
    done: Any = run(*arguments)
    assert done.code == 0 and "mill" in done.stdout
