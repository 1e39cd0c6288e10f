"""A store in which an earlier version kept sentences that it made by rules, at times garbled."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.commands.extracting import script
from tests.conftest import Result

pytestmark = pytest.mark.sqlite

Run = Callable[..., Result]
SAID = "Mieszkam w Krakowie i mam dwa koty."
GARBLED = "Mieszkam w Krakowie the user mams dwa koty."
LATER = {"THALAMUS_NOW": ""}  # ids that do not follow from what they name
RIGHT = "Mieszka w Krakowie i ma dwa koty."


@pytest.fixture
def model(tmp_path: Path) -> str:
    return script(
        tmp_path / "script.json",
        {
            SAID: [{"content": RIGHT}, {"predicate": "lives_in", "object": "Krakowie"}],
            "I keep bees.": [{"content": "The user keeps bees."}],
        },
    )


@pytest.fixture
def store(run: Run, home: Path, model: str) -> Path:
    """A store with a garbled memory and a wrong fact of an earlier version, and a right memory of
    this one."""
    for message in (SAID, "I keep bees."):
        run("turn", message, "--model", model)
    path = next(home.rglob("*.sqlite3"), None) or next(home.rglob("*.db"))
    with sqlite3.connect(path) as database:
        database.execute(
            "UPDATE memory SET content = ?, identity_hash = randomblob(16),"
            " content_hash = randomblob(16) WHERE content = ?",
            (GARBLED, RIGHT),
        )
        database.execute("UPDATE fact SET object = 'koty', quote = ?", (SAID,))
        [(seq, data)] = database.execute(
            "SELECT seq, data FROM event WHERE name = 'stage' AND data LIKE '%\"reflect\"%'"
            " ORDER BY seq LIMIT 1"
        ).fetchall()
        event = json.loads(data)
        del event["detail"]["no_longer"]
        database.execute("UPDATE event SET data = ? WHERE seq = ?", (json.dumps(event), seq))
    return path


def memories(run: Run) -> list[str]:
    return [record["content"] for record in run("memory", "list", "--json").records]


def facts(run: Run) -> list[str]:
    return [record["object"] for record in run("facts", "--json").records]


def test_what_rules_made_is_found_and_made_anew_and_can_be_undone(
    run: Run, store: Path, model: str
) -> None:
    run("store", "reindex")
    checks = run("doctor", "--no-model", "--json").records
    check = next(check for check in checks if check.get("name") == "memories")
    assert check["state"] == "warning" and "reflect --again" in check["fix"]
    assert GARBLED in memories(run)
    done = run("reflect", "--again", "--model", model, env=LATER)
    assert done.code == 0, done.stderr
    assert sorted(memories(run)) == sorted([RIGHT, "The user keeps bees."])
    assert facts(run) == ["Krakowie"]
    again = run("reflect", "--again", "--model", model)
    assert again.code == 0 and sorted(memories(run)) == sorted([RIGHT, "The user keeps bees."])
    run("undo")
    assert GARBLED in memories(run) and RIGHT not in memories(run)
    assert facts(run) == ["koty"]


def test_a_model_that_fails_leaves_all_as_it_was(run: Run, store: Path, tmp_path: Path) -> None:
    run("store", "reindex")
    path = tmp_path / "down.json"
    path.write_text(json.dumps([{"role": "reflect", "error": "unreachable"}]))
    done = run("reflect", "--again", "--model", f"scripted:{path}")
    assert GARBLED in memories(run) and facts(run) == ["koty"]
    assert done.code == 1 and "its script says so" in done.stderr
