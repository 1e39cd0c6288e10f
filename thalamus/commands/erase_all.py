"""Erasure of a tenant's whole memory, for `thalamus forget --everything`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from thalamus.terminal.streams import complain, say

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from thalamus.api import Thalamus
    from thalamus.config import Config
    from thalamus.transfer.reset import ResetReport


def erase_all(config: Config, confirm: str | None, json: bool, *, possible: bool) -> None:
    """Erases the tenant's store and keys. Asks for the tenant's name if that is ``possible``, or
    takes it from ``confirm``."""
    from thalamus.commands.options import engine
    from thalamus.terminal.progress import StepLine

    with engine(config) as thalamus, StepLine() as step:
        _be_sure(thalamus, config, confirm, possible)
        report = thalamus.store.erase(step)
        step.clear()
        if json:
            _print_event(report, thalamus)
        else:
            say(f"erased the memory of {config.tenant}")
            key = "removed: encrypted entries of backups are lost"
            say(f"key: {key if report.key_removed else 'kept, or missing'}")
            _name_copies(report.copies)
    for problem in (*report.left, *report.limits):
        complain(f"thalamus: {problem}")
    if report.left:
        complain("  `thalamus forget --finish` completes it.")
        raise typer.Exit(1)


def _be_sure(thalamus: Thalamus, config: Config, confirm: str | None, possible: bool) -> None:
    """Shows what will be erased, and asks for the tenant's name unless it was given. Raises
    ``UsageError`` for another name, and if nobody can be asked."""
    from thalamus.errors import UsageError
    from thalamus.terminal import streams
    from thalamus.terminal.lines import counted

    given = confirm
    if given is None:
        if not possible or not streams.can_ask():
            fix = f"Give --confirm {config.tenant} to erase it."
            raise UsageError("Cannot ask for the tenant's name. Nothing was erased.", fix=fix)
        report = thalamus.store.inspect_erasure()
        complain(f"{report.place}: {counted(report.counts)}")
        _name_copies(report.copies)
        given = streams.reply("Type the tenant's name to erase all of it:")
    if given != config.tenant:
        problem = f"{given!r} is not the tenant's name ({config.tenant}). Nothing was erased."
        raise UsageError(problem)


def _name_copies(copies: Sequence[Path]) -> None:
    for path in copies:
        complain(f"  still contains messages, and is kept: {path}")


def _print_event(report: ResetReport, thalamus: Thalamus) -> None:
    from thalamus.records import Event
    from thalamus.terminal import jsonl

    data = {
        "counts": report.counts,
        "copies": [str(path) for path in report.copies],
        "key_removed": report.key_removed,
        "left": report.left,
        "limits": report.limits,
    }
    jsonl.write(Event(name="reset", at=thalamus.clock.stamp(), data=data))
