"""`thalamus sources list` and `show`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, cast

import typer

from thalamus.commands.options import OWNER, STORE, Json, settings, wrong_choice
from thalamus.config import Config
from thalamus.terminal.streams import complain, say

if TYPE_CHECKING:
    from thalamus.records import SourceStatus

Source = Annotated[
    str,
    typer.Argument(metavar="SOURCE", help="The address of a source, or its id or a prefix of it."),
]


@settings(*OWNER, *STORE, lists=True)
def list_sources(
    config: Config,
    status: Annotated[
        str | None,
        typer.Option(metavar="STATUS", help="Only candidate, active, disabled or failed sources."),
    ] = None,
    json: Json = False,
) -> None:
    """List the sources, oldest first, with their scores."""
    from typing import get_args

    from thalamus.commands.options import engine
    from thalamus.records import SourceStatus
    from thalamus.terminal import jsonl
    from thalamus.terminal.sources import source_line

    if status is not None and status not in get_args(SourceStatus):
        raise wrong_choice("--status", status, get_args(SourceStatus))
    with engine(config) as thalamus:
        found = thalamus.sources.find(cast("SourceStatus | None", status))
        if json:
            jsonl.write(*found)
            return
        for source in found:
            say(source_line(source))
        if not found:
            some = status and thalamus.sources.find()
            complain("No sources match." if some else "There are no sources yet.")


@settings(*OWNER, *STORE)
def show(config: Config, source: Source, json: Json = False) -> None:
    """Show a source and the documents that were read from it.

    With --json: the `discovery_source` record, then a `document` record for each.
    """
    from thalamus.commands.options import engine
    from thalamus.terminal import jsonl
    from thalamus.terminal.sources import document_lines, source_fields

    with engine(config) as thalamus:
        found = thalamus.sources.get(source)
        documents = thalamus.sources.documents(found)
        if json:
            jsonl.write(found, *documents)
            return
        for line in (*source_fields(found), *document_lines(documents)):
            say(line)
