"""`thalamus store`: the filter that writes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from thalamus.commands.options import OWNER, STORE, settings
from thalamus.config import Config
from thalamus.terminal.streams import complain

if TYPE_CHECKING:
    from thalamus.api import Thalamus
    from thalamus.memory.draft import Storable

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@settings("session", "embedder", *OWNER, *STORE)
def store(
    config: Config,
    decide: Annotated[
        bool,
        typer.Option("--decide", help="Judge memories as those of a turn are."),
    ] = False,
) -> None:
    """Stores records: reads turn, memory, fact and reflection records on standard input, writes
    them to the store and back out with the ids they got.

    Turns are stored one by one, other records in batches. What a record says of itself
    (created_at, session, user, agent, metadata) is kept. After a bad record what came before it
    stays stored.
    """
    from thalamus.commands.options import engine
    from thalamus.terminal import jsonl
    from thalamus.terminal.progress import counting

    with engine(config) as thalamus, counting("stored", "records") as advance:
        for lines in jsonl.numbered_lines(config.batch_size):
            more = len(lines) == config.batch_size
            advance(_store_lines(lines, thalamus, more, decide))
        if thalamus.context.unembedded is not None:
            text = f"thalamus: stored without embeddings: {thalamus.context.unembedded}"
            complain(f"{text}\n  `thalamus reindex --embed` makes them later.")


def _store_lines(
    lines: list[tuple[int, bytes]], thalamus: Thalamus, more: bool, decide: bool
) -> int:
    """Stores a batch. At a bad line what came before it is stored, then the error is raised.
    ``more``: another batch is at hand."""
    from msgspec import structs

    from thalamus.errors import BadRecord
    from thalamus.memory.embeddings import shrink
    from thalamus.records import Fact, Memory, Reflection, Turn
    from thalamus.terminal import jsonl

    batch: list[tuple[int, Storable]] = []
    for number, line in lines:
        try:
            record: Any = jsonl.decode(line, number, Memory, Fact, Turn, Reflection)
        except BadRecord:
            _write(batch, thalamus, decide=decide)
            raise
        if isinstance(record, Turn):
            _write(batch, thalamus, decide=decide)
            batch = []
            # set by Thalamus alone, as are some fields of memories (``memory.write``)
            record = structs.replace(thalamus.in_session(record), interrupted=None, ref=None)
            _write([(number, record)], thalamus, decide=decide)
        else:
            shrink(record)
            batch.append((number, record))
    _write(batch, thalamus, more, decide)
    return len(lines)


def _write(
    batch: list[tuple[int, Storable]],
    thalamus: Thalamus,
    more: bool = False,
    decide: bool = False,
) -> None:
    from thalamus.errors import BadRecord
    from thalamus.memory.write import RecordProblem, WriteOptions, write_records
    from thalamus.records import Turn
    from thalamus.terminal import jsonl

    try:
        records = [record for _, record in batch]
        if len(records) == 1 and isinstance(records[0], Turn):
            from thalamus.pipeline.store import store as store_turn

            stored: list[Storable] = [store_turn(records[0], thalamus.context)]
        else:
            options = WriteOptions(more=more, decide=decide)
            stored = write_records(records, thalamus.context, options)
    except RecordProblem as problem:
        _write(batch[: problem.index], thalamus, decide=decide)
        text = f"`{problem.field}`: {problem}"
        raise BadRecord(batch[problem.index][0], text, problem.field) from None
    jsonl.write(*stored)
