"""`thalamus doctor`: is everything well?"""

from __future__ import annotations

from typing import Annotated

import typer

from thalamus.commands.options import MODELS, STORE, Json, settings
from thalamus.config import Config

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@settings(*MODELS, *STORE)
def doctor(
    config: Config,
    models: Annotated[
        bool, typer.Option("--models/--no-models", help="Ask each model for a word.")
    ] = True,
    json: Json = False,
) -> None:
    """Checks versions, paths, the store's tables and ledger, both indexes against the rows, the
    embeddings, the models and the configuration. Exit status 1 when there is a problem; a warning
    is none. With --json: one object per check with `name`, `state`, `detail` and `fix`."""
    import sys

    from thalamus.commands.options import engine
    from thalamus.terminal.checks import show_checks

    with engine(config) as thalamus:
        problems = show_checks(thalamus.diagnose(ask_models=models), json)
    if problems:
        sys.exit(1)
