"""`thalamus store reindex`: rebuilding the search indexes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from thalamus.commands.options import STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.lines import counted
from thalamus.terminal.streams import say

if TYPE_CHECKING:
    from thalamus.api import Thalamus
    from thalamus.storage.protocol.maintenance import IndexState


@settings("embedder", *STORE)
def reindex(
    config: Config,
    embed: Annotated[
        bool, typer.Option("--embed", help="Compute embeddings missing for the embedder.")
    ] = False,
    hnsw: Annotated[
        bool, typer.Option("--hnsw", help="Rebuild the HNSW indexes of large stores alone.")
    ] = False,
    concepts: Annotated[
        bool, typer.Option("--concepts", help="Work out again what everything is about, alone.")
    ] = False,
    json: Json = False,
) -> None:
    """Rebuild the search indexes.

    Rarely needed: damaged and outdated indexes are detected and rebuilt automatically. So are the
    HNSW indexes of models with 50,000 vectors or more, which make searches faster.

    With --embed, also computes the embeddings missing for the configured embedder, oldest first;
    an interrupted run is resumed by the next one. Full text is searched meanwhile.

    With --hnsw, keeps the other indexes and builds the HNSW indexes anew. An HNSW index is kept if
    it finds 97% of what a scan finds.

    With --concepts, keeps the indexes and works out again what everything stored is about; an
    interrupted run is resumed by the next one.
    """
    import msgspec

    from thalamus.commands.hnsw_indexes import print_results, with_progress
    from thalamus.commands.options import engine
    from thalamus.errors import UsageError
    from thalamus.records import Event
    from thalamus.terminal import jsonl

    if concepts and (embed or hnsw):
        raise UsageError("Give --concepts alone.")
    with engine(config) as thalamus:
        if concepts:
            _concepts(thalamus, json)
            return
        data = _embeddings(thalamus, embed)
        states = [] if hnsw else thalamus.store.rebuild_indexes()
        made = with_progress(
            thalamus, thalamus.store.build_hnsw if hnsw else thalamus.store.keep_hnsw
        )
        if made or hnsw:
            states = thalamus.store.index_states()
        if json:
            if made or hnsw:
                data["hnsw"] = [msgspec.to_builtins(result) for result in made]
            data["indexes"] = [_described(state) for state in states]
            jsonl.write(Event(name="reindexed", at=thalamus.clock.stamp(), data=data))
            return
    for state in states:
        model = f" of {state.extra['model']}" if "model" in state.extra else ""
        note = f" ({state.note})" if state.note else ""
        say(f"{state.name}{model}: {counted({'entry': state.entries})}{note}")
    print_results(made)
    if hnsw and not made:
        say("There are no vectors to index.")
    _print_embeddings(data, embed)


def _concepts(thalamus: Thalamus, json: bool) -> None:
    """Works out all concepts, with progress."""
    from thalamus.memory.concepts import recompute_all
    from thalamus.records import Event
    from thalamus.records.kinds import numbered
    from thalamus.terminal import jsonl
    from thalamus.terminal.progress import counting

    counts = thalamus.database.counts()
    entries = sum(counts[kind.name] for kind in numbered())
    with counting("worked out", "entries", entries) as advance:
        done = recompute_all(thalamus.database, advance)
    found = len(thalamus.memories.concepts())
    if json:
        data = {"entries": done, "concepts": found}
        jsonl.write(Event(name="reindexed", at=thalamus.clock.stamp(), data=data))
    else:
        say(f"concepts of {counted({'entry': done})}: {found:,}")


def _embeddings(thalamus: Thalamus, embed: bool) -> dict[str, Any]:
    """The embedder, how many embeddings were computed and how many are missing."""
    from thalamus.errors import ThalamusError, UsageError
    from thalamus.terminal.progress import counting

    try:
        name, total = thalamus.store.count_missing_embeddings()
    except ThalamusError as error:
        if embed:
            raise
        return {"embedder": None, "problem": error.message, "embedded": 0, "missing": None}
    if not embed:
        return {"embedder": name, "embedded": 0, "missing": total}
    if name == "none":
        raise UsageError("No embedder is configured.", fix="Select one with --embedder.")
    with counting("embedded", "entries", total) as advance:
        made = thalamus.store.embed_missing(advance)
    left = thalamus.store.count_missing_embeddings()[1]
    return {"embedder": name, "embedded": made, "missing": left}


def _described(state: IndexState) -> dict[str, Any]:
    told = {"name": state.name, "entries": state.entries, "healthy": state.healthy, **state.extra}
    return told | ({"note": state.note} if state.note else {})


def _print_embeddings(data: dict[str, Any], embed: bool) -> None:
    if data["embedder"] is None:
        say(f"The embedder is not available: {data['problem']}")
    elif embed:
        say(f"{counted({'embedding': data['embedded']})} computed with {data['embedder']}")
    elif data["missing"]:
        say(
            f"without an embedding of {data['embedder']}: {counted({'entry': data['missing']})};"
            " `thalamus store reindex --embed` computes them"
        )
