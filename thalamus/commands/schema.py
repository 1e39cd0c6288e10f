"""`thalamus schema`: the JSON Schemas of the records."""

from __future__ import annotations

from typing import Annotated

import typer

from thalamus.commands.options import Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import say, say_text

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@settings()
def schema(
    config: Config,
    name: Annotated[
        str | None,
        typer.Argument(metavar="RECORD", help="The kind of record: turn, memory, fact …"),
    ] = None,
    all: Annotated[bool, typer.Option("--all", help="Print all schemas in one object.")] = False,
    json: Json = False,
) -> None:
    """Print the JSON Schema of a record; without a name, list the records."""
    from thalamus.errors import UsageError
    from thalamus.records import RECORDS, schemas
    from thalamus.terminal import jsonl

    if name is not None and name not in RECORDS:
        raise UsageError(f"Unknown record {name!r}.", fix=f"Choose {', '.join(RECORDS)}.")
    if name is None and not all:
        for known in RECORDS:
            if json:
                jsonl.write({"name": known, "description": schemas.summary(known)})
            else:
                say(f"{known:12}  {schemas.summary(known)}")
        return
    value = schemas.schema(name) if name else {known: schemas.schema(known) for known in RECORDS}
    if json:
        jsonl.write(value)
    else:
        say_text(schemas.pretty(value))
