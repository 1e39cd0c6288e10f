"""`thalamus doctor`: checks of the installation, the store, the models and the signatures."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from thalamus.commands.options import RECALL, STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import complain, say

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@settings(*RECALL, *STORE)
def doctor(
    config: Config,
    no_model: Annotated[
        bool, typer.Option("--no-model", help="Do not call the models to check them.")
    ] = False,
    signatures: Annotated[
        bool, typer.Option("--signatures", help="Verify the signatures of the store instead.")
    ] = False,
    head: Annotated[
        bool,
        typer.Option("--head", help="With --signatures: print the signed head."),
    ] = False,
    against: Annotated[
        str | None,
        typer.Option(metavar="HEAD", help="With --signatures: compare with an earlier head."),
    ] = None,
    json: Json = False,
) -> None:
    """Check the installation, the store and the models.

    Checks versions, paths, the store's tables, ledger and search indexes, embeddings, models and
    configuration. Exit status 1 if there is a problem; warnings do not count. With --json: a
    `check` record for each.

    With --signatures, verifies every row and every ledger entry instead. Prints a line for each row
    that was edited, removed or inserted by anything but Thalamus and exits with 1; otherwise prints
    a summary. With --json: a `finding` record for each, then an event `verified` with the counts.
    """
    from thalamus.commands.options import engine
    from thalamus.diagnostics import examine
    from thalamus.errors import UsageError
    from thalamus.terminal.checks import show_checks

    if signatures:
        _verify(config, head, against, json)
        return
    if head or against is not None:
        raise UsageError("--head and --against require --signatures.")
    with engine(config) as thalamus:
        checks = examine(thalamus.new_run(), thalamus.open_store, ask_models=not no_model)
        problems = show_checks(checks, json)
    if problems:
        sys.exit(1)


def _verify(config: Config, head: bool, against: str | None, json: bool) -> None:
    """Prints a line for each row that Thalamus did not write, and exits with 1; otherwise a
    summary, with ``head`` the signed head."""
    from thalamus.commands.options import engine
    from thalamus.records import Event
    from thalamus.security.store_state import finding_line
    from thalamus.terminal import jsonl

    found = 0
    with engine(config) as thalamus, thalamus.store.verify(against) as verified:
        for finding in verified.findings():
            found += 1
            if json:
                jsonl.write(finding)
            else:
                say(finding_line(finding))
        if json:
            data = {**verified.counts, "findings": found, "head": None if found else verified.head}
            jsonl.write(Event(name="verified", at=thalamus.clock.stamp(), data=data))
        elif not found:
            (complain if head else say)(verified.summary)
            if head:
                say(verified.head)
    if found:
        sys.exit(1)
