"""The folder `agents` can be deleted: the rest starts, remembers and answers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import thalamus

PACKAGE = Path(thalamus.__file__).parent


@pytest.fixture
def without(tmp_path: Path, environment: dict[str, str]) -> dict[str, str]:
    """An environment with a copy of the package that lacks the folder."""
    copy = tmp_path / "package" / "thalamus"
    copy.mkdir(parents=True)
    for folder in ("prompts", "schemas"):
        (copy.parent / folder).symlink_to(PACKAGE.parent / folder)
    for item in PACKAGE.iterdir():
        if item.name not in ("agents", "__pycache__"):
            (copy / item.name).symlink_to(item)
    return environment | {"PYTHONPATH": str(copy.parent)}


def run(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from thalamus.cli import main; main()", *arguments]
    place = environment["PYTHONPATH"]
    return subprocess.run(
        command, env=environment, cwd=place, capture_output=True, text=True, timeout=60
    )


def test_the_rest_works(without: dict[str, str], tmp_path: Path) -> None:
    assert run(without, "turn", "I moved to Lisbon in May.").returncode == 0
    assert "Lisbon" in run(without, "turn", "Where do I live?").stdout
    assert "Lisbon" in run(without, "facts").stdout
    assert "hook" not in run(without, "--help").stdout
    assert "Unknown command" in run(without, "hook").stderr
    export = tmp_path / "mem0.json"
    export.write_text('{"results": [{"id": "1", "memory": "Drinks rye coffee"}]}')
    assert "1 memory" in run(without, "import", str(export)).stdout
    assert run(without, "import", "--from", "codex").returncode == 2
    assert run(without, "export", "--agents-md").returncode == 2
    assert run(without, "consolidate", "extract").returncode == 0
