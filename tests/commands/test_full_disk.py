"""Each command where the disk is full: what only reads works, the rest says that there is no
space."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Result
from tests.torture.driver import ROOT
from tests.torture.rooms import can_mount, small

READING = ("retrieve figs", "memory list", "facts", "facts conflicts", "profile", "session list")
WRITING = (
    "turn Plums.",
    "store",
    "facts add Ana likes quinces",
    "token create phone",
    "key rotate",
    "store backup copy.db",
    "export --output all.jsonl",
    "forget --query Zorblax --yes",
    "prune",
)
RECORD = '{"record":"memory","content":"Quinces ripen late."}\n'
# copies a home to the disk, fills it but for a number of KB, and runs a command there
FILL = """
cp -a "$0" "$1/home" && cd "$1"
head -c $((($(df -k --output=avail . | tail -1) - $2) * 1024)) /dev/zero > ballast
shift 2 && exec "$@"
"""


@pytest.mark.slow
@pytest.mark.sqlite
@pytest.mark.skipif(not can_mount(), reason="no mounts here")
@pytest.mark.parametrize("free", [0, 8, 60, 150, 400])
def test_each_command_on_a_full_disk(
    run: Callable[..., Result], home: Path, tmp_path: Path, environment: dict[str, str], free: int
) -> None:
    memories = [{"record": "memory", "content": f"Zorblax {n} grows figs."} for n in range(30)]
    run("store", input="\n".join(map(json.dumps, memories)))
    run("turn", "I grow figs.")
    run("facts", "add", "Ana", "likes", "figs")
    disk, problems = tmp_path / "disk", []
    disk.mkdir()
    for line in (*READING, *WRITING):
        arguments = [sys.executable, "-m", "thalamus", *line.split()]
        command = ["sh", "-c", FILL, str(home), str(disk), str(free), *arguments]
        done = subprocess.run(
            small(disk, "6m", command),
            input=RECORD,
            capture_output=True,
            text=True,
            cwd=ROOT,
            env=environment | {"THALAMUS_HOME": str(disk / "home")},
        )
        refused = done.returncode == 1 and "Free disk space" in done.stderr
        if done.returncode != 0 and (line in READING or not refused):
            problems.append(f"{line}: {done.returncode} {done.stderr}")
    assert problems == []
