"""`thalamus sources add`, `approve` and `disable`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from thalamus.commands.options import OWNER, STORE, Json, settings
from thalamus.commands.sources.list import Source
from thalamus.config import Config
from thalamus.terminal.streams import complain, say

if TYPE_CHECKING:
    from thalamus.records import DiscoverySource


@settings(*OWNER, *STORE)
def add(
    config: Config,
    url: Annotated[
        str, typer.Argument(metavar="URL", help="Address of a feed, a page or a git repository.")
    ],
    json: Json = False,
) -> None:
    """Add a source. It is active, and read by `sources crawl`.

    An address that ends in a slash stands for all pages below it that its page links to, any other
    for one page. Feeds are recognized when they are read.
    """
    from thalamus.commands.options import engine

    with engine(config) as thalamus:
        _show(thalamus.sources.add(url), json)


@settings(*OWNER, *STORE)
def approve(config: Config, source: Source, json: Json = False) -> None:
    """Activate a candidate, or a source that was disabled.

    It is read by the next `sources crawl`.
    """
    from thalamus.commands.options import engine

    with engine(config) as thalamus:
        _show(thalamus.sources.approve(source), json)


@settings(*OWNER, *STORE)
def disable(config: Config, source: Source, json: Json = False) -> None:
    """Disable a source: it is no longer read. Its documents are kept."""
    from thalamus.commands.options import engine

    with engine(config) as thalamus:
        _show(thalamus.sources.disable(source), json)


def _show(source: DiscoverySource, json: bool) -> None:
    from thalamus.terminal import jsonl
    from thalamus.terminal.sources import source_line

    if json:
        jsonl.write(source)
        return
    say(source_line(source))
    if source.status == "active" and source.last_crawled is None:
        complain("`thalamus sources crawl` reads it.")
