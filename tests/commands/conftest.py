"""Fixtures: a store that the tests of a file share, and files of cases for `thalamus eval`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Result

Run = Callable[..., Result]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home of the store that the tests of a file share."""
    return tmp_path_factory.mktemp("kept") / "home"


@pytest.fixture
def shared(run: Run, server: str, kept: Path) -> Callable[[Callable[[Run], None]], Run]:
    """Commands with a store that the tests of a file read and none of them changes; the first test
    fills it. With PostgreSQL each test has its own."""
    home = {} if server else {"THALAMUS_HOME": str(kept)}

    def within(
        *arguments: str, input: str | bytes = "", env: dict[str, str] | None = None
    ) -> Result:
        return run(*arguments, input=input, env=home | (env or {}))

    def filled(fill: Callable[[Run], None]) -> Run:
        if server or not kept.exists():
            fill(within)
        return within

    return filled


@pytest.fixture
def file(tmp_path: Path) -> Callable[[Any], str]:
    """Writes a file of cases: text and bytes as they are, else as one JSON value."""

    def write(content: Any, name: str = "cases.json") -> str:
        path = tmp_path / name
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content if isinstance(content, str) else json.dumps(content))
        return str(path)

    return write


@pytest.fixture
def measure(run: Run) -> Callable[..., dict[str, Any]]:
    def measured(path: str, *options: str) -> dict[str, Any]:
        # the scripted embedder ranks, but what it finds in common means nothing
        env = {"THALAMUS_MIN_RELEVANCE": "0"}
        done = run("eval", "retrieval", path, "--json", *options, env=env)
        assert done.code == 0, done.stderr
        return done.records[0]

    return measured
