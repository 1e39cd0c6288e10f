"""`thalamus export`: the whole store, for other programs or for reading."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from thalamus.commands.options import STORE, settings, wrong_choice
from thalamus.config import Config
from thalamus.records.kinds import kinds

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from thalamus.api import Selection, Thalamus
    from thalamus.terminal.files import Output

# first what can be found
KINDS = (*(kind.name for kind in sorted(kinds(), key=lambda kind: not kind.numbered)), "event")

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@settings(*STORE)
def export(
    config: Config,
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="The file to write; - is standard output.")
    ] = "-",
    format: Annotated[
        Literal["jsonl", "markdown", "chat"],
        typer.Option(
            "--format",
            help="jsonl is complete, markdown for reading, chat the messages of each session.",
        ),
    ] = "jsonl",
    embeddings: Annotated[
        bool,
        typer.Option("--embeddings", help="Include the vectors of memories and facts (jsonl)."),
    ] = False,
    with_logs: Annotated[
        bool, typer.Option("--with-logs", help="Include the logs of stages (jsonl).")
    ] = False,
    kind: Annotated[
        list[str] | None,
        typer.Option("--kind", metavar="KIND", help="Only turn, memory, fact …; repeatable."),
    ] = None,
    user: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only what belongs to this user.")
    ] = None,
    session: Annotated[
        str | None, typer.Option("--session", "-s", metavar="NAME", help="Only this session.")
    ] = None,
    since: Annotated[
        str | None, typer.Option(metavar="DATE", help="Only what was said on or after DATE.")
    ] = None,
    until: Annotated[
        str | None, typer.Option(metavar="DATE", help="Only what was said before DATE.")
    ] = None,
) -> None:
    """Export the store as JSON lines (for `thalamus import`), Markdown or chats.

    Without filters, the export is a complete snapshot: turns, memories, facts, documents, plans,
    links and the ledger. A filtered export has no ledger. Logs of stages, which quote the
    rest, are left out unless --with-logs or --kind stage_log asks for them.
    """
    from thalamus.api import Selection
    from thalamus.commands.dates import read_date
    from thalamus.commands.options import engine
    from thalamus.errors import UsageError
    from thalamus.terminal.files import replacing
    from thalamus.terminal.progress import counting

    if kind and format == "chat":
        raise UsageError("--kind and --format chat cannot be combined: it has turns only.")
    if embeddings and format != "jsonl":
        raise UsageError("--embeddings requires --format jsonl.")
    if with_logs and (format != "jsonl" or kind):
        raise UsageError("--with-logs requires --format jsonl, without --kind.")
    for name in kind or ():
        if name not in KINDS:
            raise wrong_choice("--kind", name, KINDS)
    selection = Selection(
        user=user,
        session=session,
        since=read_date(since, "--since"),
        until=read_date(until, "--until"),
        kinds=tuple(kind) if kind else None,
        logs=with_logs,
    )
    with engine(config) as thalamus:
        lines = _lines(thalamus, selection, format, embeddings)
        output: AbstractContextManager[Output] = replacing(file)
        with output as stream, counting("exported", "records") as advance:
            for line in lines:
                stream.write(line)
                advance(1)


def _lines(
    thalamus: Thalamus, selection: Selection, format: str, embeddings: bool
) -> Iterator[bytes]:
    """Raises ``NoStore`` at once: before anything is written."""
    if format == "markdown":
        from thalamus.terminal.lines import visible

        return (f"{visible(line)}\n".encode() for line in thalamus.export_markdown(selection))
    if format == "chat":
        return thalamus.export_chats(selection)
    return thalamus.export_lines(selection, embeddings=embeddings)
