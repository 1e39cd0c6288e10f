"""`thalamus concepts graph`: the connections of a concept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from thalamus.commands.options import OWNER, STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import say, say_text

if TYPE_CHECKING:
    from thalamus.records.graphs import Graph


@settings(*OWNER, *STORE)
def graph(
    config: Config,
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="The name of a concept, its id, or user.")
    ],
    depth: Annotated[
        int, typer.Option(min=1, max=6, metavar="N", help="Follow at most N connections.")
    ] = 2,
    path: Annotated[
        str | None, typer.Option(metavar="OTHER", help="Show the shortest path to OTHER instead.")
    ] = None,
    limit: Annotated[
        int,
        typer.Option(
            "--limit", "-n", min=0, max=1000, metavar="N", help="Show at most N concepts."
        ),
    ] = 40,
    as_of: Annotated[
        str | None,
        typer.Option("--as-of", metavar="DATE", help="Use the facts true on DATE."),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Use ended facts as well.")] = False,
    dot: Annotated[bool, typer.Option("--dot", help="Print it for Graphviz.")] = False,
    html: Annotated[bool, typer.Option("--html", help="Print a self-contained page.")] = False,
    json: Json = False,
) -> None:
    """Show how a concept is connected with others.

    Concepts are connected by facts and by what is said about both. Facts are shown if they are true
    now. A number in parentheses on a line counts what is about both of its ends. With --path the
    exit status is 4 if there is no path.
    """
    from thalamus.commands.options import engine
    from thalamus.errors import UsageError
    from thalamus.terminal.dates import read_date

    if dot + html + json > 1:
        raise UsageError("Only one of --json, --dot and --html can be given.")
    if as_of and every:
        raise UsageError("--as-of and --all cannot be combined.")
    with engine(config) as thalamus:
        found = thalamus.memories.graph(
            name,
            other=path,
            depth=depth,
            limit=limit,
            as_of=read_date(as_of, "--as-of"),
            every=every,
        )
        _print(found, "dot" if dot else "html" if html else "json" if json else "")


def _print(found: Graph, form: str) -> None:
    from thalamus.terminal import jsonl
    from thalamus.terminal.graph import dot_lines, page, path_line, tree_lines

    if form == "json":
        jsonl.write(found)
    elif form == "html":
        say_text(page(found))
    elif form == "dot":
        for line in dot_lines(found):
            say(line)
    elif found.path:
        say(path_line(found))
    else:
        for line in tree_lines(found):
            say(line)
