"""Fixtures: a server, and a fetcher that may read it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.extras import python
from tests.web.site import Server, serving
from thalamus.policy.web_addresses import Allowed
from thalamus.web.fetch import Fetcher, FetchLimits
from thalamus.web.resolve import Reachable


@pytest.fixture
def forked_readers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes that read documents, forked: each would import for as long as a crawl takes."""
    program = tmp_path / "python"
    program.write_text(f'#!/bin/sh\nshift\nexec {" ".join(python())} "$@"\n')  # without -P
    program.chmod(0o755)
    monkeypatch.setattr("sys.executable", str(program))


@pytest.fixture
def site() -> Iterator[Server]:
    with serving() as server:
        yield server


@pytest.fixture
def fetcher() -> Fetcher:
    """One with small limits and no pauses, for servers on this machine."""
    reachable = Reachable(Allowed("127.0.0.1"))
    return Fetcher(reachable, FetchLimits(size=100_000, seconds=1.0), pace=0.0)
