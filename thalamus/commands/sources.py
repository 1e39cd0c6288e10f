"""`thalamus sources`: the commands about sources on the network."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, Annotated, cast

import typer

from thalamus.commands.groups import Group
from thalamus.commands.options import MODELS, OWNER, STORE, Json, settings, wrong_choice
from thalamus.config import Config
from thalamus.terminal.streams import complain, say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from thalamus.records import DiscoverySource, Document, SourceStatus

group = Group(
    "List, add, approve and read sources on the network. Without a command: `list`.",
    {
        "list": "sources:list_sources",
        "show": "sources:show",
        "add": "operation:sources add",
        "approve": "operation:sources approve",
        "disable": "operation:sources disable",
        "crawl": "sources:crawl",
        "remove": "sources:remove",
    },
    words="show",
)
Source = Annotated[
    str,
    typer.Argument(metavar="SOURCE", help="The address of a source, or its id or a prefix of it."),
]
LONGEST = 100  # characters of an address that is shown


@settings(*OWNER, *STORE, lists=True)
def list_sources(
    config: Config,
    status: Annotated[
        str | None,
        typer.Option(metavar="STATUS", help="Only candidate, active, disabled or failed sources."),
    ] = None,
    json: Json = False,
) -> None:
    """List the sources, oldest first, with their scores."""
    from typing import get_args

    from thalamus.commands.options import engine
    from thalamus.records import SourceStatus
    from thalamus.terminal import jsonl
    from thalamus.terminal.sources import source_line

    if status is not None and status not in get_args(SourceStatus):
        raise wrong_choice("--status", status, get_args(SourceStatus))
    with engine(config) as thalamus:
        found = thalamus.sources.find(cast("SourceStatus | None", status))
        if json:
            jsonl.write(*found)
            return
        for source in found:
            say(source_line(source))
        if not found:
            some = status and thalamus.sources.find()
            complain("No sources match." if some else "There are no sources yet.")


@settings(*OWNER, *STORE)
def show(config: Config, source: Source, json: Json = False) -> None:
    """Show a source and the documents that were read from it.

    With --json: the `discovery_source` record, then a `document` record for each.
    """
    from thalamus.commands.options import engine
    from thalamus.terminal import jsonl
    from thalamus.terminal.sources import document_lines, source_fields

    with engine(config) as thalamus:
        found = thalamus.sources.get(source)
        documents = thalamus.sources.documents(found)
        if json:
            jsonl.write(found, *documents)
            return
        for line in (*source_fields(found), *document_lines(documents)):
            say(line)


@settings(*MODELS, *OWNER, *STORE)
def crawl(
    config: Config,
    sources: Annotated[
        list[str] | None,
        typer.Argument(metavar="[SOURCE…]", help="Only these: addresses, or ids or prefixes."),
    ] = None,
    due: Annotated[
        bool,
        typer.Option(
            "--due",
            help="Only sources not read for `crawl_days`, for cron; takes `network: true`.",
        ),
    ] = False,
    no_summary: Annotated[
        bool, typer.Option("--no-summary", help="Do not let the model write summaries.")
    ] = False,
    json: Json = False,
) -> None:
    """Read what is new in the sources, one request a second and server.

    Candidates and disabled sources are left out. Exit status 1 if a source could not be read; one
    whose server is busy is only put off. With --json: a `document` record for each new document,
    and the `discovery_source` record of each source after it.
    """
    from thalamus.commands.options import engine

    with engine(config) as thalamus:
        read = partial(thalamus.sources.crawl, sources or (), due=due, summary=not no_summary)
        failed, count = print_crawl(read, json)
        if not count and not json:
            complain("No source is due." if due else "There are no active sources.")
    if failed:
        sys.exit(1)


def print_crawl(
    crawl: Callable[..., Iterable[Document | DiscoverySource]], json: bool
) -> tuple[int, int]:
    """Prints the results of a crawl as they come, and on a terminal the address that is being read.
    Returns the numbers of sources that could not be read, and of all."""
    from thalamus.records import Document
    from thalamus.terminal import jsonl
    from thalamus.terminal.progress import StepLine
    from thalamus.terminal.sources import crawled_line

    failed = sources = new = bad = 0
    with StepLine() as step:
        for one in crawl(progress=lambda url: step(f"reading {url[:LONGEST]}")):
            step.clear()
            if json:
                jsonl.write(one)
            if isinstance(one, Document):
                new += one.status == "ingested"
                bad += one.status == "failed"
                _print_document(one, json)
                continue
            sources += 1
            failed += one.error is not None and one.not_before is None
            if not json:
                say(crawled_line(one, new, bad))
            new = bad = 0
    return failed, sources


def _print_document(document: Document, json: bool) -> None:
    from thalamus.terminal.lines import document_line

    for issue in document.issues:
        complain(f"thalamus: {document.path}: {issue.message}")
        if issue.fix:
            complain(f"  {issue.fix}")
    if not json and document.status != "unchanged":
        say(document_line(document))


@settings(*OWNER, *STORE)
def remove(
    config: Config,
    source: Source,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be deleted, delete nothing.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Delete without asking.")] = False,
    no_input: Annotated[bool, typer.Option("--no-input", help="Fail instead of asking.")] = False,
    json: Json = False,
) -> None:
    """Delete a source with its documents.

    They are deleted permanently, with everything derived from them, as `thalamus forget` does.
    `sources disable` keeps the documents.
    """
    from msgspec.structs import replace

    from thalamus.commands.forget import Asking, forget_selected
    from thalamus.commands.options import engine

    with engine(config) as thalamus:
        options = replace(thalamus.sources.removal(source), dry_run=dry_run)
    forget_selected(options, Asking(json, ask=not yes, possible=not no_input), None, config)
