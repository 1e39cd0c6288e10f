"""`thalamus store write`, the default of `thalamus store`: the filter that writes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from thalamus.commands.options import PERSONA, STORE, settings
from thalamus.config import Config
from thalamus.terminal.problems import reporting
from thalamus.terminal.streams import complain

if TYPE_CHECKING:
    from thalamus.api import Thalamus
    from thalamus.memory.draft import Storable
    from thalamus.memory.write import Written
    from thalamus.records.activities import Activity


@settings("session", "embedder", *PERSONA, *STORE, filters=True)
def write(
    config: Config,
    decide: Annotated[
        bool,
        typer.Option("--decide", help="Reconcile memories with stored ones, as in a turn."),
    ] = False,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Write the records as they would be stored; store nothing."),
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

    if dry_run:
        with engine(config) as thalamus:
            _preview(thalamus, decide)
        return
    with engine(config) as thalamus, counting("stored", "records") as advance:
        for lines in jsonl.numbered_lines(config.batch_size):
            advance(_store_lines(lines, thalamus, decide))
        if thalamus.unembedded is not None:
            text = f"thalamus: stored without embeddings: {thalamus.unembedded}"
            complain(f"{text}\n  `thalamus store reindex --embed` computes them later.")


def _preview(thalamus: Thalamus, decide: bool) -> None:
    """Decides about all records together, since each depends on those before it."""
    from thalamus.errors import BadField, BadRecord
    from thalamus.policy.activities import as_turn
    from thalamus.records.activities import Activity
    from thalamus.terminal import jsonl

    batch: list[tuple[int, Storable]] = []
    try:
        for lines in jsonl.numbered_lines():
            for number, line in lines:
                try:
                    record = _decode(number, line, thalamus)
                    if isinstance(record, Activity):
                        record = thalamus.in_session(as_turn(record))
                except BadRecord as error:
                    reporting.bad_line(error)
                except BadField as problem:
                    reporting.bad_line(BadRecord(number, problem.message, problem.field))
                else:
                    batch.append((number, record))
    finally:
        _write(batch, thalamus, decide, dry_run=True)


def _store_lines(lines: list[tuple[int, bytes]], thalamus: Thalamus, decide: bool) -> int:
    """Stores a batch. At a bad line, the records before it are stored and the error is raised."""
    from thalamus.errors import BadRecord
    from thalamus.records import Turn
    from thalamus.records.activities import Activity

    batch: list[tuple[int, Storable]] = []
    for number, line in lines:
        try:
            record = _decode(number, line, thalamus)
        except BadRecord as error:
            _write(batch, thalamus, decide)
            batch = []
            reporting.bad_line(error)
            continue
        if isinstance(record, Turn):
            _write(batch, thalamus, decide)
            batch = []
            _write([(number, record)], thalamus, decide)
        elif isinstance(record, Activity):
            _write(batch, thalamus, decide)
            batch = []
            _observe(number, record, thalamus)
        else:
            batch.append((number, record))
    _write(batch, thalamus, decide)
    return len(lines)


def _decode(number: int, line: bytes, thalamus: Thalamus) -> Storable | Activity:
    """The record of a line, a turn in its session. Raises ``BadRecord``."""
    from msgspec import structs

    from thalamus.memory.embeddings import shrink
    from thalamus.records import Fact, Memory, Plan, Reflection, Turn
    from thalamus.records.activities import Activity
    from thalamus.terminal import jsonl

    found: Any = jsonl.decode(line, number, Memory, Fact, Turn, Reflection, Plan, Activity)
    record: Storable | Activity = found
    if isinstance(record, Turn):
        # only set by Thalamus, like some fields of memories (``memory.write``)
        return structs.replace(thalamus.in_session(record), interrupted=None, ref=None)
    if not isinstance(record, Activity):
        shrink(record)
    return record


def _observe(number: int, activity: Activity, thalamus: Thalamus) -> None:
    from thalamus.errors import BadField, BadRecord
    from thalamus.terminal import jsonl

    try:
        stored = thalamus.observe(activity)
    except BadField as problem:
        reporting.bad_line(BadRecord(number, problem.message, problem.field))
        return
    jsonl.write(stored)


def _write(
    batch: list[tuple[int, Storable]], thalamus: Thalamus, decide: bool, dry_run: bool = False
) -> None:
    from thalamus.errors import BadRecord, RecordProblem
    from thalamus.terminal import jsonl

    while batch:
        problem, part = None, batch
        try:
            written = _written(part, thalamus, decide, dry_run)
        except RecordProblem as error:  # what comes before it is stored
            problem, part = error, batch[: error.index]
            written = _written(part, thalamus, decide, dry_run)
        refused = written.refused
        jsonl.write(*(refused.get(at, record) for at, record in enumerate(written.records)))
        for position, verdict in refused.items():
            line = f"line {part[position][0]} was not stored"
            complain(f"thalamus: {line}: {verdict.reason} ({verdict.rule})")
        if problem is None:
            return
        number = batch[problem.index][0]
        reporting.bad_line(BadRecord(number, problem.message, problem.field))
        batch = batch[problem.index + 1 :]


def _written(
    batch: list[tuple[int, Storable]], thalamus: Thalamus, decide: bool, dry_run: bool
) -> Written:
    records = [record for _, record in batch]
    return thalamus.store.write(records, decide=decide, dry_run=dry_run)
