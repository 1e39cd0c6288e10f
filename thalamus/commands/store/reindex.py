"""`thalamus store reindex`: rebuilds the search indexes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from thalamus.commands.options import STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.lines import counted
from thalamus.terminal.streams import say

if TYPE_CHECKING:
    from thalamus.api import Thalamus
    from thalamus.store.maintenance import HnswResult, IndexState


@settings("embedder", *STORE)
def reindex(
    config: Config,
    embed: Annotated[
        bool, typer.Option("--embed", help="Also compute missing embeddings.")
    ] = False,
    hnsw: Annotated[
        bool, typer.Option("--hnsw", help="Only rebuild the HNSW indexes of large stores.")
    ] = False,
    concepts: Annotated[
        bool, typer.Option("--concepts", help="Only recompute the concepts of all entries.")
    ] = False,
    json: Json = False,
) -> None:
    """Rebuild the search indexes.

    Rarely needed: damaged and outdated indexes are detected and rebuilt automatically. So are the
    HNSW indexes of models with 250,000 vectors or more, which make searches faster.

    With --embed, also computes missing embeddings for the configured embedder, oldest first; an
    interrupted run is resumed by the next one. Meanwhile full text is searched.

    With --hnsw, keeps the other indexes and rebuilds the HNSW indexes. An HNSW index is kept if it
    finds 97% of what a scan finds.

    With --concepts, keeps the indexes and recomputes the concepts of all entries; an interrupted
    run is resumed by the next one.
    """
    from thalamus.commands.options import engine
    from thalamus.errors import UsageError

    if concepts and (embed or hnsw):
        raise UsageError("--concepts cannot be combined with other options.")
    with engine(config) as thalamus:
        if concepts:
            _concepts(thalamus, json)
            return
        embeddings = _embeddings(thalamus, embed)
        states, results = _rebuild(thalamus, hnsw)
        if json:
            _write_event(thalamus, embeddings, states, results if results or hnsw else None)
            return
    _print_indexes(states, results, hnsw)
    _print_embeddings(embeddings, embed)


def _rebuild(thalamus: Thalamus, hnsw: bool) -> tuple[list[IndexState], list[HnswResult]]:
    """Rebuilds the indexes, or with ``hnsw`` only those; returns all states and the HNSW
    results."""
    from thalamus.commands.hnsw_indexes import with_progress

    states = [] if hnsw else thalamus.store.rebuild_indexes()
    build = thalamus.store.build_hnsw if hnsw else thalamus.store.keep_hnsw
    results = with_progress(thalamus, build)
    return thalamus.store.index_states() if results or hnsw else states, results


def _write_event(
    thalamus: Thalamus,
    embeddings: dict[str, Any],
    states: list[IndexState],
    results: list[HnswResult] | None,
) -> None:
    import msgspec

    from thalamus.records import Event
    from thalamus.terminal import jsonl

    data = {**embeddings, "indexes": [_described(state) for state in states]}
    if results is not None:
        data["hnsw"] = [msgspec.to_builtins(result) for result in results]
    jsonl.write(Event(name="reindexed", at=thalamus.clock.stamp(), data=data))


def _print_indexes(states: list[IndexState], results: list[HnswResult], hnsw: bool) -> None:
    from thalamus.commands.hnsw_indexes import print_results

    for state in states:
        model = f" of {state.extra['model']}" if "model" in state.extra else ""
        note = f" ({state.note})" if state.note else ""
        say(f"{state.name}{model}: {counted({'entry': state.entries})}{note}")
    print_results(results)
    if hnsw and not results:
        say("There are no vectors to index.")


def _concepts(thalamus: Thalamus, json: bool) -> None:
    """Recomputes all concepts, with progress."""
    from thalamus.memory.concepts.derivation import recompute_all
    from thalamus.records import Event
    from thalamus.records.kinds import numbered
    from thalamus.terminal import jsonl
    from thalamus.terminal.progress import counting

    counts = thalamus.database.counts()
    entries = sum(counts[kind.name] for kind in numbered())
    with counting("worked out", "entries", entries) as advance:
        count = recompute_all(thalamus.database, advance)
    found = len(thalamus.memories.concepts())
    if json:
        data = {"entries": count, "concepts": found}
        jsonl.write(Event(name="reindexed", at=thalamus.clock.stamp(), data=data))
    else:
        say(f"concepts of {counted({'entry': count})}: {found:,}")


def _embeddings(thalamus: Thalamus, embed: bool) -> dict[str, Any]:
    """The embedder, and the numbers of computed and missing embeddings."""
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
        count = thalamus.store.embed_missing(advance)
    left = thalamus.store.count_missing_embeddings()[1]
    return {"embedder": name, "embedded": count, "missing": left}


def _described(state: IndexState) -> dict[str, Any]:
    data = {"name": state.name, "entries": state.entries, "healthy": state.healthy, **state.extra}
    return data | ({"note": state.note} if state.note else {})


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
