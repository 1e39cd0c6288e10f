"""Indexes that cannot be written, and stores that cannot: what reads goes on reading."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.torture.driver import ROOT
from tests.torture.rooms import NOBODY, can_mount, read_only, unprivileged
from tests.torture.stores import AT
from thalamus.api import Thalamus
from thalamus.records import Fact, Memory

pytestmark = pytest.mark.sqlite  # of its files

READERS = {
    "retrieve": ["retrieve", "--json", "Where is number n7?"],
    "facts": ["facts", "--json"],
    "export": ["export"],
}


class Place:
    """A home with a store in a folder that everybody can reach."""

    def __init__(self, base: Path, environment: dict[str, str]) -> None:
        self.base = base
        self.home = base / "home"
        self.folder = self.home / "data" / "default"
        self.index = self.folder / "index"
        self.environment = environment | {"THALAMUS_HOME": str(self.home), "HOME": str(base)}
        self.environment["PYTHONPATH"] = str(ROOT)
        self.wrap = lambda command: command

    def run(self, *arguments: str, input: str = "") -> subprocess.CompletedProcess[str]:
        command = self.wrap([sys.executable, "-m", "thalamus", *arguments])
        return subprocess.run(
            command,
            input=input,
            capture_output=True,
            text=True,
            env=self.environment,
            cwd=self.base,
            timeout=60,
        )

    def reads(self) -> dict[str, str]:
        """Runs everything that reads; what went wrong, by command."""
        problems = {}
        for name, arguments in READERS.items():
            done = self.run(*arguments)
            if done.returncode or "n7" not in done.stdout:
                problems[name] = f"exit {done.returncode}: {done.stderr[-300:]}"
            elif name == "retrieve":
                first = json.loads(done.stdout.splitlines()[0])
                if first["id"] != "mem_n7" or not first["scores"].keys() >= {"fulltext", "vector"}:
                    problems[name] = f"{first['id']} by {first['scores']}"
        return problems

    def store(self) -> subprocess.CompletedProcess[str]:
        return self.run("store", input='{"record":"memory","content":"One more."}\n')


@pytest.fixture
def place(environment: dict[str, str]) -> Iterator[Place]:
    base = Path(tempfile.mkdtemp(prefix="thalamus-torture-"))  # not below pytest's private folder
    place = Place(base, environment)
    settings = {"home": str(place.home), "model": "scripted", "embedder": "scripted"}
    with Thalamus(**settings) as engine:
        engine.remember(
            [
                *(Memory(id=f"mem_n{n}", content=f"This is number n{n}.") for n in range(40)),
                Fact(subject="n7", predicate="is", object="odd", created_at=AT),
            ]
        )
    yield place
    subprocess.run(["chmod", "-R", "u+rwX", str(base)], check=True)
    shutil.rmtree(base)


def closed(place: Place, folder: Path) -> None:
    """Takes the right to write away from a folder and from commands run from now on."""
    if os.getuid() == 0:
        subprocess.run(["chown", "-R", f"{NOBODY}:{NOBODY}", str(place.base)], check=True)
        place.base.chmod(0o755)
    subprocess.run(["chmod", "-R", "a-w", str(folder)], check=True)
    place.wrap = unprivileged
    if place.run("--version").returncode:
        pytest.skip("another user cannot run this Python")


def mounted(place: Place, folder: Path) -> None:
    if not can_mount():
        pytest.skip("no mounts here")
    place.wrap = lambda command: read_only(folder, command)


CLOSING = pytest.mark.parametrize("close", [closed, mounted])


def test_without_an_index(place: Place) -> None:
    shutil.rmtree(place.index)
    assert place.reads() == {}


@CLOSING
def test_an_index_that_cannot_be_written_hinders_nothing(place: Place, close: object) -> None:
    """The tables are the truth: the record is stored, and found though the index lags."""
    close(place, place.index)  # type: ignore[operator]
    assert place.reads() == {}
    text = '{"record":"memory","content":"A tardigrade survives."}\n'
    done = place.run("store", input=text)
    assert done.returncode == 0, done.stderr
    found = place.run("retrieve", "--json", "tardigrade")
    assert found.returncode == 0, found.stderr
    assert "tardigrade" in json.loads(found.stdout.splitlines()[0])["text"]


@CLOSING
def test_a_damaged_index_that_cannot_be_written(place: Place, close: object) -> None:
    """The tables themselves are searched."""
    for path in place.index.rglob("*"):
        if path.is_file():
            path.write_bytes(path.read_bytes()[:-1] + b"\x01")
    close(place, place.index)  # type: ignore[operator]
    assert place.reads() == {}


@CLOSING
def test_a_store_that_cannot_be_written_is_read_and_says_what_to_do(
    place: Place, close: object
) -> None:
    before = (place.folder / "thalamus.db").read_bytes()
    close(place, place.folder)  # type: ignore[operator]
    assert place.reads() == {}
    done = place.store()
    assert (done.returncode, done.stdout) == (1, "")
    assert "Cannot write" in done.stderr and "permissions" in done.stderr
    assert "Traceback" not in done.stderr
    assert (place.folder / "thalamus.db").read_bytes() == before


@CLOSING
def test_a_read_only_store_without_an_index_is_read(place: Place, close: object) -> None:
    shutil.rmtree(place.index)
    close(place, place.folder)  # type: ignore[operator]
    assert place.reads() == {}
