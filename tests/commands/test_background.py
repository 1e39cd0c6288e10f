"""`turn --background`, `reflect --pending`, and who else finishes what was left."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from signal import SIGINT, SIGKILL, Signals

import pytest

from tests.conftest import Result
from tests.forked import Process, python

Run = Callable[..., Result]
MOVED = "I moved to Lisbon in May. I planted a fig there."
LIVES = "user lives_in Lisbon"


@pytest.fixture
def left(environment: dict[str, str]) -> None:
    """A turn that was answered by a process which was then killed."""
    code = (
        "import os, signal\n"
        "from thalamus import Thalamus\n"
        "thalamus = Thalamus()\n"
        f"assert thalamus.answer_turn({MOVED!r})[1]\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    assert subprocess.run([*python(), "-c", code], env=environment).returncode == -9


def until(done: Callable[[], bool], seconds: float = 40) -> None:
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end
        time.sleep(0.2)


def test_the_answer_is_there_at_once(environment: dict[str, str], run: Run, tmp_path: Path) -> None:
    """And `$(…)` does not wait for the process that goes on."""
    script = tmp_path / "script.yaml"
    gate = tmp_path / "gate"
    fact = {"quote": "I moved to Lisbon in May", "subject": "user"}
    fact |= {"predicate": "lives_in", "object": "Lisbon"}
    reply = {"memories_to_store": [], "facts": [fact], "no_longer": []}
    entry = {"role": "reflect", "until": str(gate), "reply": reply}
    script.write_text(json.dumps([entry]))
    done = subprocess.run(
        [*python(), "-m", "thalamus", "turn", "--background", MOVED],
        env=environment | {"THALAMUS_MODEL": f"scripted:{script}"},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "Noted: You moved to Lisbon in May. You planted a fig there.\n"
    assert "1 turn pending" in run("doctor", "--no-model").stdout
    gate.touch()
    until(lambda: LIVES in run("facts").stdout)
    until(lambda: "turn waits" not in run("doctor", "--no-model").stdout)
    assert run("doctor", "--signatures").code == 0


@pytest.mark.parametrize(
    ("command", "signal"), [("turn", None), ("turn", SIGKILL), ("turn", SIGINT), ("chat", None)]
)
def test_an_answer_is_printed_before_the_extraction(
    environment: dict[str, str],
    run: Run,
    tmp_path: Path,
    command: str,
    signal: Signals | None,
) -> None:
    """The command ends when what was said is stored; if it is killed before, the next one does
    that."""
    gate, script = tmp_path / "gate", tmp_path / "script.yaml"
    fact = {"quote": "I moved to Lisbon in May", "subject": "user"}
    fact |= {"predicate": "lives_in", "object": "Lisbon"}
    script.write_text(json.dumps([{"role": "reflect", "until": str(gate), "reply": [fact]}]))
    model = {"THALAMUS_MODEL": f"scripted:{script}"}
    process = Process(
        [*python(), "-m", "thalamus", command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment | model,
    )
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(f"{MOVED}\n".encode())
    process.stdin.close()
    assert (
        process.stdout.readline()
        == b"Noted: You moved to Lisbon in May. You planted a fig there.\n"
    )
    assert run("facts").stdout == ""
    if signal is not None:
        process.send_signal(signal)
        process.wait(20)
    gate.touch()
    assert process.wait(20) == (0 if signal is None else 130 if signal == SIGINT else -signal)
    if signal is not None:
        assert LIVES not in run("facts").stdout
        assert run("reflect", "--pending", env=model).code == 0
    assert run("facts").stdout.count(LIVES) == 1
    assert run("reflect", "--pending").stdout == "reflect: no pending turns\n"


def test_the_record_is_as_it_stands_then_and_flags_go_along(run: Run, tmp_path: Path) -> None:
    """The process that goes on has the same store and user."""
    home = ("--home", str(tmp_path / "elsewhere"))
    done = run("turn", "--background", "--json", *home, "--user", "ana", MOVED)
    [turn] = done.records
    assert turn["answer"] == "Noted: You moved to Lisbon in May. You planted a fig there."
    assert [step["stage"] for step in turn["trace"]] == ["retrieve", "answer", "store"]
    assert turn["stored"] == [] and turn["reflection"] is None
    until(lambda: LIVES in run("facts", *home, "--user", "ana").stdout)
    assert run("facts", *home, "--user", "bob").stdout == ""


def test_the_rest_of_the_pipeline_can_finish_it(run: Run, environment: dict[str, str]) -> None:
    code = (
        "import sys; from thalamus import Thalamus; from thalamus.terminal import jsonl\n"
        f"with Thalamus() as thalamus: jsonl.write(thalamus.answer_turn({MOVED!r})[0])\n"
    )
    first = subprocess.run([*python(), "-c", code], env=environment, capture_output=True)
    stored = run("store", input=run("reflect", input=first.stdout).stdout)
    assert [v["rule"] for v in stored.records[0]["stored"]] == ["new"] * 2
    assert run("reflect", "--pending").stdout == "reflect: no pending turns\n"
    assert LIVES in run("facts").stdout


def test_it_waits_for_a_model_as_long_as_it_takes_and_is_finished_by_hand(
    left: None, run: Run
) -> None:
    assert "1 turn pending since 2026-05-08" in run("doctor").stdout
    gone = {"THALAMUS_MODEL": "llamacpp:/nowhere.gguf"}
    for _ in range(6):
        done = run("reflect", "--pending", env=gone)
        assert done.code == 13 and "1 pending" in done.stdout and "nowhere" in done.stderr
    assert LIVES not in run("facts").stdout
    done = run("reflect", "--pending")
    assert (done.code, done.stdout) == (0, "reflect: 1 turn finished, 0 pending\n")
    assert LIVES in run("facts").stdout
    again = run("reflect", "--pending", "--quiet")
    assert (again.code, again.stdout, again.stderr) == (0, "", "")
    assert run("reflect", "--retry").code == 2


def test_one_that_fails_again_and_again_is_given_up(left: None, run: Run, tmp_path: Path) -> None:
    script = tmp_path / "script.yaml"
    script.write_text("- {role: reflect, error: failed}\n")
    broken = {"THALAMUS_MODEL": f"scripted:{script}"}
    for _ in range(5):
        assert run("reflect", "--pending", env=broken).code == 1
    assert run("reflect", "--pending").stdout == "reflect: nothing finished, 1 pending\n"
    shown = run("doctor", "--no-model").stdout
    assert "1 turn failed too often" in shown and "reflect --pending --retry" in shown
    assert run("reflect", "--pending", "--retry").stdout == "reflect: 1 turn finished, 0 pending\n"


@pytest.mark.parametrize("command", [("prune",), ("turn", "--json", "Hello!")])
def test_other_commands_do_it_too(left: None, run: Run, command: tuple[str, ...]) -> None:
    done = run(*command)
    assert done.code == 0 and len(done.stdout.splitlines()) == 1 and done.stderr == ""
    assert LIVES in run("facts").stdout


def test_others_do_not(left: None, run: Run) -> None:
    for command in (
        ("facts",),
        ("memory",),
        ("retrieve", "Lisbon"),
        ("doctor",),
        ("why",),
        ("export",),
        ("turn", "--no-memory", "Hello!"),
        ("prune", "--dry-run"),
        ("prune", "--no-model"),
    ):
        run(*command)
    assert LIVES not in run("facts").stdout
    assert run("reflect", "--pending").stdout == "reflect: 1 turn finished, 0 pending\n"


def test_what_cannot_be_finished_spoils_no_turn(left: None, run: Run, tmp_path: Path) -> None:
    script = tmp_path / "script.yaml"
    script.write_text("- {role: reflect, match: Lisbon, error: failed}\n")
    done = run("turn", "Hello!", env={"THALAMUS_MODEL": f"scripted:{script}"})
    assert done.code == 0 and done.stdout.startswith("Hello!")
    assert "reflection on a turn is still pending" in done.stderr


def test_a_turn_of_somebody_else(left: None, run: Run) -> None:
    done = run("turn", "--user", "bob", "--session", "b", "Hello!")
    assert done.code == 0 and len(done.stdout.splitlines()) == 1 and done.stderr == ""
    facts = [r for r in run("export").records if r["record"] == "fact"]
    assert [(f["object"], f["user"], f["session"]) for f in facts] == [("Lisbon", None, "main")]


def test_a_backup_brings_it_along(left: None, run: Run, tmp_path: Path) -> None:
    copy = str(tmp_path / "copy.db")
    assert run("store", "backup", copy).code == 0
    assert run("reflect", "--pending").code == 0
    assert run("store", "restore", copy, "--yes").code == 0
    assert run("reflect", "--pending").stdout == "reflect: 1 turn finished, 0 pending\n"


def test_it_is_off_with_reflection(run: Run) -> None:
    off = {"THALAMUS_ENABLE_REFLECTION": "false"}
    assert run("turn", "--background", MOVED, env=off).code == 0
    assert run("reflect", "--pending").stdout == "reflect: no pending turns\n"
