"""`thalamus schema`: what the records look like, and what the stages do with them."""

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
    name: Annotated[str | None, typer.Argument(help="A record: turn, memory, fact …")] = None,
    all: Annotated[bool, typer.Option("--all", help="All of them, in one object.")] = False,
    stages: Annotated[
        bool, typer.Option("--stages", help="List the stages instead, and what each reads.")
    ] = False,
    json: Json = False,
) -> None:
    """Lists the records, or prints the JSON Schema of one. With --json, one line of JSON each.

    With --stages, lists the stages that a flow may name, the role of the model that each asks, and
    the fields of the turn that it writes and reads.
    """
    from thalamus.errors import UsageError
    from thalamus.records import RECORDS, schemas
    from thalamus.terminal import jsonl

    if stages:
        if name is not None or all:
            raise UsageError("--stages goes with neither a record nor --all.")
        _list_stages(config, json)
        return
    if name is not None and name not in RECORDS:
        raise UsageError(f"There is no record {name!r}.", fix=f"There are {', '.join(RECORDS)}.")
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


def _list_stages(config: Config, json: bool) -> None:
    from thalamus.commands.options import engine
    from thalamus.terminal import jsonl

    with engine(config) as thalamus:
        for stage in thalamus.stages():
            if json:
                jsonl.write(stage)
                continue
            say_text(f"{stage.name:10}{f'model {stage.role}' if stage.role else 'no chat model'}")
            say_text(f"  reads   {', '.join(stage.reads) or '-'}")
            say_text(f"  writes  {', '.join(stage.writes) or '-'}")
