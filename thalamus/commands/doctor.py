"""`thalamus doctor`: checking installation, store and models."""

from __future__ import annotations

from typing import Annotated

import typer

from thalamus.commands.options import RECALL, STORE, Json, settings
from thalamus.config import Config

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@settings(*RECALL, *STORE)
def doctor(
    config: Config,
    models: Annotated[
        bool, typer.Option("--models/--no-models", help="Call each model once.")
    ] = True,
    json: Json = False,
) -> None:
    """Check the installation, the store and the models.

    Checks versions, paths, the store's tables, ledger and search indexes, embeddings, models and
    configuration. Exit status 1 if there is a problem; warnings do not count. With --json: a
    `check` record for each.
    """
    import sys

    from thalamus.commands.options import engine
    from thalamus.diagnostics import examine
    from thalamus.terminal.checks import show_checks

    with engine(config) as thalamus:
        checks = examine(thalamus.context, thalamus.open_store, ask_models=models)
        problems = show_checks(checks, json)
    if problems:
        sys.exit(1)
