"""`thalamus import`: reads exports of Thalamus and of other services."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import click
import typer
from msgspec import Struct

from thalamus.commands.options import OWNER, STORE, Json, settings
from thalamus.config import Config
from thalamus.features import features
from thalamus.terminal.streams import complain, say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from thalamus.api import Thalamus
    from thalamus.errors import BadRecord
    from thalamus.memory.forget.fingerprints import ForgottenRecords
    from thalamus.transfer.foreign.importing import ForeignImport, SourceImporter
    from thalamus.transfer.foreign.report import Report
    from thalamus.transfer.importer import Importable, Importer

app = typer.Typer(rich_markup_mode=None, add_completion=False)

SOURCES = (
    *("auto", "thalamus", "chatgpt", "claude", "gemini", "mcp-memory", "mem0", "open-webui"),
    *(format for feature in features() for format in feature.formats),
)


class Options(Struct):
    """Options of `import`."""

    source: Annotated[
        str,
        typer.Option(
            "--from",
            metavar="SOURCE",
            click_type=click.Choice(SOURCES),
            help=f"What wrote it: {', '.join(SOURCES[1:])}; auto finds out.",
        ),
    ] = "auto"
    merge: Annotated[
        bool, typer.Option("--merge", help="Take a personality into a store that is not empty.")
    ] = False
    include_forgotten: Annotated[
        bool, typer.Option("--include-forgotten", help="Also import what was forgotten here.")
    ] = False
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Count what would be imported, import nothing.")
    ] = False


@app.command("import")
@settings("embedder", *OWNER, *STORE)
def import_(
    config: Config,
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="The file, archive or folder to read; - is standard input, or with --from an agent"
            " its own folder.",
        ),
    ] = "-",
    given: Options = Options(),
    json: Json = False,
) -> None:
    """Import an export of Thalamus, or conversations and memories of other systems.

    Known are ChatGPT, Claude, Gemini (Google Takeout), the MCP memory server, mem0 and Open WebUI,
    and sessions of the coding agents Claude Code, Codex, Gemini CLI and opencode.

    Records of Thalamus keep their ids, dates, sessions and links. Existing records are skipped, so
    an interrupted import is resumed by running it again. An empty store also takes over the ledger.
    The records before a bad line stay imported. A personality (`export --format persona`) is only
    taken into an empty store, unless --merge is given.

    Each conversation of another system becomes a session of dated turns, without calling a model;
    its memories are trusted no more than a statement in an answer. Of a session of a coding agent,
    tool calls and edits become activities of the agent. `thalamus consolidate extract` afterwards
    extracts memories and facts from what the user said, with a model.

    A later export adds what is new. Turns that were edited since are withdrawn with what was made
    of them; `thalamus undo` restores them.

    What was forgotten in this store stays away, unless --include-forgotten is given.
    """
    from thalamus.commands.options import engine

    with engine(config) as thalamus:
        forgotten = None if given.include_forgotten else thalamus.store.forgotten()
        if given.source == "thalamus" or (given.source == "auto" and _is_ours(file)):
            _import_records(file, thalamus, given, forgotten, json)
        else:
            _import_foreign(file, thalamus, given, forgotten, json)
    if forgotten is not None and forgotten.incomparable:
        _problem(
            f"records of {forgotten.incomparable} erasures cannot be recognized:"
            " the key of their fingerprints is not here"
        )


def _is_ours(file: str) -> bool:
    """True for standard input and pipes, and for an export of Thalamus. Raises ``UsageError`` for a
    file that cannot be read."""
    from pathlib import Path

    from thalamus.transfer.own_export import is_own_export

    path = Path(file)
    if file == "-" or (path.exists() and not path.is_file()):
        return not path.is_dir()
    return is_own_export(path)


def _import_records(
    file: str, thalamus: Thalamus, given: Options, forgotten: ForgottenRecords | None, json: bool
) -> None:
    from thalamus.terminal.progress import counting
    from thalamus.transfer.importer import Importer

    importer = Importer(thalamus.engine, forgotten, dry_run=given.dry_run)
    problem: BadRecord | None = None
    with counting("imported", "records") as advance:
        for number, batch in enumerate(_batches(file, thalamus.config.batch_size)):
            lines = batch if number else _without_heading(batch, thalamus, given.merge)
            records, problem = _checked(lines, importer)
            problem = _add(records, lines, importer) or problem
            advance(len(records))
            if problem is not None:
                break
    importer.finish(complete=problem is None)
    if problem is not None:
        raise problem
    embedded = 0 if given.dry_run else _embed_missing(thalamus)
    _print_records(importer, embedded, thalamus, given.dry_run, json)


def _without_heading(
    lines: list[tuple[int, bytes]], thalamus: Thalamus, merge: bool
) -> list[tuple[int, bytes]]:
    """The lines without the heading of a personality. Raises ``UsageError`` if the personality
    would be mixed with an existing store."""
    from thalamus.errors import BadRecord, UsageError
    from thalamus.records.golden import Personality
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

    from thalamus.terminal import jsonl
    from thalamus.transfer.own_export import export_lines_of

    if file == "-":
        yield from jsonl.numbered_lines(size)
        return
    numbered = ((n, line) for n, line in enumerate(export_lines_of(Path(file)), 1) if line.strip())
    while lines := list(islice(numbered, size)):
        yield lines


def _checked(
    lines: list[tuple[int, bytes]], importer: Importer
) -> tuple[list[Importable], BadRecord | None]:
    """The records before the first bad line, and the problem with that line."""
    from thalamus.errors import BadRecord, RecordProblem
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
            return records, BadRecord(number, error.message, error.field)
    return records, None


def _add(
    records: list[Importable], lines: list[tuple[int, bytes]], importer: Importer
) -> BadRecord | None:
    """Stores records; if one has the id of another record, only those before it. Returns the
    problem."""
    from thalamus.errors import BadRecord, RecordProblem

    try:
        importer.add(records)
    except RecordProblem as error:
        importer.add(records[: error.index])
        return BadRecord(lines[error.index][0], error.message, error.field)
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


def _print_records(
    importer: Importer, embedded: int, thalamus: Thalamus, dry_run: bool, json: bool
) -> None:
    from thalamus.terminal.lines import counted

    data: dict[str, object] = {
        "added": dict(importer.added),
        "there": dict(importer.there),
        "events_left_out": importer.left_out,
        "embedded": embedded,
    }
    text = f"{_verb(dry_run)} {counted(importer.added)}"
    if importer.answered:
        data["answered"] = importer.answered
        text += f"; answered since: {counted({'turn': importer.answered})}"
    if importer.there:
        text += f"; skipped, existing: {counted(importer.there)}"
    if importer.forgotten:
        data["forgotten"] = dict(importer.forgotten)
        text += _forgotten(importer.forgotten)
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
    if importer.rehashed:
        data["events_rehashed"] = importer.rehashed
        text += (
            f"; {importer.rehashed:,} ledger entries have other hashes than in the export: an"
            " encrypted entry is chained by its ciphertext"
        )
    _print_result(text, data, thalamus, dry_run, json)


def _import_foreign(
    file: str, thalamus: Thalamus, given: Options, forgotten: ForgottenRecords | None, json: bool
) -> None:
    from pathlib import Path

    from thalamus.features import importers
    from thalamus.terminal.progress import counting
    from thalamus.transfer.foreign.importing import ForeignImporter
    from thalamus.transfer.foreign.report import Report

    known: dict[str, type[SourceImporter]] = importers()
    source = given.source
    path = known.get(source, ForeignImporter).folder(source) if file == "-" else Path(file)
    if source == "auto":
        found = (importer.recognize(path) for importer in dict.fromkeys(known.values()))
        source = next(filter(None, found), source)
    report = Report(_problem)
    importer = known.get(source, ForeignImporter)(
        thalamus.new_run(),
        report,
        forgotten,
        include_forgotten=given.include_forgotten,
        dry_run=given.dry_run,
    )
    with counting("imported", "records") as advance:
        result = importer.run(path, source, advance)
    if result.problem:
        _problem(
            f"embeddings are missing: {result.problem};"
            " `thalamus store reindex --embed` computes them"
        )
    _print_foreign(result, report, thalamus, given.dry_run, json)
    if result.added["turn"] and not given.dry_run and not json:
        complain(_EXTRACT)


def _print_foreign(
    result: ForeignImport, report: Report, thalamus: Thalamus, dry_run: bool, json: bool
) -> None:
    from thalamus.terminal.lines import counted

    data: dict[str, object] = {
        "source": ",".join(sorted(result.sources)),
        "conversations": len(result.sessions),
        "added": dict(result.added),
        "there": dict(result.there),
        "forgotten": dict(result.forgotten),
        "quarantined": dict(result.quarantined),
        "left_out": dict(report.left_out),
        "undated": report.undated,
        "answered": result.answered,
        "withdrawn": dict(result.withdrawn),
        "returned": result.returned,
    }
    turns_last = dict(sorted(result.added.items(), key=lambda pair: pair[0] == "turn"))
    text = f"{_verb(dry_run)} {counted(turns_last)}"
    if result.sessions:
        text += f" of {counted({'conversation': len(result.sessions)})}"
    if result.answered:
        text += f"; answered since: {counted({'turn': result.answered})}"
    if result.withdrawn:
        text += f"; withdrawn since: {counted(result.withdrawn)} (`thalamus undo` restores them)"
    if result.returned:
        text += f"; current again: {counted({'turn': result.returned})}"
    if result.there:
        text += f"; skipped, existing: {counted(result.there)}"
    if result.forgotten:
        text += _forgotten(result.forgotten)
    if result.quarantined:
        text += f"; quarantined: {counted(result.quarantined)}"
    if report.left_out:
        text += f"; left out: {_reasons(report)}"
    if report.undated:
        text += f"; without any time, dated 1970-01-01: {counted({'turn': report.undated})}"
    _print_result(text, data, thalamus, dry_run, json)


def _verb(dry_run: bool) -> str:
    return "would import" if dry_run else "imported"


def _forgotten(counts: Mapping[str, int]) -> str:
    from thalamus.terminal.lines import counted

    return f"; forgotten before, left out: {counted(counts)} (--include-forgotten imports them)"


def _reasons(report: Report) -> str:
    """``2 × conversation not to be remembered``."""
    return ", ".join(f"{count:,} × {reason}" for reason, count in report.left_out.items())


_EXTRACT = "`thalamus consolidate extract` extracts memories and facts from them, with a model."


def _problem(text: str) -> None:
    complain(f"thalamus: {text}")


def _print_result(
    text: str, data: dict[str, object], thalamus: Thalamus, dry_run: bool, json: bool
) -> None:
    from thalamus.records import Event
    from thalamus.terminal import jsonl

    if json:
        data = {**data, "dry_run": True} if dry_run else data
        jsonl.write(Event(name="imported", at=thalamus.clock.stamp(), data=data))
    else:
        say(text)
    if dry_run and not json:
        complain("Nothing was imported (--dry-run).")
