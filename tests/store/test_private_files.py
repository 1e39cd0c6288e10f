"""Files that nobody else may read, in whatever folder they are."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.conftest import Result

Run = Callable[..., Result]


def test_database_key_and_log_are_private(
    home: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    log = tmp_path / "thalamus.log"
    log_to = {"THALAMUS_LOG_FILE": str(log), "THALAMUS_LOG_LEVEL": "debug"}
    command = [sys.executable, "-m", "thalamus", "turn", "I grow figs in Braga."]
    subprocess.run(command, env=environment | log_to, umask=0, check=True, capture_output=True)
    written = [path for path in home.rglob("*") if path.is_file() and path.stat().st_size]
    holding = [path for path in written if "index" not in path.parts]
    assert ".key" in {path.suffix for path in holding}
    assert [path for path in (log, *holding) if path.stat().st_mode & 0o077] == []


def test_a_key_that_others_can_read_is_refused(run: Run, home: Path) -> None:
    run("turn", "I grow figs in Braga.")
    key = home / "config" / "keys" / "default.key"
    key.chmod(0o644)
    for command in (("key", "show"), ("turn", "And quinces.")):
        refused = run(*command)
        assert refused.code == 14 and f"`chmod 600 {key}`" in refused.stderr
    key.chmod(0o600)
    assert "quinces" in run("turn", "And quinces.").stdout
