"""Fixtures: a home of one's own, and the command line as a process."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.forked import Server
from thalamus.api import Thalamus
from thalamus.clock import Clock, parse_time

NOW = "2026-05-08T13:56:00Z"


@dataclass
class Result:
    """What a command printed and how it ended."""

    stdout: str
    stderr: str
    code: int

    @property
    def records(self) -> list[dict[str, Any]]:
        """Standard output as JSON lines."""
        return [json.loads(line) for line in self.stdout.splitlines()]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def environment(home: Path) -> dict[str, str]:
    """The environment of a command: its own home, the scripted models, a fixed clock."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith("THALAMUS_")}
    return clean | {
        "THALAMUS_HOME": str(home),
        "THALAMUS_MODEL": "scripted",
        "THALAMUS_EMBEDDER": "scripted",
        "THALAMUS_NOW": NOW,
        "NO_COLOR": "1",
        "THALAMUS_STRICT_STAGES": "1",
    }


@pytest.fixture(scope="session")
def forked() -> Server:
    return Server()


@pytest.fixture
def run(environment: dict[str, str], tmp_path: Path, forked: Server) -> Callable[..., Result]:
    """Runs ``thalamus ARGUMENTS…`` as a process of its own."""

    def run_command(
        *arguments: str, input: str | bytes = "", env: dict[str, str] | None = None
    ) -> Result:
        data = input.encode() if isinstance(input, str) else input
        given = environment | (env or {})
        out, err, code = forked.run(list(arguments), data, given, tmp_path, timeout=100)
        return Result(out.decode(), err.decode(), code)

    return run_command


@pytest.fixture
def thalamus(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Thalamus]:
    """The engine in this process, with the scripted models and a fixed clock."""
    for name in [name for name in os.environ if name.startswith("THALAMUS_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("THALAMUS_STRICT_STAGES", "1")
    clock = Clock(parse_time(NOW))
    settings = {"home": str(home), "model": "scripted", "embedder": "scripted"}
    with Thalamus(clock=clock, **settings) as engine:
        yield engine
