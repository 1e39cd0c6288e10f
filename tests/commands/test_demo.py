"""`thalamus demo` and `thalamus models`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from tests.conftest import Result

Run = Callable[..., Result]


def test_the_demo_remembers_and_touches_nothing(run: Run, home: Path) -> None:
    done = run("demo", "--scripted")
    assert done.code == 0
    lines = (line for line in done.stdout.splitlines() if str(home) not in line)
    assert max(len(line) for line in lines if "://" not in line) <= 80
    first, second = done.stdout.split("The second session")
    assert "I moved to Lisbon in May." in first
    assert "Lisbon" in second
    assert "In 2 of the 2 turns of the second session" in second.replace("\n", " ")
    assert "thalamus chat" in second
    assert not (home / "data").exists()


def test_the_demo_as_records(run: Run) -> None:
    records = run("demo", "--scripted", "--json").records
    assert [record["session"] for record in records] == ["first", "first", "second", "second"]
    assert "Lisbon" in records[2]["answer"]
    assert all(record["issues"] == [] for record in records)


def test_the_demo_says_when_its_model_is_not_there(run: Run) -> None:
    done = run("demo", "--model", "llamacpp:/nowhere.gguf")
    assert done.code == 13
    assert "/nowhere.gguf" in done.stderr


AWAY = {"OLLAMA_HOST": "127.0.0.1:9"}


def test_models_are_listed_with_their_roles(run: Run) -> None:
    models = {m["name"]: m for m in run("models", "--json", env=AWAY).records}
    assert models["scripted"]["roles"] == [
        "answer",
        "reflect",
        "verify",
        "plan",
        "summary",
        "crystallize",
        "embedder",
    ]
    assert models["llamacpp:smollm2"]["state"] == "to pull"
    assert "wordllama:l2_supercat_256" in models
    assert "smollm2" in run("models", "pull").stdout


def test_models_are_asked(run: Run) -> None:
    good = run("models", "check", "--json", env=AWAY)
    assert good.code == 0
    assert [answer["state"] for answer in good.records] == ["ok", "ok"]
    bad = run("models", "check", "--json", "--model", "ollama:nope", env=AWAY)
    assert bad.code == 12
    assert [answer["state"] for answer in bad.records] == ["failed", "ok"]
    assert "ollama serve" in json.dumps(bad.records)
