"""A shell script over the command line, replayed from a cassette of the real in-process model."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from syrupy.assertion import SnapshotAssertion

from tests import forked

HERE = Path(__file__).parent


def play(
    environment: dict[str, str], tmp_path: Path, cassette: Path
) -> subprocess.CompletedProcess[str]:
    """Runs the script with ``thalamus`` of this interpreter, replaying ``cassette``."""
    forked.script(tmp_path / "bin" / "thalamus")
    played = environment | {
        "PATH": f"{tmp_path / 'bin'}:{environment['PATH']}",
        "THALAMUS_MODEL": "llamacpp:smollm2",
        "THALAMUS_CASSETTE": str(cassette),
    }
    return subprocess.run(
        ["bash", str(HERE / "scripts" / "remember.sh")],
        capture_output=True,
        text=True,
        env=played,
        timeout=110,
    )


def test_the_script_prints_the_same_bytes_every_time(
    environment: dict[str, str], tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    done = play(environment, tmp_path, HERE / "cassettes" / "remember.jsonl")
    assert done.returncode == 0, done.stderr
    assert [json.loads(line) for line in done.stdout.splitlines()] == snapshot


def test_a_call_that_was_not_recorded_is_an_error_that_shows_the_difference(
    environment: dict[str, str], tmp_path: Path
) -> None:
    recorded = (HERE / "cassettes" / "remember.jsonl").read_text()
    other = tmp_path / "other.jsonl"
    other.write_text(recorded.replace("I moved to Lisbon", "I moved to Madrid"))
    done = play(environment, tmp_path, other)
    assert done.returncode == 13
    assert "no recording of this call" in done.stderr
    assert "I moved to Lisbon in May" in done.stderr
