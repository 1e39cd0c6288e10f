"""MCP servers of one's own, and engines that use them."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conftest import NOW
from tests.extras import python
from tests.forked import Process
from tests.stored import clean_environment
from thalamus.api import Thalamus
from thalamus.clock import Clock, parse_time

HERE = Path(__file__).parent
BAD = [sys.executable, str(HERE / "bad_server.py")]

Engine = Callable[..., AbstractContextManager[Thalamus]]


@pytest.fixture
def pids(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[int]]:
    """The processes of bad servers that were started, as they write them down."""
    path = tmp_path / "pids"
    return lambda: [int(line) for line in path.read_text().split()] if path.exists() else []


def good() -> list[str]:
    """The command line of a server that keeps its promises."""
    return [*python(), str(HERE / "good_server.py")]


def bad(how: str, tmp_path: Path, *more: str, **settings: Any) -> dict[str, Any]:
    """The settings of a server that misbehaves."""
    env = {"PIDS": str(tmp_path / "pids"), "PYTHONUNBUFFERED": ""}
    return {"command": [*BAD, how, *more], "env": env, "timeout": 1.0, **settings}


def running(pid: int) -> bool:
    """Whether a process is there: neither gone nor a zombie."""
    try:
        return " Z " not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False


@pytest.fixture
def engine(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Engine:
    """An engine with these servers and settings, and a script for its model."""
    for name in os.environ.keys() - clean_environment().keys():
        monkeypatch.delenv(name)
    monkeypatch.setenv("THALAMUS_STRICT_STAGES", "1")
    # a server that does not end by itself is not waited for as long as in life
    monkeypatch.setattr("mcp.client.stdio.PROCESS_TERMINATION_TIMEOUT", 0.5)
    monkeypatch.setattr("mcp.client.stdio.FORCE_KILL_TIMEOUT", 0.5)

    @contextmanager
    def make(
        mcp: dict[str, Any], script: list[dict[str, Any]] | None = None, **settings: Any
    ) -> Iterator[Thalamus]:
        model = "scripted"
        if script is not None:
            path = tmp_path / "script.yaml"
            path.write_text(yaml.safe_dump(script))
            model = f"scripted:{path}"
        given = {"home": str(home), "model": model, "embedder": "scripted", "mcp": mcp, **settings}
        with Thalamus(clock=Clock(parse_time(NOW)), **given) as made:
            yield made

    return make


def _wait_until_free(port: int) -> None:
    """Waits until the server that had a port is gone."""
    for _ in range(600):
        try:
            with socket.socket() as attempt:
                attempt.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                attempt.bind(("127.0.0.1", port))
                return
        except OSError:
            time.sleep(0.1)


@contextmanager
def http_server(key: str = "", port: int = 0) -> Iterator[str]:
    """The address of a good server over HTTP."""
    if not port:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
    else:
        _wait_until_free(port)
    process = Process(
        [*good(), "--http", str(port)],
        env={**os.environ, "GOOD_KEY": key},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        for _ in range(600):
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                time.sleep(0.1)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.kill()
        process.wait()
