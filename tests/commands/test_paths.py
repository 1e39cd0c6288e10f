"""Paths on the command line: a missing one, or one that cannot be read or written, is a usage
error."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import typer

from tests.conftest import Result

Run = Callable[..., Result]
MISSING, PLACE = "{missing}", "{place}"  # a file that is not there; one that cannot be written
# the parameters that take a path, of each command
READ = {
    "config trust DIR": f"config trust {MISSING}",
    "eval answers --data": f"eval answers --data {MISSING} --home {{home}}",
    "eval compare FIRST": f"eval compare {MISSING} {MISSING}",
    "eval memory FILE": f"eval memory {MISSING}",
    "eval persona --questions": f"eval persona --questions {MISSING} -m scripted -m static",
    "eval persona --with": f"eval persona --with {MISSING}",
    "eval retrieval FILE": f"eval retrieval {MISSING}",
    "forget --check-receipt": f"forget --check-receipt {MISSING}",
    "hook install --project": f"hook install codex --yes --project {MISSING}",
    "hook remove --project": f"hook remove codex --yes --project {MISSING}",
    "import FILE": f"import {MISSING}",
    "import --from": f"import --from chatgpt {MISSING}",
    "ingest FILES": f"ingest {MISSING}",
    "ingest --recursive": f"ingest --recursive {MISSING}",
    "metrics --eval": f"metrics --eval {MISSING}",
    "profile edit FILE": f"profile edit {MISSING}",
    "retrieve --vector": f"retrieve tide --embedding @{MISSING}",
    "store restore FILE": f"store restore {MISSING}",
}
WRITTEN = {
    "export FILE": f"export {PLACE}",
    "export --out": f"export -o {PLACE}",
    "export --format golden": f"export --format golden --for chat -o {PLACE}",
    "export --format persona": f"export --format persona -o {PLACE}",
    "forget --prove": f"forget --query tide --yes --prove {PLACE}",
    "report --out": f"report -o {PLACE}",
    "session export --out": f"session export main -o {PLACE}",
    "store backup FILE": f"store backup {PLACE}",
    "turn --events": f"turn hello --events {PLACE}",
}


@pytest.fixture
def filled(run: Run) -> None:
    run("turn", "The tide is high.")


@pytest.mark.parametrize("command", READ.values(), ids=READ)
def test_a_missing_file(run: Run, filled: None, tmp_path: Path, command: str) -> None:
    places = {"missing": tmp_path / "none" / "such", "home": tmp_path / "home"}
    words = [word.format(**places) for word in command.split()]
    result = run(*words)
    assert result.code == 2, result
    assert "such" in result.stdout + result.stderr and "Errno" not in result.stderr


@pytest.mark.parametrize("command", WRITTEN.values(), ids=WRITTEN)
def test_a_file_that_cannot_be_written(
    run: Run, filled: None, tmp_path: Path, command: str
) -> None:
    (tmp_path / "file").write_text("")
    for place in (tmp_path / "none" / "such", tmp_path / "file" / "such"):
        result = run(*(word.format(place=place) for word in command.split()))
        assert result.code == 2, (place, result)
        assert "such" in result.stderr and "Errno" not in result.stderr


def test_errors_of_paths_as_records(run: Run, filled: None, tmp_path: Path) -> None:
    for words in (["store", "backup", "none/such"], ["import", "--from", "claude", "none"]):
        [error] = [json.loads(line) for line in run(*words, "--json").stderr.splitlines()]
        assert (error["name"], error["code"]) == ("usage", 2)


def test_other_files_of_an_ingest_are_kept(run: Run, tmp_path: Path) -> None:
    (tmp_path / "tide.md").write_text("The tide is high.")
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7 broken")
    some = run("ingest", "none.md", str(tmp_path / "tide.md"))
    assert some.code == 2 and "1 piece" in some.stdout.replace("chunk", "piece")
    assert run("ingest", str(tmp_path / "broken.pdf")).code == 1


def test_every_path_is_in_the_tables() -> None:
    from thalamus.cli import app

    paths = ("FILE", "FILES…", "DIR", "@FILE")
    found: set[str] = set()

    def walk(command: typer.core.TyperGroup, words: tuple[str, ...]) -> None:
        if hasattr(command, "list_commands"):
            for name in command.list_commands(None):  # type: ignore[arg-type]
                walk(command.get_command(None, name), (*words, name))  # type: ignore[arg-type]
            return
        for parameter in command.params:
            if str(parameter.metavar) in paths and parameter.name not in ("home", "events"):
                found.add(" ".join(words))

    walk(typer.main.get_command(app), ())  # type: ignore[arg-type]
    tested = [*READ.values(), *WRITTEN.values()]
    missing = {name for name in found if not any(one.startswith(f"{name} ") for one in tested)}
    assert missing == set()
