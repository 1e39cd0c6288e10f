"""`thalamus eval persona`: the same questions, two sides."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands.conftest import Run

ASKED = "Where do I live?"


@pytest.fixture
def questions(tmp_path: Path) -> str:
    path = tmp_path / "questions.txt"
    path.write_text(f"{ASKED}\n\nWhat do I like?\n")
    return str(path)


def test_two_models(run: Run, questions: str, tmp_path: Path) -> None:
    run("turn", "I live in Lisbon.")
    script = tmp_path / "script.yaml"
    script.write_text("- role: answer\n  reply: Elsewhere.\n")
    other = f"scripted:{script}"
    options = ("--questions", questions, "--model", "scripted", "--model", other)
    done = run("eval", "persona", *options, "--json")
    assert [row["question"] for row in done.records] == [ASKED, "What do I like?"]
    [first, _] = [row["answers"] for row in done.records]
    assert "Lisbon" in first["scripted"] and first[other] == "Elsewhere."
    table = run("eval", "persona", *options, env={"COLUMNS": "120"})
    assert ASKED in table.stdout and "Elsewhere." in table.stdout


@pytest.mark.sqlite
def test_with_and_without_a_memory(run: Run, questions: str, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    run("turn", "I live in Porto.", env={"THALAMUS_HOME": str(elsewhere)})
    turns = run("export", "--kind", "turn", env={"THALAMUS_HOME": str(elsewhere)}).stdout
    options = ("--questions", questions, "--with", str(elsewhere), "--without", "--json")
    [first, _] = [row["answers"] for row in run("eval", "persona", *options).records]
    assert "Porto" in first[f"with {elsewhere}"]
    assert "Porto" not in first["without"]
    after = run("export", "--kind", "turn", env={"THALAMUS_HOME": str(elsewhere)}).stdout
    logs = run("export", "--kind", "stage_log", env={"THALAMUS_HOME": str(elsewhere)}).records
    assert after == turns and ASKED not in str(logs)


def test_the_packaged_questions(run: Run) -> None:
    done = run("eval", "persona", "--without", "--json")
    assert len(done.records) == 10
    assert all(set(row["answers"]) == {"with your store", "without"} for row in done.records)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "nothing to compare"),
        (("--model", "scripted"), "nothing to compare"),
        (("--with", "/nowhere", "--without"), "there is no such directory"),
        (("--without", "--questions", "/nowhere"), "Cannot read /nowhere"),
    ],
)
def test_what_cannot_be_compared(run: Run, options: tuple[str, ...], said: str) -> None:
    done = run("eval", "persona", *options)
    assert done.code == 2 and said in done.stderr
