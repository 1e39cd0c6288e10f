"""Runs cases in a process of their own, so that a crash or a hang is seen and has a number.

A worker is a module: ``python -m MODULE ARGUMENTS… FIRST LAST`` runs the cases from FIRST up to
LAST. Before each it prints ``case N WHAT``, after it ``right N`` or ``wrong N WHY``. When it dies
or falls silent, the case it was at is to blame, and a new worker goes on with the next one.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from tests.stored import clean_environment

ROOT = Path(__file__).parents[2]
PATIENCE = 60  # seconds of silence after which a case counts as hung


@dataclass
class Outcome:
    """``counts``: right, wrong, crash, hang; ``failures``: one line for each that is not right."""

    cases: int
    counts: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        bad = [f"{self.counts[kind]} {kind}" for kind in ("wrong", "crash", "hang")]
        return f"{self.counts['right']} right, " + ", ".join(bad)

    def note(self, kind: str, case: int, what: str, why: str = "") -> None:
        self.counts[kind] += 1
        if kind != "right":
            self.failures.append(f"case {case} ({what}): {kind} {why}".rstrip())


def drive(module: str, arguments: list[object], cases: int, patience: float = PATIENCE) -> Outcome:
    """Runs all cases, with as many workers as it takes."""
    outcome = Outcome(cases)
    first = 0
    while first < cases:
        first = _drive_one(module, arguments, first, cases, patience, outcome)
    return outcome


def _drive_one(
    module: str, arguments: list[object], first: int, last: int, patience: float, outcome: Outcome
) -> int:
    """Runs one worker until it ends, dies or hangs; returns the next case to run."""
    command = [sys.executable, "-X", "faulthandler", "-m", module]
    numbers = [str(first), str(last)]
    case, what, done = first, "before the first case", False
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            [*command, *map(str, arguments), *numbers],
            stdout=subprocess.PIPE,
            stderr=errors,
            cwd=ROOT,
            env=environment(),
        )
        lines = _Lines(process, patience)
        for line in lines:
            kind, _, rest = line.partition(" ")
            number, _, detail = rest.partition(" ")
            if kind == "case":
                case, what, done = int(number), detail, False
            elif kind in ("right", "wrong"):
                outcome.note(kind, int(number), what, detail)
                case, done = int(number), True
        if lines.silent:
            process.send_signal(signal.SIGABRT)  # the worker tells where it stands, then dies
            time.sleep(0.5)
            process.kill()
        process.wait()
        errors.seek(0)
        tail = errors.read().decode(errors="replace")[-1500:]
    if lines.silent:
        outcome.note("hang", case, what, tail)
    elif process.returncode != 0:
        outcome.note("crash", case, what, f"{_ending(process.returncode)}\n{tail}")
    elif not done or case + 1 != last:
        outcome.note("crash", case, what, "the worker ended early")
    else:
        return last
    return case + 1


class _Lines:
    """The lines a process prints, until it ends or is silent for too long."""

    def __init__(self, process: subprocess.Popen[bytes], patience: float) -> None:
        assert process.stdout is not None
        self._descriptor = process.stdout.fileno()
        self._patience = patience
        self.silent = False

    def __iter__(self) -> _Lines:
        self._rest, self._ready = b"", list[bytes]()
        return self

    def __next__(self) -> str:
        while not self._ready:
            if not select.select([self._descriptor], [], [], self._patience)[0]:
                self.silent = True
                raise StopIteration
            data = os.read(self._descriptor, 1 << 16)
            if not data:
                raise StopIteration
            *self._ready, self._rest = (self._rest + data).split(b"\n")
        return self._ready.pop(0).decode()


def environment() -> dict[str, str]:
    """The environment of a worker: no settings of the user's, this checkout's package."""
    return clean_environment() | {"PYTHONPATH": str(ROOT)}


def _ending(code: int) -> str:
    return signal.Signals(-code).name if code < 0 else f"exit {code}"
