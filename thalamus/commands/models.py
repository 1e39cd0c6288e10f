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
        str | None,
        typer.Argument(
            metavar="NAME",
            help="A model of the catalogue, ollama:NAME, hf:OWNER/REPO/FILE.gguf or a URL.",
        ),
    ] = None,
) -> None:
    """Download a model and verify its checksum.

    A model of the catalogue by its name, any model of Ollama, or any GGUF file by its address: on
    the Hugging Face hub (with HF_TOKEN for those that ask for consent), or https://. A download
    that broke off continues. Prints the name that --model takes. Without a name, lists the
    catalogue.
    """
    from thalamus.commands.options import engine
    from thalamus.models.catalogue import CATALOGUE
    from thalamus.terminal.progress import downloading

    if name is None:
        for model in CATALOGUE:
            size = f"{model.size / 1e6:,.0f} MB"
            say(f"{model.name:12} {size:>8}  {model.licence}  {model.description}")
        complain("Any other: ollama:NAME, hf:OWNER/REPO/FILE.gguf, or the https:// address of one.")
        return
    with downloading(name) as progress:
        spec = engine(config).models.pull(name, complain, progress)
    say(spec)
    if any(model.spec == spec and model.kind == "embedding" for model in CATALOGUE):
        complain(f"Use it with `thalamus config set embedder {name}`; then")
        complain("`thalamus store reindex --embed` embeds what is stored already.")
    else:
        complain(f"Use it with --model {spec}, or always: thalamus config set model {spec}")


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
