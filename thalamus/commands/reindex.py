"""`thalamus reindex`: makes the search indexes anew."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from thalamus.commands.options import STORE, Json, settings
from thalamus.config import Config

if TYPE_CHECKING:
    from thalamus.engine import Thalamus
    from thalamus.storage.protocol import IndexState

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@settings("embedder", *STORE)
def reindex(
    config: Config,
    embed: Annotated[
        bool, typer.Option("--embed", help="Make the embeddings that the embedder has not made.")
    ] = False,
    json: Json = False,
) -> None:
    """Makes both search indexes anew from the tables. Nothing needs this: damaged and outdated
    indexes are noticed and mended by themselves.

    With --embed also the embeddings that are missing for the configured embedder, oldest first;
    when it is interrupted, the next run goes on from there. Full text serves meanwhile.
    """
    from thalamus.commands.options import engine
    from thalamus.records import Event
    from thalamus.terminal import jsonl

    with engine(config) as thalamus:
        states = thalamus.store.rebuild_indexes()
        data = _embeddings(thalamus, embed)
        if embed:
            states = thalamus.store.index_states()
        if json:
            data["indexes"] = [_described(state) for state in states]
            jsonl.write(Event(name="reindexed", at=thalamus.clock.stamp(), data=data))
            return
    for state in states:
        model = f" of {state.extra['model']}" if "model" in state.extra else ""
        print(f"{state.name}{model}: {state.entries:,} entries")
    _tell_embeddings(data, embed)


def _embeddings(thalamus: Thalamus, embed: bool) -> dict[str, Any]:
    """Which embedder there is, how many embeddings were made and how many are missing."""
    from thalamus.errors import ThalamusError, UsageError
    from thalamus.stages.reembed import missing, reembed
    from thalamus.terminal.console import counting

    try:
        name, total = missing(thalamus.context, thalamus.store)
    except ThalamusError as error:
        if embed:
            raise
        return {"embedder": None, "problem": error.message, "embedded": 0, "missing": None}
    if not embed:
        return {"embedder": name, "embedded": 0, "missing": total}
    if name == "none":
        raise UsageError("There is no embedder.", fix="Name one with --embedder.")
    with counting("embedded", "entries", total) as advance:
        made = reembed(thalamus.context, thalamus.store, advance)
    left = thalamus.store.count_unembedded(name)
    return {"embedder": name, "embedded": made, "missing": left}


def _described(state: IndexState) -> dict[str, Any]:
    return {"name": state.name, "entries": state.entries, "healthy": state.healthy, **state.extra}


def _tell_embeddings(data: dict[str, Any], embed: bool) -> None:
    if data["embedder"] is None:
        print(f"The embedder cannot be asked: {data['problem']}")
    elif embed:
        print(f"{data['embedded']:,} embeddings made by {data['embedder']}")
    elif data["missing"]:
        print(
            f"{data['missing']:,} entries have no embedding of {data['embedder']};"
            " `thalamus reindex --embed` makes them"
        )
