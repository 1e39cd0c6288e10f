"""`thalamus reindex`: makes the search indexes anew."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from thalamus.commands.options import STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import say

if TYPE_CHECKING:
    from thalamus.api import IndexState, Thalamus

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@settings("embedder", *STORE)
def reindex(
    config: Config,
    embed: Annotated[
        bool, typer.Option("--embed", help="Make the embeddings that the embedder has not made.")
    ] = False,
    graph: Annotated[
        bool, typer.Option("--graph", help="Build graphs over the vectors: faster, if large.")
    ] = False,
    json: Json = False,
) -> None:
    """Makes both search indexes anew from the tables. Nothing needs this: damaged and outdated
    indexes are noticed and mended by themselves.

    With --embed also the embeddings that are missing for the configured embedder, oldest first;
    when it is interrupted, the next run goes on from there. Full text serves meanwhile.

    With --graph the indexes stay, and a graph is built over the vectors of each model that has
    50,000 or more. It is kept when it finds 99% of what a scan finds.
    """
    from thalamus.commands.options import engine
    from thalamus.records import Event
    from thalamus.terminal import jsonl

    with engine(config) as thalamus:
        states = [] if graph else thalamus.rebuild_indexes()
        data = _embeddings(thalamus, embed)
        if graph:
            data["graphs"] = _graphs(thalamus)
        if embed or graph:
            states = thalamus.index_states()
        if json:
            data["indexes"] = [_described(state) for state in states]
            jsonl.write(Event(name="reindexed", at=thalamus.clock.stamp(), data=data))
            return
    for state in states:
        model = f" of {state.extra['model']}" if "model" in state.extra else ""
        note = f" ({state.note})" if state.note else ""
        say(f"{state.name}{model}: {state.entries:,} entries{note}")
    _tell_graphs(data)
    _tell_embeddings(data, embed)


def _embeddings(thalamus: Thalamus, embed: bool) -> dict[str, Any]:
    """Which embedder there is, how many embeddings were made and how many are missing."""
    from thalamus.errors import ThalamusError, UsageError
    from thalamus.terminal.progress import counting

    try:
        name, total = thalamus.count_missing_embeddings()
    except ThalamusError as error:
        if embed:
            raise
        return {"embedder": None, "problem": error.message, "embedded": 0, "missing": None}
    if not embed:
        return {"embedder": name, "embedded": 0, "missing": total}
    if name == "none":
        raise UsageError("There is no embedder.", fix="Name one with --embedder.")
    with counting("embedded", "entries", total) as advance:
        made = thalamus.embed_missing(advance)
    left = thalamus.count_missing_embeddings()[1]
    return {"embedder": name, "embedded": made, "missing": left}


def _graphs(thalamus: Thalamus) -> list[dict[str, Any]]:
    """What came of building each model's graph."""
    import msgspec

    from thalamus.terminal.interrupts import at_safe_points
    from thalamus.terminal.progress import counting

    vectors = thalamus.count_vectors()
    with at_safe_points() as stop_if_asked, counting("graph over", "vectors", vectors) as advance:

        def progress(count: int) -> None:
            advance(count)
            stop_if_asked()

        made = thalamus.build_hnsw(progress)
    return [msgspec.to_builtins(graph) for graph in made]


def _described(state: IndexState) -> dict[str, Any]:
    told = {"name": state.name, "entries": state.entries, "healthy": state.healthy, **state.extra}
    return told | ({"note": state.note} if state.note else {})


def _tell_graphs(data: dict[str, Any]) -> None:
    for graph in data.get("graphs", ()):
        kept = f"{graph['rows']:,} rows, finds {graph['recall'] or 0:.3f} of the nearest 10"
        say(f"graph of {graph['model']}: {kept if graph['kept'] else graph['note']}")
    if data.get("graphs") == []:
        say("There are no vectors to build a graph over.")


def _tell_embeddings(data: dict[str, Any], embed: bool) -> None:
    if data["embedder"] is None:
        say(f"The embedder cannot be asked: {data['problem']}")
    elif embed:
        say(f"{data['embedded']:,} embeddings made by {data['embedder']}")
    elif data["missing"]:
        say(
            f"{data['missing']:,} entries have no embedding of {data['embedder']};"
            " `thalamus reindex --embed` makes them"
        )
