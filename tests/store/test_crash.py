"""A process killed while it stores: nothing that it acknowledged is lost."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import time
from pathlib import Path

from tests.forked import Process, python
from tests.store.making import open_store
from thalamus.models.scripted import ScriptedEmbedder
from thalamus.records import Memory
from thalamus.store.sqlite.store import SqliteStore
from thalamus.store.values import Filter, Vector

LINES = 1500
BATCH = 25


def records(attempt: int) -> bytes:
    lines = (
        {"record": "memory", "content": f"attempt{attempt} number a{attempt}n{number}"}
        for number in range(LINES)
    )
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def killed(
    attempt: int, wanted: int, draw: random.Random, environment: dict[str, str], tmp: Path
) -> list[str]:
    """Stores records and is killed some moments after so many bytes of output; the contents that it
    acknowledged."""
    source = tmp / "records.jsonl"
    source.write_bytes(records(attempt))
    output = tmp / "output.jsonl"
    with source.open("rb") as stdin, output.open("wb") as stdout:
        process = Process(
            [*python(), "-m", "thalamus", "store"],
            stdin=stdin,
            stdout=stdout,
            stderr=subprocess.DEVNULL,
            env=environment | {"THALAMUS_BATCH_SIZE": str(BATCH)},
        )
        while process.poll() is None and output.stat().st_size < wanted:
            time.sleep(0.002)
        time.sleep(draw.random() * 0.06)
        process.send_signal(signal.SIGKILL)
        process.wait()
    whole = output.read_bytes().rpartition(b"\n")[0].splitlines()
    return [json.loads(line)["content"] for line in whole]


def check(store: SqliteStore, acknowledged: list[str]) -> None:
    contents = {r.content for r in store.everything() if isinstance(r, Memory)}
    assert set(acknowledged) <= contents
    assert len(contents) % BATCH == 0, "half a transaction"
    assert store.check() == []
    embedder = ScriptedEmbedder()
    for content in acknowledged[-1:] + acknowledged[:1]:
        words = [content.split()[-1]]
        assert [hit.entry.text for hit in store.search_text(words, Filter(), 1)] == [content]
        near = Vector(embedder.name, embedder.embed([content], "query")[0])
        hits = store.search([], near, Filter(), 5).vector
        assert hits[0].score > 0.999 and content in {
            hit.entry.text for hit in hits if hit.score > hits[0].score - 1e-5
        }
    if isinstance(store, SqliteStore):
        with store._indexes.locked():  # a process that was started may still be at it
            pass
    states = store.index_states()
    assert [(s.entries, s.behind, s.healthy) for s in states] == [(len(contents), 0, True)] * 2


def crash(attempts: int, seed: int, home: Path, environment: dict[str, str], tmp: Path) -> int:
    draw = random.Random(seed)
    everything: list[str] = []
    for attempt in range(attempts):
        wanted = 24_000 * attempt // attempts
        acknowledged = killed(attempt, wanted, draw, environment, tmp)
        everything += acknowledged
        if not (home / "data" / "default" / "thalamus.db").exists():
            continue
        store = open_store(home / "data" / "default")
        if store.counts()["memory"]:
            check(store, acknowledged)
        store.close()
    store = open_store(home / "data" / "default", create=False)
    check(store, everything)
    return len(everything)


def test_killed_while_storing(home: Path, environment: dict[str, str], tmp_path: Path) -> None:
    environment = environment | {"PYTHONPATH": str(Path.cwd())}
    assert crash(12, 8, home, environment, tmp_path) > 100


def test_killed_while_the_store_is_made(tmp_path: Path) -> None:
    """At whatever moment the first process dies, the next one finds or makes a whole store."""
    draw = random.Random(3)
    code = "import sys; from tests.store.making import *; print(1, flush=True)"
    code += "; fill(open_store(Path(sys.argv[1])), ['one'])"
    for attempt in range(6):
        folder = tmp_path / f"store{attempt}"
        process = Process(
            [*python(), "-c", code, str(folder)], stdout=subprocess.PIPE, cwd=Path.cwd()
        )
        assert process.stdout is not None and process.stdout.readline()
        time.sleep((attempt + draw.random()) * 0.25 / 6)
        process.kill()
        process.communicate()
        store = open_store(folder)
        with store.writing() as writer:
            writer.add(Memory(id="mem_two", content="second", created_at="x", recorded_at="x"))
        assert [h.entry.id for h in store.search_text(["second"], Filter(), 1)] == ["mem_two"]
        assert store.check() == []
