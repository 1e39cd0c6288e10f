"""Files that are none: pipes, devices, sockets, and those that never end."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.conftest import Result

Run = Callable[..., Result]


@pytest.fixture
def special(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    """A file of each kind that cannot be ingested."""
    pipe, place = tmp_path / "pipe.md", tmp_path / "socket.txt"
    os.mkfifo(pipe)
    listening = socket.socket(socket.AF_UNIX)
    monkeypatch.chdir(tmp_path)  # the path of a socket must be short
    listening.bind(place.name)
    link = tmp_path / "link.txt"
    link.symlink_to("/dev/random")
    yield {
        "a pipe": str(pipe),
        "a socket": str(place),
        "a device": "/dev/zero",
        "device": str(link),
    }
    listening.close()


def test_each_is_named_and_the_others_go_on(
    run: Run, special: dict[str, str], tmp_path: Path
) -> None:
    good = tmp_path / "good.txt"
    good.write_text("Herons come to the pond at dawn.")
    done = run("ingest", "--no-summary", *special.values(), "/dev/null", str(good))
    assert done.code == 1
    lines = done.stdout.splitlines()
    for (kind, path), line in zip(special.items(), lines, strict=False):
        assert line.startswith(f"failed     {path}: it is ") and kind in line
        assert "not a file" in line
    assert lines[-1].startswith("ingested") and len(lines) == 6
    again = run("ingest", "--no-summary", "--json", special["a pipe"])
    assert again.code == 1 and again.records[0]["kind"] == "unreadable"
    assert "`-`" in again.records[0]["reason"]  # how to read a pipe


def test_a_folder_with_a_pipe_in_it(run: Run, special: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "good.md").write_text("# Pond\n\nHerons come at dawn.")
    done = run("ingest", "-r", "--no-summary", str(tmp_path))
    assert done.code == 1
    assert "pipe.md: it is a pipe" in done.stdout and "good.md" in done.stdout


def test_a_pipe_in_the_place_of_a_file_that_was_looked_at(tmp_path: Path) -> None:
    """What is opened is asked again: it may have been exchanged in between."""
    from thalamus.errors import DocumentError
    from thalamus.readers.open_file import open_regular

    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(DocumentError, match="it is a pipe"):
        open_regular(tmp_path / "pipe", look_first=False)


def test_a_file_that_grows_for_ever_ends(environment: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "growing.txt"
    path.write_bytes(b"Herons fish.\n" * 1000)
    stop = threading.Event()

    def grow() -> None:
        line = b"Herons fish.\n" * 100_000
        with path.open("ab") as file:
            while not stop.is_set() and file.tell() < 400 << 20:
                file.write(line)
                file.flush()

    writer = threading.Thread(target=grow)
    writer.start()
    try:
        time.sleep(0.5)
        done = subprocess.run(
            [sys.executable, "-m", "thalamus", "ingest", "--no-summary", str(path)],
            capture_output=True,
            text=True,
            env=environment,
            timeout=60,
        )
    finally:
        stop.set()
        writer.join()
    assert done.returncode == 1
    assert "larger than 64 MB" in done.stdout


def test_reading_has_a_limit_of_time(tmp_path: Path) -> None:
    from thalamus.errors import DocumentError
    from thalamus.readers import open_file

    path = tmp_path / "large.txt"
    path.write_bytes(b"x" * (8 << 20))
    with pytest.raises(DocumentError, match="raise `ingest_timeout`") as caught:
        open_file.digest(path, 1 << 30, seconds=0)
    assert caught.value.kind == "too_slow"


def test_endless_standard_input_ends(environment: dict[str, str]) -> None:
    with Path("/dev/zero").open("rb") as zeros:
        done = subprocess.run(
            [sys.executable, "-m", "thalamus", "ingest", "--no-summary", "-"],
            stdin=zeros,
            capture_output=True,
            text=True,
            env=environment,
            timeout=100,
        )
    assert done.returncode == 1
    assert "larger than" in done.stdout
