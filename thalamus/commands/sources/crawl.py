"""`thalamus sources crawl`: reads the new documents of sources."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from thalamus.commands.options import MODELS, OWNER, STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import complain, say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from thalamus.records import DiscoverySource, Document

LONGEST = 100  # characters of an address that is shown


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
