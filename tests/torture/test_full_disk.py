"""A disk that is full: a clear error, nothing acknowledged is lost, the indexes mend."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.torture.conftest import Tell
from tests.torture.driver import ROOT, environment
from tests.torture.rooms import can_mount, small

pytestmark = [
    pytest.mark.sqlite,
    pytest.mark.skipif(not can_mount(), reason="no mounts here"),
]


def fill_up(folder: Path, size: str, seed: int) -> dict[str, Any]:
    command = [sys.executable, "-m", "tests.torture.full", str(folder), str(seed)]
    done = subprocess.run(
        small(folder, size, command), capture_output=True, text=True, cwd=ROOT, env=environment()
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_a_full_disk(tmp_path: Path) -> None:
    assert fill_up(tmp_path, "5m", 1)["acknowledged"] > 0


@pytest.mark.slow
@pytest.mark.timeout(2400)
def test_full_disks_at_length(tmp_path: Path, tell: Tell) -> None:
    """Of many sizes, so that the space ends while now this, now that file is written."""
    seeds = range(2, 14)
    failures, acknowledged, left = [], 0, 0
    for seed in seeds:
        try:
            found = fill_up(tmp_path, f"{4500 + seed * 97}k", seed)
        except AssertionError as error:
            failures.append(f"seed {seed}: {error}")
        else:
            acknowledged += found["acknowledged"]
            left += len(found["litter"])
    found_text = f"{acknowledged} acknowledged, {len(failures)} broken, {left} files left over"
    tell("full disk", len(seeds), "2-13", found_text)
    assert failures == []
