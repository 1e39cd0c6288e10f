"""`thalamus store write`, the default of `thalamus store`: the filter that writes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from thalamus.commands.options import PERSONA, STORE, settings
from thalamus.config import Config
from thalamus.terminal.streams import complain

if TYPE_CHECKING:
    from thalamus.api import Thalamus
    from thalamus.memory.draft import Storable
    from thalamus.records.activities import Activity


@settings("session", "embedder", *PERSONA, *STORE)
def write(
    config: Config,
    decide: Annotated[
        bool,
        typer.Option("--decide", help="Reconcile memories with stored ones, as in a turn."),
    ] = False,
) -> None:
    """Write turns, memories, facts, plans and activities to the store.

    Reads turn, memory, fact, reflection, plan and activity records from standard input, stores them
    and writes them back with their ids. In place of a memory that a plugin refuses, its verdict is
    written. Turns are stored one by one, other records in batches. The
    fields created_at, session, user, agent and metadata are kept as given. A plan, on its own or as
    part of a turn, is carried out by the next `retrieve` of its session. An activity of another
    agent becomes a turn, from which `thalamus reflect --pending` extracts memories. The records
    before a bad one stay stored.
    """
    from thalamus.commands.options import engine
    from thalamus.terminal import jsonl
    from thalamus.terminal.progress import counting

    with engine(config) as thalamus, counting("stored", "records") as advance:
        for lines in jsonl.numbered_lines(config.batch_size):
            advance(_store_lines(lines, thalamus, decide))
        if thalamus.unembedded is not None:
            text = f"thalamus: stored without embeddings: {thalamus.unembedded}"
            complain(f"{text}\n  `thalamus store reindex --embed` computes them later.")


def _store_lines(lines: list[tuple[int, bytes]], thalamus: Thalamus, decide: bool) -> int:
    """Stores a batch. At a bad line, the records before it are stored and the error is raised."""
    from msgspec import structs

    from thalamus.errors import BadRecord
    from thalamus.memory.embeddings import shrink
    from thalamus.records import Fact, Memory, Plan, Reflection, Turn
    from thalamus.records.activities import Activity
    from thalamus.terminal import jsonl

    batch: list[tuple[int, Storable]] = []
    for number, line in lines:
        try:
            record: Any = jsonl.decode(line, number, Memory, Fact, Turn, Reflection, Plan, Activity)
        except BadRecord:
            _write(batch, thalamus, decide)
            raise
        if isinstance(record, Turn):
            _write(batch, thalamus, decide)
            batch = []
            # only set by Thalamus, like some fields of memories (``memory.write``)
            record = structs.replace(thalamus.in_session(record), interrupted=None, ref=None)
            _write([(number, record)], thalamus, decide)
        elif isinstance(record, Activity):
            _write(batch, thalamus, decide)
            batch = []
            _observe(number, record, thalamus)
        else:
            shrink(record)
            batch.append((number, record))
    _write(batch, thalamus, decide)
    return len(lines)


def _observe(number: int, activity: Activity, thalamus: Thalamus) -> None:
    from thalamus.errors import BadField, BadRecord
    from thalamus.terminal import jsonl

    try:
        stored = thalamus.observe(activity)
    except BadField as problem:
        raise BadRecord(number, problem.message, problem.field) from None
    jsonl.write(stored)


def _write(batch: list[tuple[int, Storable]], thalamus: Thalamus, decide: bool) -> None:
    from thalamus.errors import BadRecord, RecordProblem
    from thalamus.terminal import jsonl

    try:
        written = thalamus.store.write([record for _, record in batch], decide=decide)
    except RecordProblem as problem:
        _write(batch[: problem.index], thalamus, decide)
        number = batch[problem.index][0]
        raise BadRecord(number, problem.message, problem.field) from None
    refused = written.refused
    jsonl.write(*(refused.get(at, record) for at, record in enumerate(written.records)))
    for position, verdict in refused.items():
        line = f"line {batch[position][0]} was not stored"
        complain(f"thalamus: {line}: {verdict.reason} ({verdict.rule})")
