"""A progress bar that shows itself only when there is something to wait for."""

from __future__ import annotations

import time
from typing import Any

PATIENCE = 0.7  # seconds before a bar appears


class Bar:
    """See ``terminal.console.counting``."""

    def __init__(self, verb: str, things: str, total: int | None) -> None:
        self._text = f"{verb} {things}"
        self._total = total
        self._begun = time.monotonic()
        self._done = 0
        self._progress: Any = None
        self._task: Any = None

    def advance(self, count: int) -> None:
        """``count`` more are done."""
        self._done += count
        if self._progress is None and time.monotonic() - self._begun > PATIENCE:
            self._show()
        if self._progress is not None:
            self._progress.update(self._task, completed=self._done)

    def close(self) -> None:
        """Takes the bar away; what it counted stays on one line."""
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

        from thalamus.terminal.console import console

        columns: list[Any] = [TextColumn("{task.description}")]
        if self._total:
            columns.append(BarColumn())
        columns += [MofNCompleteColumn(), TimeElapsedColumn()]
        self._progress = Progress(*columns, console=console())
        self._task = self._progress.add_task(self._text, total=self._total)
        self._progress.start()
