"""`thalamus session`: past conversations."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


TURNS = (
    ("may", "2026-05-01T10:00:00Z", "My sister Ana keeps bees in Porto."),
    ("june", "2026-06-01T10:00:00Z", "I have a cat called Fado."),
    ("may", "2026-06-02T09:30:00Z", "How is Ana?"),
)


def fill(run: Run) -> None:
    made = [
        {"record": "turn", "session": session, "created_at": at, "message": message}
        for session, at, message in TURNS
    ]
    lines = "".join(f"{json.dumps(turn | {'answer': 'Yes.'})}\n" for turn in made)
    assert run("store", input=lines).code == 0


@pytest.fixture
def store(shared: Callable[[Callable[[Run], None]], Run]) -> Run:
    return shared(fill)


def test_without_any(run: Run) -> None:
    assert run("session").code == 10
    run("store", input='{"record":"memory","content":"Tea."}\n')
    done = run("session")
    assert (done.code, done.stdout, done.stderr) == (0, "", "There are no sessions yet.\n")


def test_listed_renamed_and_found(run: Run) -> None:
    fill(run)
    assert run("session").stdout == (
        "2026-06-02 09:30     2  “My sister Ana keeps bees in Porto.”  [may]\n"
        "2026-06-01 10:00     1  “I have a cat called Fado.”  [june]\n"
    )
    line = "2026-06-02 09:30     2  Bees of Ana  [may]\n"
    assert run("session", "rename", "may", "Bees", "of", "Ana").stdout == line
    assert run("session", "list", "--limit", "1").stdout == line
    found = run("session", "search", "cat").stdout.splitlines()
    assert found[0].startswith("2026-06-01 10:00  [june]  turn_")
    assert "User: I have a cat called Fado." in found[1]
    assert run("session", "search", "zebra").stderr == "No sessions match.\n"


def test_shown_and_exported(store: Run, tmp_path: Path) -> None:
    shown = store("session", "show", "ma").stdout
    assert shown.startswith(
        "[may]\n2 turns, 2026-05-01 10:00 to 2026-06-02 09:30\n\n"
        "2026-05-01 10:00\n> My sister Ana keeps bees in Porto.\n\n"
    )
    last = store("session", "show", "may", "--limit", "1", "--json").records
    assert [turn["message"] for turn in last] == ["How is Ana?"]
    assert store("session", "export", "may", "-o", "may.md").stdout == ""
    text = (tmp_path / "may.md").read_text()
    assert text.startswith("# Session may\n\n## 2026-05-01\n")
    lines = store("session", "export", "may", "--format", "json").stdout.splitlines()
    assert [json.loads(line)["record"] for line in lines] == ["turn", "turn"]


def test_resumed_only_at_a_terminal(store: Run) -> None:
    done = store("session", "resume", "ma")
    assert (done.code, done.stdout) == (0, "thalamus chat --session may\n")


WRONG = [
    (("show", "mya"), 4, "There is no session 'mya'.\n  The nearest: may."),
    (("show", ""), 4, "There is no session ''."),
    (("export",), 2, "Missing argument 'ID'"),
    (("rename", "may", "x" * 201), 2, "The title is too long"),
    (("list", "--limit", "-1"), 2, "Invalid value for '--limit' / '-n'"),
    (("export", "may", "--format", "pdf"), 2, "'markdown', 'json'"),
    (("export", "may", "-o", "/nowhere/x.md"), 2, "Cannot write /nowhere/x.md"),
    (("shwo", "may"), 2, "Did you mean 'show'?"),
]


def test_wrong_input(store: Run) -> None:
    for arguments, code, words in WRONG:
        done = store("session", *arguments)
        assert (done.code, done.stdout) == (code, "") and words in done.stderr, done.stderr


def test_nothing_that_was_said_steers_the_terminal(run: Run) -> None:
    turn = {"record": "turn", "message": "Ring \x1b[31mthe bell\x07 now.", "session": "x\x1b[2J"}
    run("store", input=json.dumps(turn))
    run("session", "rename", "x", "Bell \x1b[31m")
    for command in (("list",), ("show", "x"), ("search", "bell"), ("export", "x")):
        done = run("session", *command)
        assert "\x1b" not in done.stdout and "\x07" not in done.stdout, command


def test_the_last_session_is_shown(run: Run) -> None:
    none = run("session", "show")
    assert none.code in (4, 10)
    run("turn", "I grow figs.", "--session", "one", env={"THALAMUS_NOW": "2026-05-01T10:00:00Z"})
    run("turn", "I keep bees.", "--session", "two", env={"THALAMUS_NOW": "2026-05-02T10:00:00Z"})
    assert [turn["session"] for turn in run("session", "show", "--json").records] == ["two"]
    assert [turn["session"] for turn in run("session", "show", "one", "--json").records] == ["one"]
