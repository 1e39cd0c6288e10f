"""Completion in a shell: subcommands, options, choices, and names and ids from the store."""

from __future__ import annotations

import importlib
import shlex
import shutil
import subprocess
from collections.abc import Callable

import pytest
from typer._completion_shared import get_completion_script

from tests.commands.test_vocabulary import OPTIONS
from tests.conftest import Result
from thalamus.commands.completion import ARGUMENTS
from thalamus.commands.completion import OPTIONS as COMPLETED

Run = Callable[..., Result]
Complete = Callable[[str], list[str]]


@pytest.fixture
def complete(run: Run) -> Complete:
    """Completions of a command line, at its end, as bash asks for them."""

    def completions(line: str) -> list[str]:
        words = shlex.split(line)
        number = len(words) - (not line.endswith(" "))
        shell = {"_THALAMUS_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": number}
        done = run(env={name: str(value) for name, value in shell.items()})
        assert done.stderr == ""  # it would stand in the middle of the line
        return done.stdout.split()

    return completions


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("thalamus re", {"retrieve", "reflect", "report"}),
        ("thalamus memory sh", {"show"}),
        ("thalamus store b", {"backup"}),
        ("thalamus config se", {"set"}),
        ("thalamus stage ", {"list", "route", "gather", "act", "topics", "draft", "search-plan"}),
        ("thalamus facts add --pers", {"--personal"}),
        ("thalamus memory --sta", {"--status"}),
        ("thalamus memory --type event --sta", {"--status"}),
        ("thalamus retrieve --mode ", {"all", "memory", "facts", "history", "document"}),
        ("thalamus memory --scope e", {"episodic"}),
        ("thalamus turn --flow d", {"deliberate"}),
        ("thalamus config set log_l", {"log_level"}),
        ("thalamus schema world_c", {"world_change"}),
        ("thalamus help ret", {"retrieve", "retrieval", "retention"}),
        ("thalamus models pull qw", {"qwen3-4b"}),
        ("thalamus facts correct fact_x ", set()),
        ("thalamus memory show ", set()),  # there is no store
        ("thalamus export --format m", {"markdown"}),
        ("thalamus nonsense ", set()),
        ("thalamus memory nonsense ", set()),
    ],
)
def test_what_is_offered(complete: Complete, line: str, offered: set[str]) -> None:
    assert set(complete(line)) == offered


def test_names_and_ids_come_from_the_store(run: Run, complete: Complete) -> None:
    run("store", input='{"record":"memory","content":"Ana keeps bees.","id":"mem_bees"}\n')
    run("turn", "I moved to Lisbon.", "--session", "moving")
    [turn] = [one["id"] for one in run("session", "show", "moving", "--json").records]
    [fact] = [one["id"] for one in run("facts", "--json").records]
    assert complete("thalamus memory show mem_b") == ["mem_bees"]
    assert "mem_bees" in complete("thalamus memory pin ")
    assert complete("thalamus facts retract ") == [fact]
    assert complete("thalamus facts history u") == ["user"]
    assert complete("thalamus session show mo") == ["moving"]
    assert complete("thalamus turn -s mo") == ["moving"]
    assert {fact, "mem_bees"} <= set(complete("thalamus why "))
    assert complete(f"thalamus why {turn[:12]}") == [turn]  # of another session than the last
    run("memory", "edit", "mem_bees", "Ana keeps hens.")
    assert len(complete("thalamus undo ")) == 1


def test_what_is_completed_exists() -> None:
    every = {option for own in OPTIONS.values() for option in own}
    assert set(COMPLETED) <= every
    words = {" ".join(path.split()[:count]) for path in OPTIONS for count in (1, 2)}
    assert set(ARGUMENTS) <= words


def test_the_script_of_zsh_completes_at_the_first_tab() -> None:
    """zsh loads its file then, and nothing calls what it defines."""
    importlib.import_module("thalamus.cli")
    variable = "_THALAMUS_COMPLETE"
    script = get_completion_script(prog_name="thalamus", complete_var=variable, shell="zsh")
    assert 'loadautofunc ]]; then\n  _thalamus_completion "$@"\n' in script
    if zsh := shutil.which("zsh"):
        subprocess.run([zsh, "-n"], input=script.encode(), check=True)
