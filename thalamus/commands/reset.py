"""`thalamus reset`: erasing the whole memory of a tenant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from thalamus.commands.options import STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import complain, say

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from thalamus.api import Thalamus
    from thalamus.transfer.reset import ResetReport

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@settings(*STORE)
def reset(
    config: Config,
    memory: Annotated[
        bool, typer.Option("--memory", help="Erase everything in the tenant's store.")
    ] = False,
    confirm: Annotated[
        str | None,
        typer.Option(metavar="TENANT", help="Do not ask: the name of the tenant to erase."),
    ] = None,
    json: Json = False,
) -> None:
    """Erase the whole memory of a tenant, with its keys.

    Asks for the tenant's name, or takes it from --confirm. Other processes may keep working: they
    see an empty store. Backups and other files that hold the same words are named and left.
    """
    from thalamus.commands.options import engine
    from thalamus.errors import UsageError
    from thalamus.terminal.erase import StepLine

    if not memory:
        raise UsageError("Nothing to reset.", fix="`thalamus reset --memory` erases the memory.")
    with engine(config) as thalamus, StepLine() as step:
        _be_sure(thalamus, config, confirm)
        report = thalamus.store.erase(step)
        step.clear()
        if json:
            _print_event(report, thalamus)
        else:
            say(f"erased the memory of {config.tenant}")
            key = "removed: what backups hold encrypted is lost"
            say(f"key: {key if report.key_removed else 'kept, or there is none'}")
            _name_copies(report.copies)
    for problem in report.left:
        complain(f"thalamus: {problem}")
    if report.left:
        complain("  `thalamus forget --finish` does the rest.")
        raise typer.Exit(1)


def _be_sure(thalamus: Thalamus, config: Config, confirm: str | None) -> None:
    """Shows what goes, and asks for the tenant's name unless it was given. Raises ``UsageError``
    for another name, and where nobody can be asked."""
    from thalamus.errors import UsageError
    from thalamus.terminal import streams
    from thalamus.terminal.lines import counted

    given = confirm
    if given is None:
        if not streams.can_ask():
            fix = f"Give --confirm {config.tenant} to erase it."
            raise UsageError("Cannot ask for the tenant's name. Nothing was erased.", fix=fix)
        report = thalamus.store.inspect_erasure()
        complain(f"{report.folder}: {counted(report.counts)}")
        _name_copies(report.copies)
        given = streams.reply("Type the tenant's name to erase all of it:")
    if given != config.tenant:
        problem = f"{given!r} is not the tenant's name ({config.tenant}). Nothing was erased."
        raise UsageError(problem)


def _name_copies(copies: Sequence[Path]) -> None:
    for path in copies:
        complain(f"  still holds what was said, and is left: {path}")


def _print_event(report: ResetReport, thalamus: Thalamus) -> None:
    from thalamus.records import Event
    from thalamus.terminal import jsonl

    data = {
        "counts": report.counts,
        "copies": [str(path) for path in report.copies],
        "key_removed": report.key_removed,
        "left": report.left,
    }
    jsonl.write(Event(name="reset", at=thalamus.clock.stamp(), data=data))
