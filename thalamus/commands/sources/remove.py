"""`thalamus sources remove`: deletes a source with what came from it."""

from __future__ import annotations

from typing import Annotated

import typer

from thalamus.commands.options import OWNER, STORE, Json, settings
from thalamus.commands.sources.list import Source
from thalamus.config import Config


@settings(*OWNER, *STORE)
def remove(
    config: Config,
    source: Source,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be deleted, delete nothing.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Delete without asking.")] = False,
    no_input: Annotated[bool, typer.Option("--no-input", help="Fail instead of asking.")] = False,
    json: Json = False,
) -> None:
    """Delete a source with its documents.

    They are deleted permanently, with everything derived from them, as `thalamus forget` does.
    `sources disable` keeps the documents.
    """
    from msgspec.structs import replace

    from thalamus.commands.forget import Asking, forget_selected
    from thalamus.commands.options import engine

    with engine(config) as thalamus:
        options = replace(thalamus.sources.removal(source), dry_run=dry_run)
    forget_selected(options, Asking(json, ask=not yes, possible=not no_input), None, config)
