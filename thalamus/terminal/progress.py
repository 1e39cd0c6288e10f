"""Decoration on standard error: progress, tables, colour.

Nothing here is imported or printed if standard error is not a terminal.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from thalamus.terminal import streams

if TYPE_CHECKING:
    from rich.console import Console

Advance = Callable[[int], None]
PATIENCE = 0.7  # seconds before a bar appears


def console() -> Console:
    """A rich console on standard error. Respects NO_COLOR and COLUMNS."""
    from rich.console import Console

    return Console(stderr=True, highlight=False)


@contextmanager
def counting(verb: str, things: str, total: int | None = None) -> Iterator[Advance]:
    """A progress bar that appears if the work takes long. ``verb`` and ``things`` are its words
    (stored 1,200 records); ``total`` is the number of things."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return

    bar = Bar(verb, things, total)
    try:
        yield bar.advance
    finally:
        bar.close()


@contextmanager
def downloading(name: str) -> Iterator[Callable[[int, int | None], None]]:
    """A bar for a download, fed with the bytes that are there and those in all."""
    if not sys.stderr.isatty():
        yield lambda _, __: None
        return
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
        TransferSpeedColumn,
    )

    columns = [TextColumn("{task.description}"), BarColumn(), DownloadColumn()]
    columns += [TransferSpeedColumn(), TimeRemainingColumn()]
    with Progress(*columns, console=console(), transient=True) as shown:
        task = shown.add_task(name.rpartition("/")[2])
        yield lambda done, total: shown.update(task, completed=done, total=total)


class StepLine:
    """One line about the current step, on a terminal's standard error."""

    def __init__(self) -> None:
        self._possible = sys.stderr.isatty()

    def __enter__(self) -> StepLine:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def __call__(self, what: str) -> None:
        if self._possible:
            self.clear()
            streams.status(f"{what} …")

    def clear(self) -> None:
        """Removes the line."""
        streams.clear_status()


class Bar:
    """A progress bar that only appears if there is something to wait for."""

    def __init__(self, verb: str, things: str, total: int | None) -> None:
        self._text = f"{verb} {things}"
        self._total = total
        self._begun = time.monotonic()
        self._done = 0
        self._progress: Any = None
        self._task: Any = None

    def advance(self, count: int) -> None:
        """Counts ``count`` more things."""
        self._done += count
        if self._progress is None and time.monotonic() - self._begun > PATIENCE:
            self._show()
        if self._progress is not None:
            self._progress.update(self._task, completed=self._done)

    def close(self) -> None:
        """Removes the bar, and leaves its count on one line."""
        if self._progress is not None:
            self._progress.stop()

    def _show(self) -> None:
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
        )

        columns: list[Any] = [TextColumn("{task.description}")]
        if self._total:
            columns.append(BarColumn())
        columns += [MofNCompleteColumn(), TimeElapsedColumn()]
        self._progress = Progress(*columns, console=console())
        self._task = self._progress.add_task(self._text, total=self._total)
        self._progress.start()
