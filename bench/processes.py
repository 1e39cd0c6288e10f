"""Processes under a clock: how long they take and how much memory they have."""

from __future__ import annotations

import os
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

FIELDS = ("VmHWM", "RssAnon", "RssFile")  # peak, private and mapped memory; kilobytes


class Failed(Exception):
    """A process ended with an error, or was stopped because it took too long."""


@dataclass
class Run:
    """A process that has ended. ``samples``: (seconds, bytes of standard input read, FIELDS…)."""

    seconds: float
    output: str
    samples: list[tuple[float, int, int, int, int]] = field(default_factory=list)

    @property
    def ms(self) -> float:
        return self.seconds * 1000


def run(
    command: Sequence[str],
    *,
    env: Mapping[str, str],
    cwd: Path,
    stdin: Path | None = None,
    keep: bool = True,
    limit: float = 3600.0,
    sample: bool = False,
) -> Run:
    """Runs a command with nothing but files as its streams. ``keep``: return its output instead of
    sending it to /dev/null. Raises ``Failed`` after ``limit`` seconds or for an exit code."""
    with ExitStack() as stack:
        source = stack.enter_context((stdin or Path(os.devnull)).open("rb"))
        output = stack.enter_context(tempfile.TemporaryFile())
        errors = stack.enter_context(tempfile.TemporaryFile())
        begun = time.perf_counter()
        to = output if keep else subprocess.DEVNULL
        process = subprocess.Popen(
            command, stdin=source, stdout=to, stderr=errors, env=dict(env), cwd=cwd
        )
        timer = threading.Timer(limit, process.kill)
        timer.daemon = True
        timer.start()
        samples: list[tuple[float, int, int, int, int]] = []
        if sample:
            watcher = threading.Thread(target=_watch, args=(process.pid, begun, samples))
            watcher.start()
        code = process.wait()
        seconds = time.perf_counter() - begun
        timer.cancel()
        if sample:
            watcher.join()
        if seconds >= limit:
            raise Failed(f"too slow: over {limit:.0f} s")
        if code:
            errors.seek(0)
            raise Failed(_reason(errors.read().decode(errors="replace")) or f"exit code {code}")
        text = ""
        if keep:
            output.seek(0)
            text = output.read().decode()
        return Run(seconds, text, samples)


def _reason(said: str) -> str:
    """One line of an error: a traceback's last, otherwise the first."""
    lines = said.strip().splitlines() or [""]
    reason = lines[-1] if lines[0].startswith("Traceback") else lines[0]
    return " ".join(reason.split()).replace("|", "/")[:200]


def status(pid: int | str = "self") -> dict[str, int]:
    """``FIELDS`` of a process in kilobytes; empty where the system has no /proc."""
    found = {}
    try:
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            name, _, value = line.partition(":")
            if name in FIELDS:
                found[name] = int(value.split()[0])
    except OSError:
        return {}
    return found


def _watch(pid: int, begun: float, samples: list[tuple[float, int, int, int, int]]) -> None:
    """Samples until the process has ended (its memory is gone before it is reaped)."""
    while True:
        now = status(pid)
        if len(now) < len(FIELDS):
            if samples or time.perf_counter() - begun > 1 or not Path(f"/proc/{pid}").exists():
                return
        else:
            samples.append((time.perf_counter() - begun, _position(pid), *now.values()))
        time.sleep(0.02)


def _position(pid: int) -> int:
    """How far the process has read its standard input, a file."""
    try:
        text = Path(f"/proc/{pid}/fdinfo/0").read_text()
    except OSError:
        return 0
    return int(text.split()[1])
