"""After a change of the embedding model: words serve, `reindex --embed` is resumable."""

from __future__ import annotations

import json
import os
import pty
import random
import re
import select
import sqlite3
import subprocess
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.conftest import Result
from tests.forked import Process, python
from tests.torture.conftest import Tell
from tests.torture.driver import ROOT
from thalamus.api import Thalamus
from thalamus.memory.embeddings import reembed
from thalamus.models.scripted import ScriptedEmbedder
from thalamus.records import Memory
from thalamus.store import embeddings
from thalamus.turn_run import TurnRun

pytestmark = pytest.mark.sqlite  # of its files

Run = Callable[..., Result]
NEW = {"THALAMUS_EMBEDDER": "scripted"}


@pytest.fixture
def old(home: Path) -> Callable[[int], Path]:
    """Makes a store whose memories all have embeddings of another model; returns its file."""

    def make(count: int) -> Path:
        embedding = [1.0, 2.0, 3.0]
        with Thalamus(home=str(home), model="scripted", embedder="none") as engine:
            for start in range(0, count, 5000):
                numbers = range(start, min(count, start + 5000))
                engine.remember(
                    [
                        Memory(
                            id=f"mem_x{n}",
                            content=f"The badge of guest x{n} is w{n % 89}.",
                            embedding=[*embedding, float(n)],
                            embedding_model="former",
                        )
                        for n in numbers
                    ]
                )
            return engine.database.path

    return make


def embedded(path: Path) -> tuple[int, int]:
    """(how many embeddings of the new model there are, how many were ever made of any)."""
    with closing(sqlite3.connect(path, timeout=30)) as connection:
        query = "SELECT count(*) FROM embedding JOIN space ON space.id = space WHERE model = ?"
        count = connection.execute(query, ("scripted",)).fetchone()[0]
        query = "SELECT value - 1 FROM meta WHERE name = 'next_embedding'"
        return count, connection.execute(query).fetchone()[0]


def killed_on_the_way(path: Path, environment: dict[str, str], kills: int, seed: int) -> list[int]:
    """Begins the re-embedding and kills it, again and again; how far it was each time."""
    draw, counts = random.Random(seed), [0]
    for _ in range(kills):
        process = Process(
            [*python(), "-m", "thalamus", "store", "reindex", "--embed"],
            env=environment | {"PYTHONPATH": str(ROOT), "THALAMUS_BATCH_SIZE": "10"},
            stdout=subprocess.DEVNULL,
        )
        while process.poll() is None and embedded(path)[0] == counts[-1]:
            time.sleep(0.005)
        time.sleep(draw.random() * 0.1)
        process.kill()
        process.wait()
        counts.append(embedded(path)[0])
    return counts


def resume(path: Path, total: int, run: Run, counts: list[int]) -> list[str]:
    """Goes on to the end; what is wrong with how the counts went."""
    problems = []
    if counts != sorted(counts) or counts[-1] <= 0:
        problems.append(f"the counts do not go on: {counts}")
    [record] = run("store", "reindex", "--embed", "--json", env=NEW).records
    done, ever = embedded(path)
    if record["data"]["embedded"] != total - counts[-1]:
        problems.append(f"{record['data']['embedded']} made, {total - counts[-1]} were missing")
    if (done, ever) != (total, total * 2):
        problems.append(f"{done} embeddings, {ever - total} ever made, of {total}")
    return problems


def test_re_embedding_goes_on_where_it_was_killed(
    old: Callable[[int], Path], environment: dict[str, str], run: Run
) -> None:
    path = old(1500)
    counts = killed_on_the_way(path, environment, 3, 1)
    assert resume(path, 1500, run, counts) == []
    found = run("retrieve", "--json", "Which badge has guest x77?").records[0]
    assert found["id"] == "mem_x77" and found["scores"].keys() >= {"fulltext", "vector"}


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_re_embedding_killed_often(
    old: Callable[[int], Path], environment: dict[str, str], run: Run, tell: Tell
) -> None:
    path = old(20_000)
    counts = killed_on_the_way(path, environment, 25, 2)
    problems = resume(path, 20_000, run, counts)
    found = f"{counts[-1]} of 20000 made by then, none twice, {len(problems)} problems"
    tell("reindex --embed killed", 25, 2, found)
    assert problems == []


