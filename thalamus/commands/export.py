"""`thalamus export`: the whole store, for other programs or for reading."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer
from msgspec import Struct

from thalamus.commands.options import MOST, STORE, Since, Until, settings, wrong_choice
from thalamus.config import Config
from thalamus.records.kinds import kinds

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from thalamus.api import Thalamus
    from thalamus.terminal.files import Output
    from thalamus.transfer.export import Selection
    from thalamus.transfer.golden import GoldenOptions

# searchable kinds first
KINDS = (*(kind.name for kind in sorted(kinds(), key=lambda kind: not kind.numbered)), "event")

REDACTED_KINDS = ("memory", "fact", "insight", "document", "link")

app = typer.Typer(rich_markup_mode=None, add_completion=False)


class Options(Struct):
    """Options of `export`."""

    format: Annotated[
        Literal["jsonl", "markdown", "chat", "golden", "persona"],
        typer.Option(
            "--format",
            help="jsonl is complete, markdown for reading, chat the messages of each session,"
            " golden data to train a model, persona the assistant's personality.",
        ),
    ] = "jsonl"
    out: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="The same as FILE; golden writes a card next to it.",
        ),
    ] = None
    purpose: Annotated[
        Literal["planner", "synthesizer", "chat"] | None,
        typer.Option("--for", help="Chat messages, to train this (golden)."),
    ] = None
    split: Annotated[
        str | None,
        typer.Option(metavar="PARTS", help="Split by session: train=0.9,test=0.1 (golden)."),
    ] = None
    agents_md: Annotated[
        bool,
        typer.Option(
            "--agents-md",
            help="Write what was agreed on this project into AGENTS.md or CLAUDE.md, or FILE.",
        ),
    ] = False
    check: Annotated[
        bool,
        typer.Option("--check", help="Only check that this is up to date; exit status 1 if not."),
    ] = False
    force: Annotated[
        bool, typer.Option("--force", help="Replace an existing file without a message.")
    ] = False
    redacted: Annotated[
        bool | None,
        typer.Option(
            "--redacted/--no-redacted",
            help="Mask what is personal, quotations, names and paths, and leave out turns; for"
            " golden, where it is the default, replace names, addresses, numbers and secrets.",
        ),
    ] = None
    include_personal: Annotated[
        bool,
        typer.Option("--personal", help="Include personal entries (golden, persona)."),
    ] = False
    dialogues: Annotated[
        int, typer.Option(min=0, max=MOST, metavar="N", help="At most N exchanges (persona).")
    ] = 20
    embeddings: Annotated[
        bool,
        typer.Option("--embeddings", help="Include the vectors of memories and facts (jsonl)."),
    ] = False
    with_logs: Annotated[
        bool, typer.Option("--with-logs", help="Include the logs of stages (jsonl).")
    ] = False
    kind: Annotated[
        list[str] | None,
        typer.Option("--kind", metavar="KIND", help="Only turn, memory, fact …; repeatable."),
    ] = None
    user: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only what belongs to this user.")
    ] = None
    session: Annotated[
        str | None, typer.Option("--session", "-s", metavar="NAME", help="Only this session.")
    ] = None
    since: Since = None
    until: Until = None

    def selection(self) -> Selection:
        """The records to export. Raises ``UsageError`` for a wrong date."""
        from thalamus.terminal.dates import read_period
        from thalamus.transfer.export import Selection

        begin, end = read_period(self.since, self.until)
        return Selection(
            user=self.user,
            session=self.session,
            since=begin,
            until=end,
            kinds=tuple(self.kind) if self.kind else None,
            logs=self.with_logs,
        )

    def golden(self, selection: Selection) -> GoldenOptions:
        """The options of a golden data set. Raises ``UsageError``."""
        from thalamus.transfer.golden import GoldenOptions, parse_split

        return GoldenOptions(
            purpose=self.purpose,
            split=parse_split(self.split) if self.split is not None else (),
            redacted=self.redacted is not False,
            personal=self.include_personal,
            selection=selection,
        )


@app.command()
@settings("project", *STORE)
def export(
    config: Config,
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="The file to write; - is standard output.")
    ] = "-",
    options: Options = Options(),
) -> None:
    """Export the store as JSON lines (for `thalamus import`), Markdown, chats or training data.

    Without filters, the export is a complete snapshot: turns, memories, facts, documents, plans,
    links and the ledger. A filtered export has no ledger. Logs of stages, which quote the
    rest, are left out unless --with-logs or --kind stage_log asks for them. With --redacted, only
    documents and some memories and facts are exported, and what is personal is masked.

    golden: the turns that succeeded, from the message to the answer; with --for in the form that
    trainers take. persona: what the assistant is and how it speaks, insights and the best
    exchanges, for `thalamus import` into an empty store. --agents-md: what the user said of the
    project, in a section between two marks; nothing personal.
    """
    from thalamus.commands.options import engine
    from thalamus.errors import UsageError
    from thalamus.terminal.files import replacing
    from thalamus.terminal.progress import counting

    if options.check and not options.agents_md:
        raise UsageError("--check requires --agents-md.")
    _check_options(options)
    if options.out is not None and file != "-":
        raise UsageError("FILE and --output cannot be combined.")
    target = options.out or file
    if options.agents_md:
        _export_section(config, options, target)
        return
    selection = options.selection()
    with engine(config) as thalamus:
        if options.format == "golden" and (target != "-" or options.split is not None):
            _write_dataset(thalamus, selection, options, target)
            return
        lines = _lines(thalamus, selection, options)
        output: AbstractContextManager[Output] = replacing(target, force=options.force)
        with output as stream, counting("exported", "records") as advance:
            for line in lines:
                stream.write(line)
                advance(1)


def _export_section(config: Config, options: Options, target: str) -> None:
    """Writes or checks the section of AGENTS.md. Raises ``UsageError``."""
    from thalamus.commands.options import engine
    from thalamus.errors import UsageError
    from thalamus.features import exporter

    if options != Options(agents_md=True, check=options.check, out=options.out):
        raise UsageError("--agents-md can only be combined with --check and --output.")
    export_section = exporter("agents-md")
    if export_section is None:
        raise UsageError("This installation has no `agents` to do that.")
    with engine(config) as thalamus:
        export_section(thalamus, target, options.check)


def _check_options(options: Options) -> None:
    """Raises ``UsageError`` for options that cannot be combined."""
    from thalamus.errors import UsageError

    kind = options.kind or []
    if kind and options.format != "jsonl" and options.format != "markdown":
        raise UsageError(f"--kind and --format {options.format} cannot be combined.")
    if options.embeddings and options.format != "jsonl":
        raise UsageError("--embeddings requires --format jsonl.")
    if options.with_logs and (options.format != "jsonl" or kind):
        raise UsageError("--with-logs requires --format jsonl, without --kind.")
    golden = {
        "--for": options.purpose,
        "--split": options.split,
        "--no-redacted": options.redacted is False,
    }
    for option, given in golden.items():
        if given and options.format != "golden":
            raise UsageError(f"{option} requires --format golden.")
    if options.include_personal and options.format not in ("golden", "persona"):
        raise UsageError("--personal requires --format golden or persona.")
    if options.redacted and options.format != "golden":
        _check_redacted(options)
    for name in kind:
        if name not in KINDS:
            raise wrong_choice("--kind", name, KINDS)
    narrowed = options.user or options.session or options.since or options.until
    if "event" in kind and narrowed:
        raise UsageError("--kind event exports the whole ledger.", fix="Leave the filters out.")


def _check_redacted(options: Options) -> None:
    """Raises ``UsageError`` for options that ask for what a redacted view does not show."""
    from thalamus.errors import UsageError

    asked = {
        f"--format {options.format}": options.format in ("chat", "persona"),
        "--embeddings": options.embeddings,
        "--with-logs": options.with_logs,
    }
    asked |= {f"--kind {name}": name not in REDACTED_KINDS for name in options.kind or ()}
    for option, given in asked.items():
        if given:
            raise UsageError(f"{option} and --redacted cannot be combined.")


def _write_dataset(thalamus: Thalamus, selection: Selection, options: Options, target: str) -> None:
    """Writes a golden data set to files and prints what it was made from."""
    from pathlib import Path

    from thalamus.errors import UsageError
    from thalamus.terminal.lines import counted
    from thalamus.terminal.streams import complain
    from thalamus.transfer.golden import GoldenDataset, write_dataset

    if target == "-":
        raise UsageError("--split requires FILE.", fix="Give the name that the files begin with.")
    name = Path(target.removesuffix(".jsonl"))
    card = write_dataset(
        GoldenDataset(thalamus.engine, options.golden(selection)),
        name,
        thalamus.engine,
    )
    for part in card.files:
        complain(f"{name.with_name(part.name)}: {counted({'row': part.rows})}")
    complain(f"of {counted({'turn': card.turns})}; see {name.with_name(name.name + '.card.md')}")


def _lines(thalamus: Thalamus, selection: Selection, options: Options) -> Iterator[bytes]:
    """The exported lines. Raises ``NoStore`` at once, before anything is written."""
    from thalamus.transfer.chats import export_chats
    from thalamus.transfer.export import export_lines
    from thalamus.transfer.golden import GoldenDataset
    from thalamus.transfer.markdown import export_markdown

    if options.format == "golden":
        return GoldenDataset(thalamus.engine, options.golden(selection)).lines()
    if options.format == "persona":
        from thalamus.transfer.personality import personality_lines

        now, personal = thalamus.clock.stamp(), options.include_personal
        return personality_lines(thalamus.database, now, options.dialogues, personal, selection)
    view = None
    if options.redacted:
        from thalamus.memory.redaction import RedactedView

        view = RedactedView(thalamus.engine)
    if options.format == "markdown":
        from thalamus.text.visible import visible

        zone = thalamus.new_run().zone
        return (
            f"{visible(line)}\n".encode()
            for line in export_markdown(thalamus.database, selection, zone, view)
        )
    if options.format == "chat":
        return export_chats(thalamus.database, selection)
    return export_lines(thalamus.database, selection, options.embeddings, view)
