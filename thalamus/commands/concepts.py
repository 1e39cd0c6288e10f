"""`thalamus concepts`: the things that memories, facts and documents are about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from thalamus.commands.groups import Group
from thalamus.commands.options import MOST, OWNER, STORE, Json, settings, wrong_choice
from thalamus.config import Config
from thalamus.terminal.streams import complain, say, say_text

if TYPE_CHECKING:
    from thalamus.records.concepts import Concept
    from thalamus.records.graphs import Graph

group = Group(
    "List, show, connect, merge and split what memories are about. Without a command: `list`.",
    {
        "list": "concepts:list_concepts",
        "show": "concepts:show",
        "graph": "concepts:graph",
        "merge": "operation:concepts merge",
        "split": "operation:concepts split",
    },
    words="show",
)
LISTED = 50  # concepts

Name = Annotated[str, typer.Argument(metavar="NAME", help="The name of a concept, or its id.")]


@settings(*OWNER, *STORE, lists=True)
def list_concepts(
    config: Config,
    kind: Annotated[
        str | None,
        typer.Option(metavar="KIND", help="Only this kind: entity, name, topic or phrase."),
    ] = None,
    since: Annotated[
        str | None,
        typer.Option(
            metavar="DATE", help="Only those mentioned since DATE (2026-05-08, 7d, yesterday)."
        ),
    ] = None,
    until: Annotated[
        str | None,
        typer.Option(
            metavar="DATE",
            help="Only those mentioned before DATE, or until the end of a time in words.",
        ),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit", "-n", min=0, max=MOST, metavar="N", help="List at most N concepts; 0: all."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """List the concepts, the most frequent first.

    The first 50 are listed unless --limit is given; with --json, all.
    """
    from thalamus.commands.options import engine
    from thalamus.records.concepts import CONCEPT_KINDS
    from thalamus.terminal.concepts import concept_line
    from thalamus.terminal.dates import read_period
    from thalamus.terminal.lists import as_lines, print_list

    if kind is not None and kind not in CONCEPT_KINDS:
        raise wrong_choice("--kind", kind, CONCEPT_KINDS)
    with engine(config) as thalamus:
        begin, end = read_period(since, until)

        def read(most: int) -> list[Concept]:
            return thalamus.memories.concepts(kind=kind, since=begin, until=end, limit=most)

        if (
            not print_list(read, as_lines(concept_line), limit, json=json, usual=LISTED)
            and not json
        ):
            some = (kind or since or until) and thalamus.memories.concepts(limit=1)
            complain("No concepts match." if some else "There are no concepts yet.")


@settings(*OWNER, *STORE)
def show(config: Config, name: Name, json: Json = False) -> None:
    """Show a concept: names, entries about it, related concepts, facts."""
    from thalamus.commands.options import engine
    from thalamus.terminal import jsonl
    from thalamus.terminal.concepts import detail_lines

    with engine(config) as thalamus:
        found = thalamus.memories.concept(name)
        if json:
            jsonl.write(found)
            return
        for line in detail_lines(found):
            say(line)


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