def test_words_serve_while_it_embeds(old: Callable[[int], Path], home: Path, run: Run) -> None:
    old(400)
    asked: list[Result] = []
    with Thalamus(home=str(home), model="scripted", embedder="scripted", batch_size=100) as engine:

        def meanwhile(count: int) -> None:
            if not asked:
                asked.append(run("retrieve", "--json", "guest x77", env=NEW))

        assert reembed(TurnRun(engine.engine), meanwhile) == 400
    assert asked[0].code == 0 and asked[0].records[0]["id"] == "mem_x77"
    assert "vector" not in asked[0].records[0]["scores"]
    assert "reindex --embed" in asked[0].stderr


AT_ONCE = """
from thalamus.cli import main
from thalamus.terminal import progress
progress.PATIENCE = 0
main()
"""


def test_progress_is_shown_on_a_terminal(
    old: Callable[[int], Path], environment: dict[str, str], tmp_path: Path
) -> None:
    old(200)
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*python(), "-c", AT_ONCE, "store", "reindex", "--embed"],
        env=environment | {"PYTHONPATH": str(ROOT), "THALAMUS_BATCH_SIZE": "1", "TERM": "xterm"},
        stdout=subprocess.DEVNULL,
        stderr=theirs,
    )
    os.close(theirs)
    shown = b""
    while process.poll() is None or select.select([ours], [], [], 0)[0]:
        if select.select([ours], [], [], 0.1)[0]:
            try:
                shown += os.read(ours, 65536)
            except OSError:  # the terminal has gone with the process
                break
    os.close(ours)
    assert process.wait() == 0
    assert b"embedded entries" in shown
    numbers = [int(n) for n in re.findall(rb"(\d+)/200", shown)]
    assert numbers == sorted(numbers) and len(set(numbers)) > 1


# -- dimensions --------------------------------------------------------------------------------


def test_a_record_of_another_dimension_is_refused(old: Callable[[int], Path], run: Run) -> None:
    old(20)
    good = {"record": "memory", "content": "Fine.", "embedding_model": "former"}
    lines = [good | {"embedding": [1, 2, 3, 4]}, good | {"embedding": [1, 2, 3], "content": "No."}]
    done = run("store", input="\n".join(map(json.dumps, lines)))
    assert done.code == 3 and "Line 2" in done.stderr and "`embedding`" in done.stderr
    assert "former has 4 dimensions in this store" in done.stderr
    assert [record["content"] for record in done.records] == ["Fine."]


def test_the_first_records_of_a_model_agree_among_themselves(run: Run) -> None:
    base = {"record": "memory", "embedding_model": "brand new"}
    lines = [base | {"content": f"m{n}", "embedding": [1.0] * n} for n in (5, 6)]
    done = run("store", input="\n".join(map(json.dumps, lines)))
    assert done.code == 3 and "brand new has 5 dimensions" in done.stderr
    assert len(done.records) == 1


def test_two_processes_cannot_mix_dimensions(home: Path) -> None:
    """Each finds no vectors of the model yet: the tables themselves refuse the second."""
    settings = {"home": str(home), "model": "scripted", "embedder": "none"}
    with Thalamus(**settings) as one, Thalamus(**settings) as two:
        one.remember([Memory(content="nothing embedded yet")])
        assert embeddings.spaces(two.database) == []
        one.remember([Memory(content="a", embedding=[1.0, 2.0], embedding_model="m")])
        with pytest.raises(Exception, match="m has 2 dimensions in this store"):
            two.remember([Memory(content="b", embedding=[1.0], embedding_model="m")])
        assert two.database.counts()["memory"] == 2


def test_a_model_that_changed_its_dimension_under_its_name(run: Run, home: Path) -> None:
    """Its vectors here have 64 dimensions: they replace those that claim to be its own."""
    line = {"record": "memory", "content": "x", "embedding": [1, 2], "embedding_model": "scripted"}
    assert run("store", input=json.dumps(line), env={"THALAMUS_EMBEDDER": "none"}).code == 0
    unembedded = json.dumps({"record": "memory", "content": "y"})
    assert run("store", input=unembedded, env={"THALAMUS_EMBEDDER": "none"}).code == 0
    done = run("store", "reindex", "--embed", env=NEW)
    size = ScriptedEmbedder().dimension()
    assert done.code == 0 and f"vectors of scripted ({size} dimensions): 2 entries" in done.stdout
    assert run("retrieve", "y").code == 0


def test_a_question_of_another_dimension_is_refused(
    old: Callable[[int], Path], run: Run, tmp_path: Path
) -> None:
    old(20)
    file = tmp_path / "vector.json"
    file.write_text(json.dumps({"embedding": [1, 2, 3], "embedding_model": "former"}))
    done = run("retrieve", "--embedding", f"@{file}", "guest x7")
    assert done.code == 2 and "4 dimensions" in done.stderr
