"""Standard input, output and error as they may be found: a terminal, closed, full."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.conftest import Result
from tests.forked import python

Run = Callable[..., Result]
BEES = '{"record":"memory","content":"Ana keeps bees."}'
FILTERS = ["retrieve", "answer", "reflect", "store", "plan", "turn", "import"]


def shell(
    environment: dict[str, str],
    command: str,
    stdin: int = subprocess.DEVNULL,
    begin: Sequence[str] = (sys.executable,),
) -> subprocess.CompletedProcess[str]:
    """Runs a line of shell in which ``$T`` is ``thalamus``, in a folder of the test's own: what
    it writes must not be left in the checkout."""
    given = environment | {"T": f"{' '.join(begin)} -m thalamus"}
    return subprocess.run(
        ["bash", "-c", command],
        stdin=stdin,
        capture_output=True,
        text=True,
        env=given,
        cwd=Path(environment["THALAMUS_HOME"]).parent,
        timeout=60,
    )


@pytest.mark.parametrize("name", FILTERS)
def test_a_filter_on_a_terminal_says_what_it_waits_for(
    environment: dict[str, str], name: str
) -> None:
    master, slave = pty.openpty()
    try:
        done = shell(environment, f"$T {name}", stdin=slave, begin=python())
    finally:
        os.close(master)
        os.close(slave)
    assert done.returncode == 2
    assert done.stderr.startswith("thalamus: ") and "standard input" in done.stderr
    assert '{"record":"turn","message":"hi"}' in done.stderr
    assert "Traceback" not in done.stderr and done.stdout == ""


@pytest.mark.parametrize("name", ["turn", "store", "import", "chat", "ingest -"])
def test_a_filter_whose_input_is_closed_says_so(environment: dict[str, str], name: str) -> None:
    done = shell(environment, f"$T {name} <&-")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("thalamus: ") and "standard input" in done.stderr.lower()
    assert "Traceback" not in done.stderr


def test_no_command_breaks_on_a_closed_input(environment: dict[str, str], run: Run) -> None:
    run("store", input=BEES)
    for command in (
        "forget turn_1",
        "facts",
        "memory edit mem_1",
        "forget --check-receipt -",
        "retrieve x --embedding @-",
    ):
        done = shell(environment, f"$T {command} <&-")
        assert "Traceback" not in done.stderr and "unexpected" not in done.stderr, command


def test_what_cannot_be_read_as_input_is_said(environment: dict[str, str]) -> None:
    done = shell(environment, "$T store 0>/dev/null")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "thalamus: Cannot read standard input: Bad file descriptor.\n"


def test_a_full_device_is_told_once(environment: dict[str, str], run: Run) -> None:
    run("store", input=BEES)
    for command in (
        "memory",
        "memory --json",
        "export",
        "config show",
        "memory --help",
        "--version",
        "turn hi",
        "forget --query bees --dry-run",
    ):
        done = shell(environment, f"$T {command} > /dev/full")
        assert done.returncode == 1, command
        assert "Cannot write to standard output: No space left on device" in done.stderr
        assert done.stderr.count("No space left") == 1, command
        assert "Exception ignored" not in done.stderr and "unexpected" not in done.stderr


def test_what_is_stored_is_stored_though_nobody_takes_the_output(
    environment: dict[str, str],
) -> None:
    for number, end in enumerate((">&-", "> /dev/full", ">&- 2>&-")):
        record = f"""echo '{{"record":"memory","content":"Ana has {number} bees."}}'"""
        done = shell(environment, f"{record} | $T store {end}")
        assert done.returncode == 1 and "Traceback" not in done.stderr
        assert ("Cannot write to standard output" in done.stderr) == ("2>" not in end)
    for command in ('turn "Ana has 3 bees."', 'chat <<< "Ana has 4 bees."'):
        done = shell(environment, f"$T {command} >&-")
        assert done.returncode == 1
        assert "Cannot write to standard output: it is closed" in done.stderr
    kept = shell(environment, "$T memory; $T export --kind turn", begin=python()).stdout
    assert all(f"Ana has {number} bees." in kept for number in range(5))
    for closed in ("memory >&-", "memory 2>&-", "nonsense 2>&-", "turn --debug hi 2>/dev/full"):
        done = shell(environment, f"$T {closed}")
        assert "Traceback" not in done.stderr and "unexpected" not in done.stderr


def test_the_reader_of_a_pipe_may_go(environment: dict[str, str]) -> None:
    for command in ("schema turn", "--help", "config show"):
        done = shell(environment, f"$T {command} | head -c 0; exit ${{PIPESTATUS[0]}}")
        assert done.stderr == "" and done.returncode in (0, 1)


def test_a_message_takes_the_place_of_a_status(capsys: pytest.CaptureFixture[str]) -> None:
    from thalamus.terminal import streams

    streams.status("reading notes.md …")
    streams.complain("thalamus: it cannot be read")
    streams.complain("another")
    shown = capsys.readouterr().err
    assert shown == f"\rreading notes.md …\r{' ' * 18}\rthalamus: it cannot be read\nanother\n"
