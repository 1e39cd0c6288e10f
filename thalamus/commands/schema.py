"""`thalamus schema`: the JSON Schemas of the records."""

from __future__ import annotations

from typing import Annotated

import typer

from thalamus.commands.options import STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import say, say_text

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@settings(*STORE)
def schema(
    config: Config,
    name: Annotated[
        str | None,
        typer.Argument(metavar="RECORD", help="The kind of record: turn, memory, fact …"),
    ] = None,
    all: Annotated[bool, typer.Option("--all", help="Print all schemas in one object.")] = False,
    json: Json = False,
) -> None:
    """Print the JSON Schema of a record; without a name, list the records.

    With --json: a `schema` record for each.
    """
    from thalamus.errors import UsageError
    from thalamus.records import schemas
    from thalamus.records.installation import Schema
    from thalamus.records.registry import RECORDS
    from thalamus.terminal import jsonl

    if name is not None and name not in RECORDS:
        raise UsageError(f"Unknown record {name!r}.", fix=f"Choose {', '.join(RECORDS)}.")
    whole = bool(name) or all
    if json:
        for known in [name] if name else RECORDS:
            found = schemas.schema(known) if whole else None
            described = schemas.summary(known)
            jsonl.write(Schema(name=known, description=described, schema=found))
    elif whole:
        every = {known: schemas.schema(known) for known in RECORDS}
        say_text(schemas.pretty(every[name] if name else every))
    else:
        longest = max(map(len, RECORDS))
        for known in RECORDS:
            say(f"{known:{longest}}  {schemas.summary(known)}")
