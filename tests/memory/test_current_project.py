"""The current project: known by the working directory, preferred in recall, and inherited by what
is made of its turns."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Result

Run = Callable[..., Result]
QUESTION = "Which test runner do we use?"


@pytest.fixture
def projects(run: Run, tmp_path: Path) -> dict[str, str]:
    """Two projects with what holds in each, the first in the working directory; and what holds
    everywhere."""
    ids = {}
    for name, place in (("heron", tmp_path), ("stork", tmp_path / "stork")):
        added = run("project", "add", name, "--repo", str(place), "--json")
        ids[name] = added.records[0]["id"]
    said = {
        "heron": "The test runner we use is pytest.",
        "stork": "The test runner we use is unittest, and only unittest.",
        "": "The test runner of choice is used every day.",
    }
    for name, content in said.items():
        [memory] = run("store", input=json.dumps({"record": "memory", "content": content})).records
        if name:
            assert run("project", "link", name, memory["id"]).code == 0
    return ids


def found(run: Run, *options: str, question: str = QUESTION) -> list[str]:
    done = run("retrieve", question, *options, "--min-relevance", "0", "--json")
    assert done.code == 0, done.stderr
    words = ("pytest", "unittest", "every")
    named = ([word for word in words if word in one["text"]] for one in done.records)
    return [word[0] for word in named if word]  # others are the projects themselves


def test_recall_prefers_the_project_of_the_directory(run: Run, projects: dict[str, str]) -> None:
    assert found(run)[0] == "pytest"
    assert found(run)[-1] == "unittest"
    assert found(run, "--project", "stork")[0] == "unittest"
    assert found(run, "--project", "stork").index("pytest") > 0


def test_everywhere_all_are_alike(run: Run, projects: dict[str, str]) -> None:
    assert found(run, "--everywhere") == found(run, "--project", "none")
    explained = run("retrieve", QUESTION, "--everywhere", "--explain", "--json").records
    assert all(one["explanation"]["signals"]["project"]["value"] == 0 for one in explained)
    assert all("elsewhere" not in one["explanation"]["factors"] for one in explained)


def test_a_project_that_the_question_names_is_not_put_last(
    run: Run, projects: dict[str, str]
) -> None:
    records = run("retrieve", "Which test runner does stork use?", "--explain", "--json").records
    [stork] = [one for one in records if "unittest" in one["text"]]
    assert "elsewhere" not in stork["explanation"]["factors"]


def test_why_says_so(run: Run, projects: dict[str, str]) -> None:
    best = run("retrieve", QUESTION, "--json").records[0]
    assert "belongs to this project" in best["why"]


def test_an_unknown_project_is_an_error(run: Run, projects: dict[str, str]) -> None:
    done = run("retrieve", QUESTION, "--project", "gull")
    assert done.code != 0 and "gull" in done.stderr


def test_a_project_is_added_for_the_working_directory(run: Run, tmp_path: Path) -> None:
    [project] = run("project", "add", "heron", "--repo", ".", "--json").records
    assert project["repo_url"] == str(tmp_path.resolve())
    [turn] = run("turn", "Hello.", "--json").records
    assert turn["metadata"]["project"] == project["id"]


def test_a_directory_below_is_of_the_project(run: Run, tmp_path: Path, home: Path) -> None:
    from thalamus.api import Thalamus
    from thalamus.memory.user.projects import here

    run("project", "add", "heron", "--repo", str(tmp_path / "heron"))
    run("project", "add", "far", "--repo", "https://example.org/ana/far.git")
    subprocess.run(["git", "init", "-q", str(tmp_path / "clone")], check=True)
    git = ["git", "-C", str(tmp_path / "clone")]
    subprocess.run([*git, "remote", "add", "origin", "git@example.org:ana/far"], check=True)
    with Thalamus(home=str(home), model="scripted", embedder="scripted") as engine:

        def name(directory: Path) -> str | None:
            project = here(engine.database, None, directory)
            return project.name if project is not None else None

        assert name(tmp_path / "heron" / "src") == "heron"
        assert name(tmp_path / "clone" / "src") == "far"
        assert name(tmp_path / "heronry") is None and name(tmp_path) is None


def test_what_is_made_of_a_turn_belongs_to_its_project(
    run: Run, projects: dict[str, str], tmp_path: Path
) -> None:
    script = tmp_path / "script.json"
    kept = {"content": "The user wants spaces.", "quote": "I want spaces"}
    fact = {"subject": "user", "predicate": "likes", "object": "spaces", "quote": "I want spaces"}
    reply = {"memories_to_store": [kept], "facts": [fact], "no_longer": []}
    script.write_text(json.dumps([{"role": "reflect", "reply": reply}]))
    env = {"THALAMUS_MODEL": f"scripted:{script}"}
    [turn] = run("turn", "I want spaces.", "--json", env=env).records
    assert turn["metadata"]["project"] == projects["heron"]
    linked = run("project", "show", "heron").stdout
    assert "The user wants spaces." in linked and "likes spaces" in linked and turn["id"] in linked
    assert "spaces" not in run("project", "show", "stork").stdout

    # the steps of a pipe do the same
    [other] = run("turn", "I want spaces.", "--everywhere", "--json", env=env).records
    assert "project" not in other["metadata"]


def test_an_older_statement_does_not_replace_a_later_one(run: Run, tmp_path: Path) -> None:
    """Imports come in any order."""

    def said(content: str, at: str, **more: Any) -> str:
        record = {"record": "memory", "content": content, "created_at": at, **more}
        done = run("store", "--decide", input=json.dumps(record))
        assert done.code == 0, done.stderr
        return str(done.records[0]["id"])

    later = said("The cache uses SQLite.", "2026-04-02T00:00:00Z")
    said("The cache uses Redis.", "2026-03-01T00:00:00Z", replaces=later)
    contents = [memory["content"] for memory in run("memory", "--json").records]
    assert contents == ["The cache uses SQLite."]
    said("The cache uses Postgres.", "2026-04-03T00:00:00Z", replaces=later)
    contents = [memory["content"] for memory in run("memory", "--json").records]
    assert contents == ["The cache uses Postgres."]


@pytest.fixture
def in_projects(run: Run, tmp_path: Path) -> Callable[[str, str], Result]:
    """Says something in one of several projects, of which the model keeps what ``script`` says."""
    for name in ("heron", "stork", "gull", "rail"):
        run("project", "add", name)

    def say(project: str, message: str, **kept: Any) -> Result:
        script = tmp_path / "script.json"
        memory = {"content": message, "quote": message.rstrip("."), **kept}
        reply = {"memories_to_store": [memory], "facts": [], "no_longer": []}
        script.write_text(json.dumps([{"role": "reflect", "reply": reply}]))
        env = {"THALAMUS_MODEL": f"scripted:{script}"}
        done = run("turn", message, "--project", project, "--session", project, env=env)
        assert done.code == 0, done.stderr
        return done

    return say


def test_what_holds_in_one_project_ends_nothing_in_another(
    run: Run, in_projects: Callable[..., Result]
) -> None:
    in_projects("heron", "We use pytest.")
    [first] = run("memory", "--json").records

    def replace(project: str, content: str) -> None:
        [turn] = run("turn", "Hello.", "--project", project, "--json").records
        record = {"record": "memory", "content": content, "provenance": {"turn": turn["id"]}}
        data = json.dumps({**record, "replaces": first["id"]})
        assert run("store", "--decide", input=data).code == 0

    replace("stork", "We use unittest.")
    assert len(run("memory", "--json").records) == 2
    replace("heron", "We use nose instead.")
    contents = {memory["content"] for memory in run("memory", "--json").records}
    assert contents == {"We use unittest.", "We use nose instead."}


def test_what_takes_a_memorys_place_belongs_to_its_project(
    run: Run, in_projects: Callable[..., Result]
) -> None:
    in_projects("heron", "We use pytest.")
    [memory] = run("memory", "--json").records
    run("memory", "edit", memory["id"], "We use nose.")
    assert "We use nose." in run("project", "show", "heron").stdout


def test_what_is_said_in_three_projects_is_proposed_as_general(
    run: Run, in_projects: Callable[..., Result]
) -> None:
    for project in ("heron", "stork"):
        in_projects(project, "We use pytest.")
    assert run("memory", "proposals").stdout == ""
    in_projects("gull", "We use pytest.")
    proposed = run("memory", "proposals")
    assert "We use pytest." in proposed.stdout and "gull, heron, stork" in proposed.stdout
    assert "memory generalize" in proposed.stderr

    # it already counts as much in a fourth one
    found = run("retrieve", "pytest", "--project", "rail", "--explain", "--json").records
    [memory] = [one for one in found if one["kind"] == "memory"]
    assert "elsewhere" not in memory["explanation"]["factors"]

    assert run("memory", "generalize", memory["id"]).code == 0
    assert run("memory", "proposals").stdout == ""
    assert "We use pytest." not in run("project", "show", "heron").stdout.partition("turn")[0]
    assert run("memory", "generalize", memory["id"]).code == 2


def test_a_prompt_says_which_project_a_note_is_of(
    run: Run, projects: dict[str, str], environment: dict[str, str]
) -> None:
    shown = run("retrieve", QUESTION, "--format", "prompt", "--min-relevance", "0").stdout
    assert "only unittest. (in the project stork)" in shown
    assert "pytest. (in" not in shown
