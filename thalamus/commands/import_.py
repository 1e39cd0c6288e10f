"""`thalamus import`: reads exports of Thalamus and of other services."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from thalamus.commands.options import OWNER, STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import complain, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from thalamus.api import Thalamus
    from thalamus.errors import BadRecord
    from thalamus.transfer.importer import Importable, Importer

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command("import")
@settings("embedder", *OWNER, *STORE)
def import_(
    config: Config,
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="The file to read; - is standard input.")
    ] = "-",
    source: Annotated[
        Literal["thalamus", "chatgpt", "claude"],
        typer.Option("--from", help="The service that wrote the export (a file, .zip or folder)."),
    ] = "thalamus",
    merge: Annotated[
        bool, typer.Option("--merge", help="Import a personality into a store that is not empty.")
    ] = False,
    json: Json = False,
) -> None:
    """Import an export of Thalamus, or conversations from ChatGPT or Claude.

    Records keep their ids, dates, sessions and links. Existing records are skipped, so an
    interrupted import is resumed by running it again. An empty store also takes over the ledger.
    The records before a bad line stay imported. A personality (`export --format persona`) is only
    taken into an empty store, unless --merge is given.

    Each conversation becomes a session of dated turns, without calling a model. To extract
    memories and facts from them afterwards, with one model call per turn:
    `thalamus export --kind turn --session SESSION | thalamus reflect | thalamus store`
    """
    from thalamus.commands.options import engine

    with engine(config) as thalamus:
        if source == "thalamus":
            _import_records(file, thalamus, merge, json)
        else:
            _import_chats(source, file, thalamus, json)


def _import_records(file: str, thalamus: Thalamus, merge: bool, json: bool) -> None:
    from thalamus.terminal.progress import counting
    from thalamus.transfer.importer import Importer

    importer = Importer(thalamus.context)
    problem: BadRecord | None = None
    with counting("imported", "records") as advance:
        for number, batch in enumerate(_batches(file, thalamus.config.batch_size)):
            lines = batch if number else _without_heading(batch, thalamus, merge)
            records, problem = _checked(lines, importer)
            problem = _add(records, lines, importer) or problem
            advance(len(records))
            if problem is not None:
                break
    importer.finish(complete=problem is None)
    if problem is not None:
        raise problem
    embedded = _embed_missing(thalamus)
    _print_records(importer, embedded, thalamus, json)


def _without_heading(
    lines: list[tuple[int, bytes]], thalamus: Thalamus, merge: bool
) -> list[tuple[int, bytes]]:
    """The lines without the heading of a personality. Raises ``UsageError`` if the personality
    would be mixed with an existing store."""
    from thalamus.errors import BadRecord, UsageError
    from thalamus.records import Personality
    from thalamus.terminal import jsonl

    try:
        jsonl.decode(lines[0][1], lines[0][0], Personality)
    except BadRecord:
        return lines
    if not merge and not thalamus.store.is_empty():
        raise UsageError(
            "A personality can only be imported into an empty store, and this one is not empty.",
            fix="Choose another one with --tenant or --home, or give --merge.",
        )
    return lines[1:]


def _batches(file: str, size: int) -> Iterator[list[tuple[int, bytes]]]:
    from itertools import islice
    from pathlib import Path

    from thalamus.errors import UsageError
    from thalamus.terminal import jsonl

    if file == "-":
        yield from jsonl.numbered_lines(size)
        return
    try:
        with Path(file).open("rb") as stream:
            numbered = ((n, line) for n, line in enumerate(stream, start=1) if line.strip())
            while lines := list(islice(numbered, size)):
                yield lines
    except OSError as error:
        raise UsageError(f"Cannot read {file}: {error.strerror}.") from None


def _checked(
    lines: list[tuple[int, bytes]], importer: Importer
) -> tuple[list[Importable], BadRecord | None]:
    """The records before the first bad line, and the problem with that line."""
    from thalamus.errors import BadRecord
    from thalamus.memory.draft import RecordProblem
    from thalamus.terminal import jsonl
    from thalamus.transfer.importer import importable

    records: list[Importable] = []
    classes = importable()
    for number, line in lines:
        try:
            records.append(importer.check(jsonl.decode(line, number, *classes)))
        except BadRecord as error:
            return records, error
        except RecordProblem as error:
            return records, BadRecord(number, f"`{error.field}`: {error}", error.field)
    return records, None


def _add(
    records: list[Importable], lines: list[tuple[int, bytes]], importer: Importer
) -> BadRecord | None:
    """Stores records; if one has the id of another record, only those before it. Returns the
    problem."""
    from thalamus.errors import BadRecord
    from thalamus.memory.draft import RecordProblem

    try:
        importer.add(records)
    except RecordProblem as error:
        importer.add(records[: error.index])
        return BadRecord(lines[error.index][0], f"`{error.field}`: {error}", error.field)
    return None


def _embed_missing(thalamus: Thalamus) -> int:
    """Computes missing embeddings; a failure leaves them for `store reindex --embed`."""
    from thalamus.errors import MODEL_ERRORS
    from thalamus.terminal.progress import counting

    if thalamus.open_store(False) is None:
        return 0
    try:
        total = thalamus.store.count_missing_embeddings()[1]
        with counting("embedded", "entries", total) as advance:
            return thalamus.store.embed_missing(advance)
    except MODEL_ERRORS as error:
        complain(f"thalamus: embeddings are missing: {error}")
        complain(
            "  `thalamus store reindex --embed` computes them; until then, full text is searched."
        )
        return 0


def _print_records(importer: Importer, embedded: int, thalamus: Thalamus, json: bool) -> None:
    from thalamus.terminal.lines import counted

    data: dict[str, object] = {
        "added": dict(importer.added),
        "there": dict(importer.there),
        "events_left_out": importer.left_out,
        "embedded": embedded,
    }
    text = f"imported {counted(importer.added)}"
    if importer.there:
        text += f"; skipped, existing: {counted(importer.there)}"
    if importer.refused:
        data["refused"] = importer.refused
        text += f"; refused by a plugin: {counted({'memory': importer.refused})}"
    if importer.unwanted:
        data["unwanted"] = importer.unwanted
        text += f"; never kept, because of `remember`: {importer.unwanted}"
    if importer.left_out:
        text += (
            f"; {importer.left_out:,} ledger entries skipped: this store has a ledger of its own"
        )
    _print_result(text, data, thalamus, json)


def _import_chats(source: str, file: str, thalamus: Thalamus, json: bool) -> None:
    from pathlib import Path

    from thalamus.errors import UsageError
    from thalamus.terminal.lines import counted
    from thalamus.terminal.progress import counting
    from thalamus.transfer.conversations import import_conversations

    if file == "-":
        raise UsageError(f"Give the file, .zip or folder that {source} exported.")
    with counting("imported", "turns") as advance:
        chats = import_conversations(source, Path(file), thalamus.context, _problem, advance)
    if chats.problem:
        _problem(
            f"embeddings are missing: {chats.problem};"
            " `thalamus store reindex --embed` computes them"
        )
    data = {
        "source": source,
        "conversations": len(chats.sessions),
        "added": chats.added,
        "there": chats.there,
    }
    found = counted({"conversation": len(chats.sessions)})
    text = f"imported {counted({'turn': chats.added})} of {found}"
    if chats.there:
        text += f"; {chats.there:,} existing ones skipped"
    _print_result(text, data, thalamus, json)
    if chats.added and not json:
        complain(_REFLECT.format(source=source))


_REFLECT = (
    "To extract memories and facts from them, with one model call per turn: `thalamus"
    """ export --kind turn | grep '"source":"{source}"' | thalamus reflect | thalamus store"""
    " > stored.jsonl`"
)


def _problem(text: str) -> None:
    complain(f"thalamus: {text}")


def _print_result(text: str, data: dict[str, object], thalamus: Thalamus, json: bool) -> None:
    from thalamus.records import Event
    from thalamus.terminal import jsonl

    if json:
        jsonl.write(Event(name="imported", at=thalamus.clock.stamp(), data=data))
    else:
        say(text)
