"""`thalamus backup` and `thalamus restore`."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.conftest import Result
from thalamus.api import Thalamus
from thalamus.records import Memory

Run = Callable[..., Result]


def contents(run: Run) -> list[str]:
    return [record["content"] for record in run("export").records if record["record"] == "memory"]


def test_there_and_back(run: Run, thalamus: Thalamus, home: Path, tmp_path: Path) -> None:
    thalamus.remember([Memory(content="The first.")])
    copy = tmp_path / "copy.db"
    made = run("backup", str(copy))
    assert (made.code, made.stderr) == (0, "")
    assert made.stdout == f"{copy}: 1 memory, 1 embedding, 1 event\n"
    refused = run("backup", str(copy))
    assert refused.code == 2 and "--force" in refused.stderr
    thalamus.remember([Memory(content="The second.")])
    assert run("restore", str(copy)).code == 2  # nobody can be asked
    assert contents(run) == ["The first.", "The second."]

    restored = run("restore", "--yes", "--json", str(copy)).records[0]["data"]
    assert restored["counts"]["memory"] == 1
    assert contents(run) == ["The first."]
    assert [found.text for found in thalamus.retrieve("second first")] == ["The first."]
    thalamus.remember([Memory(content="The third.")])
    assert "The third." in run("retrieve", "third").stdout
    run("backup", "--force", str(copy))
    assert run("restore", "--yes", restored["kept"]).code == 0
    assert contents(run) == ["The first.", "The second."]


def test_into_a_home_without_a_store(run: Run, thalamus: Thalamus, tmp_path: Path) -> None:
    thalamus.remember([Memory(content="The first.")])
    run("backup", str(tmp_path / "copy.db"))
    other = {"THALAMUS_HOME": str(tmp_path / "other")}
    assert run("restore", str(tmp_path / "copy.db"), env=other).code == 0
    assert "The first." in run("retrieve", "first", env=other).stdout


def test_what_is_no_backup(run: Run, thalamus: Thalamus, home: Path, tmp_path: Path) -> None:
    thalamus.remember([Memory(content="The first.")])
    (tmp_path / "junk").write_text("junk")
    result = run("restore", "--yes", str(tmp_path / "junk"))
    assert result.code == 10 and "thalamus backup" in result.stderr
    assert run("restore", "--yes", str(tmp_path / "nothing")).code == 2
    live = home / "data" / "default" / "thalamus.db"
    assert run("restore", "--yes", str(live)).code == 2
    assert run("backup", str(tmp_path)).code == 2
    assert contents(run) == ["The first."]


def test_it_asks_on_a_terminal(
    run: Run, thalamus: Thalamus, environment: dict[str, str], tmp_path: Path
) -> None:
    thalamus.remember([Memory(content="The first.")])
    run("backup", str(tmp_path / "copy.db"))
    thalamus.remember([Memory(content="The second.")])
    for answer, code, left in ((b"n\n", 130, 2), (b"yes\n", 0, 1)):
        ours, theirs = pty.openpty()
        os.write(ours, answer)
        done = subprocess.run(
            [sys.executable, "-m", "thalamus", "restore", str(tmp_path / "copy.db")],
            stdin=theirs,
            stdout=subprocess.PIPE,
            stderr=theirs,
            env=environment,
            cwd=tmp_path,
            timeout=60,
        )
        os.close(theirs)
        os.close(ours)
        assert done.returncode == code and len(contents(run)) == left
