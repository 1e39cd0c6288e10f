"""`thalamus doctor`: what is well, what is not, and the exit status."""

from __future__ import annotations

import re
import shutil
import sqlite3
import time
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from thalamus.api import Thalamus
from thalamus.diagnostics import NEEDED, OPTIONAL
from thalamus.records import Fact, Memory

Run = Callable[..., Any]
SAID = "I moved to Lisbon in May and I prefer short answers."


def by_name(records: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {record["name"]: record for record in records}


def test_no_store_yet_is_no_problem(run: Run, home: Path) -> None:
    done = run("doctor", "--json")
    found = by_name(done.records)
    assert done.code == 0
    assert found["store"]["state"] == "ok"
    assert found["store"]["detail"].startswith("none yet")
    assert (
        found["model answer, reflect, verify, plan, summary, crystallize"]["detail"]
        == "scripted answers"
    )
    assert set(found["python"]) == {"record", "v", "name", "state", "detail", "fix"}
    assert not (home / "data").exists()


def test_the_entries_of_both_indexes_are_counted(run: Run, thalamus: Thalamus) -> None:
    thalamus.turn(SAID)
    counts = thalamus.database.counts()
    rows = counts["turn"] + counts["memory"] + counts["fact"]
    thalamus.database.rebuild_indexes()
    thalamus.close()
    done = run("doctor", "--no-model", "--json")
    found = by_name(done.records)
    assert done.code == 0
    assert found["index fulltext"]["detail"] == f"{rows} entries, up to date"
    assert found["index vectors scripted"]["detail"] == f"{rows} entries, up to date"
    assert f"{counts['event']} ledger entries in an unbroken chain" in found["integrity"]["detail"]
    assert "embedder" not in found
    other = run("doctor", "--no-model", "--embedder", "wordllama").stdout
    assert f"{rows} entries have no embedding of wordllama" in other


def test_a_store_in_another_language_is_told_of_an_embedder(run: Run, thalamus: Thalamus) -> None:
    static = {"THALAMUS_EMBEDDER": "static"}
    thalamus.remember([Memory(content="I moved to Lisbon in May with my sister.")])
    assert "languages" not in by_name(run("doctor", "--json", env=static).records)
    told = ["Moja siostra mieszka w Porto.", "Jestem uczulony na orzechy."]
    thalamus.remember([Memory(content=text) for text in told])
    found = by_name(run("doctor", "--json", env=static).records)["languages"]
    assert found["state"] == "ok"
    assert "thalamus models pull multilingual" in found["fix"]
    assert f"\n          {found['fix']}\n" in run("doctor", env=static).stdout
    assert "languages" not in by_name(run("doctor", "--json").records)


@pytest.mark.sqlite
def test_an_index_is_compared_only_with_what_belongs_in_it(run: Run, thalamus: Thalamus) -> None:
    """Retracted facts are in no index, and new entries are not in it yet."""
    fact = thalamus.facts.add(Fact(subject="Ana", predicate="likes", object="tea"))[0]
    thalamus.remember([Fact(subject="Ana", predicate="likes", object="coffee")])
    thalamus.facts.retract(fact.id or "")
    thalamus.database.rebuild_indexes()
    thalamus.close()
    found = by_name(run("doctor", "--no-model", "--json").records)
    assert found["index fulltext"]["detail"] == "1 entry, up to date"

    thalamus.open_store()
    shutil.rmtree(thalamus.database.folder / "index")
    thalamus.close()
    found = by_name(run("doctor", "--no-model", "--json").records)
    told = found["index fulltext"]
    assert told["detail"] == "0 entries, 1 not in it yet (searches read it from the store)"
    assert told["state"] == "ok"


@pytest.mark.sqlite
def test_an_index_that_was_only_begun_is_no_problem(run: Run, thalamus: Thalamus) -> None:
    """As a process leaves it that was killed while it stored: another process builds it."""
    thalamus.remember([Memory(content="A heron stands still.")])
    thalamus.database.rebuild_indexes()
    thalamus.close()
    for manifest in (thalamus.database.folder / "index").glob("*/manifest"):
        manifest.unlink()
    done = run("doctor", "--no-model")
    assert done.code == 0 and "problem" not in done.stdout
    assert "it is rebuilt in the background" in done.stdout
    assert "heron" in run("retrieve", "heron").stdout
    give_up = time.monotonic() + 20
    while "it is rebuilt" in run("doctor", "--no-model").stdout:
        assert time.monotonic() < give_up


@pytest.mark.sqlite
def test_a_forged_ledger_and_a_damaged_index_are_problems(
    run: Run, thalamus: Thalamus, home: Path
) -> None:
    thalamus.turn(SAID)
    store = thalamus.database
    store.rebuild_indexes()
    thalamus.close()
    with sqlite3.connect(store.path) as database:
        database.execute("UPDATE event SET data = '{}' WHERE seq = 2")
    index = max(
        (path for path in (store.folder / "index").rglob("*") if path.is_file()),
        key=lambda path: path.stat().st_size,
    )
    index.write_bytes(b"\x00" * index.stat().st_size)
    done = run("doctor", "--no-model")
    assert done.code == 1
    assert "problem   integrity: ledger entry 2" in done.stdout
    assert "problem   index" in done.stdout
    assert "thalamus store reindex" in done.stdout


def test_models_that_do_not_answer(run: Run) -> None:
    nothing = {"THALAMUS_OLLAMA_HOST": "http://127.0.0.1:9"}
    chosen = run("doctor", "--model", "ollama:tea", "--json", env=nothing)
    assert chosen.code == 1
    model = by_name(chosen.records)["model answer, reflect, verify, plan, summary, crystallize"]
    assert model["state"] == "problem"
    assert "no answer" in model["detail"]
    automatic = run("doctor", "--model", "auto", "--json", env=nothing)
    assert automatic.code == 0
    model = by_name(automatic.records)["model answer, reflect, verify, plan, summary, crystallize"]
    assert model["state"] == "warning"


@pytest.mark.sqlite
def test_an_unreadable_store_is_told(run: Run, home: Path) -> None:
    folder = home / "data" / "default"
    folder.mkdir(parents=True)
    (folder / "thalamus.db").write_bytes(b"not a database" * 100)
    done = run("doctor", "--no-model", "--json")
    assert done.code == 1
    store = by_name(done.records)["store"]
    assert store["state"] == "problem"
    assert "Cannot read" in store["detail"]


def test_doctor_knows_the_dependencies_of_the_package() -> None:
    pyproject = Path(__file__).parents[2] / "pyproject.toml"
    project = tomllib.loads(pyproject.read_text())["project"]

    def names(requirements: list[str]) -> list[str]:
        return [re.split(r"[\[<>=!~; ]", requirement)[0] for requirement in requirements]

    assert sorted(NEEDED) == sorted(names(project["dependencies"]))
    extras = project["optional-dependencies"]
    optional = {name for extra in ("local", "keyring", "mcp") for name in names(extras[extra])}
    assert set(OPTIONAL) == optional | {"psycopg"} & set(names(extras["postgres"]))


def test_doctor_names_the_versions_of_the_packages(run: Run) -> None:
    found = by_name(run("doctor", "--no-model", "--json").records)
    versions = {part.split()[0] for part in found["packages"]["detail"].split(", ")}
    assert set(NEEDED) <= versions
