"""`thalamus report`: the store as one page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from thalamus.commands.options import MOST, OWNER, STORE, Json, Redacted, Since, Until, settings
from thalamus.config import Config

if TYPE_CHECKING:
    from thalamus.api import Thalamus
    from thalamus.transfer.report import ReportFile

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@settings(*OWNER, *STORE)
def report(
    config: Config,
    out: Annotated[
        str,
        typer.Option("--output", "-o", metavar="FILE", help="Write FILE; - is standard output."),
    ],
    session: Annotated[
        str | None, typer.Option("--session", "-s", metavar="NAME", help="Only this session.")
    ] = None,
    since: Since = None,
    until: Until = None,
    personal: Annotated[
        bool, typer.Option("--personal", help="Include personal entries, decrypted.")
    ] = False,
    redacted: Redacted = False,
    title: Annotated[str, typer.Option(metavar="TEXT", help="The title of the page.")] = "",
    limit: Annotated[
        int,
        typer.Option(
            "--limit", "-n", min=0, max=MOST, metavar="N", help="Show the newest N records; 0: all."
        ),
    ] = 20_000,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
    json: Json = False,
) -> None:
    """Write what is remembered as one page for a browser.

    The page loads nothing from elsewhere. It has a timeline, the graph of concepts and insights,
    growth, recall, the times of stages, and a table of turns, memories, facts and insights with
    their sources. Personal entries are left out unless --personal is given. With --redacted, turns,
    concepts and insights are left out too. With --json: an `event` record about the file.
    """
    from pathlib import Path

    from thalamus.commands.options import engine
    from thalamus.errors import UsageError
    from thalamus.terminal.dates import read_period
    from thalamus.terminal.files import replacing
    from thalamus.transfer.report import ReportOptions, make_report, write_report

    if json and out == "-":
        raise UsageError("--json and --output - both write to standard output.")
    begin, end = read_period(since, until)
    if personal and redacted:
        raise UsageError("--personal and --redacted cannot be combined.")
    options = ReportOptions(session, begin, end, personal, redacted, title, limit)
    with engine(config) as thalamus:
        store = thalamus.database
        if out == "-":
            file = make_report(store, thalamus.new_run(), options)
            with replacing("-") as stream:
                stream.write(file.page)
            return
        path = Path(out)
        file = write_report(path, store, thalamus.new_run(), options, replace=force)
        _print_summary(path, file, thalamus, json)


def _print_summary(path: object, file: ReportFile, thalamus: Thalamus, json: bool) -> None:
    """Prints a summary of the written file."""
    from thalamus.records import Event
    from thalamus.terminal import jsonl
    from thalamus.terminal.lines import counted
    from thalamus.terminal.statistics import size_text
    from thalamus.terminal.streams import complain

    if json:
        data = {"file": str(path), "records": file.rows, "bytes": len(file.page)}
        jsonl.write(Event(name="reported", at=thalamus.clock.stamp(), data=data))
    else:
        complain(f"{path}: {counted({'record': file.rows})}, {size_text(len(file.page))}")
