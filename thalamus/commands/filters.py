"""The common part of the filters: read turn records, run one stage, write turn records."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from thalamus.api import Thalamus
    from thalamus.config import Config
    from thalamus.records import Turn


def run_filter(stage: str, config: Config) -> None:
    """Runs a stage over every turn record on standard input."""
    from thalamus.records import Turn
    from thalamus.terminal import jsonl

    run_over(stage, config, (turn for _, turn in jsonl.records(Turn)))


def run_over(
    stage: str,
    config: Config,
    turns: Iterable[Turn],
    on_done: Callable[[Turn], None] = lambda _: None,
    redacted: bool = False,
) -> None:
    """Runs a stage over turns and writes them, ``redacted`` if asked for; calls ``on_done`` with
    each.

    A record whose stage failed is written as well, with the failure among its ``issues``; the exit
    status is that of the last failure.
    """
    from thalamus.commands.options import engine
    from thalamus.terminal import jsonl
    from thalamus.terminal.problems import warn

    with engine(config) as thalamus:
        for turn in turns:
            result = thalamus.run_stage(stage, turn)
            if redacted and thalamus.open_store() is not None:
                from thalamus.memory.redaction import RedactedView

                found = thalamus.recall(turn.message, redacted=True)
                result = RedactedView(thalamus.engine).turn(result, turn, found)
            jsonl.write(result)
            on_done(result)
            warn(len(turn.issues), result.issues)
        leave_with_failures(thalamus)


def leave_with_failures(thalamus: Thalamus, *stages: str) -> None:
    """Ends with the exit code of the last failure; with ``stages``, only of these."""
    from thalamus.terminal.problems import exit_code

    if code := exit_code(thalamus.failures, stages):
        thalamus.close()
        sys.exit(code)
